// Counters over time: what a clocked engine samples at the end of each interval, and how the samples return to the
// numbering of the topology. clocked.ts calls sample() between cycles, and run/clocked/values.ts calls overTime() after
// the run. A new counter is an entry of `samplers`, one of COUNTERS (model/probe.ts) and its number of items
// (fabric/flit.ts).
import { countedItems, type TrafficConstants } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { AddFill } from "../../fabric/transfer.ts"
import { type Counter, type OverTime, PLACES } from "../../model/probe.ts"

type Add = (item: number, count: number) => void

/** The parts of a clocked engine that are sampled. */
interface Sampled {
  readonly now: number
  readonly layout: Layout
  readonly constants: TrafficConstants
  readonly columns: { readonly sampled: Uint32Array; readonly portFlits: Uint32Array }
  occupied(first: number, end: number, add: Add): void
  filled(first: number, end: number, add: AddFill): void
}

interface Sampler {
  /** Reports the counts of the items of routers [first, end), in one call for each or several. */
  sample(engine: Sampled, first: number, end: number, add: Add): void
  /** counts of one router or channel */
  each(engine: Sampled): number
  /** Returns the item of each count of the topology, in the order of OverTime. */
  items(engine: Sampled): Int32Array
  /** true: the samples are totals since cycle 0, and an interval has the difference of two */
  readonly total?: true
}

/** Returns [router * each + k] -> first item of the router + k. */
function itemsOfRouters({ layout: l }: Sampled, each: number, stride: number): Int32Array {
  const items = new Int32Array(l.graph.routers * each)
  for (let r = 0; r < l.routers; r++)
    if (l.outerRouter[r] >= 0) for (let k = 0; k < each; k++) items[l.outerRouter[r] * each + k] = r * stride + k
  return items
}

export const samplers: Readonly<Record<Counter, Sampler>> = {
  routerFlits: {
    sample: (engine, first, end, add) => engine.occupied(first, end, add),
    each: () => 1,
    items: (engine) => itemsOfRouters(engine, 1, 1),
  },
  laneFlits: {
    sample: (engine, first, end, add) => {
      const { LV } = engine.layout
      engine.filled(first, end, (router, lane, place, flits) =>
        add(((router << LV) + lane) * PLACES.length + place, flits),
      )
    },
    each: (engine) => engine.layout.vcs * PLACES.length,
    items: (engine) => itemsOfRouters(engine, engine.layout.vcs * PLACES.length, PLACES.length << engine.layout.LV),
  },
  channelFlits: {
    sample: ({ layout: { PS }, columns: { portFlits } }, first, end, add) => {
      for (let port = first * PS; port < end * PS; port++) add(port, portFlits[port])
    },
    each: () => 1,
    // slot[channel] is indexed by output VC: the shift removes the VC
    items: ({ layout: { graph, slot, LV } }) => Int32Array.from({ length: graph.chans }, (_, c) => slot[c] >> LV),
    total: true,
  },
}

/** Samples the counters of routers [first, end) at the end of an interval. */
export function sample(engine: Sampled, first: number, end: number, interval: number): void {
  const { seriesLength, watch } = engine.constants
  const { sampled } = engine.columns
  let base = 0
  for (const counter of watch.counters) {
    const from = base
    samplers[counter].sample(engine, first, end, (item, count) => {
      sampled[(from + item) * seriesLength + interval] += count
    })
    base += countedItems(counter, engine.layout)
  }
}

/** Returns all counters over the complete intervals of the run. */
export function overTime(engine: Sampled): Partial<Record<Counter, OverTime>> {
  const { layout, constants, columns, now } = engine
  const { seriesLength, seriesInterval, watch } = constants
  const intervals = Math.min(seriesLength, Math.floor(now / seriesInterval))
  const all: Partial<Record<Counter, OverTime>> = {}
  let base = 0
  for (const counter of watch.counters) {
    const { each, items, total } = samplers[counter]
    const of = items(engine)
    const counts = new Uint32Array(of.length * intervals)
    for (let i = 0; i < of.length; i++) {
      const row = columns.sampled.subarray((base + of[i]) * seriesLength)
      for (let n = 0; n < intervals; n++)
        counts[i * intervals + n] = total === true && n > 0 ? row[n] - row[n - 1] : row[n]
    }
    all[counter] = { intervals, each: each(engine), counts }
    base += countedItems(counter, layout)
  }
  return all
}
