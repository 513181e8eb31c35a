// State that all clocked engines share: traffic sources, counters and time series; and the state of the flit engine:
// packet records, timing wheels and injection. All state is in columns (typed arrays), so it can be copied, shared
// between workers and hashed. The engines in engines/flit allocate the columns; switches read them.

import { BINS } from "../core/histogram.ts"
import { type Counter, PLACES, type Watch } from "../model/probe.ts"
import { APART, type Column, type Columns, f64, i32, type Marks, scratchOf, u8, u32, upTo } from "./columns.ts"
import type { Layout } from "./layout.ts"
import { traceColumns, traceMarks } from "./trace-rings.ts"

/** Numbers that are constants of a compiled simulation. */
export interface TrafficConstants {
  /** number of traffic streams; flits of the longest packet */
  readonly streams: number
  readonly maxLength: number
  readonly scratch: number
  readonly seed: number
  /** cycles of one interval of the time series, and their number */
  readonly seriesInterval: number
  readonly seriesLength: number
  /** data that probes need besides the counters */
  readonly watch: Watch
}

/** Numbers that are constants of a compiled simulation with the flit engine. */
export interface FlitConstants extends TrafficConstants {
  /** flits of every packet if all are equally long, otherwise 0 */
  readonly fixedLength: number
  /**
   * flits of a packet that crosses each router as a unit (SwitchTiming.held), so that buffers, credits and events count
   * packets; 0: flit by flit
   */
  readonly held: number
  /**
   * cycles after the head's departure in which such a packet frees its buffer slot: enough flits have left for another
   * whole packet to fit
   */
  readonly heldCredit: number
  /** number of slots of the wheels - 1, entries of one slot */
  readonly wheelMask: number
  readonly flitSlots: number
  readonly creditSlots: number
  /** each worker has its own packets and outboxes, and executes consecutive partitions */
  readonly workers: number
  /** number of packets that fit into all buffers, for each worker */
  readonly packetSlots: number
  /** cycles between two barriers of the partitions, entries of one outbox */
  readonly window: number
  /** departures can queue, because the core is faster than the links or the crossbar has several lanes per port */
  readonly queued: boolean
  readonly outboxSlots: number
  /** outboxes of one worker and parity (engines/flit/outbox.ts) */
  readonly boxRow: number
  /** packets may carry messages of ranks of parallel programs */
  readonly ranks: boolean
  /** each stream of an endpoint has its own round-robin pointer over the injection VCs */
  readonly injectByStream: boolean
}

export const GENERATION_MASK = 4095
/** Float64 sums of each (partition, stream) */
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
  /** abandoned by their source; their destination knows that they will not arrive */
  abandoned: 20,
  width: 24,
} as const

/**
 * Columns of sources: next creation time, packets created, state of the arrival process, remaining packets of a message
 * and its destination, link of the wheel.
 */
export function sourceColumns(l: Layout, k: TrafficConstants) {
  // One row more than streams: the wake-up of endpoints that have a reply to send.
  const sources = (k.streams + 1) * l.ends
  return {
    creationTime: f64(sources),
    made: i32(sources),
    process: i32(sources),
    messageLeft: i32(sources),
    messageTo: i32(sources),
    sourceNext: i32(sources),
  }
}

/** Returns the number of items of a counter over time, in the numbering of the engine. */
export function countedItems(counter: Counter, l: Layout): number {
  if (counter === "routerFlits") return l.routers
  return counter === "laneFlits" ? (l.routers << l.LV) * PLACES.length : l.routers * l.PS
}

/** Columns of counters, which are always on. */
export function counterColumns(l: Layout, k: TrafficConstants) {
  const lanes = l.parts * k.streams
  return {
    portFlits: u32(l.routers * l.PS),
    endIn: u32(l.ends * k.streams),
    endOut: u32(l.ends * k.streams),
    stat: f64(lanes * STAT.width),
    // Latency from creation, and from injection.
    histogram: u32(lanes * BINS),
    networkHistogram: u32(lanes * BINS),
    // Time series by arrival (packets, flits, latencies) and by injection (flits).
    seriesCount: u32(lanes * k.seriesLength),
    seriesFlits: u32(lanes * k.seriesLength),
    seriesLatency: f64(lanes * k.seriesLength),
    seriesNetwork: f64(lanes * k.seriesLength),
    seriesIn: u32(lanes * k.seriesLength),
    ...traceColumns(l, k.watch),
    // Counters at the end of each interval (countedItems): [(first item of the counter + item) * seriesLength +
    // interval]
    sampled: u32(Math.max(1, k.watch.counters.reduce((sum, c) => sum + countedItems(c, l), 0) * k.seriesLength)),
    // Commutative hash of all deliveries: two words for each partition, at APART * partition.
    trail: i32(l.parts * APART),
    // Control: measured packets are created in [from, to); nothing is created from `quiet` on; `full` is set when a
    // reply found no free record.
    control: f64(8),
    // [partition * APART]
    flitHops: f64(l.parts * APART),
    // Measured packets that arrived, by router of their destination and of their source.
    flows: u32(countsFlows(l) ? l.graph.routers ** 2 : 1),
  }
}

/** Columns of the flit engine. engines/flit/loop.ts and injection.ts describe how they are used. */
export function flitColumns(l: Layout, k: FlitConstants) {
  const slots = k.wheelMask + 1
  const nodes = l.ends
  const packets = k.packetSlots * k.workers
  return {
    // Packet records (packetFields). A record fills one cache line, which dominates the cost in a large network.
    packet: i32(packets * recordSize(k)),
    // Free packets: a stack for each worker and a high-water mark, at APART * worker. Memory beyond the mark is never
    // touched.
    free: i32(packets),
    freeTop: i32(k.workers * APART),
    fresh: i32(k.workers * APART),
    // Timing wheels: flits (input VC, packet or -1 for a body flit) and credits (output VC).
    flitAt: i32(l.parts * slots * k.flitSlots),
    flitPacket: i32(l.parts * slots * k.flitSlots),
    flitCount: i32(l.parts * slots),
    creditAt: i32(l.parts * slots * k.creditSlots),
    creditCount: i32(l.parts * slots),
    // Injection: bit sets of endpoints that have something to send, and of those that are not blocked.
    waiting: i32((nodes + 31) >> 5),
    ready: i32((nodes + 31) >> 5),
    txLeft: upTo(k.maxLength, nodes),
    txVc: i32(nodes),
    // VC of the last packet of an endpoint, or of each of its streams (255: none yet).
    txLast: k.injectByStream ? u8(nodes * k.streams).fill(255) : u8(nodes).fill(l.vcs - 1),
    txPacket: i32(nodes).fill(-1),
    txStream: u8(nodes),
    replyHead: i32(nodes),
    replyTail: i32(nodes),
    replyCount: i32(nodes),
    ...sourceColumns(l, k),
    generationWheel: i32(l.parts * (GENERATION_MASK + 1)),
    ...counterColumns(l, k),
    // Departures behind a faster core: next free cycle of the output and of the credit return, and the step of the last
    // credit.
    nextOut: i32(k.queued ? l.routers * l.PS : 1),
    nextCredit: i32(k.queued ? l.routers * l.PS : 1),
    creditStep: i32(k.queued ? l.routers * l.PS : 1),
    // Outboxes between workers, two parities: time, id (credit: ~id), packet.
    outbox: i32(Math.max(1, k.outboxSlots)),
    outCount: i32(2 * k.workers * k.boxRow),
  }
}

/** Networks with at most this many routers count packets by pair of routers. */
const MOST_ROUTERS = 1024

export function countsFlows(l: Layout): boolean {
  return l.graph.routers <= MOST_ROUTERS
}

/** Returns [endpoint] -> the router that it sends into, and the router that delivers to it. */
export function endRouters({ graph: g }: Layout): { entryRouter: Int32Array; exitRouter: Int32Array } {
  const by = (channel: Int32Array) =>
    scratchOf(Array.from({ length: g.ends }, (_, e) => g.routerOf[channel[e * g.rails]]))
  return { entryRouter: by(g.entry), exitRouter: by(g.home) }
}

type RecordKind = Pick<FlitConstants, "streams" | "scratch" | "fixedLength" | "ranks">

/** Returns the words of a packet record: a multiple of 8, so that a record does not straddle a cache line. */
export function recordSize(k: RecordKind): number {
  return (8 + (k.streams > 1 ? 1 : 0) + (k.fixedLength === 0 ? 1 : 0) + (k.ranks ? 1 : 0) + k.scratch + 7) & ~7
}

function ofWorkers(counts: Column, what: (n: number) => number): number[] {
  return Array.from({ length: counts.length / APART }, (_, w) => what(counts[w * APART]))
}

/**
 * Returns the used part of the records, and of the stacks of free records and the slots of the wheels; each has its
 * count.
 */
export function flitMarks(k: FlitConstants, columns: Columns): Marks {
  const { fresh, freeTop, flitCount, creditCount } = columns
  const size = recordSize(k)
  const flits = { capacity: k.flitSlots, used: flitCount!.slice() }
  return {
    ...traceMarks(k.watch, columns),
    packet: { capacity: k.packetSlots * size, used: ofWorkers(fresh!, (n) => n * size) },
    free: { capacity: k.packetSlots, used: ofWorkers(freeTop!, (n) => n) },
    flitAt: flits,
    flitPacket: flits,
    creditAt: { capacity: k.creditSlots, used: creditCount!.slice() },
  }
}

/**
 * Returns the fields of packets as views. A packet's id is the index of its record, so `pDst[id]` reads its
 * destination.
 */
export function packetFields(records: Int32Array, k: RecordKind) {
  const field = (i: number): Int32Array => records.subarray(Math.min(i, records.length))
  const stream = 8
  const length = stream + (k.streams > 1 ? 1 : 0)
  const job = length + (k.fixedLength === 0 ? 1 : 0)
  const scratch = job + (k.ranks ? 1 : 0)
  return {
    pDst: field(0),
    pKey: field(1),
    /** routers visited, and (from bit 12) cycles of propagation */
    pHops: field(2),
    /** cycles of credit stalls of its head */
    pWait: field(3),
    pSrc: field(4),
    pCreated: field(5),
    pEnter: field(6),
    /** 1 + the next packet in its VC, 0: none */
    pNext: field(7),
    pStream: field(stream),
    /** flits; only if packets differ in length */
    pLen: field(length),
    /** the rank's message that it is a part of; only if there are ranks */
    pJob: field(job),
    pScratch: field(scratch),
  }
}
export type PacketFields = ReturnType<typeof packetFields>

export const CONTROL = { from: 0, to: 1, quiet: 2, now: 3, full: 4 } as const

export type FlitColumns = ReturnType<typeof flitColumns>
export type AnyColumns = Record<string, Column>
