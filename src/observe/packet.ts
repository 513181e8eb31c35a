// The Observation of a packet engine. The unit that moves is a chunk. A chunk that has joined an output queue is
// already an event with a known arrival time. This time shows whether the chunk still waits for the link or is in
// flight. The function openPacket creates the observation for runs in one thread.
import { linkTimes, type PacketNetwork } from "../compile/packet/machine.ts"
import { bitsFor } from "../core/bitset.ts"
import { hash3 } from "../core/hash.ts"
import type { ChunkNow, VisitChunk } from "../engines/packet/machine-types.ts"
import { fillFrame, MOST_PLACE, PACKET, type PacketFrame } from "../engines/packet-frame.ts"
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
  const { after, full, perByte, chunk: whole, entryAfter, entryFull } = linkTimes(network)
  const flitsOf = (c: ChunkNow) => Math.ceil(c.bytes / flit)
  const slots = graph.chans << vcBits
  const crossing = {
    links: Int32Array.from(after, (ps, c) => Math.max(1, Math.round((ps + full[c]) / cycle))),
    entries: Int32Array.from(entryAfter, (ps) => Math.max(1, Math.round((ps + entryFull) / cycle))),
  }

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

  /** Writes the chunks whose key is a multiple of `into.every`. Returns their number, which may exceed the frame. */
  function writeEvery(into: PacketFrame): number {
    const time = now() * cycle
    const standing: { readonly c: ChunkNow; readonly state: number; readonly chan: number }[] = []
    let n = 0
    const put = (c: ChunkNow, state: number, chan: number, place: number) => {
      if (n < into.id.length) {
        // Records are far apart in memory. A short number is enough, because the key is compared, too.
        into.id[n] = c.uid & 0xffff
        into.key[n] = c.uid
        into.at[n] = chan
        into.state[n] = state
        into.place[n] = Math.min(MOST_PLACE, Math.max(0, place))
        into.createdAt[n] = Math.floor(c.createdAt / cycle)
        into.from[n] = c.from
        into.to[n] = c.to
      }
      n++
    }
    chunks((c, at) => {
      if ((c.uid & (into.every - 1)) !== 0) return
      if (at.at === "wire") {
        const over = graph.near[at.input]
        put(c, PACKET.wire, over >= 0 ? over : -1 - c.from, Math.ceil((c.arrives - time) / cycle))
      } else if (at.at === "output") standing.push({ c, state: PACKET.output, chan: at.chan })
      else standing.push({ c, state: PACKET.blocked, chan: c.up < slots ? c.up >> vcBits : -1 - c.from })
    })
    // The order of a queue is that of the arrivals at its end, or of creation.
    standing.sort((a, b) => a.c.arrives - b.c.arrives || a.c.createdAt - b.c.createdAt || a.c.uid - b.c.uid)
    for (const { c, state, chan } of standing) put(c, state, chan, 0)
    return n
  }

  return {
    topology,
    vcs: chunk.vcs,
    crossing,
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
    packets: (into) => fillFrame(into, () => writeEvery(into)),
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
      // A chunk counts when it begins to use the link to its endpoint.
      const sent = run.sent()
      let accepted = 0
      for (const home of graph.home) accepted += sent[home]
      return { created: delivered + moving, delivered, latency: latency / cycle, accepted }
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
