// All commands, in the groups and the order of `lacewing --help`. The file of a command is imported when it is called.
import type { Listed } from "./command.ts"

type Loader = Listed["load"]

const group = (heading: string, all: readonly (readonly [name: string, about: string, load: Loader])[]): Listed[] =>
  all.map(([name, about, load]) => ({ name, about, load, group: heading }))

export const commands: readonly Listed[] = [
  ...group("Run", [
    ["run", "Run an experiment and write a results folder", () => import("./run.ts")],
    ["studio", "Watch, pause and inspect an experiment in the browser", () => import("./studio/studio.ts")],
    ["reproduce", "Repeat a stored run and check that every bit matches", () => import("./reproduce.ts")],
    ["paper", "Reproduce figures and tables of published papers", () => import("../reproduce/cli/paper/paper.ts")],
  ]),
  ...group("Write an experiment", [
    ["init", "Write a commented example to start from", () => import("./init.ts")],
    ["import", "Convert a BookSim2 or CODES configuration", () => import("../reproduce/cli/import.ts")],
    ["check", "Validate an experiment and check it for deadlocks, without running it", () => import("./check.ts")],
    ["list", "List topologies, routings, switches and other plug-ins", () => import("./list.ts")],
    ["explain", "Explain a key, plug-in, result column or term", () => import("./explain.ts")],
    ["schema", "Write the JSON Schema of experiment files for your editor", () => import("./schema.ts")],
  ]),
  ...group("Analyse a network", [
    [
      "topology",
      "Show size, hop counts, bisection and cost of a topology, or export it",
      () => import("./topology.ts"),
    ],
    ["route", "List all paths between two endpoints, with their VCs", () => import("./route.ts")],
    ["cost", "Estimate price and power of a network", () => import("./inspect/cost.ts")],
    ["qos", "Compute an InfiniBand VL arbitration table from bandwidth shares", () => import("./inspect/qos.ts")],
    ["trace", "Validate, display or convert an application trace", () => import("./inspect/trace.ts")],
  ]),
  ...group("Compare designs", [
    ["arena", "Compare congestion controls in a set of scenarios", () => import("./inspect/arena.ts")],
    ["shootout", "Compare network families at equal size, cost or power", () => import("./inspect/shootout.ts")],
    [
      "interference",
      "Measure how much the jobs of an experiment slow each other down",
      () => import("./inspect/interference.ts"),
    ],
  ]),
  ...group("Work with results", [
    ["report", "Write report.html, tables and figures", () => import("./report.ts")],
    ["compare", "Compare two results folders point by point", () => import("./compare.ts")],
    ["sql", "Query a results folder with SQL (requires DuckDB)", () => import("./sql.ts")],
    ["merge", "Combine the results folders of a sharded sweep", () => import("./merge.ts")],
    ["sweeps", "List, cancel or resume sweeps submitted to a cluster", () => import("./cluster/sweeps.ts")],
  ]),
  ...group("Validate and benchmark lacewing", [
    [
      "validate",
      "Compare results with BookSim2, CODES and analytic models",
      () => import("../reproduce/cli/validate.ts"),
    ],
    [
      "bench",
      "Measure speed and compare it with other simulators or builds",
      () => import("../reproduce/cli/bench/bench.ts"),
    ],
    ["contract", "Run the conformance tests on your own plug-ins", () => import("./contract.ts")],
    ["doctor", "Check Node.js, cores, memory and optional packages", () => import("./doctor.ts")],
  ]),
  ...group("Other", [
    ["manual", "Open the manual, or its page on a topic", () => import("./manual/manual.ts")],
    ["completion", "Write a completion script for bash, zsh or fish", () => import("./manual/completion.ts")],
  ]),
  {
    name: "task",
    about: "Run one task of a submitted sweep on a compute node",
    load: () => import("./cluster/task.ts"),
    group: "Other",
    hidden: true,
  },
]

/** Names of commands in version 0.1, with their names today. */
export const renamedCommands: Readonly<Record<string, string>> = { jobs: "sweeps" }
