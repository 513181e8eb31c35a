// The pages of the manual that are read from beginning to end, in their order.

export interface Essay {
  readonly word: string
  readonly title: string
  readonly about: string
  /** path in the package; absent: made from data */
  readonly file?: string
  readonly part: "start" | "understand" | "topics" | "project"
}

/** Pages of the manual that are read, in their order. */
export const essays: readonly Essay[] = [
  {
    word: "tutorial",
    title: "Tutorial",
    file: "docs/tutorial.md",
    part: "start",
    about:
      "One hour: a first curve, a topology and a trace of your own, a cluster, a paper, and a routing of your own that is proved, drawn and compared.",
  },
  { word: "tour", title: "A tour", file: "README.md", part: "start", about: "What lacewing is, its commands and the library in one page." },
  {
    word: "numbers",
    title: "How a number is made",
    file: "docs/numbers.md",
    part: "understand",
    about: "Warm-up, batch means, intervals, saturation, early stops, seeds, and what is compared with what.",
  },
  {
    word: "engines",
    title: "Choosing an engine",
    file: "docs/engines.md",
    part: "understand",
    about: "Flits cycle by cycle, or packets as events: what each knows, what it costs, and when they agree.",
  },
  {
    word: "reading",
    title: "Reading a report",
    file: "docs/reading.md",
    part: "understand",
    about: "From the warnings at its top to the last table: what a report says, and what it does not.",
  },
  {
    word: "validation",
    title: "Validation",
    part: "understand",
    about:
      "Every row that lacewing is held against: BookSim2, CODES, LogGOPS, its own twins, and papers; those that fail with their reason.",
  },
  {
    word: "coming-from",
    title: "Coming from BookSim2, CODES, SST, SuperSim, CAMINOS",
    file: "docs/coming-from.md",
    part: "start",
    about: "Words and keys of other simulators beside ours.",
  },
  {
    word: "design",
    title: "Design",
    file: "docs/design.md",
    part: "understand",
    about: "The laws behind the code: describe, compile, run; a cycle has no order; chance is a function.",
  },
  {
    word: "live",
    title: "The studio",
    file: "docs/studio.md",
    part: "topics",
    about: "A network live in a tab of a browser: heat, questions to packets and channels, any cycle, two variants side by side, links.",
  },
  {
    word: "comparing",
    title: "Files of other simulators, networks at equal cost",
    file: "docs/comparing.md",
    part: "topics",
    about: "Importing configurations of BookSim2 and CODES, and which network to build.",
  },
  {
    word: "results",
    title: "Results",
    file: "docs/results.md",
    part: "topics",
    about: "The results folder, comparison, SQL, merging, reproducing.",
  },
  {
    word: "workloads",
    title: "Parallel programs",
    file: "docs/workloads.md",
    part: "topics",
    about: "Jobs of ranks that compute, send, receive and wait.",
  },
  {
    word: "traces",
    title: "Traces of applications",
    file: "docs/traces.md",
    part: "topics",
    about: "Formats that are read, what is checked, and how a trace is run.",
  },
  {
    word: "cluster-sweeps",
    title: "Sweeps on a cluster",
    file: "docs/cluster.md",
    part: "topics",
    about: "Slurm and other schedulers: hand over, follow, resume.",
  },
  {
    word: "congestion-protocols",
    title: "Congestion protocols",
    file: "docs/congestion.md",
    part: "topics",
    about: "What endpoints do about congestion, side by side.",
  },
  {
    word: "isolation",
    title: "Congestion isolation",
    file: "docs/isolation.md",
    part: "topics",
    about: "Queue schemes of switches: what waits behind whom.",
  },
  {
    word: "service",
    title: "Quality of service",
    file: "docs/qos.md",
    part: "topics",
    about: "Arbitration tables and schedulers, from wishes to a table.",
  },
  {
    word: "stashing",
    title: "The stashing switch",
    file: "docs/stashing.md",
    part: "topics",
    about: "A tiled switch that keeps packets in the idle memory of other ports.",
  },
  {
    word: "parallel",
    title: "The packet engine and its workers",
    file: "docs/parallel.md",
    part: "topics",
    about: "How several workers share one simulation and come to the same bits.",
  },
  {
    word: "dumpi-format",
    title: "DUMPI files",
    file: "docs/dumpi-format.md",
    part: "topics",
    about: "How the binary files of DUMPI are read.",
  },
  {
    word: "contributing",
    title: "Contributing",
    file: "CONTRIBUTING.md",
    part: "project",
    about: "A topology or a routing in one file, tests, speed, changes.",
  },
  { word: "changelog", title: "Changes", part: "project", about: "What changed, newest first, from the fragments in changes/." },
  { word: "security", title: "Security", file: "SECURITY.md", part: "project", about: "What is executed, and what is not." },
]
