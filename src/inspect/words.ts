// Words that are neither key nor plug-in nor value: why a run ended, what the tables and essays speak of, and the pages of the manual. `explain` and the manual know the same list.
import type { StopReason } from "../model/experiment.ts"

/** Why a run ended: what it means, and what one may do about it. Each has a page. */
export const stopReasons: Readonly<Record<StopReason, { readonly about: string; readonly then: string; readonly exit: 0 | 1 | 3 }>> = {
  steady: {
    about: "mean latency is known as well as measure.precision asks, and neither rises nor is the backlog growing",
    then: "Nothing to do: this is the good end of a run with an automatic window.",
    exit: 0,
  },
  saturated: {
    about: "the network accepts clearly less than it is offered; the accepted load is measured, latency grows with the length of the run",
    then: "Read `accepted` and its interval, not `latency`: packets wait ever longer, so that mean says how long the run was. `search: saturation` finds the load where this begins.",
    exit: 0,
  },
  drained: {
    about: "a window of a given length was run, and all packets that were created in it have arrived",
    then: "Nothing to do: this is the good end of a run with measure.window. If it says `drained (saturated)`, less was accepted than offered.",
    exit: 0,
  },
  cycles: {
    about: "measure.limit was reached before the goal of the measurement",
    then: "The values are of the window so far. Raise measure.limit, allow a wider interval with measure.precision, or see whether the load is near saturation, where queues are slow.",
    exit: 0,
  },
  deadlock: {
    about: "packets wait for one another in a circle, or nothing can ever move again; the circle is named hop by hop",
    then: "`lacewing check FILE` proves or refutes a routing before it runs, and says how many VCs it needs. Give more VCs, or another routing.",
    exit: 3,
  },
  starved: {
    about: "packets were created, no buffer holds any of them, nothing is on a wire and no timer is due: endpoints hold them back for ever, or they are lost",
    then: "Look at the endpoint and congestion management: a window or reservation that never opens again, or failures without a protocol that sends again.",
    exit: 3,
  },
  waiting: {
    about: "ranks of jobs wait for messages that nobody is going to send",
    then: "`lacewing trace check FILE` finds such ranks without a network, call by call.",
    exit: 0,
  },
  memory: {
    about: "the run would need more memory than limits.memory or than the machine has",
    then: "`lacewing run FILE --dry-run` predicts the memory of every run. Raise limits.memory, take a smaller network, or engine: packet.",
    exit: 1,
  },
  time: {
    about: "the run took longer than limits.time",
    then: "Raise limits.time, or go on from where it was with --checkpoint.",
    exit: 1,
  },
  crashed: {
    about: "the process that ran it failed; its message is in the record",
    then: "Run it again with `lacewing reproduce HASH`; if it fails again, report it with the experiment file.",
    exit: 1,
  },
}

export interface Word {
  readonly word: string
  readonly also?: readonly string[]
  readonly about: string
  /** the page of the manual that tells more */
  readonly page: string
}

const numbers = "numbers"
const design = "design"

/** Words of the field and of the reports. */
export const words: readonly Word[] = [
  { word: "warm-up", also: ["warmup"], about: "cycles before the measurement, whose packets are not counted; measure.warmup", page: numbers },
  { word: "batch", also: ["batch-means"], about: "256 cycles (or measure.series) whose mean is one observation of an automatic measurement", page: numbers },
  { word: "window", about: "cycles in which packets that are created are measured; measure.window", page: numbers },
  { word: "interval", also: ["confidence"], about: "95 % confidence interval: of one run by batch means, of a point over its seeds by Student's t", page: numbers },
  { word: "saturation", also: ["knee"], about: "the load from which a network accepts clearly less than it is offered", page: numbers },
  { word: "seed", about: "a number from which all draws of a run follow; runs of several seeds are independent", page: numbers },
  { word: "fingerprint", about: "hash of the final state of a run: the same for any number of workers, in Node and in browsers", page: numbers },
  { word: "drain", about: "after the window: packets that were created in it arrive, with the sources still on", page: numbers },
  { word: "mser", about: "rule that says how much of a series is warm-up: the cut that makes the standard error of the rest least", page: numbers },
  { word: "backlog", about: "flits that were created and have not arrived; where it grows in a straight line the network is saturated", page: numbers },
  { word: "zero-load", about: "latency of a packet that is alone: pipeline of each router, links, and its own length", page: numbers },
  { word: "endpoint", also: ["node", "terminal"], about: "sends and receives packets; the network's users", page: design },
  { word: "router", about: "a vertex of the network; its micro-architecture is the switch", page: design },
  { word: "channel", about: "one direction of a link between two ports", page: design },
  { word: "flit", about: "what a channel carries in a cycle: the smallest unit of flow control", page: design },
  { word: "packet", about: "flits with one head that is routed; what arrives in one piece", page: design },
  { word: "message", about: "packets that belong together; traffic.message says how many", page: design },
  { word: "credit", about: "says that room of a buffer behind a link is free again", page: design },
  { word: "vc", also: ["virtual-channel", "vl", "lane"], about: "virtual channel: one of several queues that share a link, each with buffers and credits of its own", page: design },
  { word: "cycle", about: "in which a link carries one flit; network.cycle says how long it is", page: design },
  { word: "hop", about: "a router visited, the first and the last included", page: design },
  { word: "bisection", about: "channels that must be cut to part the endpoints into two halves, the fewest of all such cuts", page: "engines" },
  { word: "proof", also: ["deadlock-freedom"], about: "`check` follows every packet through every choice of its routing: circle of (channel, VC) pairs, or none", page: "tutorial" },
  { word: "head-of-line", also: ["hol"], about: "what waits behind a packet that cannot go, although its own way is free", page: "isolation" },
  { word: "plug-in", also: ["plugin"], about: "a routing, topology, pattern and so on, of the library or of a module of your own", page: "tutorial" },
  { word: "worker", about: "a thread or process that runs points of a sweep, or a part of one network; results do not depend on their number", page: "parallel" },
  { word: "row", about: "a claim of a paper or a value of a peer, ours beside it, and the bounds within which they agree", page: "validation" },
  { word: "report.html", also: ["report-page"], about: "figures and tables of a results folder in one file", page: "reading" },
]

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
  { word: "tutorial", title: "Tutorial", file: "docs/tutorial.md", part: "start", about: "One hour: a first curve, a topology and a trace of your own, a cluster, a paper, and a routing of your own that is proved, drawn and compared." },
  { word: "tour", title: "A tour", file: "README.md", part: "start", about: "What lacewing is, its commands and the library in one page." },
  { word: "numbers", title: "How a number is made", file: "docs/numbers.md", part: "understand", about: "Warm-up, batch means, intervals, saturation, early stops, seeds, and what is compared with what." },
  { word: "engines", title: "Choosing an engine", file: "docs/engines.md", part: "understand", about: "Flits cycle by cycle, or packets as events: what each knows, what it costs, and when they agree." },
  { word: "reading", title: "Reading a report", file: "docs/reading.md", part: "understand", about: "From the warnings at its top to the last table: what a report says, and what it does not." },
  { word: "validation", title: "Validation", part: "understand", about: "Every row that lacewing is held against: BookSim2, CODES, LogGOPS, its own twins, and papers; those that fail with their reason." },
  { word: "coming-from", title: "Coming from BookSim2, CODES, SST, SuperSim, CAMINOS", file: "docs/coming-from.md", part: "start", about: "Words and keys of other simulators beside ours." },
  { word: "design", title: "Design", file: "docs/design.md", part: "understand", about: "The laws behind the code: describe, compile, run; a cycle has no order; chance is a function." },
  { word: "results", title: "Results", file: "docs/results.md", part: "topics", about: "The results folder, comparison, SQL, merging, reproducing." },
  { word: "workloads", title: "Parallel programs", file: "docs/workloads.md", part: "topics", about: "Jobs of ranks that compute, send, receive and wait." },
  { word: "traces", title: "Traces of applications", file: "docs/traces.md", part: "topics", about: "Formats that are read, what is checked, and how a trace is run." },
  { word: "cluster-sweeps", title: "Sweeps on a cluster", file: "docs/cluster.md", part: "topics", about: "Slurm and other schedulers: hand over, follow, resume." },
  { word: "congestion-protocols", title: "Congestion protocols", file: "docs/congestion.md", part: "topics", about: "What endpoints do about congestion, side by side." },
  { word: "isolation", title: "Congestion isolation", file: "docs/isolation.md", part: "topics", about: "Queue schemes of switches: what waits behind whom." },
  { word: "service", title: "Quality of service", file: "docs/qos.md", part: "topics", about: "Arbitration tables and schedulers, from wishes to a table." },
  { word: "stashing", title: "The stashing switch", file: "docs/stashing.md", part: "topics", about: "A tiled switch that keeps packets in the idle memory of other ports." },
  { word: "parallel", title: "The packet engine and its workers", file: "docs/parallel.md", part: "topics", about: "How several workers share one simulation and come to the same bits." },
  { word: "dumpi-format", title: "DUMPI files", file: "docs/dumpi-format.md", part: "topics", about: "How the binary files of DUMPI are read." },
  { word: "contributing", title: "Contributing", file: "CONTRIBUTING.md", part: "project", about: "A topology or a routing in one file, tests, speed, changes." },
  { word: "changelog", title: "Changes", part: "project", about: "What changed, newest first, from the fragments in changes/." },
  { word: "security", title: "Security", file: "SECURITY.md", part: "project", about: "What is executed, and what is not." },
]
