// State that every clocked switch shares: packets, wheels, injection, counters. Everything is a column: copyable, shareable, hashable.

import { BINS } from "../core/histogram.ts"
import { PLACES, type Watch } from "../model/probe.ts"
import { APART, type Column, type Columns, f64, i32, type Marks, scratchOf, u8, u32, upTo } from "./columns.ts"
import { factColumns, factMarks } from "./facts.ts"
import type { Layout } from "./layout.ts"

/** Numbers that are constants of any compiled kernel. */
export interface TrafficConstants {
  /** traffic streams; the longest packet */
  readonly streams: number
  readonly maxLength: number
  readonly scratch: number
  readonly seed: number
  /** cycles of one interval of the time series, and their number */
  readonly seriesInterval: number
  readonly seriesLength: number
  /** what probes ask for beside the counters */
  readonly watch: Watch
}

/** Numbers that are constants of the kernel that moves flits. */
export interface FlitConstants extends TrafficConstants {
  /** flits of every packet if all are equal, else 0 */
  readonly fixedLength: number
  /** flits of a packet that crosses every router in one piece (SwitchTiming.held): buffers, credits and events then count packets; 0 = flit by flit */
  readonly held: number
  /** such a packet frees its place this many cycles after its head left: when so many of its flits are gone that another whole one fits */
  readonly heldCredit: number
  /** slots of the wheels - 1, entries of one slot */
  readonly wheelMask: number
  readonly flitRoom: number
  readonly creditRoom: number
  /** each worker has its own packets and outboxes, and runs partitions that lie beside each other */
  readonly workers: number
  /** packets that fit into all buffers of one worker's traffic */
  readonly packetRoom: number
  /** cycles between two meetings of the partitions, entries of one outbox */
  readonly window: number
  /** departures can queue: the core is faster than the links, or the crossbar has more than one lane for each port */
  readonly queued: boolean
  readonly outboxRoom: number
  /** outboxes of one worker and parity (engines/flit/outbox.ts) */
  readonly boxRow: number
  /** packets may carry messages of ranks of parallel programs */
  readonly ranks: boolean
  /** every stream of an endpoint has a turn of its own over the injection VCs */
  readonly injectByStream: boolean
}

export const BIRTH_MASK = 4095
/** per (partition, stream): Float64 sums */
export const STAT = {
  created: 0,
  delivered: 1,
  flitsIn: 2,
  flitsOut: 3,
  measured: 4,
  latency: 5,
  latencySquared: 6,
  network: 7,
  hops: 8,
  max: 9,
  min: 10,
  measuredOpen: 11,
  credit: 12,
  wires: 13,
  length: 14,
  sum: 15,
  sum2: 16,
  networkMax: 17,
  pipeline: 18,
  stash: 19,
  /** given up by their source, and their destination knows that they will not come */
  abandoned: 20,
  width: 24,
} as const

/** sources: next creation, packets made, a word for the arrival process, what is left of a message and its destination, link of the wheel */
export function sourceColumns(l: Layout, k: TrafficConstants) {
  // one row more than there are streams: the wake-up of endpoints that have an answer to send
  const sources = (k.streams + 1) * l.ends
  return {
    birth: f64(sources),
    made: i32(sources),
    process: i32(sources),
    messageLeft: i32(sources),
    messageTo: i32(sources),
    sourceNext: i32(sources),
  }
}

/** Counters: always on. */
export function counterColumns(l: Layout, k: TrafficConstants) {
  const lanes = l.parts * k.streams
  return {
    portFlits: u32(l.routers * l.PS),
    endIn: u32(l.ends * k.streams),
    endOut: u32(l.ends * k.streams),
    stat: f64(lanes * STAT.width),
    // latency from creation, and from injection
    histogram: u32(lanes * BINS),
    networkHistogram: u32(lanes * BINS),
    // time series by arrival (packets, flits, latencies) and by injection (flits)
    seriesCount: u32(lanes * k.seriesLength),
    seriesFlits: u32(lanes * k.seriesLength),
    seriesLatency: f64(lanes * k.seriesLength),
    seriesNetwork: f64(lanes * k.seriesLength),
    seriesIn: u32(lanes * k.seriesLength),
    // flits in each router at the end of each interval
    ...factColumns(l, k.watch),
    occupancy: u32(k.watch.occupancy ? l.routers * k.seriesLength : 1),
    laneFill: u32(k.watch.lanes ? (l.routers << l.LV) * PLACES.length * k.seriesLength : 1),
    // commutative hash of everything delivered, two lanes for each partition, at APART * partition
    trail: i32(l.parts * APART),
    // control: measured packets are created in [from, to); nothing is created from `quiet` on; `full` is set when an answer found no memory
    control: f64(8),
    // [partition * APART]
    flitHops: f64(l.parts * APART),
    // measured packets that arrived, by router of their destination and of their source
    flows: u32(countsFlows(l) ? l.graph.routers ** 2 : 1),
  }
}

export function flitColumns(l: Layout, k: FlitConstants) {
  const slots = k.wheelMask + 1
  const nodes = l.ends
  const packets = k.packetRoom * k.workers
  return {
    // packets as records (packetFields): one of them costs one cache line, which is what counts in a large network
    packet: i32(packets * recordSize(k)),
    // free packets: a stack for each worker on top of a high-water mark (memory is touched only as far as it was needed), at APART * worker
    free: i32(packets),
    freeTop: i32(k.workers * APART),
    fresh: i32(k.workers * APART),
    // wheels: flits (input VC, packet or -1 for a body flit) and credits (output VC)
    flitAt: i32(l.parts * slots * k.flitRoom),
    flitPacket: i32(l.parts * slots * k.flitRoom),
    flitCount: i32(l.parts * slots),
    creditAt: i32(l.parts * slots * k.creditRoom),
    creditCount: i32(l.parts * slots),
    // injection: bit sets of endpoints that have something to send, and of those that are not blocked
    waiting: i32((nodes + 31) >> 5),
    ready: i32((nodes + 31) >> 5),
    txLeft: upTo(k.maxLength, nodes),
    txVc: i32(nodes),
    // VC of the last packet: of an endpoint, or of each of its streams (none yet: 255)
    txLast: k.injectByStream ? u8(nodes * k.streams).fill(255) : u8(nodes).fill(l.vcs - 1),
    txPacket: i32(nodes).fill(-1),
    txStream: u8(nodes),
    replyHead: i32(nodes),
    replyTail: i32(nodes),
    replyCount: i32(nodes),
    ...sourceColumns(l, k),
    births: i32(l.parts * (BIRTH_MASK + 1)),
    ...counterColumns(l, k),
    // departures that queue behind a faster core: next free cycle of output and of credit return, and the step of the last credit
    nextOut: i32(k.queued ? l.routers * l.PS : 1),
    nextCredit: i32(k.queued ? l.routers * l.PS : 1),
    creditStep: i32(k.queued ? l.routers * l.PS : 1),
    // outboxes between workers, two parities: time, id (credit: ~id), packet
    outbox: i32(Math.max(1, k.outboxRoom)),
    outCount: i32(2 * k.workers * k.boxRow),
  }
}

/** Networks of up to so many routers count packets by pair of routers. */
const MOST_ROUTERS = 1024

export function countsFlows(l: Layout): boolean {
  return l.graph.routers <= MOST_ROUTERS
}

/** [endpoint] -> the router that it sends into, and the one that its packets leave from */
export function endRouters({ graph: g }: Layout): { entryRouter: Int32Array; exitRouter: Int32Array } {
  const by = (channel: Int32Array) => scratchOf(Array.from({ length: g.ends }, (_, e) => g.routerOf[channel[e * g.rails]!]!))
  return { entryRouter: by(g.entry), exitRouter: by(g.home) }
}

type RecordKind = Pick<FlitConstants, "streams" | "scratch" | "fixedLength" | "ranks">

/** Words of a packet's record: a multiple of 8, so that a record never straddles a line. */
export function recordSize(k: RecordKind): number {
  return (8 + (k.streams > 1 ? 1 : 0) + (k.fixedLength === 0 ? 1 : 0) + (k.ranks ? 1 : 0) + k.scratch + 7) & ~7
}

function ofWorkers(counts: Column, what: (n: number) => number): number[] {
  return Array.from({ length: counts.length / APART }, (_, w) => what(counts[w * APART]!))
}

/** What was ever used of the records; what is in use of the stacks of free ones and of the slots of the wheels: each has its count. */
export function flitMarks(k: FlitConstants, columns: Columns): Marks {
  const { fresh, freeTop, flitCount, creditCount } = columns
  const size = recordSize(k)
  const flits = { room: k.flitRoom, used: flitCount!.slice() }
  return {
    ...factMarks(k.watch, columns),
    packet: { room: k.packetRoom * size, used: ofWorkers(fresh!, (n) => n * size) },
    free: { room: k.packetRoom, used: ofWorkers(freeTop!, (n) => n) },
    flitAt: flits,
    flitPacket: flits,
    creditAt: { room: k.creditRoom, used: creditCount!.slice() },
  }
}

/** Fields of packets as views: a packet's id is the place of its record, so `pDst[id]` reads its destination. */
export function packetFields(records: Int32Array, k: RecordKind) {
  const field = (i: number): Int32Array => records.subarray(Math.min(i, records.length))
  const stream = 8
  const length = stream + (k.streams > 1 ? 1 : 0)
  const job = length + (k.fixedLength === 0 ? 1 : 0)
  const scratch = job + (k.ranks ? 1 : 0)
  return {
    pDst: field(0),
    pKey: field(1),
    /** routers visited, and (from bit 12) cycles on wires */
    pHops: field(2),
    /** cycles that its head stood before full buffers */
    pWait: field(3),
    pSrc: field(4),
    pBirth: field(5),
    pEnter: field(6),
    /** 1 + the packet behind this one in its VC, 0 = none */
    pNext: field(7),
    pStream: field(stream),
    /** flits; only where packets differ */
    pLen: field(length),
    /** the rank's message that it carries a part of; only where there are ranks */
    pJob: field(job),
    pScratch: field(scratch),
  }
}
export type PacketFields = ReturnType<typeof packetFields>

export const CONTROL = { from: 0, to: 1, quiet: 2, now: 3, full: 4 } as const

export type FlitColumns = ReturnType<typeof flitColumns>
export type AnyColumns = Record<string, Column>
