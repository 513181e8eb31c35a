// The Observation of a clocked engine. run/clocked/open.ts creates it for runs in one thread.
import type { ClockedEngine } from "../engines/flit/clocked.ts"
import { FlitEngine } from "../engines/flit/engine.ts"
import { TransferEngine } from "../engines/flit/transfers/engine.ts"
import { CONTROL } from "../fabric/flit.ts"
import { waitsOf } from "../measure/clocked/watchdog.ts"
import type { Topology } from "../model/topology.ts"
import { flitsInside } from "./inside/flits.ts"
import { transfersInside } from "./inside/transfers.ts"
import { type Demand, limitWindow } from "./limit.ts"
import type { Front, Observation, Whereabouts } from "./observation.ts"

/** Returns the observation of an engine. `demand`: its traffic, if streams have an offered load. */
export function observeClocked(engine: ClockedEngine, topology: Topology, demand?: Demand): Observation {
  const { graph } = topology
  const { slot, LV } = engine.layout
  // Before cycle 0 all pools are empty, so the free space is their capacity.
  const pools = engine.now === 0 ? engine.allColumns()["switch.poolFree"]?.slice() : undefined

  const fronts = (visit: (front: Front) => void): void =>
    engine.queues((chan, flits, _src, _dst, hasCredits, vc, _key, packet, input, inputVc) =>
      visit({ chan, flits, hasCredits, vc, packet, input, inputVc }),
    )

  function sum(column: ArrayLike<number>): number {
    let all = 0
    for (let i = 0; i < column.length; i++) all += column[i]
    return all
  }

  return {
    topology,
    vcs: engine.layout.vcs,
    pipeline: engine.pipeline,
    get now() {
      return engine.now
    },
    carried() {
      const { portFlits } = engine.columns
      return Uint32Array.from({ length: graph.chans }, (_, c) => portFlits[slot[c] >> LV])
    },
    cyclesOf: () => 1,
    fronts,
    queued(into, stalled) {
      into.fill(0)
      stalled.fill(0)
      engine.queues((chan, flits, _src, _dst, hasCredits) => {
        into[chan] += flits
        if (!hasCredits) stalled[chan] += flits
      })
    },
    packet: (id) => ({ id, ...engine.moving(id) }),
    places(visit) {
      engine.queues((chan, _flits, _src, _dst, hasCredits, vc, _key, packet) =>
        visit(packet, { at: "front", chan, vc, hasCredits }),
      )
      engine.flights((input, packet) => visit(packet, { at: "wire", input } satisfies Whereabouts))
    },
    packets: (into) => engine.packets(into),
    crossing: { links: graph.latency, entries: graph.entryLatency },
    outside(into) {
      const { creationTime, control } = engine.columns
      const { outerEnd, ends } = engine.layout
      const before = Math.min(engine.now, control[CONTROL.quiet])
      into.fill(0)
      // The row after the streams has wake-up times for replies, which are no packets.
      for (let i = 0; i < ends * engine.constants.streams; i++)
        if (creationTime[i] < before) {
          const end = outerEnd[i % ends]
          into[end] = Math.max(into[end], engine.now - creationTime[i])
        }
    },
    sent(end) {
      const { outerEnd, ends } = engine.layout
      const { streams } = engine.constants
      const inner = outerEnd.indexOf(end)
      let sent = 0
      if (inner < ends) for (let k = 0; k < streams; k++) sent += engine.columns.endIn[inner * streams + k]
      return sent
    },
    waits: () => waitsOf(engine, topology, 0),
    totals: () => ({
      created: engine.stat("created"),
      delivered: engine.stat("delivered"),
      latency: sum(engine.columns.seriesLatency),
      accepted: sum(engine.columns.endOut),
    }),
    limits: () => (demand === undefined ? undefined : limitWindow(engine, topology, demand)),
    inside(router) {
      if (engine instanceof TransferEngine) return transfersInside(engine, router, pools)
      if (engine instanceof FlitEngine) return flitsInside(engine, router)
      return { buffers: [], outputs: [], arbiters: [], pools: [], state: [] }
    },
    fingerprint: () => engine.fingerprint(),
  }
}
