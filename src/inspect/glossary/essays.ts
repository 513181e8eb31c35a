// The written pages of the manual, in reading order. Each has one purpose: a guide shows how to do a task, a model page
// specifies what is simulated, an architecture page is for people who change the code, and a paper page reports which
// figures agree. Reference pages are generated and are not listed here. `explain`, `manual` and the site read this
// list.

export interface Essay {
  /** address in the manual without `.html`, and a word that `explain` knows */
  readonly word: string
  readonly title: string
  readonly about: string
  /** path in the package; absent: made from data */
  readonly file?: string
  readonly part: "guide" | "model" | "architecture" | "papers" | "project"
  /** other words for it, old addresses among them: each gets a page that redirects, for one release */
  readonly also?: readonly string[]
}

type Row = readonly [name: string, title: string, about: string, also?: readonly string[]]

const guide: readonly Row[] = [
  ["tutorial", "Tutorial", "From an empty folder to a custom routing in one hour", ["tutorial", "tour"]],
  ["experiments", "Experiment files", "Write the YAML file: units, sweeps, variants, includes, expectations and seeds"],
  [
    "measuring",
    "Measuring",
    "Warm-up, batch means, confidence intervals, saturation, early stops and seeds",
    ["numbers"],
  ],
  ["reports", "Reports", "Read a report from its warnings to its last table", ["reading"]],
  ["results", "Results", "Use a results folder: SQL, pandas, compare, merge, reproduce, checkpoints", ["results"]],
  ["analysis", "Analysis with other tools", "Read results with pandas and DuckDB, and in a notebook", ["pandas"]],
  ["deadlock", "Deadlock", "Prove a network deadlock-free, count the VCs it needs, and repair one that deadlocks"],
  [
    "engines",
    "Choosing an engine",
    "Compare the flit, packet and ideal engines: detail, cost and agreement",
    ["engines"],
  ],
  [
    "congestion-control",
    "Congestion control",
    "Choose, configure and compare congestion-control protocols",
    ["congestion-protocols"],
  ],
  [
    "congestion-isolation",
    "Congestion isolation",
    "Choose a queue scheme that limits head-of-line blocking",
    ["isolation"],
  ],
  ["qos", "Quality of service", "Compute arbitration tables and configure service levels", ["service"]],
  ["stashing", "Stashing switches", "Use idle buffers of other ports of a tiled switch as storage", ["stashing"]],
  ["workloads", "Parallel workloads", "Run jobs of ranks that compute, send, receive and wait", ["workloads"]],
  ["traces", "Traces", "Check, convert and replay MPI and AI traces", ["traces", "dumpi-format"]],
  ["compare-networks", "Comparing networks", "Compare network families at similar size, cost or power", ["comparing"]],
  ["cluster", "Clusters", "Submit a sweep to Slurm or another scheduler, follow it and resume it", ["cluster-sweeps"]],
  ["studio", "Studio", "Watch a run in the browser: pause, rewind, inspect, branch and share", ["live"]],
  ["library", "Library", "Call lacewing from Node.js or from a web page", ["api"]],
  [
    "own-papers",
    "Reproducing a paper",
    "Write the figures of a paper as data: experiments, and rows with bounds",
    ["figures-as-data"],
  ],
  ["plugins", "Plug-ins", "Write a routing, a congestion control, a switch or another part, and test it"],
  [
    "coming-from",
    "Coming from another simulator",
    "Terms and keys of BookSim2, CODES, SST, SuperSim, CAMINOS, ASTRA-sim, SimAI, htsim and ns-3",
    ["coming-from"],
  ],
  ["import", "Importing configurations", "Convert configuration files of BookSim2 and CODES"],
]

const model: readonly Row[] = [
  ["overview", "Model overview", "Endpoints, routers, channels, VCs and cycles; how latency and load are defined"],
  ["input-queued", "Input-queued switch", "The virtual-channel router of BookSim2"],
  ["tiled", "Tiled switch", "A high-radix switch of rows and columns of tiles"],
  ["stashing", "Stash of the tiled switch", "Idle port memory for copies and for packets that block others"],
  ["combined", "Combined input- and output-queued switch", "A switch with buffers at inputs and outputs"],
  ["infiniband", "InfiniBand switch", "Virtual lanes, arbitration tables and credits of InfiniBand"],
  ["omni-path", "Omni-Path switch", "Virtual lanes, flit interleaving and preemption of Omni-Path"],
  ["queue-scheme", "Queue-scheme switch", "VOQ, DBBM, RECN, FBICM and BFC"],
  ["packet-engine", "Packet engine", "The event-driven model of packets and chunks"],
  ["congestion", "Congestion-control protocols", "Messages, state, parameters and citation of each protocol"],
  ["qos-schedulers", "Output schedulers", "Deficit table, DRR, SCFQ, WFQ and VL arbitration"],
  ["mpi", "MPI model", "Ranks, matching, eager and rendezvous messages, LogGOPS"],
]

const architecture: readonly Row[] = [
  ["state-layout", "State layout", "Ids, packet records and columns of typed arrays"],
  ["cycle", "The cycle", "The loop of the flit engine, its windows and outboxes"],
  ["parallel", "Parallel simulation", "Three synchronisations, one result", ["parallel"]],
  ["protocols", "Endpoint protocols", "The interface of congestion control at endpoints"],
  ["proofs", "Proofs", "How deadlock freedom is proved before the first cycle"],
  ["predictions", "Predictions", "How run time and memory are predicted"],
  ["plugins-loading", "Loading plug-ins", "How modules are found, checked and hashed"],
  ["results-format", "Results format", "Files, shards and checksums of a results folder"],
  ["performance", "Performance", "V8 idioms and their measured cost"],
  ["testing", "Testing", "The test suites, what they run and what they cost"],
]

const papers: readonly Row[] = [
  [
    "stashing",
    "Stashing",
    "Exploiting Idle Resources in a High-Radix Switch for Supplemental Storage, Blumrich et al., 2018",
  ],
  ["cbcm", "CBCM", "Contention-based Congestion Management in Large-Scale Networks, Kim et al., 2016"],
  [
    "fbicm",
    "FBICM",
    "Efficient Congestion Management for High-Performance Interconnection Networks, Escudero-Sahuquillo et al., 2010",
  ],
  [
    "fitfly",
    "Fit Fly",
    "Fit Fly: A Case Study on Interconnect Innovation through Parallel Simulation, McGlohon et al., 2019",
  ],
  ["qos", "QoS", "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures, Cano-Cano et al."],
]

function pages(
  rows: readonly Row[],
  part: Essay["part"],
  prefix: string,
  fileOf: (name: string) => string,
): readonly Essay[] {
  return rows.map(([name, title, about, also]) => ({
    word: `${prefix}-${name}`,
    title,
    about,
    part,
    file: fileOf(name),
    ...(also === undefined ? {} : { also }),
  }))
}

/** The written pages of the manual, in reading order. */
export const essays: readonly Essay[] = [
  ...pages(guide, "guide", "guide", (name) => `docs/guide/${name}.md`),
  ...pages(model, "model", "model", (name) => `docs/model/${name}.md`),
  {
    word: "architecture",
    title: "Architecture",
    about: "The folders and layers of the source, and which layer may import which",
    file: "docs/architecture.md",
    part: "architecture",
    also: ["design"],
  },
  ...pages(architecture, "architecture", "architecture", (name) => `docs/architecture/${name}.md`),
  {
    word: "papers",
    title: "Reproducing papers",
    about: "How a figure is reproduced, what its rows mean, and how to add one",
    file: "papers/README.md",
    part: "papers",
  },
  ...pages(papers, "papers", "paper", (name) => `papers/${name}/README.md`),
  {
    word: "validation",
    title: "Validation",
    about: "All comparisons with BookSim2, CODES, LogGOPS and papers, with the reason for each failing row",
    part: "papers",
  },
  {
    word: "contributing",
    title: "Contributing",
    about: "Set-up, tests, style, speed checks and change fragments",
    file: "CONTRIBUTING.md",
    part: "project",
  },
  {
    word: "changelog",
    title: "Changes",
    about: "All changes, newest first, from the fragments in changes/",
    part: "project",
  },
  {
    word: "security",
    title: "Security",
    about: "Which files are executed as code, and how to prevent it",
    file: "SECURITY.md",
    part: "project",
  },
]
