// The data that a run provides to probes: counter columns in the network's own numbering. Probes are pure functions of
// them. They are called after the run (or after a part of it), never from the loop.

import type { BlockedQueueLog, BlockedQueueOptions } from "./blocked-queues.ts"
import type { Table } from "./experiment.ts"
import type { Plugin, Site } from "./plugin.ts"
import type { EventsRequest } from "./trace-events.ts"

/**
 * Numbers in a typed array, whose element type differs between engines. A union of the array types would reject calls
 * of `reduce` in the modules of users.
 */
export interface Counts extends ArrayLike<number>, Iterable<number> {
  keys(): IterableIterator<number>
  reduce(add: (sum: number, count: number, i: number) => number, first?: number): number
  subarray(from?: number, end?: number): Counts
}

/** Counters of one stream of traffic. */
export interface StreamCounts {
  readonly name: string
  /**
   * [end] -> flits that arrived in the measurement window, and that entered the network (the packet engine does not
   * count these by endpoint)
   */
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

/**
 * Counters that a clocked engine samples at the end of each interval of the series: the flits in each router, the same
 * for each VL and buffer, and the flits that crossed each channel. Another counter is one entry here and one in
 * `samplers` (engines/flit/sampling.ts).
 */
export const COUNTERS = ["routerFlits", "laneFlits", "channelFlits"] as const
export type Counter = (typeof COUNTERS)[number]

/** Data that a run records only if a probe needs it. */
export interface Watch {
  readonly counters: readonly Counter[]
  /** rows of trace events that each partition stores, 0: none; a bit for each recorded kind */
  readonly traceRows: number
  readonly kinds: number
}
export const UNWATCHED: Watch = { counters: [], traceRows: 0, kinds: 0 }

/** Buffers of a router that VLs share. */
export const PLACES = ["input", "output", "centre"] as const

/** A counter over time. */
export interface OverTime {
  /** number of complete intervals of the run */
  readonly intervals: number
  /** counts of one router (VLs times PLACES) or channel (1) */
  readonly each: number
  /** [item * intervals + interval]; an item is a channel, or router * each + (VL * PLACES.length + place) */
  readonly counts: Uint32Array
}

/** Trace events (trace-events.ts) in order of cycle, kind and their three ints. */
export interface Events {
  /** cycle from which on the list is complete; 0: all */
  readonly from: number
  readonly cycle: Int32Array
  readonly kind: Int32Array
  readonly a: Int32Array
  readonly b: Int32Array
  readonly c: Int32Array
}

export interface RunCounts {
  /** cycles of the measurement window, and of one interval of the series */
  readonly window: number
  readonly interval: number
  /** [chan] -> flits that crossed it in the measurement window */
  readonly channel: Counts
  readonly streams: readonly StreamCounts[]
  /** only if a probe needs it (`needs`) */
  readonly overTime?: Readonly<Partial<Record<Counter, OverTime>>>
  readonly events?: Events
  readonly standing?: readonly BlockedQueueLog[]
}

export interface Report {
  readonly tables: Readonly<Record<string, Table>>
  readonly values?: Readonly<Record<string, number>>
}

export interface Probe {
  report(run: RunCounts): Report
}

/** A column of a table and the label of its axis. */
export interface FigureAxis {
  readonly column: string
  readonly label: string
}

/**
 * How the report draws a table of a probe:
 *   `lines`  y against x, one line for each value of `by`;
 *   `bars`   y for each x;
 *   `heat`   a map of x and y, coloured by `value`;
 *   `graph`  the network, with the channels from router x to router y coloured by `value`. The number -2 - e is
 *            endpoint e, and a row with one router as x and y colours this router.
 */
export interface ProbeFigure {
  readonly table: string
  readonly kind: "lines" | "bars" | "heat" | "graph"
  readonly title: string
  readonly caption?: string
  readonly x: FigureAxis
  readonly y: FigureAxis
  /** heat and graph: the label is the unit of the colour key */
  readonly value?: FigureAxis
  /** lines: the column that distinguishes them */
  readonly by?: string
}

export interface ProbePlugin<P> extends Plugin<P, Probe, Site> {
  readonly kind: "probe"
  /** counters that the engine samples at the end of each interval */
  counters?(p: P): readonly Counter[]
  /** figures of its tables in the report */
  readonly figures?: readonly ProbeFigure[]
  /** of a probe that needs `events`: the number of rows, and the kinds */
  events?(p: P): EventsRequest
  /** number of operations that are stored for each rank of a job; 0: none */
  operations?(p: P): number
  /** requests samples of blocked queues */
  standing?(p: P): BlockedQueueOptions
}
