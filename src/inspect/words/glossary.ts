// Words that are neither key nor plug-in nor value, for `explain` and the manual.

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
  {
    word: "warm-up",
    also: ["warmup"],
    about: "cycles before the measurement, whose packets are not counted; measure.warmup",
    page: numbers,
  },
  {
    word: "batch",
    also: ["batch-means"],
    about: "256 cycles (or measure.series) whose mean is one observation of an automatic measurement",
    page: numbers,
  },
  { word: "window", about: "cycles in which packets that are created are measured; measure.window", page: numbers },
  {
    word: "interval",
    also: ["confidence"],
    about: "95 % confidence interval: of one run by batch means, of a point over its seeds by Student's t",
    page: numbers,
  },
  { word: "saturation", also: ["knee"], about: "the load from which a network accepts clearly less than it is offered", page: numbers },
  { word: "seed", about: "a number from which all draws of a run follow; runs of several seeds are independent", page: numbers },
  {
    word: "fingerprint",
    about: "hash of the final state of a run: the same for any number of workers, in Node and in browsers",
    page: numbers,
  },
  { word: "drain", about: "after the window: packets that were created in it arrive, with the sources still on", page: numbers },
  {
    word: "mser",
    about: "rule that says how much of a series is warm-up: the cut that makes the standard error of the rest least",
    page: numbers,
  },
  {
    word: "backlog",
    about: "flits that were created and have not arrived; where it grows in a straight line the network is saturated",
    page: numbers,
  },
  { word: "zero-load", about: "latency of a packet that is alone: pipeline of each router, links, and its own length", page: numbers },
  { word: "endpoint", also: ["node", "terminal"], about: "sends and receives packets; the network's users", page: design },
  { word: "router", about: "a vertex of the network; its micro-architecture is the switch", page: design },
  { word: "channel", about: "one direction of a link between two ports", page: design },
  { word: "flit", about: "what a channel carries in a cycle: the smallest unit of flow control", page: design },
  { word: "packet", about: "flits with one head that is routed; what arrives in one piece", page: design },
  { word: "message", about: "packets that belong together; traffic.message says how many", page: design },
  { word: "credit", about: "says that room of a buffer behind a link is free again", page: design },
  {
    word: "vc",
    also: ["virtual-channel", "vl", "lane"],
    about: "virtual channel: one of several queues that share a link, each with buffers and credits of its own",
    page: design,
  },
  { word: "cycle", about: "in which a link carries one flit; network.cycle says how long it is", page: design },
  { word: "hop", about: "a router visited, the first and the last included", page: design },
  {
    word: "bisection",
    about: "channels that must be cut to part the endpoints into two halves, the fewest of all such cuts",
    page: "engines",
  },
  {
    word: "proof",
    also: ["deadlock-freedom"],
    about: "`check` follows every packet through every choice of its routing: circle of (channel, VC) pairs, or none",
    page: "tutorial",
  },
  {
    word: "head-of-line",
    also: ["hol"],
    about: "what waits behind a packet that cannot go, although its own way is free",
    page: "isolation",
  },
  {
    word: "plug-in",
    also: ["plugin"],
    about: "a routing, topology, pattern and so on, of the library or of a module of your own",
    page: "tutorial",
  },
  {
    word: "worker",
    about: "a thread or process that runs points of a sweep, or a part of one network; results do not depend on their number",
    page: "parallel",
  },
  {
    word: "row",
    about: "a claim of a paper or a value of a peer, ours beside it, and the bounds within which they agree",
    page: "validation",
  },
  { word: "report.html", also: ["report-page"], about: "figures and tables of a results folder in one file", page: "reading" },
]
