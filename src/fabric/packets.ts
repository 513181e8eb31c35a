// State of the engine that moves whole packets: records of 64 bytes (one cache line holds all that a hop needs), wheels of bit sets, flights in order.
// A packet is named by the index of the first word of its record; 0 is none. `NetView` looks at the same records through views with an offset.
import { APART, type Columns, f64, i32, type Marks, scratchOf, u16 } from "./columns.ts"
import { factMarks } from "./facts.ts"
import { BIRTH_MASK, counterColumns, sourceColumns, type TrafficConstants } from "./flit.ts"
import type { Layout } from "./layout.ts"

/** words of a record; STATE holds four bytes: output port, output VC, flags, stream */
export const NEXT = 0
export const SRC = 1
export const DST = 2
export const BIRTH = 3
/** acknowledgement: flits of what it acknowledges */
export const ENTER = 4
export const KEY = 5
export const FLITS = 6
export const HOPS = 7
export const STATE = 8
/** data: its copy in the stash; copy: link of the side band */
export const COPY = 9
/** copy: port whose pool holds it; else what the wires add up to, and less than 0 if it must go the shortest way */
export const PLACE = 10
export const SEQUENCE = 11
/** where packets carry a kind and a value (RecordWords.kinds): the value. The words of the routing follow; without kinds they begin here */
export const VALUE = 12

// Where a packet's time went rides on its record, for a second line of memory would cost a few per cent of all time:
/** above the hops: cycles before full buffers, modulo 2^20 */
export const HOP_MASK = 4095
export const CREDIT_SHIFT = 12
/** PLACE of data: cycles on wires; above them the switches that it reached in a phase of their clock in which they take a cycle longer */
export const WIRE_MASK = 0xfffff
export const LATE_SHIFT = 20
/** PLACE of an acknowledgement, and part of that of data on the shortest way: less than 0, whatever the wires add */
export const DIRECT = -0x80000000

export const FLAG = {
  /** it acknowledges, or is another control packet; its flow has passed a congested input; the acknowledgement is negative */
  ack: 1,
  marked: 2,
  negative: 4,
  /** data: the room that it takes in a pool is that of its copy */
  borrows: 4,
  /** it is a copy that waits in the stash */
  copy: 8,
  /** it was damaged, or got lost, on its way */
  spoilt: 16,
  lost: 32,
  /** it has waited in a stash; no part of the state that fingerprints compare */
  stashed: 64,
  /** data: its source has given it up, and this says so to its destination; negative acknowledgement: it is only too early */
  given: 128,
  early: 128,
} as const

/** Where the words of a record lie that not every machine has. */
export interface RecordWords {
  /** words of one record, a multiple of 16 */
  readonly stride: number
  /** packets carry a kind (model/protocol.ts) and a value: the words that hold them, if so */
  readonly kinds: boolean
  readonly kind: number
  readonly value: number
  /** first word of the routing */
  readonly scratchAt: number
  /** the word of the switch (TransferSwitchModel.ownWord), if it has one */
  readonly own: number
  /** the message of a rank that it is a packet of, if there are ranks */
  readonly job: number
}

/** Kinds share the word of the copy, unless switches keep copies: so 64 bytes hold all that a hop needs in either case. */
export function recordWords(scratch: number, kinds: boolean, copies: boolean, ownWord = false, ranks = false): RecordWords {
  const scratchAt = kinds ? VALUE + 1 : VALUE
  const kind = kinds && copies ? scratchAt + scratch : COPY
  const own = Math.max(scratchAt + scratch, kind + 1)
  // two words of a copy are its timer's (switches/tiled/stash.ts), and it must still know the message when it is sent again
  const job = Math.max(own + (ownWord ? 1 : 0), copies ? VALUE + 2 : 0)
  const words = job + (ranks ? 1 : 0)
  return { stride: 16 * Math.ceil(words / 16), kinds, kind, value: kinds ? VALUE : ENTER, scratchAt, own, job }
}

/** Record of an endpoint: its channel is busy until; free messages, messages ever used; the class and the VC that it sent on last; control packets made;
 * messages to its switch that wait */
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

/** Messages of one class of data at an endpoint: ring of active queues, named by their first messages; messages stored; 1 if messages wait outside of the
 * queues; 1 if no lane has room for any of them, until a credit or another queue comes */
export const RING = { head: 0, tail: 1, count: 2, stored: 3, behind: 4, stuck: 5, size: 8 } as const

/** Record of a message in a queue: the next one of its queue; the next queue's first one; packets left; stream; destination; birth; number of its packet;
 * lane, where links have several */
export const MESSAGE = { next: 0, ring: 1, left: 2, stream: 3, to: 4, birth: 5, count: 6, lane: 7, size: 8 } as const

/** In an outbox: the port of a message between neighbours is larger by this. */
export const HEARS = 0x40000000

export interface TransferConstants extends TrafficConstants, RecordWords {
  /** records of one partition */
  readonly packetRoom: number
  /** packets that are made already and may wait at one endpoint (0 = none ever wait) */
  readonly waitRoom: number
  /** slots of the link wheel - 1; 32-bit words of one partition's ports and endpoints */
  readonly wheelMask: number
  /** the same of the wheels of packets and credits that are due at routers: where these are never long on their way, few slots stay near */
  readonly nearMask: number
  readonly portWords: number
  /** words of marks, a bit for each of these words of ports: few ports are due in a cycle, and nobody looks at the others */
  readonly portMarks: number
  readonly endWords: number
  readonly window: number
  readonly outboxRoom: number
  /** packets can be put aside in switches */
  readonly stashes: boolean
  /** messages that one endpoint keeps in its queues, and sends at a time; queues of one endpoint (1 = in order of creation) */
  readonly backlog: number
  readonly active: number
  readonly queues: number
  /** packets of a flow are numbered, and destinations know which they have; packets that may wait for earlier ones (0 = no order is kept) */
  readonly sequence: boolean
  readonly reorder: number
  /** VC classes; those of data */
  readonly classes: number
  readonly dataClasses: number
  /** lanes of each link, 0 = VCs are all that there is */
  readonly lanes: number
  /** endpoints have a protocol, which may set timers */
  readonly timers: boolean
  /** neighbours send each other messages */
  readonly tells: boolean
  /** ring of credits on their way: entries in all; cycles that one may wait for its turn, for which rings and wheels have room */
  readonly creditRoom: number
  readonly latest: number
}

export function transferColumns(l: Layout, k: TransferConstants) {
  const slots = l.parts * (k.wheelMask + 1)
  const near = l.parts * (k.nearMask + 1)
  const ports = l.routers * l.PS
  return {
    ...sourceColumns(l, k),
    ...counterColumns(l, k),
    births: i32(l.parts * (BIRTH_MASK + 1)),
    packets: i32(l.parts * k.packetRoom * k.stride),
    // [p >> 4] -> cycles in a stash, of packets with FLAG.stashed
    stashed: i32(k.stashes ? (l.parts * k.packetRoom * k.stride) >> 4 : 1),
    freeHead: i32(l.parts),
    fresh: i32(l.parts),
    // records that go home: a chain for each pair of partitions, two parities
    homeHead: i32(2 * l.parts * l.parts),
    homeTail: i32(2 * l.parts * l.parts),
    // what is due in a cycle, one bit for each port or endpoint; which words of ports have one
    arriveDue: i32(near * k.portWords),
    arriveMarks: i32(near * k.portMarks),
    creditDue: i32(near * k.portWords),
    creditMarks: i32(near * k.portMarks),
    endArriveDue: i32(slots * k.endWords),
    endCreditDue: i32(slots * k.endWords),
    endWakeDue: i32(slots * k.endWords),
    // packets on the wire to an input port, or to an endpoint, in order
    flyHead: i32(ports),
    flyTail: i32(ports),
    endFlyHead: i32(l.ends),
    endFlyTail: i32(l.ends),
    // credits on their way to an output (endpoints follow the ports): lane << 16 | flits
    credits: i32(k.creditRoom),
    creditFirst: i32(ports + l.ends + 1),
    creditHead: u16(ports + l.ends),
    creditTail: u16(ports + l.ends),
    creditLast: i32(ports),
    // endpoints that must look again; records of endpoints (END) and of the messages in their queues (MESSAGE)
    endReady: i32(l.parts * k.endWords),
    ends: i32(l.ends * END.size),
    rings: i32(l.ends * k.dataClasses * RING.size),
    messages: i32(l.ends * (k.backlog * k.dataClasses + 1) * MESSAGE.size),
    // [endpoint, class of data, destination] -> last message of that queue, 0 if it is empty
    queueTail: u16(l.ends * k.dataClasses * k.queues),
    // [endpoint, VC class] -> packets that are made already and go before new data: acknowledgements, control packets, replies, what is sent again
    waitHead: i32(l.ends * k.classes),
    waitTail: i32(l.ends * k.classes),
    // [endpoint] -> how many these are, all classes together
    waits: i32(k.waitRoom > 0 ? l.ends : 1),
    // [endpoint, lane] -> flits that the lane of its input holds (fabric/transfer.ts: Lanes)
    laneHeld: u16(l.ends * k.lanes),
    // [endpoint, class of data] -> queues in a row that the ring has passed over: the first, the last, their lanes as bits (transfers/messages.ts)
    passed: i32(k.lanes > 1 && k.lanes <= 32 ? 3 * l.ends * k.dataClasses : 1),
    // [endpoint] -> cycle of its protocol's timer, 0 = none; who is to be looked at in a cycle
    timerAt: i32(k.timers ? l.ends : 1),
    timerDue: i32(k.timers ? slots * k.endWords : 1),
    // flows: number of the next packet [source, destination]; first packet not yet there, and which of the next 128 are [destination, source]
    flowNext: i32(k.sequence ? l.ends * l.graph.ends : 1),
    flowBase: i32(k.sequence ? l.ends * l.graph.ends : 1),
    flowHas: i32(k.sequence ? 4 * l.ends * l.graph.ends : 1),
    // messages between neighbours, on their way to an input port or an endpoint, and the last cycle in which one of a link is due
    hearDue: i32(k.tells ? slots * k.portWords : 1),
    hearMarks: i32(k.tells ? slots * k.portMarks : 1),
    hearHead: i32(k.tells ? ports : 1),
    hearTail: i32(k.tells ? ports : 1),
    endHearDue: i32(k.tells ? slots * k.endWords : 1),
    endHearHead: i32(k.tells ? l.ends : 1),
    endHearTail: i32(k.tells ? l.ends : 1),
    tellLast: i32(k.tells ? ports : 1),
    // packets that routers made, and that switches dropped
    routerMade: i32(k.kinds ? l.routers : 1),
    dropped: f64(l.parts),
    refused: f64(l.parts),
    duplicates: f64(l.parts),
    // [partition * APART]
    packetHops: f64(l.parts * APART),
    outbox: i32(Math.max(1, k.outboxRoom)),
    outCount: i32(2 * l.parts * l.parts),
  }
}

/** What of the records of packets and messages was ever used; the first of each partition, and of each endpoint, never is. */
export function transferMarks(k: TransferConstants, columns: Columns): Marks {
  const { fresh, ends } = columns
  const room = k.packetRoom * k.stride
  const used = Array.from(fresh!, (n) => (n + 1) * k.stride)
  const messages = Array.from({ length: ends!.length / END.size }, (_, e) => (ends![e * END.size + END.fresh]! + 1) * MESSAGE.size)
  return {
    ...factMarks(k.watch, columns),
    packets: { room, used },
    messages: { room: (k.backlog * k.dataClasses + 1) * MESSAGE.size, used: messages },
    ...(k.stashes ? { stashed: { room: room >> 4, used: used.map((n) => n >> 4) } } : {}),
  }
}

export type TransferColumns = ReturnType<typeof transferColumns>

/** [cycle % length] -> what a switch reached then adds to PLACE. `pass`: TransferSwitchModel. */
export function lateIn(pass: Uint16Array): Int32Array {
  const least = Math.min(...pass)
  return scratchOf(Array.from(pass, (cycles) => (cycles - least) << LATE_SHIFT))
}

/** What fingerprints compare of STATE. */
export function stateOf(packets: Int32Array, p: number): number {
  return packets[p + STATE]! & ~((FLAG.stashed << 16) | (255 << 24))
}

/** The words of records as columns, each a view that begins at its word: a name of another module costs a load each time it is read, a column of the closure does
 * not. The bytes of STATE are at [packet << 2]. */
export function recordViews(packets: Int32Array) {
  const word = (w: number) => packets.subarray(w)
  const bytes = new Uint8Array(packets.buffer)
  const byte = (b: number) => bytes.subarray((STATE << 2) + b)
  return {
    pNext: word(NEXT),
    pSrc: word(SRC),
    pDst: word(DST),
    pBirth: word(BIRTH),
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

/** Calls `see` for each packet of a chain, first to last. For audits and fingerprints. */
export function eachInChain(packets: Int32Array, head: number, see: (p: number, place: number) => void): void {
  let place = 0
  for (let p = head; p !== 0; p = packets[p + NEXT]!) see(p, place++)
}
