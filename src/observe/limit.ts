// Decides why a network accepts no more while it runs, for a debugger or the studio. It counts from one cycle to
// another, with the rules of a finished run (measure/bottleneck, core/saturation.ts). The counters of the run itself do
// not change.
import { isShort } from "../core/saturation.ts"
import type { ClockedEngine } from "../engines/flit/clocked.ts"
import { type Limit, limitOf } from "../measure/bottleneck/sentence.ts"
import { since } from "../measure/clocked/counts.ts"
import { evidenceOf } from "../measure/clocked/evidence.ts"
import { LoadWindow } from "../measure/clocked/load-window.ts"
import { QueueSamples } from "../measure/clocked/worst-channels.ts"
import type { Topology } from "../model/topology.ts"

/** The traffic of a run, by specification. */
export interface Demand {
  /** [stream] -> mean flits per packet; the first `traffic` streams have an offered load */
  readonly flits: readonly number[]
  readonly traffic: number
  /** Returns the flits that each endpoint offers per cycle, on average over the cycles [from, to). */
  offered(from: number, to: number): number
}

export interface Limited {
  /** flits per endpoint and cycle */
  readonly offered: number
  readonly accepted: number
  /** absent: the network carries its load */
  readonly limit?: Limit
}

export interface LimitWindow {
  /** Samples all queues. */
  look(): void
  /** Returns the loads since the window began, and the cause if less is accepted than offered. */
  close(): Limited
}

/** Opens a window at the current cycle. */
export function limitWindow(engine: ClockedEngine, topology: Topology, demand: Demand): LimitWindow {
  const { graph } = topology
  const { layout, constants } = engine
  const from = engine.now
  const delivered = engine.stat("delivered")
  const samples = new QueueSamples(graph)
  const loads = new LoadWindow(engine, demand.flits, demand.traffic)
  loads.open()
  const { opened } = loads.state

  /** Returns the counts of a stream in the numbers of the topology; numbers that only fill a partition have none. */
  function byEnd(column: Uint32Array, stream: number): Uint32Array {
    const all = new Uint32Array(graph.ends)
    for (let e = 0; e < layout.ends; e++)
      if (layout.outerEnd[e] >= 0) all[layout.outerEnd[e]] = column[e * constants.streams + stream]
    return all
  }

  return {
    look: () => samples.look(engine),
    close() {
      const window = engine.now - from
      loads.close()
      const { created, accepted } = loads.counts
      const each = 1 / graph.ends / Math.max(1, window)
      const offered = demand.offered(from, engine.now)
      const counted = { offered, created: created * each, accepted: accepted * each }
      if (!isShort({ ...counted, packets: engine.stat("delivered") - delivered }))
        return { offered, accepted: counted.accepted }
      const { endIn, endOut, portFlits } = since(engine, opened)
      const evidence = evidenceOf(graph, samples, {
        window,
        channel: Uint32Array.from({ length: graph.chans }, (_, c) => portFlits[layout.slot[c] >> layout.LV]),
        streams: demand.flits.map((_, i) => ({ injected: byEnd(endIn, i), accepted: byEnd(endOut, i) })),
      })
      return { offered, accepted: counted.accepted, limit: limitOf(evidence, topology) }
    },
  }
}
