// A packet engine, seen from outside. Chunks are what moves; a chunk that has joined an output queue is an event already, so whether it still waits for the
// link is told by when it will arrive.
import { linkTimes, type PacketNetwork } from "../../compile/packet/machine.ts"
import { bitsFor } from "../../core/bitset.ts"
import { hash3 } from "../../core/hash.ts"
import type { ChunkNow } from "../../engines/packet/machine.ts"
import { timeOf } from "../../model/events.ts"
import { type CollectMemory, SUM, total } from "../packet/collect.ts"
import type { PacketCrew } from "../packet/run.ts"
import { waitsOf } from "../packet/watchdog.ts"
import { chunksInside } from "./inside/chunks.ts"
import type { Front, Sight, Whereabouts } from "./sight.ts"

export function packetSight(run: PacketCrew, network: PacketNetwork, memories: readonly CollectMemory[], now: () => number): Sight {
  const { topology, cycle, flit, chunk, streams } = network
  const { graph } = topology
  const vcBits = bitsFor(chunk.vcs)
  const { after, full, perByte, chunk: whole } = linkTimes(network)
  const flitsOf = (c: ChunkNow) => Math.ceil(c.bytes / flit)
  const slots = graph.chans << vcBits

  /** Where it is at this time. */
  function placeOf(c: ChunkNow, at: number): Whereabouts {
    if (c.slot >= 0 && c.waits) return { at: "front", chan: c.slot >> vcBits, vc: c.slot & ((1 << vcBits) - 1), room: false }
    if (c.slot >= 0) return { at: "output", chan: c.slot >> vcBits }
    const over = graph.near[c.into]!
    const time = over < 0 ? 0 : c.bytes >= whole ? full[over]! : timeOf(c.bytes, perByte[over]!)
    return over >= 0 && c.arrives - after[over]! - time > at ? { at: "output", chan: over } : { at: "wire", input: c.into }
  }

  const chunks = (visit: (c: ChunkNow, at: Whereabouts) => void): void => {
    const at = now() * cycle
    // some are events already while they wait at their endpoint
    run.chunks((c) => {
      if (c.sent <= at) visit(c, placeOf(c, at))
    })
  }

  const fronts = (visit: (front: Front) => void): void =>
    chunks((c, at) => {
      if (at.at === "wire") return
      // what waits takes up the slot that it came over: the buffer behind that channel
      const behind = at.at === "front" && c.up < slots
      const where = { input: behind ? Math.max(-1, graph.far[c.up >> vcBits]!) : -1, inputVc: behind ? c.up & ((1 << vcBits) - 1) : 0 }
      const vc = at.at === "front" ? at.vc : 0
      visit({ chan: at.chan, vc, flits: flitsOf(c), room: at.at === "output", packet: c.id, ...where })
    })

  return {
    topology,
    vcs: chunk.vcs,
    pipeline: Math.round(chunk.delay / cycle),
    get now() {
      return now()
    },
    carried: () => run.sent(),
    cyclesOf: (chan) => (flit * perByte[chan]!) / cycle,
    fronts,
    queued(into, stalled) {
      into.fill(0)
      stalled.fill(0)
      fronts(({ chan, flits, room }) => {
        into[chan]! += flits
        if (!room) stalled[chan]! += flits
      })
    },
    packet(id) {
      const c = run.chunk(id)
      if (c === undefined) return undefined
      const { uid: key, from, to, stream, hops } = c
      const times = { born: c.born / cycle, entered: c.sent / cycle, waited: c.waited / cycle }
      return { id, key, from, to, stream, hops, control: false, flits: flitsOf(c), ...times }
    },
    places: (visit) => chunks((c, at) => visit(c.id, at)),
    waits: () => waitsOf(network, run.waits(), 0),
    totals() {
      const delivered = total(memories, SUM.delivered, -1, streams.length)
      let latency = 0
      for (const m of memories) for (let i = 2; i < m.series.length; i += 3) latency += m.series[i]!
      let moving = 0
      run.chunks(() => moving++)
      return { created: delivered + moving, delivered, latency: latency / cycle }
    },
    inside: (router) => chunksInside(graph, chunk.vcs, fronts, router),
    /** deliveries and the counters of all channels, and where every chunk is */
    fingerprint() {
      let a = 0
      let b = Math.floor(now())
      for (const m of memories) a = (a + m.hash[0]!) | 0
      run.sent().forEach((n, chan) => {
        b = (b + hash3(0x5eed, chan, n)) | 0
      })
      run.chunks((c) => {
        a = (a + hash3(c.uid, c.slot * 2 + (c.waits ? 1 : 0), c.arrives | 0)) | 0
      })
      return (a >>> 0).toString(16).padStart(8, "0") + (b >>> 0).toString(16).padStart(8, "0")
    },
  }
}
