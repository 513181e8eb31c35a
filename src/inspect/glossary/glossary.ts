// Words that are neither key nor plug-in nor value, for `explain` and the manual.

export interface Word {
  readonly word: string
  readonly also?: readonly string[]
  readonly about: string
  /** the page of the manual that tells more */
  readonly page: string
}

const numbers = "guide-measuring"
const design = "model-overview"

/** Words of the field and of the reports. */
export const words: readonly Word[] = [
  {
    word: "warm-up",
    also: ["warmup"],
    about: "cycles before the measurement, whose packets are not measured (measure.warmup)",
    page: numbers,
  },
  {
    word: "batch",
    also: ["batch-means"],
    about: "256 cycles (or measure.series) whose mean is one observation of an automatic measurement",
    page: numbers,
  },
  { word: "window", about: "cycles in which created packets are measured (measure.window)", page: numbers },
  {
    word: "interval",
    also: ["confidence"],
    about: "95 % confidence interval: of one run by batch means, of a point over its seeds by Student's t",
    page: numbers,
  },
  {
    word: "saturation",
    also: ["knee"],
    about: "the load above which a network accepts clearly less than the offered load",
    page: numbers,
  },
  {
    word: "seed",
    about: "a number that determines all random draws of a run; runs with different seeds are independent",
    page: numbers,
  },
  {
    word: "fingerprint",
    about: "hash of the final state of a run: the same for any number of workers, in Node and in browsers",
    page: numbers,
  },
  {
    word: "drain",
    about: "the time after the window in which its packets arrive, while the sources stay on",
    page: numbers,
  },
  {
    word: "mser",
    about: "rule that decides how much of a series is warm-up: the cut that minimises the standard error of the rest",
    page: numbers,
  },
  {
    word: "backlog",
    about: "flits that were created and have not arrived; the network is saturated if it grows linearly",
    page: numbers,
  },
  {
    word: "zero-load",
    about: "latency of a packet in an empty network: router pipelines, links and its serialisation",
    page: numbers,
  },
  {
    word: "endpoint",
    also: ["node", "terminal"],
    about: "sends and receives packets; the network's users",
    page: design,
  },
  { word: "router", about: "a node of the network; its micro-architecture is the switch", page: design },
  { word: "channel", about: "one direction of a link between two ports", page: design },
  { word: "flit", about: "the smallest unit of flow control, which a channel carries in one cycle", page: design },
  { word: "packet", about: "the unit of routing: a head flit and the flits that follow it", page: design },
  { word: "message", about: "packets that belong together (traffic.message sets their number)", page: design },
  {
    word: "credit",
    about: "a message to the sender that one slot of the downstream buffer is free again",
    page: design,
  },
  {
    word: "vc",
    also: ["virtual-channel", "vl", "lane"],
    about: "virtual channel: one of several queues that share a link, each with its own buffers and credits",
    page: design,
  },
  { word: "cycle", about: "time in which a link carries one flit (network.cycle sets its length)", page: design },
  { word: "hop", about: "a router visited, the first and the last included", page: design },
  {
    word: "bisection",
    about: "the smallest number of channels whose removal separates the endpoints into two halves",
    page: "guide-engines",
  },
  {
    word: "proof",
    also: ["deadlock-freedom"],
    about:
      "`check` follows every packet through every choice of its routing and " +
      "searches for a cycle of (channel, VC) pairs",
    page: "guide-deadlock",
  },
  {
    word: "head-of-line",
    also: ["hol"],
    about: "packets wait behind a blocked packet although their own output is free",
    page: "guide-congestion-isolation",
  },
  {
    word: "plug-in",
    also: ["plugin"],
    about: "a routing, topology, traffic pattern etc. from the library or from your own module",
    page: "guide-plugins",
  },
  {
    word: "worker",
    about:
      "a thread or process that runs points of a sweep, or a part of one " +
      "network; results do not depend on their number",
    page: "architecture-parallel",
  },
  {
    word: "row",
    about: "a claim of a paper or a value of another simulator, our value, and the bounds within which they agree",
    page: "validation",
  },
  {
    word: "report.html",
    also: ["report-page"],
    about: "figures and tables of a results folder in one file",
    page: "guide-reports",
  },
]
