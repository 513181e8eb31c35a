// What a run leaves to be looked at: counter columns in the network's own numbering. Probes are pure functions of them, called after the run
// (or after any part of it), never from the loop.
import type { Table } from "./experiment.ts"
import type { EventsWish } from "./facts.ts"
import type { Plugin, Site } from "./plugin.ts"
import type { StandingLog, StandingWish } from "./standing.ts"

export type Counts = Uint32Array | Float64Array

/** Counters of one stream of traffic. */
export interface StreamCounts {
  readonly name: string
  /** [end] -> flits that arrived in the measured window, and that entered the network: the packet engine does not count these by endpoint */
  readonly accepted: Counts
  readonly injected?: Counts
  /** [bin] -> measured packets by latency (core/histogram.ts) */
  readonly latency: Uint32Array
  /** the same by latency since injection */
  readonly network?: Uint32Array
  /** [interval] -> packets that arrived, their flits, and the sum of their latencies; from the first cycle on */
  readonly seriesPackets: Counts
  readonly seriesFlits: Counts
  readonly seriesLatency: Float64Array
  /** [interval] -> sum of the latencies since injection; flits that entered the network */
  readonly seriesNetwork?: Float64Array
  readonly seriesInjected?: Counts
}

/** What a run writes down only where a probe asks for it. */
export interface Watch {
  /** flits in each router at the end of each interval of the series */
  readonly occupancy: boolean
  /** the same for each VL, apart for inputs, outputs and what is between them */
  readonly lanes: boolean
  /** rows of facts that each partition keeps, 0 = none; a bit for each kind that is written */
  readonly facts: number
  readonly kinds: number
}
export const UNWATCHED: Watch = { occupancy: false, lanes: false, facts: 0, kinds: 0 }

export interface Occupancy {
  /** whole intervals that the run had */
  readonly intervals: number
  /** [router * intervals + interval] -> flits in its queues at the end of the interval */
  readonly flits: Uint32Array
}

/** Buffers of a router that VLs share. */
export const PLACES = ["input", "output", "centre"] as const

export interface LaneFill {
  readonly intervals: number
  readonly lanes: number
  /** [((router * lanes + lane) * PLACES.length + place) * intervals + interval] -> flits at the end of the interval */
  readonly flits: Uint32Array
}

/** Facts (facts.ts) in order of cycle, kind and their three ints. */
export interface Events {
  /** whatever was written down from this cycle on is here; 0 = all */
  readonly from: number
  readonly cycle: Int32Array
  readonly kind: Int32Array
  readonly a: Int32Array
  readonly b: Int32Array
  readonly c: Int32Array
}

export interface RunCounts {
  /** cycles of the measured window, and of one interval of the series */
  readonly window: number
  readonly interval: number
  /** [chan] -> flits that crossed it in the measured window */
  readonly channel: Counts
  readonly streams: readonly StreamCounts[]
  /** where a probe asks for it (`needs`) */
  readonly occupancy?: Occupancy
  readonly lanes?: LaneFill
  readonly events?: Events
  readonly standing?: readonly StandingLog[]
}

export interface Report {
  readonly tables: Readonly<Record<string, Table>>
  readonly values?: Readonly<Record<string, number>>
}

export interface Probe {
  report(run: RunCounts): Report
}

export interface ProbePlugin<P> extends Plugin<P, Probe, Site> {
  readonly kind: "probe"
  /** of a probe that needs `events`: how many, and which */
  events?(p: P): EventsWish
  /** asks for looks at what does not move */
  standing?(p: P): StandingWish
}
