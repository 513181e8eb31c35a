// An experiment after reading: plain data (JSON), complete, one object for each run. Its content hash identifies the
// run. experiment/ creates it; compile/ consumes it.

/** A plug-in by name with its raw parameters, as in the file: `{ name: "dragonfly", p: 2, … }`. */
export type Named = { readonly name: string; readonly [param: string]: unknown }

export interface NetworkSpec {
  readonly topology: Named
  readonly routing: Named
  readonly switch: Named
  readonly endpoint: Named
  /** absent: none */
  readonly congestion?: Named | undefined
  /** absent: round-robin, if outputs have several queues */
  readonly qos?: Named | undefined
  /**
   * latency by link class ("end", "local", "global", …), raw with unit; other classes keep the latency of the topology
   */
  readonly links: Readonly<Record<string, string>>
  /**
   * floor layout: link classes that `links` does not name get their latency from the cable length; absent: they keep
   * that of the topology
   */
  readonly layout?: LayoutSpec | undefined
  /** duration of one link cycle and size of one flit, raw with unit; used only to convert ns and KiB */
  readonly cycle: string
  readonly flit: string
}

/** Cabinets in rows on a floor; lengths and the delay per metre are raw with unit. */
export interface LayoutSpec {
  /** routers in one cabinet */
  readonly routers: number
  readonly width: string
  readonly depth: string
  readonly inside: string
  readonly overhead: string
  readonly delay: string
}

/** One traffic stream. A run may have several; each has its own counters. */
export interface TrafficSpec {
  readonly name: string
  readonly pattern: Named
  readonly arrivals: Named
  /** packet size in flits */
  readonly packet: Named
  /** message size in packets */
  readonly message: Named
  /** offered load, as a fraction of one endpoint channel (flits per cycle and sending endpoint) */
  readonly load: number
  /** endpoints that send: "all", or a list of numbers and ranges ("0-15") */
  readonly from: "all" | readonly (number | string)[]
  /** start and stop time, raw with unit; stop may be "never" */
  readonly start: string
  readonly stop: string
  /** larger means more urgent */
  readonly priority: number
  /** streams of one class share VCs; each class has a separate VC set */
  readonly class: number
  /** size of the reply to each packet (raw, "0flits": none), in class `class + 1` */
  readonly reply: string
}

/** A parallel program on some endpoints. A run may have several. */
export interface JobSpec {
  readonly name: string
  readonly workload: Named
  /** start time of its ranks, raw with unit */
  readonly start: string
  /** placement of its ranks on endpoints */
  readonly placement: "contiguous" | "random" | "routers" | "groups" | "file"
  readonly file?: string | undefined
  /** only the first `among` endpoints are used; absent: all */
  readonly among?: number | undefined
  /** copies of the workload, each a job; absent: 1 */
  readonly copies?: number | undefined
  /** ranks per endpoint */
  readonly each: number
  /** flits of the packets that its messages are divided into, raw; absent: the maximum of the switch */
  readonly packet?: string | undefined
  /** costs of MPI operations, raw */
  readonly mpi: Readonly<Record<string, unknown>>
}

/** Returns the names of a job in the results: one for each copy. */
export function namesOfCopies({ name, copies = 1 }: Pick<JobSpec, "name" | "copies">): string[] {
  return copies === 1 ? [name] : Array.from({ length: copies }, (_, i) => `${name}-${i + 1}`)
}

export interface MeasureSpec {
  /** "auto", or a duration with unit */
  readonly warmup: string
  /** measurement window, or "auto": until `precision` or `limit` is reached */
  readonly window: string
  /** half width of the 95 % confidence interval of mean latency, relative to the mean */
  readonly precision: number
  /** hard limit on simulated cycles */
  readonly limit: string
  /**
   * after the window: continue the load until every measured packet has arrived ("measured"), empty the network
   * ("all"), or stop at once ("none")
   */
  readonly drain: "measured" | "all" | "none"
  /** streams whose measured packets the run waits for; absent: all */
  readonly follow?: readonly string[] | undefined
  /** "early": stop as soon as the backlog shows saturation; "never": run the whole window */
  readonly saturation: "early" | "never"
  /** "watch": run although the deadlock proof finds a cycle; absent or "stop": reject */
  readonly deadlock?: "stop" | "watch" | undefined
  /** "jobs": the run ends when all jobs have ended; absent: with its window */
  readonly until?: "jobs" | undefined
  /** interval of the time series, raw with unit; "0cycles": none */
  readonly series: string
}

export type EngineSpec = Named

/** A module with plug-ins: its path in the experiment, and the hash of its content. */
export interface PluginFile {
  readonly file: string
  readonly hash: string
}

/** Everything that determines the result of one run. */
export interface RunSpec {
  readonly network: NetworkSpec
  readonly engine: EngineSpec
  readonly traffic: readonly TrafficSpec[]
  /** absent: none */
  readonly jobs?: readonly JobSpec[]
  readonly measure: MeasureSpec
  readonly probes: readonly Named[]
  readonly seed: number
  /** modules of the experiment; absent: none */
  readonly plugins?: readonly PluginFile[]
}

export type StopReason =
  | "steady"
  | "saturated"
  | "drained"
  | "limit"
  | "deadlock"
  | "starved"
  | "waiting"
  | "memory"
  | "time"
  | "crashed"

/** A table of a probe: columns of equal length. NaN marks a cell without a value, which is null in every file. */
export type Table = Readonly<Record<string, readonly number[] | readonly string[]>>

export interface RunResult {
  readonly why: StopReason
  /** one sentence for the report: the cause of the end, and where to look */
  readonly explains: string
  /** hash of the final state; the same for any number of workers */
  readonly fingerprint: string
  /**
   * offered, accepted, "latency.mean", "latency.p99", "network.mean", "hops.mean", cycles, "flit-hops", seconds, …;
   * with several streams also "NAME.latency.mean"
   */
  readonly values: Readonly<Record<string, number>>
  /**
   * names of values without a number; absent: none. missing.ts gives the reasons, and decides which numbers of `values`
   * do not count
   */
  readonly missing?: readonly string[] | undefined
  /** "latency.histogram", "series", "channels", "endpoints", …: only those that the experiment requested */
  readonly tables: Readonly<Record<string, Table>>
}
