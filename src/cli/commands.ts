// Every command, in the order of `lacewing --help`. One line each; the file is imported when the command is called.
import type { Listed } from "./command.ts"

export const commands: readonly Listed[] = [
  { name: "run", about: "run an experiment: progress, table, chart, results folder", load: () => import("./run.ts") },
  { name: "studio", about: "watch an experiment live in a browser: run, pause, go back, ask", load: () => import("./studio/studio.ts") },
  { name: "check", about: "check an experiment without running it", load: () => import("./check.ts") },
  { name: "contract", about: "hold plug-ins of your own against the contracts of their family", load: () => import("./contract.ts") },
  { name: "route", about: "show every way from one endpoint to another, with its VCs", load: () => import("./route.ts") },
  { name: "topology", about: "measure, draw or export a network: counts, hops, bisection, cost", load: () => import("./topology.ts") },
  { name: "cost", about: "price and power of a network: routers, cables, optics", load: () => import("./cost.ts") },
  { name: "trace", about: "check, show or convert a trace of an application", load: () => import("./inspect/trace.ts") },
  {
    name: "interference",
    about: "what the jobs of an experiment do to each other: slowdowns and shared channels",
    load: () => import("./inspect/interference.ts"),
  },
  {
    name: "qos",
    about: "from shares and distances of service levels to an arbitration table; OpenSM's lines",
    load: () => import("./inspect/qos.ts"),
  },
  {
    name: "arena",
    about: "congestion protocols side by side: a league table of an incast with victims",
    load: () => import("./inspect/arena.ts"),
  },
  {
    name: "shootout",
    about: "which network to build: every family at equal endpoints, cost or power",
    load: () => import("./inspect/shootout.ts"),
  },
  { name: "list", about: "list topologies, routings, switches, patterns and all other plug-ins", load: () => import("./list.ts") },
  { name: "explain", about: "explain a key of the experiment file, a plug-in or a measured value", load: () => import("./explain.ts") },
  { name: "report", about: "make report.html, tables and figures of a results folder", load: () => import("./report.ts") },
  { name: "compare", about: "compare two results folders point by point: better, worse or same", load: () => import("./compare.ts") },
  { name: "sql", about: "ask a results folder in SQL (needs DuckDB)", load: () => import("./sql.ts") },
  { name: "merge", about: "join the results folders of a sharded sweep", load: () => import("./merge.ts") },
  { name: "jobs", about: "sweeps that were handed over: how they stand, cancel, resume", load: () => import("./cluster/jobs.ts") },
  { name: "task", about: "run one task of a job, on a compute node", load: () => import("./cluster/task.ts") },
  { name: "reproduce", about: "run a finished run again and compare it to the last bit", load: () => import("./reproduce.ts") },
  { name: "paper", about: "reproduce figures and tables of papers", load: () => import("./paper.ts") },
  { name: "init", about: "write a commented experiment to start from", load: () => import("./init.ts") },
  { name: "import", about: "a configuration of BookSim2 or CODES as an experiment file", load: () => import("./inspect/import.ts") },
  { name: "validate", about: "hold our numbers against closed forms and peers, row by row", load: () => import("./validate.ts") },
  { name: "bench", about: "speed beside a peer", load: () => import("./bench/bench.ts") },
  { name: "schema", about: "write the JSON Schema of experiment files, for editors", load: () => import("./schema.ts") },
  { name: "doctor", about: "look at this machine: node, cores, memory, optional packages", load: () => import("./doctor.ts") },
]
