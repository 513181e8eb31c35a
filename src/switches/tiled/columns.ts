// Columns and constants of all tiled switches of a network. Ids (the strides PS and 1 << LV are those of
// fabric/layout.ts):
//   `q`, `o`  input port and output port: r * PS + port;
//   `tile`    r * R * C + row * C + column;
//   `to`      a tile output, which is one input of the output's multiplexer: (r * R + row) * PS + output port.
// Queues are linked lists through the packet records (../parts/packet-queues.ts).
import { f64, i32, u8, u16 } from "../../fabric/columns.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { PacketQueues } from "../parts/packet-queues.ts"
import type { Geometry } from "./geometry.ts"

export interface TiledConstants {
  readonly geometry: Geometry
  /** number of network VCs; number of the storage VC and of the retrieval VC */
  readonly V: number
  readonly S: number
  readonly R: number
  /** slots - 1 of the core wheel, of the side-band wheel, and of the link wheel */
  readonly coreMask: number
  readonly sideMask: number
  readonly linkMask: number
  /** number of 32-bit words for the ports, and for the tile outputs, of one partition */
  readonly portWords: number
  readonly toWords: number
  readonly stash: boolean
  /** each virtual output queue has its own row buffer; otherwise it shares that of its tile input and VC */
  readonly rowPerVoq: boolean
  /** queues of the outputs of a router: virtual output queues of each input, column queues of each row */
  readonly voqs: number
  readonly colQueues: number
  readonly seriesLength: number
  readonly errors: boolean
  readonly linkErrors: boolean
  /** cycles until an unacknowledged copy is retransmitted; 0 = never */
  readonly timeout: number
  readonly retainSlots: number
  /** speculative packets may be dropped */
  readonly drops: boolean
}

/** Bit of `outMask`: some VC of the output has a credit stall (`stalledSince`). */
export const STALL_SINCE = 1 << 15

/** Number of slots - 1 of the timing wheel of timeouts. */
export const TIMER_MASK = 4095

/** Counters of one partition, as indices into `work`. */
export const WORK = {
  /**
   * Flits: on row buses from pools; on row buses to storage; absorbed; on tile crossbars and column channels for
   * storage and for retrieval; through storage multiplexers.
   */
  rowRetrieval: 0,
  rowStorage: 1,
  absorbedFlits: 2,
  tileStorage: 3,
  tileRetrieval: 4,
  storage: 5,
  /**
   * Packets: marked, absorbed by a pool, copied, stalled for stash space. Then side-band messages, copies deleted,
   * copies retransmitted, and acknowledgements without a copy.
   */
  marked: 8,
  absorbed: 9,
  copied: 10,
  stalled: 11,
  messages: 12,
  deleted: 13,
  repeated: 14,
  unknown: 15,
  /** Packets whose copy ran out of retries; packets lost and damaged; link-level retransmissions. */
  given: 16,
  lost: 17,
  spoilt: 18,
  relaunched: 19,
  timedOut: 20,
  /** Records of deleted copies that a timer still refers to. */
  dead: 21,
  width: 24,
} as const

export function tiledColumns(l: Layout, k: TiledConstants) {
  const { rows, columns: C } = k.geometry
  const NP = l.routers * l.PS
  const NT = l.routers * rows * C
  const NTO = l.routers * rows * l.PS
  const bits = (n: number) => (n + 31) >> 5
  const stashPorts = k.stash ? NP : 1
  return {
    // Input buffers: VCs with packets. Row bus: busy, round-robin pointer, length of the transfer.
    inMask: u16(NP),
    busBusy: u8(NP),
    rowNext: u8(NP),
    rowLength: i32(NP),
    rowHeld: u16(k.rowPerVoq ? NP * k.voqs : (NP * C) << l.LV),
    storeHeld: u16(k.stash ? NP * C : 1),
    // Tiles: VCs with packets of each virtual output queue, inputs with packets for an output, outputs with packets.
    voqMask: u16(NP * l.PS),
    wants: i32(NTO),
    wanted: i32(NT),
    tileInBusy: i32(NT),
    tileOutBusy: i32(NT),
    tileInput: u8(NTO),
    tileVc: u8(NTO),
    tileLength: u16(NTO),
    // Round-robin pointers of the tiles: [to] over the VCs of a tile output; [(to << LV) + VC] over the inputs for this
    // VC; [q * C + column] over the outputs of an input.
    outTurn: u8(NTO),
    outNext: u8(NTO << l.LV),
    inNext: u8(NP * C),
    // Column buffers and multiplexers.
    colMask: u16(NTO),
    colHeld: u16(NTO << l.LV),
    colRows: i32(NP),
    muxUntil: i32(NP),
    // Round-robin pointers of a multiplexer: over the VCs, and for each VC over the rows.
    muxTurn: u8(NP),
    muxNext: u8(l.NOV),
    muxFrom: i32(NP),
    muxLength: u16(NP),
    // Output buffers and links: VCs with packets (and STALL_SINCE). A sent packet stays for one round trip of the link.
    outMask: u16(NP),
    linkUntil: i32(NP),
    linkNext: u8(NP),
    retained: u16(k.retainSlots),
    retainFirst: i32(NP + 1),
    retainHead: u16(NP),
    retainTail: u16(NP),
    // Flits of each output VC that were sent within the last round trip.
    recent: u16(l.NOV),
    // VCs whose first packet has a credit stall (the packet record holds its start). The first column is for output
    // buffers. The second is for the column buffers of a row, if the output buffer is full of packets without
    // link-level acknowledgement.
    stalledSince: u16(NP),
    colStalledSince: u16(NTO),
    retainDue: i32(l.parts * (k.linkMask + 1) * k.portWords),
    linkDue: i32(l.parts * ((k.linkErrors ? k.linkMask : k.coreMask) + 1) * k.portWords),
    // The packet that the link must retransmit, and the number of transmissions so far.
    again: i32(k.linkErrors ? NP : 1),
    sent: i32(k.linkErrors ? NP : 1),
    // Ready sets of each stage, and timing wheels of transfers by the core step in which they end.
    rowPending: i32(bits(NP)),
    tilePending: i32(bits(NT)),
    muxPending: i32(bits(NP)),
    storePending: i32(bits(NP)),
    linkPending: i32(bits(NP)),
    rowEnd: i32(l.parts * (k.coreMask + 1) * k.portWords),
    tileEnd: i32(l.parts * (k.coreMask + 1) * k.toWords),
    muxEnd: i32(l.parts * (k.coreMask + 1) * k.portWords),
    storeEnd: i32(l.parts * (k.coreMask + 1) * k.portWords),
    // Congestion: flits in the input buffer, and whether it is congested.
    inHeld: i32(NP),
    congested: u8(NP),
    // Stash: tile inputs with packets in their storage FIFO, rows with packets for the pool, and the pools.
    storeWait: i32(k.stash ? NT : 1),
    storeNextColumn: u8(stashPorts),
    storeRows: i32(NP),
    storeUntil: i32(stashPorts),
    storeRow: u8(stashPorts),
    storePacket: i32(stashPorts),
    storeFrom: i32(stashPorts),
    poolFree: i32(stashPorts),
    columnFree: i32(l.routers * C),
    starved: u8(stashPorts),
    sideHead: i32(l.parts * (k.sideMask + 1)),
    timerHead: i32(k.timeout > 0 ? l.parts * (TIMER_MASK + 1) : 1),
    routerStash: i32(l.routers),
    stashPeak: i32(l.routers),
    stashSeries: i32(k.stash ? l.routers * k.seriesLength : 1),
    // Dropping of speculative packets (drops.ts).
    condemned: u16(k.drops ? NP : 1),
    bound: i32(k.drops ? NP : 1),
    granted: i32(k.drops ? NP : 1),
    work: f64(l.parts * WORK.width),
  }
}

/**
 * Returns the ranges of queue numbers in `packetQueues`, and their total:
 *   `input`   [input VC]; that of the retrieval VC is the FIFO of the pool;
 *   `output`  [output VC];
 *   `voq`     [input * voqs + queue] virtual output queues;
 *   `column`  [(router * rows + row) * colQueues + queue] column queues;
 *   `store`   [input * columns + column] storage FIFOs.
 */
export function queueRanges(l: Layout, k: TiledConstants) {
  const NP = l.routers * l.PS
  const voq = 2 * l.NOV
  const column = voq + NP * k.voqs
  const store = column + l.routers * k.geometry.rows * k.colQueues
  return { input: 0, output: l.NOV, voq, column, store, count: store + (k.stash ? NP * k.geometry.columns : 1) }
}

export type QueueRanges = ReturnType<typeof queueRanges>
export type TiledColumns = ReturnType<typeof tiledColumns> & PacketQueues["columns"]
