// What switches with service levels have around their crossbars: a FIFO for each VL at inputs (vls.ts), queues of VLs and a scheduler at every link (lanes.ts).
// Inputs and outputs have a record each: what an event at a port touches lies in two lines of memory beside each other. Queues of
// VLs are in it too (chains.ts): first and last packet of each.
//   [words of vls.ts | first packets | last packets | flits of the first packets, where the words leave no place for them]
// Inputs come first, outputs follow; behind them groups of queues that belong to no port, first and last packets of as many VLs.
import { bitsFor } from "../../core/bitset.ts"
import { i32 } from "../../fabric/columns.ts"
import { recordViews } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import type { Ability } from "../../model/abilities.ts"
import type { QosScheduler } from "../../model/scheduler.ts"
import type { Queues } from "./chains.ts"
import type { Ports } from "./ports.ts"

/** What they can do. */
export const levelAbilities: readonly Ability[] = [
  "classes",
  "replies",
  "drawnVcs",
  "acknowledgements",
  "bubbles",
  "schedulers",
  "farQueues",
  "occupancy",
  "laneFill",
  "events",
  "packetEvents",
]

interface Shared extends LevelRecords {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly ports: Ports
  readonly scheduler: QosScheduler
}

interface Rules {
  /** cycles of the routing stage for a head, and for what follows it */
  readonly route: number
  readonly body?: number | undefined
  readonly traverse: number
  readonly hold: Uint16Array
  /** the first queue of outputs in the chains */
  readonly firstQueue: number
  /** [SL] -> VL, and the same by ports (port-tables.ts) */
  readonly vlOf: readonly number[] | undefined
  readonly vlAt: Uint8Array | undefined
  readonly atLink: boolean
  readonly releaseAtTail: boolean
}

export function levelStages(shared: Shared, r: Rules) {
  const { site, scheduler } = shared
  const { firstQueue, traverse, hold, vlOf, vlAt, atLink, releaseAtTail } = r
  const lanes = 1 << site.layout.LV
  const input = { ...shared, voq: false, early: r.route - (r.body ?? r.route), vlOf, vlAt }
  const rooms = { firstQueue, lanes, atLink, releaseAtTail, traverse, hold, shared: vlOf !== undefined }
  const output = { ...shared, ...rooms }
  // columns of the scheduler beside those of the stages
  const named = Object.fromEntries(Object.entries(scheduler.columns).map(([name, column]) => [`qos.${name}`, column]))
  return { input, output, named }
}

/** Words of an input's record; `outs` is the first of eight that hold a byte for each VL. */
export const IN = { fronts: 0, lacks: 1, last: 2, tail: 3, noRoom: 4, target: 5, until: 6, outs: 8 } as const
/** Words of an output's record (lanes.ts, and the crossbar): VLs that have something; the cycle from which on the link is free; VLs whose first packet has
 *  found no room behind the link (its wait is on the record); VL << 16 | flits of the packet on the link (released at the tail); of the transfer that holds the
 *  output its input, VL << 16 | flits, and the step in which it ends; inputs to call when it is free, and when it has room. */
export const OUTPUT = {
  mask: 0,
  until: 1,
  lacks: 2,
  sends: 3,
  from: 4,
  moving: 5,
  ends: 6,
  rate: 7,
  free: 8,
  room: 10,
  spare: 12,
  queues: 16,
} as const
/** words of both before the queues */
const WORDS = OUTPUT.queues

export interface LevelRecords {
  /** records of inputs begin at its first word, of which each has 2^shift; those of outputs are a view of the same memory */
  readonly records: Int32Array
  readonly outputs: Int32Array
  readonly shift: number
  readonly chains: Queues
  /** the same memory as halves of words: flits of the first packet of VL v of output o are at flitsAt + (o << (shift + 1)) + v */
  readonly halves: Uint16Array
  readonly flitsAt: number
}

/** `groups` of 2^LV queues beside those of ports. Queues are numbered (input << LV) + VL, then outputs, then groups. */
export function levelRecords(packets: Int32Array, ports: Ports, LV: number, groups: number): LevelRecords {
  const lanes = 1 << LV
  // four spare words hold the flits of eight packets
  const spare = lanes <= 2 * (WORDS - OUTPUT.spare)
  const flits = spare ? OUTPUT.spare : WORDS + 2 * lanes
  const shift = bitsFor(WORDS + 2 * lanes + (spare ? 0 : lanes >> 1))
  const both = ports.inputs + ports.count
  const records = i32((both << shift) + groups * 2 * lanes)
  const firstOutput = ports.inputs << shift
  return {
    records,
    outputs: records.subarray(firstOutput),
    shift,
    chains: makeQueues(packets, records, LV, shift, both, groups),
    halves: new Uint16Array(records.buffer),
    flitsAt: (firstOutput + flits) << 1,
  }
}

/** The queues of chains.ts in these records: last packets lie 2^LV words behind first ones. */
function makeQueues(packets: Int32Array, records: Int32Array, LV: number, shift: number, both: number, groups: number): Queues {
  const lanes = 1 << LV
  const VMASK = lanes - 1
  const GROUPS = groups > 0
  const END = both << LV
  const BEHIND = both << shift
  const FIRST = WORDS
  const lasts = records.subarray(lanes)
  const { pNext } = recordViews(packets)

  function place(i: number): number {
    if (GROUPS && i >= END) return BEHIND + (((i - END) >> LV) << (LV + 1)) + (i & VMASK)
    return ((i >> LV) << shift) + FIRST + (i & VMASK)
  }

  function push(i: number, p: number): boolean {
    const at = place(i)
    pNext[p] = 0
    const head = records[at]!
    if (head === 0) {
      records[at] = p
      return true
    }
    if (pNext[head] === 0) pNext[head] = p
    else pNext[lasts[at]!] = p
    lasts[at] = p
    return false
  }

  function pop(i: number): number {
    const at = place(i)
    const p = records[at]!
    records[at] = pNext[p]!
    return p
  }

  function first(i: number): number {
    return records[place(i)]!
  }

  const fronts = () => Array.from({ length: END + (groups << LV) }, (_, i) => first(i))
  return { columns: { records }, push, pop, first, fronts }
}
