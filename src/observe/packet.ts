// The Observation of a packet engine. The unit that moves is a chunk. A chunk that has joined an output queue is
// already an event with a known arrival time. This time shows whether the chunk still waits for the link or is in
// flight. The function openPacket creates the observation for runs in one thread.
import { linkTimes, type PacketNetwork } from "../compile/packet/machine.ts"
import { bitsFor } from "../core/bitset.ts"
import { hash3 } from "../core/hash.ts"
import type { ChunkNow, VisitChunk } from "../engines/packet/machine-types.ts"
import { type CollectMemory, SUM, total } from "../measure/packet/collect.ts"
import type { PacketSimulation } from "../measure/packet/simulation.ts"
import { waitsOf } from "../measure/packet/watchdog.ts"
import { timeOf } from "../model/events.ts"
import { chunksInside } from "./inside/chunks.ts"
import type { Front, Observation, Whereabouts } from "./observation.ts"

/** A simulation whose chunks can be visited (run/packet/run.ts). */
export interface VisiblePackets extends Pick<PacketSimulation, "sent" | "waits"> {
  chunks(visit: VisitChunk): void
  chunk(id: number): ChunkNow | undefined
}

/** Returns the observation. `now`: the cycle up to which the simulation has run. */
export function observePacket(
  run: VisiblePackets,
  network: PacketNetwork,
  memories: readonly CollectMemory[],
  now: () => number,
): Observation {
  const { topology, cycle, flit, chunk, streams } = network
  const { graph } = topology
  const vcBits = bitsFor(chunk.vcs)
  const { after, full, perByte, chunk: whole } = linkTimes(network)
  const flitsOf = (c: ChunkNow) => Math.ceil(c.bytes / flit)
  const slots = graph.chans << vcBits

  /**
   * Returns where a chunk is at time `at` (ps). A chunk that arrives later than link delay and transmission time from
   * now has not yet started on the link.
   */
  function placeOf(c: ChunkNow, at: number): Whereabouts {
    if (c.slot >= 0 && c.waits)
      return { at: "front", chan: c.slot >> vcBits, vc: c.slot & ((1 << vcBits) - 1), hasCredits: false }
    if (c.slot >= 0) return { at: "output", chan: c.slot >> vcBits }
    const over = graph.near[c.into]
    const time = over < 0 ? 0 : c.bytes >= whole ? full[over] : timeOf(c.bytes, perByte[over])
    return over >= 0 && c.arrives - after[over] - time > at
      ? { at: "output", chan: over }
      : { at: "wire", input: c.into }
  }

  const chunks = (visit: (c: ChunkNow, at: Whereabouts) => void): void => {
    const at = now() * cycle
    // Some chunks are already events while they wait at their endpoint. They have not entered the network.
    run.chunks((c) => {
      if (c.sent <= at) visit(c, placeOf(c, at))
    })
  }

  const fronts = (visit: (front: Front) => void): void =>
    chunks((c, at) => {
      if (at.at === "wire") return
      // A waiting chunk occupies the slot that it arrived over: the input buffer downstream of that channel.
      const behind = at.at === "front" && c.up < slots
      const where = {
        input: behind ? Math.max(-1, graph.far[c.up >> vcBits]) : -1,
        inputVc: behind ? c.up & ((1 << vcBits) - 1) : 0,
      }
      const vc = at.at === "front" ? at.vc : 0
      visit({ chan: at.chan, vc, flits: flitsOf(c), hasCredits: at.at === "output", packet: c.id, ...where })
    })

  return {
    topology,
    vcs: chunk.vcs,
    pipeline: Math.round(chunk.delay / cycle),
    get now() {
      return now()
    },
    carried: () => run.sent(),
    cyclesOf: (chan) => (flit * perByte[chan]) / cycle,
    fronts,
    queued(into, stalled) {
      into.fill(0)
      stalled.fill(0)
      fronts(({ chan, flits, hasCredits }) => {
        into[chan] += flits
        if (!hasCredits) stalled[chan] += flits
      })
    },
    packet(id) {
      const c = run.chunk(id)
      if (c === undefined) return undefined
      const { uid: key, from, to, stream, hops } = c
      const times = { createdAt: c.createdAt / cycle, entered: c.sent / cycle, waited: c.waited / cycle }
      return { id, key, from, to, stream, hops, control: false, flits: flitsOf(c), ...times }
    },
    packets: () => -1,
    outside: (into) => void into.fill(Number.NaN),
    sent: () => Number.NaN,
    places: (visit) => chunks((c, at) => visit(c.id, at)),
    waits: () => waitsOf(network, run.waits(), 0),
    totals() {
      const delivered = total(memories, SUM.delivered, -1, streams.length)
      let latency = 0
      for (const m of memories) for (let i = 2; i < m.series.length; i += 3) latency += m.series[i]
      let moving = 0
      run.chunks(() => moving++)
      return { created: delivered + moving, delivered, latency: latency / cycle, accepted: Number.NaN }
    },
    limits: () => undefined,
    inside: (router) => chunksInside(graph, chunk.vcs, fronts, router),
    /** Hashes deliveries, the counters of all channels, and the place of every chunk. */
    fingerprint() {
      let a = 0
      let b = Math.floor(now())
      for (const m of memories) a = (a + m.hash[0]) | 0
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
