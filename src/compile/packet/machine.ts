// Builds the machine of the packet engine (engines/packet/machine.ts) for a compiled network: link times, slot
// capacities, bucket width, switch and endpoints.
import type { RailsModel, RailsParams } from "../../endpoints/rails/plugin.ts"
import type { ChunkTimes } from "../../engines/packet/attribution.ts"
import { type Lookahead, lookahead } from "../../engines/packet/lookahead.ts"
import { makeMachine } from "../../engines/packet/machine.ts"
import { machineWords } from "../../engines/packet/machine-layout.ts"
import type { Machine, MachineSpec, Parts } from "../../engines/packet/machine-types.ts"
import type { Partition } from "../../engines/packet/partition.ts"
import type { Side } from "../../engines/packet/worker.ts"
import { type LinkTimes, MOST_WIRES } from "../../model/events.ts"
import type { Graph } from "../../model/graph.ts"
import type { RoutingFunction } from "../../model/routing.ts"
import type { Stream } from "../../model/stream.ts"
import type { Topology } from "../../model/topology.ts"
import type { RankLayer } from "../../model/workload.ts"
import type { ChunkModel, ChunkParams } from "../../switches/chunk/plugin.ts"
import { byteTime, classTime } from "./byte-time.ts"

export interface PacketNetwork {
  readonly topology: Topology
  readonly routing: RoutingFunction
  readonly scratch: number
  readonly candidates: number
  readonly chunk: ChunkParams
  readonly rails: RailsParams
  readonly parts: {
    readonly chunk: Pick<ChunkModel, "lay" | "build">
    readonly rails: Pick<RailsModel, "lay" | "single" | "multi">
  }
  readonly streams: readonly Stream[]
  readonly seed: number
  /** ps of a cycle, bytes of a flit */
  readonly cycle: number
  readonly flit: number
  /** ranks of parallel programs */
  readonly ranks?: RankLayer | undefined
  /** maximum number of chunks in flight; absent: the capacity of all buffers */
  readonly records?: number
}

/**
 * Returns the times of all links in ps. `propagation: chunk` adds the time of a whole chunk to each latency, as CODES
 * does.
 */
export function linkTimes(n: PacketNetwork): LinkTimes {
  const { graph } = n.topology
  const { chunk: p, cycle } = n
  const byClass = graph.classes.map((name) => classTime(n, name))
  const rateOf = (chan: number) => byClass[graph.linkClass[chan]]
  const perByte = byteTime(n)
  const endFull = (p.chunk * perByte) / (p.endRate === "times-rails" ? graph.rails : 1)
  const extra = (each: number) => (p.propagation === "chunk" ? p.chunk * each : 0)
  const latency = (cycles: number, each: number) => cycles * cycle + extra(each)
  const wire = wireUnit(graph)
  const credit = (cycles: number, each: number) =>
    Math.round(p.creditSize * each + p.credit + (p.creditWire === "link" ? cycles * cycle : 0))
  return {
    chunk: p.chunk,
    ...(p.switching === "cut-through" ? { head: Math.round(n.flit * perByte) } : {}),
    full: graph.far.map((far, c) => Math.round(far <= -2 ? endFull : p.chunk * rateOf(c))),
    perByte: Float64Array.from(graph.linkClass, (of) => byClass[of]),
    after: graph.latency.map((l, c) => Math.round(p.delay + latency(l, rateOf(c)))),
    credit: graph.latency.map((l, c) => credit(l, rateOf(c))),
    wires: graph.latency.map((l) => Math.round(l / wire)),
    entryWires: graph.entryLatency.map((l) => Math.round(l / wire)),
    entryFull: Math.round(endFull),
    entryPerByte: perByte,
    entryAfter: graph.entryLatency.map((l) => Math.round(latency(l, perByte))),
    entryCredit: graph.entryLatency.map((l) => credit(l, perByte)),
  }
}

/** Returns the components of a chunk's latency, for the attribution. */
export function chunkTimes(n: PacketNetwork): ChunkTimes {
  const { chunk: p, topology, flit, cycle } = n
  const perByte = byteTime(n)
  const full = Math.round(p.chunk * perByte)
  return {
    chunk: p.chunk,
    full,
    endFull: p.endRate === "times-rails" ? Math.round((p.chunk * perByte) / topology.graph.rails) : full,
    perByte,
    head: p.switching === "cut-through" ? Math.round(flit * perByte) : 0,
    router: p.delay,
    link: p.propagation === "chunk" ? full : 0,
    wire: wireUnit(topology.graph) * cycle,
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

/** number of links for which a chunk's sum of latencies has bits, however long they are */
const LINKS = 64

/**
 * Returns a unit in cycles that divides all latencies, so that their sum over a path fits into the bits of STATE; a
 * coarser one if it would not fit.
 */
function wireUnit(graph: Graph): number {
  let unit = 0
  let most = 0
  for (const latencies of [graph.latency, graph.entryLatency])
    for (let i = 0; i < latencies.length; i++) {
      const l = latencies[i]
      if (unit === 0 || l % unit !== 0) unit = commonDivisor(l, unit)
      if (l > most) most = l
    }
  return Math.max(1, unit, Math.ceil((most * LINKS) / MOST_WIRES))
}

/** Returns [slot] -> capacity in chunks. */
export function capacities(n: Pick<PacketNetwork, "topology" | "chunk">, slots: number, vcBits: number): Uint16Array {
  const { graph } = n.topology
  const { chunk, buffer, endBuffer } = n.chunk
  const ends = Math.floor((endBuffer ?? buffer) / chunk)
  const capacity = new Uint16Array(slots).fill(ends)
  for (let c = 0; c < graph.chans; c++)
    if (graph.far[c] > -2) capacity.fill(Math.floor(buffer / chunk), c << vcBits, (c + 1) << vcBits)
  return capacity
}

/**
 * Returns log2 of the bucket width: a few events per bucket, and at most the shortest delay between two logical
 * processes.
 */
export function bucketShift(n: PacketNetwork, links: LinkTimes): number {
  const chunk = shortestChunk(n, links)
  const shortest = Math.min(
    least(links.credit),
    least(links.entryCredit),
    chunk.chan + least(links.after),
    chunk.entry + least(links.entryAfter),
  )
  const load = n.streams.reduce((sum, s) => sum + s.packet.mean * s.message.mean, 0) > 0 ? 0.5 : 0
  const events = (n.topology.graph.ends * load * 3) / links.entryFull
  const wanted = Math.floor(Math.log2(4 / Math.max(events, 1e-9)))
  return Math.max(0, Math.min(wanted, 12, Math.floor(Math.log2(Math.max(1, shortest)))))
}

function least(a: Int32Array): number {
  return a.reduce((x, y) => (y < x ? y : x), 0x7fffffff)
}

type Drain = (rows: Int32Array, count: number) => void

export function packetMachine(n: PacketNetwork, drain: Drain, side?: Side): Machine {
  return makeMachine(...machineOf(n, drain), side)
}

/** Returns the words of its memory, without allocating it. */
export function packetWords(n: PacketNetwork): ReturnType<typeof machineWords> {
  return machineWords(...machineOf(n, () => undefined))
}

/** Returns the specification of the machine and the factories of its switch and endpoints. */
function machineOf(n: PacketNetwork, drain: Drain): [MachineSpec, Parts] {
  const { topology, chunk, rails, seed, streams } = n
  const { graph } = topology
  const links = linkTimes(n)
  const depth = Math.max(1, Math.floor(rails.queue / chunk.chunk))
  const single = graph.rails === 1
  const shift = bucketShift(n, links)
  const jitter = chunk.jitter === "codes"
  return [
    {
      graph,
      seed,
      vcs: chunk.vcs,
      scratch: n.scratch,
      candidates: n.candidates,
      capacity: (slots, vcBits) => capacities(n, slots, vcBits),
      chunkFlits: Math.max(1, Math.round(chunk.chunk / n.flit)),
      flitBytes: n.flit,
      records: n.records ?? recordSlots(graph, chunk, depth + Math.ceil(rails.packet / chunk.chunk)),
      lookBack: single ? links.entryAfter.reduce((a, b) => Math.max(a, b), 0) : 0,
      merged: single,
      shift,
      slots: 1 << Math.max(8, Math.min(16, 22 - shift)),
      ranks: n.ranks,
      drain,
    },
    {
      switch(memory, vcBits) {
        const at = n.parts.chunk.lay(memory, graph.chans, vcBits)
        return {
          make: (site, terminals) =>
            n.parts.chunk.build(
              {
                ...site,
                terminals,
                graph,
                links,
                routing: n.routing,
                vcs: chunk.vcs,
                seed,
                order: chunk.order,
                vcFirst: Int32Array.from(streams, (s) => s.vcFirst),
                cutThrough: chunk.switching === "cut-through",
                flitBytes: n.flit,
                early: chunk.commit === "early",
                jitter,
              },
              at,
            ),
        }
      },
      terminals(memory) {
        const at = n.parts.rails.lay(
          memory,
          graph.ends,
          graph.rails,
          streams.length,
          depth + Math.ceil(rails.packet / chunk.chunk),
          n.ranks !== undefined,
        )
        return {
          make(site) {
            const own = {
              ...site,
              graph,
              links,
              streams,
              seed,
              cycle: n.cycle,
              flit: n.flit,
              packet: rails.packet,
              chunk: chunk.chunk,
              nic: rails.nic,
              jitter,
              scratch: Math.max(1, n.scratch),
              depth,
              since: rails.since,
              selfPerByte: links.entryPerByte,
              // The faster links of CODES (endRate) already increase the hand-over rate.
              pace: rails.pace === "rails" && chunk.endRate === "each" ? graph.rails : 1,
            }
            if (single) return n.parts.rails.single(own, at)
            return n.parts.rails.multi(
              { ...own, select: rails.select, metric: rails.metric, hops: (a, b) => topology.hops(a, b) },
              at,
            )
          },
        }
      },
    },
  ]
}

/** Returns [logical process] -> worker: routers, then endpoints if they are separate processes. */
export function ownersOf(graph: Graph, routers: Uint8Array): Uint8Array {
  if (graph.rails === 1) return routers
  const owner = new Uint8Array(graph.routers + graph.ends)
  owner.set(routers)
  for (let e = 0; e < graph.ends; e++) owner[graph.routers + e] = routers[graph.routerOf[graph.entry[e * graph.rails]]]
  return owner
}

/** Returns the look-ahead between workers. */
export function aheadOf(n: PacketNetwork, p: Partition): Lookahead {
  const { graph } = n.topology
  const owner = ownersOf(graph, p.owner)
  const links = linkTimes(n)
  const endOwner = (e: number) => owner[graph.rails === 1 ? graph.routerOf[graph.entry[e]] : graph.routers + e]
  return lookahead(
    graph,
    links,
    p.owner,
    endOwner,
    p.workers,
    n.chunk.jitter === "codes" ? 5 : 0,
    shortestChunk(n, links),
    n.ranks !== undefined,
  )
}

/** Returns the ps of the shortest chunk that any stream can send, on a channel of a router and of an endpoint. */
function shortestChunk(n: PacketNetwork, links: LinkTimes): { chan: number; entry: number } {
  const { chunk } = n.chunk
  const { packet } = n.rails
  /** the last chunk of a packet of this many bytes, which is its shortest */
  const last = (bytes: number) => bytes % chunk || chunk
  // Ranks may send messages of any length.
  let bytes = n.ranks === undefined ? chunk : 1
  for (const s of n.streams) {
    if (s.packet.fixed === undefined || s.message.fixed === undefined) {
      // Any number of flits: the remainder is a multiple of this.
      bytes = Math.min(bytes, commonDivisor(n.flit, commonDivisor(packet, chunk)))
      continue
    }
    const all = s.packet.fixed * s.message.fixed * n.flit
    if (all >= packet) bytes = Math.min(bytes, last(packet))
    if (all % packet > 0) bytes = Math.min(bytes, last(all % packet))
  }
  if (links.head !== undefined) return { chan: links.head, entry: links.head }
  // A whole chunk may be faster than a part of one, because links of endpoints may have the bandwidth of all rails for
  // whole chunks only (endRate).
  const fastest = links.perByte.reduce((a, b) => Math.min(a, b), links.entryPerByte)
  const time = bytes >= chunk ? Number.POSITIVE_INFINITY : Math.round(bytes * fastest)
  return { chan: Math.min(least(links.full), time), entry: Math.min(links.entryFull, time) }
}

/** Returns the number of chunk records: the capacity of all buffers, limited to a reasonable amount of memory. */
function recordSlots(graph: Graph, chunk: ChunkParams, cut: number): number {
  const perVc = Math.floor(Math.max(chunk.buffer, chunk.endBuffer ?? 0) / chunk.chunk)
  let routers = 0
  for (let c = 0; c < graph.chans; c++) if (graph.far[c] >= 0) routers++
  const all = (routers * chunk.vcs + 2 * graph.ends * graph.rails) * perVc + (4 + cut) * graph.ends * graph.rails + 1024
  // Untouched records cost no memory, but they must be addressable.
  return Math.min(
    all,
    Math.max(1 << 16, Math.min(512 * graph.ends * graph.rails, Math.max(1 << 22, 16 * graph.ends * graph.rails))),
  )
}
