// State of the packet-moving engine: packet records of 64 bytes (one cache line holds everything that a hop needs),
// timing wheels of bit sets, and queues of packets in flight. A packet is identified by the index of the first word of
// its record; 0 means none. `NetView` reads the same records through views with an offset. engines/flit/transfers
// allocates the columns; switches/parts uses them.
import { APART, type Columns, f64, i32, type Marks, scratchOf, u16 } from "./columns.ts"
import { counterColumns, GENERATION_MASK, sourceColumns, type TrafficConstants } from "./flit.ts"
import type { Layout } from "./layout.ts"
import { traceMarks } from "./trace-rings.ts"

/** Words of a record. STATE holds four bytes: output port, output VC, flags, stream. */
export const NEXT = 0
export const SRC = 1
export const DST = 2
export const CREATED = 3
/** cycle of injection; acknowledgement: flits of the acknowledged packet */
export const ENTER = 4
export const KEY = 5
export const FLITS = 6
export const HOPS = 7
export const STATE = 8
/** data: its copy in the stash; copy: link of the side band */
export const COPY = 9
/**
 * copy: port whose pool holds it. Otherwise the sum of link latencies, negative if the packet must take a shortest
 * path.
 */
export const PLACE = 10
export const SEQUENCE = 11
/**
 * The value, if packets carry a kind and a value (RecordWords.kinds). The words of the routing follow; without kinds
 * they start here.
 */
export const VALUE = 12

// Time attribution is stored in spare bits of the record, because a second cache line would cost a few per cent of run
// time.
/** above the hops: cycles of credit stalls, modulo 2^20 */
export const HOP_MASK = 4095
export const CREDIT_SHIFT = 12
/**
 * PLACE of data: cycles of propagation. Above them: the number of switches reached in a clock phase in which they take
 * a cycle longer.
 */
export const WIRE_MASK = 0xfffff
export const LATE_SHIFT = 20
/**
 * PLACE of an acknowledgement, and part of that of data on a shortest path: the sign bit, which latencies never reach
 */
export const DIRECT = -0x80000000

export const FLAG = {
  /**
   * it is an acknowledgement or another control packet; it was marked at a congested input; the acknowledgement is
   * negative
   */
  ack: 1,
  marked: 2,
  negative: 4,
  /** data: its space in a pool is that of its copy */
  borrows: 4,
  /** a copy that is stored in the stash */
  copy: 8,
  /** damaged or lost on a link */
  spoilt: 16,
  lost: 32,
  /** it was stored in a stash; not part of the state that fingerprints compare */
  stashed: 64,
  /**
   * data: a notice to its destination that the source has abandoned the packet; negative acknowledgement: the packet
   * was only too early
   */
  given: 128,
  early: 128,
} as const

/** Offsets of the optional words of a record. */
export interface RecordWords {
  /** words of one record, a multiple of 16 */
  readonly stride: number
  /** packets carry a kind (model/protocol.ts) and a value; the words that hold them */
  readonly kinds: boolean
  readonly kind: number
  readonly value: number
  /** first word of the routing */
  readonly scratchAt: number
  /** the private word of the switch (SwitchLayout.ownWord), if it has one */
  readonly own: number
  /** the rank's message that it is a part of, if there are ranks */
  readonly job: number
}

/**
 * Computes the offsets. The kind shares a word with the copy unless switches store copies, so that 64 bytes are
 * sufficient in both cases.
 */
export function recordWords(
  scratch: number,
  kinds: boolean,
  copies: boolean,
  ownWord = false,
  ranks = false,
): RecordWords {
  const scratchAt = kinds ? VALUE + 1 : VALUE
  const kind = kinds && copies ? scratchAt + scratch : COPY
  const own = Math.max(scratchAt + scratch, kind + 1)
  // A copy uses two of these words for its timer (switches/tiled/stash.ts). It must not overwrite the rank's message,
  // which is needed for retransmission.
  const job = Math.max(own + (ownWord ? 1 : 0), copies ? VALUE + 2 : 0)
  const words = job + (ranks ? 1 : 0)
  return { stride: 16 * Math.ceil(words / 16), kinds, kind, value: kinds ? VALUE : ENTER, scratchAt, own, job }
}

/**
 * Record of an endpoint: end of its channel's transmission; free messages, messages ever used; class and VC of the last
 * packet; control packets created; queue of messages to its switch.
 */
export const END = {
  until: 0,
  free: 1,
  fresh: 2,
  turn: 3,
  lastVc: 4,
  sent: 5,
  noteHead: 6,
  noteTail: 7,
  size: 8,
} as const

/**
 * Messages of one data class at an endpoint: ring of active queues, identified by their first messages; number of
 * stored messages; 1 if further messages wait at the sources; 1 if no VL has space for any of them, until a credit or
 * another queue arrives.
 */
export const RING = { head: 0, tail: 1, count: 2, stored: 3, behind: 4, stuck: 5, size: 8 } as const

/**
 * Record of a message in a queue: next message of its queue; first message of the next queue in the ring; packets left;
 * stream; destination; creation time; number of its next packet; VL, if links have several.
 */
export const MESSAGE = {
  next: 0,
  ring: 1,
  left: 2,
  stream: 3,
  to: 4,
  createdAt: 5,
  count: 6,
  lane: 7,
  size: 8,
} as const

/** Offset of the port number of a message between neighbours in an outbox. */
export const HEARS = 0x40000000

export interface TransferConstants extends TrafficConstants, RecordWords {
  /** records of one partition */
  readonly packetSlots: number
  /** created packets that may wait at one endpoint (0: none ever wait) */
  readonly waitSlots: number
  /** slots of the link wheel - 1; 32-bit words for the ports and endpoints of one partition */
  readonly wheelMask: number
  /** the same for the wheels of packets and credits at routers; if these are due soon, few slots stay in the cache */
  readonly nearMask: number
  readonly portWords: number
  /** words of marks, one bit for each of these words: few ports are due in a cycle, and the others are skipped */
  readonly portMarks: number
  readonly endWords: number
  readonly window: number
  readonly outboxSlots: number
  /** switches can store packets in a stash */
  readonly stashes: boolean
  /**
   * messages that one endpoint stores in its queues, and sends concurrently; queues of one endpoint (1: order of
   * creation)
   */
  readonly backlog: number
  readonly active: number
  readonly queues: number
  /**
   * packets of a flow are numbered, and destinations record which have arrived; packets that may wait for earlier ones
   * (0: order is not preserved)
   */
  readonly sequence: boolean
  readonly reorder: number
  /** VC classes; those of data */
  readonly classes: number
  readonly dataClasses: number
  /** VLs of each link, 0: links have VCs only */
  readonly lanes: number
  /** endpoints have a protocol, which may set timers */
  readonly timers: boolean
  /** neighbours exchange messages */
  readonly tells: boolean
  /**
   * entries of all rings of credits in flight; cycles that a credit may wait to be sent, for which rings and wheels are
   * sized
   */
  readonly creditSlots: number
  readonly latest: number
}

/** Columns of the packet-moving engine. */
export function transferColumns(l: Layout, k: TransferConstants) {
  const slots = l.parts * (k.wheelMask + 1)
  const near = l.parts * (k.nearMask + 1)
  const ports = l.routers * l.PS
  return {
    ...sourceColumns(l, k),
    ...counterColumns(l, k),
    generationWheel: i32(l.parts * (GENERATION_MASK + 1)),
    packets: i32(l.parts * k.packetSlots * k.stride),
    // [p >> 4] -> cycles in a stash, of packets with FLAG.stashed
    stashed: i32(k.stashes ? (l.parts * k.packetSlots * k.stride) >> 4 : 1),
    freeHead: i32(l.parts),
    fresh: i32(l.parts),
    // Records that return to their partition: a chain for each pair of partitions, two parities.
    homeHead: i32(2 * l.parts * l.parts),
    homeTail: i32(2 * l.parts * l.parts),
    // Due events of a cycle, one bit for each port or endpoint; marks of the non-zero words of ports.
    arriveDue: i32(near * k.portWords),
    arriveMarks: i32(near * k.portMarks),
    creditDue: i32(near * k.portWords),
    creditMarks: i32(near * k.portMarks),
    endArriveDue: i32(slots * k.endWords),
    endCreditDue: i32(slots * k.endWords),
    endWakeDue: i32(slots * k.endWords),
    // Packets in flight to an input port, or to an endpoint, in order.
    flyHead: i32(ports),
    flyTail: i32(ports),
    endFlyHead: i32(l.ends),
    endFlyTail: i32(l.ends),
    // Credits in flight to an output (endpoints follow the ports): VL << 16 | flits.
    credits: i32(k.creditSlots),
    creditFirst: i32(ports + l.ends + 1),
    creditHead: u16(ports + l.ends),
    creditTail: u16(ports + l.ends),
    creditLast: i32(ports),
    // Endpoints that must check whether they can send; records of endpoints (END) and of the messages in their queues
    // (MESSAGE).
    endReady: i32(l.parts * k.endWords),
    ends: i32(l.ends * END.size),
    rings: i32(l.ends * k.dataClasses * RING.size),
    messages: i32(l.ends * (k.backlog * k.dataClasses + 1) * MESSAGE.size),
    // [endpoint, data class, destination] -> last message of that queue, 0 if it is empty
    queueTail: u16(l.ends * k.dataClasses * k.queues),
    // [endpoint, VC class] -> created packets that precede new data: acknowledgements, control packets, replies,
    // retransmissions
    waitHead: i32(l.ends * k.classes),
    waitTail: i32(l.ends * k.classes),
    // [endpoint] -> their number, all classes together
    waits: i32(k.waitSlots > 0 ? l.ends : 1),
    // [endpoint, VL] -> flits in that VL of the router input (fabric/switch-model.ts: Lanes)
    laneHeld: u16(l.ends * k.lanes),
    // [endpoint, data class] -> run of blocked queues in the ring: the first, the last, their VLs as bits
    // (transfers/messages.ts)
    passed: i32(k.lanes > 1 && k.lanes <= 32 ? 3 * l.ends * k.dataClasses : 1),
    // [endpoint] -> cycle of its protocol's timer, 0: none; endpoints to visit in each cycle
    timerAt: i32(k.timers ? l.ends : 1),
    timerDue: i32(k.timers ? slots * k.endWords : 1),
    // Flows: number of the next packet [source, destination]; first missing packet, and which of the next 128 have
    // arrived [destination, source].
    flowNext: i32(k.sequence ? l.ends * l.graph.ends : 1),
    flowBase: i32(k.sequence ? l.ends * l.graph.ends : 1),
    flowHas: i32(k.sequence ? 4 * l.ends * l.graph.ends : 1),
    // Messages between neighbours in flight to an input port or an endpoint, and the last cycle in which one of a link
    // is due.
    controlDue: i32(k.tells ? slots * k.portWords : 1),
    controlMarks: i32(k.tells ? slots * k.portMarks : 1),
    controlHead: i32(k.tells ? ports : 1),
    controlTail: i32(k.tells ? ports : 1),
    endControlDue: i32(k.tells ? slots * k.endWords : 1),
    endControlHead: i32(k.tells ? l.ends : 1),
    endControlTail: i32(k.tells ? l.ends : 1),
    tellLast: i32(k.tells ? ports : 1),
    // Packets created by routers, and dropped by switches.
    routerMade: i32(k.kinds ? l.routers : 1),
    dropped: f64(l.parts),
    refused: f64(l.parts),
    duplicates: f64(l.parts),
    // [partition * APART]
    packetHops: f64(l.parts * APART),
    outbox: i32(Math.max(1, k.outboxSlots)),
    outCount: i32(2 * l.parts * l.parts),
  }
}

/**
 * Returns the used part of the records of packets and messages. The first of each partition, and of each endpoint, is
 * never used.
 */
export function transferMarks(k: TransferConstants, columns: Columns): Marks {
  const { fresh, ends } = columns
  const capacity = k.packetSlots * k.stride
  const used = Array.from(fresh!, (n) => (n + 1) * k.stride)
  const messages = Array.from(
    { length: ends!.length / END.size },
    (_, e) => (ends![e * END.size + END.fresh] + 1) * MESSAGE.size,
  )
  return {
    ...traceMarks(k.watch, columns),
    packets: { capacity, used },
    messages: { capacity: (k.backlog * k.dataClasses + 1) * MESSAGE.size, used: messages },
    ...(k.stashes ? { stashed: { capacity: capacity >> 4, used: used.map((n) => n >> 4) } } : {}),
  }
}

export type TransferColumns = ReturnType<typeof transferColumns>

/**
 * Returns [cycle % length] -> the amount that a switch reached in that clock phase adds to PLACE. `pass`:
 * TransferSwitchModel.
 */
export function lateIn(pass: Uint16Array): Int32Array {
  const least = Math.min(...pass)
  return scratchOf(Array.from(pass, (cycles) => (cycles - least) << LATE_SHIFT))
}

/** Returns the part of STATE that fingerprints compare. */
export function stateOf(packets: Int32Array, p: number): number {
  return packets[p + STATE] & ~((FLAG.stashed << 16) | (255 << 24))
}

/**
 * Returns the words of records as columns, each a view that starts at its word. An imported constant costs a load at
 * each access; a captured column does not. The bytes of STATE are at [packet << 2].
 */
export function recordViews(packets: Int32Array) {
  const word = (w: number) => packets.subarray(w)
  const bytes = new Uint8Array(packets.buffer)
  const byte = (b: number) => bytes.subarray((STATE << 2) + b)
  return {
    pNext: word(NEXT),
    pSrc: word(SRC),
    pDst: word(DST),
    pCreated: word(CREATED),
    pEnter: word(ENTER),
    pKey: word(KEY),
    pFlits: word(FLITS),
    pHops: word(HOPS),
    pState: word(STATE),
    pCopy: word(COPY),
    pPlace: word(PLACE),
    pSequence: word(SEQUENCE),
    sPort: byte(0),
    sVc: byte(1),
    sFlags: byte(2),
    sStream: byte(3),
  }
}

/** Calls `see` for each packet of a chain, first to last. Audits and fingerprints use it. */
export function eachInChain(packets: Int32Array, head: number, see: (p: number, place: number) => void): void {
  let place = 0
  for (let p = head; p !== 0; p = packets[p + NEXT]) see(p, place++)
}
