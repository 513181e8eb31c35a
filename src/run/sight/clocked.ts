// A clocked engine, seen from outside.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { FlitEngine } from "../../engines/flit/engine.ts"
import { TransferEngine } from "../../engines/flit/transfers/engine.ts"
import type { Topology } from "../../model/topology.ts"
import { waitsOf } from "../clocked/watchdog.ts"
import { flitsInside } from "./inside/flits.ts"
import { transfersInside } from "./inside/transfers.ts"
import type { Front, Sight, Whereabouts } from "./sight.ts"

export function clockedSight(engine: ClockedEngine, topology: Topology): Sight {
  const { graph } = topology
  const { slot, LV } = engine.layout
  // before the first cycle all pools are empty: so large are they
  const pools = engine.now === 0 ? engine.allColumns()["switch.poolFree"]?.slice() : undefined

  const fronts = (visit: (front: Front) => void): void =>
    engine.queues((chan, flits, _src, _dst, room, vc, _key, packet, input, inputVc) =>
      visit({ chan, flits, room, vc, packet, input, inputVc }),
    )

  function sum(column: ArrayLike<number>): number {
    let all = 0
    for (let i = 0; i < column.length; i++) all += column[i]!
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
      return Uint32Array.from({ length: graph.chans }, (_, c) => portFlits[slot[c]! >> LV]!)
    },
    cyclesOf: () => 1,
    fronts,
    queued(into, stalled) {
      into.fill(0)
      stalled.fill(0)
      engine.queues((chan, flits, _src, _dst, room) => {
        into[chan]! += flits
        if (!room) stalled[chan]! += flits
      })
    },
    packet: (id) => ({ id, ...engine.moving(id) }),
    places(visit) {
      engine.queues((chan, _flits, _src, _dst, room, vc, _key, packet) => visit(packet, { at: "front", chan, vc, room }))
      engine.flights((input, packet) => visit(packet, { at: "wire", input } satisfies Whereabouts))
    },
    waits: () => waitsOf(engine, topology, 0),
    totals: () => ({
      created: engine.stat("created"),
      delivered: engine.stat("delivered"),
      latency: sum(engine.columns.seriesLatency),
    }),
    inside(router) {
      if (engine instanceof TransferEngine) return transfersInside(engine, router, pools)
      if (engine instanceof FlitEngine) return flitsInside(engine, router)
      return { buffers: [], outputs: [], arbiters: [], pools: [], state: [] }
    },
    fingerprint: () => engine.fingerprint(),
  }
}
