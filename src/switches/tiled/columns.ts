// State of all tiled switches of a network. Ids (PS ports and 1 << LV VCs are the strides of fabric/layout.ts):
//   q, o    input port, output port            r * PS + port
//   tile    r * R * C + row * C + column
//   to      tile output, which is one input of the output's multiplexer: (r * R + row) * PS + output port
// Queues are chains through the packets' records (../parts/chains.ts).
import { f64, i32, u8, u16 } from "../../fabric/columns.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { Chains } from "../parts/chains.ts"
import type { Geometry } from "./geometry.ts"

export interface TiledConstants {
  readonly geometry: Geometry
  /** network VCs; storage and retrieval VC */
  readonly V: number
  readonly S: number
  readonly R: number
  /** slots of the core wheel - 1, of the side band's - 1, of the link wheel - 1 */
  readonly coreMask: number
  readonly sideMask: number
  readonly linkMask: number
  /** 32-bit words of one partition's ports, and of its tile outputs */
  readonly portWords: number
  readonly toWords: number
  readonly stash: boolean
  /** each virtual output queue has a row buffer of its own, instead of sharing that of its tile input and VC */
  readonly rowPerVoq: boolean
  /** queues of a router's outputs: virtual output queues of each input, column queues of each row */
  readonly voqs: number
  readonly colQueues: number
  readonly seriesLength: number
  readonly errors: boolean
  readonly linkErrors: boolean
  /** cycles until an unanswered copy is sent again; 0 = never */
  readonly timeout: number
  readonly retainRoom: number
  /** speculative packets are dropped */
  readonly drops: boolean
}

/** bit of `outMask`: some VC of the output is in `lacking` */
export const LACKING = 1 << 15

/** slots of the wheel of timeouts - 1 */
export const TIMER_MASK = 4095

export const WORK = {
  /** flits: row buses fed by pools; packets to be stored on row buses; tile crossbars and column channels on the two inner VCs; storage multiplexers */
  rowRetrieval: 0,
  rowStorage: 1,
  absorbedFlits: 2,
  tileStorage: 3,
  tileRetrieval: 4,
  storage: 5,
  /** packets: marked, absorbed by a pool, copied, stalled for stash space; side-band messages; copies deleted, sent again; answers to unknown copies */
  marked: 8,
  absorbed: 9,
  copied: 10,
  stalled: 11,
  messages: 12,
  deleted: 13,
  repeated: 14,
  unknown: 15,
  /** packets whose copy ran out of retries; packets lost and damaged on the way; link-level repetitions */
  given: 16,
  lost: 17,
  spoilt: 18,
  relaunched: 19,
  timedOut: 20,
  /** records of deleted copies that a timer still names */
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
    // input buffers: VCs that have something; the row bus
    inMask: u16(NP),
    busBusy: u8(NP),
    rowNext: u8(NP),
    rowLength: i32(NP),
    rowHeld: u16(k.rowPerVoq ? NP * k.voqs : (NP * C) << l.LV),
    storeHeld: u16(k.stash ? NP * C : 1),
    // tiles: VCs of each virtual output queue that have something, inputs with something for an output, outputs with something
    voqMask: u16(NP * l.PS),
    wants: i32(NTO),
    wanted: i32(NT),
    tileInBusy: i32(NT),
    tileOutBusy: i32(NT),
    tileInput: u8(NTO),
    tileVc: u8(NTO),
    tileLength: u16(NTO),
    // [to] the VC that a tile output looks at first; [(to << LV) + VC] the input that it looks at first for this VC; [q
    // * C + column] the output
    // that an input takes first
    outTurn: u8(NTO),
    outNext: u8(NTO << l.LV),
    inNext: u8(NP * C),
    // column buffers and multiplexers
    colMask: u16(NTO),
    colHeld: u16(NTO << l.LV),
    colRows: i32(NP),
    muxUntil: i32(NP),
    // the VC that a multiplexer looks at first, and the row that it looks at first for each VC
    muxTurn: u8(NP),
    muxNext: u8(l.NOV),
    muxFrom: i32(NP),
    muxLength: u16(NP),
    // output buffers and links: VCs that have something (and LACKING); what was sent stays until the link's round trip is over
    outMask: u16(NP),
    linkUntil: i32(NP),
    linkNext: u8(NP),
    retained: u16(k.retainRoom),
    retainFirst: i32(NP + 1),
    retainHead: u16(NP),
    retainTail: u16(NP),
    // flits of each output VC that were sent within the last round trip
    recent: u16(l.NOV),
    // VCs whose first packet waits for credits (its wait is on the record): in the output buffer; in the column buffers
    // of a row, where the output
    // buffer is full of packets that were sent and are not acknowledged yet
    lacking: u16(NP),
    colLacking: u16(NTO),
    retainDue: i32(l.parts * (k.linkMask + 1) * k.portWords),
    linkDue: i32(l.parts * ((k.linkErrors ? k.linkMask : k.coreMask) + 1) * k.portWords),
    // a packet that the link must send again; transmissions so far
    again: i32(k.linkErrors ? NP : 1),
    sent: i32(k.linkErrors ? NP : 1),
    // who must look again, and whose transfer ends in which core step
    rowDirty: i32(bits(NP)),
    tileDirty: i32(bits(NT)),
    muxDirty: i32(bits(NP)),
    storeDirty: i32(bits(NP)),
    linkDirty: i32(bits(NP)),
    rowEnd: i32(l.parts * (k.coreMask + 1) * k.portWords),
    tileEnd: i32(l.parts * (k.coreMask + 1) * k.toWords),
    muxEnd: i32(l.parts * (k.coreMask + 1) * k.portWords),
    storeEnd: i32(l.parts * (k.coreMask + 1) * k.portWords),
    // congestion: flits in the input buffer, state
    inHeld: i32(NP),
    congested: u8(NP),
    // stash: inputs of tiles whose storage FIFO has something, rows with something for the pool; pools
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
    // what is dropped (drops.ts)
    condemned: u16(k.drops ? NP : 1),
    bound: i32(k.drops ? NP : 1),
    granted: i32(k.drops ? NP : 1),
    work: f64(l.parts * WORK.width),
  }
}

/** Where the chains of parts/chains.ts begin that are input queues [input VC] (that of the retrieval VC is the pool's), output queues [output VC], virtual output
 * queues [input * voqs + queue], column queues [(router * rows + row) * colQueues + queue] and storage FIFOs [input * columns + column]; how many there are. */
export function queueRanges(l: Layout, k: TiledConstants) {
  const NP = l.routers * l.PS
  const voq = 2 * l.NOV
  const column = voq + NP * k.voqs
  const store = column + l.routers * k.geometry.rows * k.colQueues
  return { input: 0, output: l.NOV, voq, column, store, count: store + (k.stash ? NP * k.geometry.columns : 1) }
}

export type QueueRanges = ReturnType<typeof queueRanges>
export type TiledColumns = ReturnType<typeof tiledColumns> & Chains["columns"]
