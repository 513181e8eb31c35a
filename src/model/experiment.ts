// An experiment after reading: plain data (JSON), complete, one run each. Its content hash is its name.

/** A plug-in by name with its raw parameters, as written in the file: `{ name: "dragonfly", p: 2, … }`. */
export type Named = { readonly name: string; readonly [param: string]: unknown }

export interface NetworkSpec {
  readonly topology: Named
  readonly routing: Named
  readonly switch: Named
  readonly endpoint: Named
  /** absent = none */
  readonly congestion?: Named | undefined
  /** absent = round robin, where outputs have several queues */
  readonly qos?: Named | undefined
  /** latency by link class ("end", "local", "global", …), raw with unit; classes that are not named keep the topology's own */
  readonly links: Readonly<Record<string, string>>
  /** where routers stand: classes of links that `links` does not name get their latency from their length; absent = they keep the topology's own */
  readonly layout?: LayoutSpec | undefined
  /** duration of one link cycle and size of one flit, raw with unit: only to convert ns and KiB */
  readonly cycle: string
  readonly flit: string
}

/** Cabinets in rows on a floor; lengths and the delay of a metre raw with unit. */
export interface LayoutSpec {
  /** in one cabinet */
  readonly routers: number
  readonly width: string
  readonly depth: string
  readonly inside: string
  readonly overhead: string
  readonly delay: string
}

/** One stream of traffic. A run may have several; each has its own counters. */
export interface TrafficSpec {
  readonly name: string
  readonly pattern: Named
  readonly arrivals: Named
  /** packet size in flits */
  readonly packet: Named
  /** message size in packets */
  readonly message: Named
  /** offered load, fraction of one endpoint channel (flits per cycle and endpoint that sends) */
  readonly load: number
  /** endpoints that send: "all", or a list of numbers and ranges ("0-15") */
  readonly from: "all" | readonly (number | string)[]
  /** when it is switched on and off, raw with unit; stop "never" */
  readonly start: string
  readonly stop: string
  /** larger = more urgent */
  readonly priority: number
  /** class: streams of one class share VCs; each class has a VC set of its own */
  readonly class: number
  /** answer each packet with one of this size (raw, "0flits" = none), in class `class + 1` */
  readonly reply: string
}

/** A parallel program on some endpoints. A run may have several. */
export interface JobSpec {
  readonly name: string
  readonly workload: Named
  /** when its ranks begin, raw with unit */
  readonly start: string
  /** where its ranks sit */
  readonly place: "contiguous" | "random" | "routers" | "groups" | "file"
  readonly file?: string | undefined
  /** only the first so many endpoints are taken; absent: all are */
  readonly among?: number | undefined
  /** ranks of each endpoint */
  readonly each: number
  /** flits of the packets that its messages are cut into, raw; absent: as many as the switch takes */
  readonly packet?: string | undefined
  /** what MPI costs, raw */
  readonly mpi: Readonly<Record<string, unknown>>
}

export interface MeasureSpec {
  /** "auto", or a duration with unit */
  readonly warmup: string
  /** measured window, or "auto": until `precision` is reached or `limit` is hit */
  readonly window: string
  /** half width of the 95 % confidence interval of mean latency, relative */
  readonly precision: number
  /** hard limit on simulated cycles */
  readonly limit: string
  /** after the window keep offering load until every measured packet has arrived ("measured"), empty the network ("all"), or stop at once ("none") */
  readonly drain: "measured" | "all" | "none"
  /** declare saturation early: stop as soon as the backlog says so ("early"), or run the whole window ("never") */
  readonly saturation: "early" | "never"
  /** "watch": run although the proof before cycle 0 finds a cycle; absent or "stop": refuse */
  readonly deadlock?: "stop" | "watch" | undefined
  /** "jobs": the run ends when all jobs have; absent: when its window does */
  readonly until?: "jobs" | undefined
  /** interval of the time series, raw with unit; "0cycles" = none */
  readonly series: string
}

export type EngineSpec = Named

/** A module with plug-ins: its path as the experiment gives it, and the hash of its content. */
export interface PluginFile {
  readonly file: string
  readonly hash: string
}

/** Everything that decides the bits of one run. */
export interface RunSpec {
  readonly network: NetworkSpec
  readonly engine: EngineSpec
  readonly traffic: readonly TrafficSpec[]
  /** absent = none */
  readonly jobs?: readonly JobSpec[]
  readonly measure: MeasureSpec
  readonly probes: readonly Named[]
  readonly seed: number
  /** modules that the experiment brings; absent = none */
  readonly plugins?: readonly PluginFile[]
}

export type StopReason = "steady" | "saturated" | "drained" | "cycles" | "deadlock" | "starved" | "waiting" | "memory" | "time" | "crashed"

/** A table that a probe fills: columns of equal length. NaN marks a cell without a value, which is null in every file. */
export type Table = Readonly<Record<string, readonly number[] | readonly string[]>>

export interface RunResult {
  readonly why: StopReason
  /** one sentence for people: what ended it, and where to look */
  readonly explains: string
  /** hash of the final state; the same on any number of workers */
  readonly fingerprint: string
  /** offered, accepted, "latency.mean", "latency.p99", "network.mean", "hops.mean", cycles, "flit-hops", seconds, …; per stream as "NAME.latency.mean" when there are several */
  readonly values: Readonly<Record<string, number>>
  /** names of values for which the run has no number; absent = none. missing.ts says why, and which numbers of `values` are no values */
  readonly missing?: readonly string[] | undefined
  /** "latency.histogram", "series", "channels", "endpoints", …: only what the experiment asked for */
  readonly tables: Readonly<Record<string, Table>>
}
