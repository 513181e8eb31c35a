// What is counted of every packet, whatever the loop moves: sums and histograms of those that are measured (created in the window), time series by arrival
// and by injection, and a hash of everything delivered that does not depend on the order within a cycle.
import { BINS, bin } from "../../core/histogram.ts"
import { draw } from "../../core/rng.ts"
import { CONTROL, type counterColumns, countsFlows, endRouters, STAT, type TrafficConstants } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"

export interface Counting {
  /** chooses the partition that the following calls are about */
  enter(part: number): void
  /** place of cycle t in a time series */
  seriesAt(stream: number, t: number): number
  /** packets were created in cycle `born` */
  created(stream: number, born: number, packets: number): void
  /** a packet is complete at its destination; answers its row of `stat` if it is one of those that are measured, else -1 */
  arrived(stream: number, at: number, born: number, entered: number): number
  /** the way of a measured packet between two endpoints of the network: routers, cycles on wires, cycles before full buffers, flits */
  went(row: number, from: number, to: number, hops: number, wires: number, credit: number, flits: number): void
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
  const { stat, histogram, networkHistogram, seriesCount, seriesLatency, seriesNetwork, trail, control, flows } = columns
  const { streams: STREAMS, seriesShift, seriesLength } = constants
  const ONE = layout.parts === 1
  // constants of other modules cost a load each time they are read; these do not
  const STATS = STAT
  const CONTROLS = CONTROL
  const HISTOGRAM_BINS = BINS
  const FLOWS = countsFlows(layout)
  const ROUTERS = layout.graph.routers
  const { entryRouter, exitRouter } = endRouters(layout)
  // first row of the partition that is running, its two lanes of the hash
  let base = 0
  let lanes = 0

  function enter(part: number): void {
    base = part * STREAMS
    lanes = part * 2
  }

  function seriesAt(stream: number, t: number): number {
    const interval = t >> seriesShift
    return ((ONE ? 0 : base) + stream) * seriesLength + (interval < seriesLength ? interval : seriesLength - 1)
  }

  function created(stream: number, born: number, packets: number): void {
    const row = ((ONE ? 0 : base) + stream) * STATS.width
    stat[row]! += packets
    if (born >= control[CONTROLS.from]! && born < control[CONTROLS.to]!) stat[row + STATS.measuredOpen]! += packets
  }

  function arrived(stream: number, at: number, born: number, entered: number): number {
    const lane = (ONE ? 0 : base) + stream
    const row = lane * STATS.width
    const si = seriesAt(stream, at)
    const took = at - born
    const network = at - entered
    seriesCount[si]!++
    seriesLatency[si]! += took
    seriesNetwork[si]! += network
    stat[row + STATS.delivered]!++
    if (born < control[CONTROLS.from]! || born >= control[CONTROLS.to]!) return -1
    stat[row + STATS.measured]!++
    stat[row + STATS.measuredOpen]!--
    stat[row + STATS.latency]! += took
    stat[row + STATS.latencySquared]! += took * took
    stat[row + STATS.network]! += network
    if (took > stat[row + STATS.max]!) stat[row + STATS.max] = took
    if (took < stat[row + STATS.min]!) stat[row + STATS.min] = took
    if (network > stat[row + STATS.networkMax]!) stat[row + STATS.networkMax] = network
    histogram[lane * HISTOGRAM_BINS + bin(took)]!++
    networkHistogram[lane * HISTOGRAM_BINS + bin(network)]!++
    return row
  }

  function went(row: number, from: number, to: number, hops: number, wires: number, credit: number, flits: number): void {
    stat[row + STATS.hops]! += hops
    stat[row + STATS.wires]! += wires
    stat[row + STATS.credit]! += credit
    stat[row + STATS.length]! += flits
    if (FLOWS) flows[exitRouter[to]! * ROUTERS + entryRouter[from]!]!++
  }

  function trace(key: number, at: number, hops: number, from: number): void {
    const h = draw(key, at, (hops << 20) ^ from)
    const lane = ONE ? 0 : lanes
    trail[lane] = (trail[lane]! + h) | 0
    trail[lane + 1] = (trail[lane + 1]! + Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)) | 0
  }

  return { enter, seriesAt, created, arrived, went, trace }
}
