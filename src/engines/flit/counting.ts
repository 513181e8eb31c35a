// Statistics that both clocked loops count in the same manner: created packets, paths of measured packets (those
// created in the measurement window), time series, and a hash of all deliveries. The hash does not depend on the order
// within a cycle. The loops count latencies themselves: as a separate function, which V8 does not inline, that made the
// flit loop 1.3 % slower.
import { bitsFor } from "../../core/bitset.ts"
import { hash3 } from "../../core/hash.ts"
import { APART } from "../../fabric/columns.ts"
import {
  CONTROL,
  type counterColumns,
  countsFlows,
  endRouters,
  STAT,
  type TrafficConstants,
} from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"

export interface Counting {
  /** Selects the partition of the following calls. */
  enter(part: number): void
  /** Returns the row of a stream in `stat` and the histograms. */
  lane(stream: number): number
  /** Returns the index of cycle t in a time series. */
  seriesAt(stream: number, t: number): number
  /** Counts packets that were created in cycle `createdAt`. */
  created(stream: number, createdAt: number, packets: number): void
  /**
   * Counts the path of a measured packet between two endpoints: routers, cycles of propagation, cycles of credit
   * stalls, flits.
   */
  went(lane: number, from: number, to: number, hops: number, wires: number, credit: number, flits: number): void
  /** Adds a delivery to the hash. */
  trace(key: number, at: number, hops: number, from: number): void
}

export interface CountingSpec {
  readonly layout: Layout
  readonly constants: TrafficConstants
  readonly columns: ReturnType<typeof counterColumns>
}

export function makeCounting(spec: CountingSpec): Counting {
  const { layout, constants, columns } = spec
  const { stat, trail, control, flows } = columns
  const { streams: STREAMS, seriesInterval, seriesLength } = constants
  // Most intervals are powers of two, for which a shift is cheaper.
  const SHIFT = 2 ** bitsFor(seriesInterval) === seriesInterval ? bitsFor(seriesInterval) : -1
  const PART = 1 / seriesInterval
  const ONE = layout.parts === 1
  // Imported constants cost a load at each access; local copies do not.
  const STATS = STAT
  const CONTROLS = CONTROL
  const FLOWS = countsFlows(layout)
  const ROUTERS = layout.graph.routers
  const { entryRouter, exitRouter } = endRouters(layout)
  // First row of the running partition, and its two words of the hash.
  let base = 0
  let lanes = 0

  function enter(part: number): void {
    base = part * STREAMS
    lanes = part * APART
  }

  function lane(stream: number): number {
    return (ONE ? 0 : base) + stream
  }

  function seriesAt(stream: number, t: number): number {
    // With half a cycle added, the product with the rounded reciprocal is exact below 2^31.
    const interval = SHIFT >= 0 ? t >> SHIFT : ((t + 0.5) * PART) | 0
    return lane(stream) * seriesLength + (interval < seriesLength ? interval : seriesLength - 1)
  }

  function created(stream: number, createdAt: number, packets: number): void {
    const row = lane(stream) * STATS.width
    stat[row] += packets
    if (createdAt >= control[CONTROLS.from] && createdAt < control[CONTROLS.to])
      stat[row + STATS.measuredOpen] += packets
  }

  function went(
    lane: number,
    from: number,
    to: number,
    hops: number,
    wires: number,
    credit: number,
    flits: number,
  ): void {
    const row = lane * STATS.width
    stat[row + STATS.hops] += hops
    stat[row + STATS.wires] += wires
    stat[row + STATS.credit] += credit
    stat[row + STATS.length] += flits
    if (FLOWS) flows[exitRouter[to] * ROUTERS + entryRouter[from]]++
  }

  // Sums of hashes commute, so the result does not depend on the order of deliveries or partitions.
  function trace(key: number, at: number, hops: number, from: number): void {
    const h = hash3(key, at, (hops << 20) ^ from)
    const i = ONE ? 0 : lanes
    trail[i] = (trail[i] + h) | 0
    trail[i + 1] = (trail[i + 1] + Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)) | 0
  }

  return { enter, lane, seriesAt, created, went, trace }
}
