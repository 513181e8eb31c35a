// What is counted of every packet in the same way, whatever the loop moves: creations, the way of those that are measured (created in the window), places in
// the time series, and a hash of everything delivered that does not depend on the order within a cycle. Latencies are counted by the loops themselves: as a
// function of its own, which V8 does not inline, that made the loop of flits 1.3 % slower.
import { bitsFor } from "../../core/bitset.ts"
import { hash3 } from "../../core/hash.ts"
import { APART } from "../../fabric/columns.ts"
import { CONTROL, type counterColumns, countsFlows, endRouters, STAT, type TrafficConstants } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"

export interface Counting {
  /** chooses the partition that the following calls are about */
  enter(part: number): void
  /** row of a stream in `stat` and the histograms */
  lane(stream: number): number
  /** place of cycle t in a time series */
  seriesAt(stream: number, t: number): number
  /** packets were created in cycle `born` */
  created(stream: number, born: number, packets: number): void
  /** the way of a measured packet between two endpoints of the network: routers, cycles on wires, cycles before full buffers, flits */
  went(lane: number, from: number, to: number, hops: number, wires: number, credit: number, flits: number): void
  /** adds a delivery to the hash */
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
  // most intervals are powers of two, and a shift is cheaper
  const SHIFT = 2 ** bitsFor(seriesInterval) === seriesInterval ? bitsFor(seriesInterval) : -1
  const PART = 1 / seriesInterval
  const ONE = layout.parts === 1
  // constants of other modules cost a load each time they are read; these do not
  const STATS = STAT
  const CONTROLS = CONTROL
  const FLOWS = countsFlows(layout)
  const ROUTERS = layout.graph.routers
  const { entryRouter, exitRouter } = endRouters(layout)
  // first row of the partition that is running, its two lanes of the hash
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
    // half a cycle more: below 2^31 a product with the rounded reciprocal is then exact
    const interval = SHIFT >= 0 ? t >> SHIFT : ((t + 0.5) * PART) | 0
    return lane(stream) * seriesLength + (interval < seriesLength ? interval : seriesLength - 1)
  }

  function created(stream: number, born: number, packets: number): void {
    const row = lane(stream) * STATS.width
    stat[row]! += packets
    if (born >= control[CONTROLS.from]! && born < control[CONTROLS.to]!) stat[row + STATS.measuredOpen]! += packets
  }

  function went(lane: number, from: number, to: number, hops: number, wires: number, credit: number, flits: number): void {
    const row = lane * STATS.width
    stat[row + STATS.hops]! += hops
    stat[row + STATS.wires]! += wires
    stat[row + STATS.credit]! += credit
    stat[row + STATS.length]! += flits
    if (FLOWS) flows[exitRouter[to]! * ROUTERS + entryRouter[from]!]!++
  }

  function trace(key: number, at: number, hops: number, from: number): void {
    const h = hash3(key, at, (hops << 20) ^ from)
    const i = ONE ? 0 : lanes
    trail[i] = (trail[i]! + h) | 0
    trail[i + 1] = (trail[i + 1]! + Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)) | 0
  }

  return { enter, lane, seriesAt, created, went, trace }
}
