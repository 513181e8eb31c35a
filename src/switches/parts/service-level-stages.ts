// The common parts of switches with service levels (InfiniBand, Omni-Path): inputs with one FIFO per virtual lane (VL,
// vls.ts), and outputs with VL queues and a scheduler at each link (vl-outputs.ts).
//
// Each input and each output has one record, so that an event at a port touches two adjacent cache lines. The VL queues
// are stored in the records too, with the interface of packet-queues.ts.
//   [words of vls.ts or vl-outputs.ts | first packets | last packets | flits of first packets, if not in spare words]
// The inputs come first and the outputs follow. After them come groups of queues that belong to no port: the first and
// last packets of as many VLs.
import { bitsFor } from "../../core/bitset.ts"
import { i32 } from "../../fabric/columns.ts"
import { recordViews } from "../../fabric/packets.ts"
import type { SwitchContext, TransferSite } from "../../fabric/transfer.ts"
import type { Ability } from "../../model/abilities.ts"
import type { QosScheduler } from "../../model/scheduler.ts"
import type { Queues } from "./packet-queues.ts"
import type { Ports } from "./ports.ts"

/** The abilities of these switches. */
export const serviceLevelAbilities: readonly Ability[] = [
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

interface Shared extends ServiceLevelRecords {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly ports: Ports
  readonly scheduler: QosScheduler
}

interface Rules {
  /** cycles of the routing stage for a head flit, and for the flits that follow it */
  readonly route: number
  readonly body?: number | undefined
  readonly traverse: number
  readonly hold: Uint16Array
  /** number of the first output queue in `packetQueues` */
  readonly firstQueue: number
  /** [SL] -> VL, and the same by ports (port-tables.ts) */
  readonly vlOf: readonly number[] | undefined
  readonly vlAt: Uint8Array | undefined
  readonly atLink: boolean
  readonly releaseAtTail: boolean
}

/** Returns the options of the input and output stages, and the scheduler's columns under the prefix `qos.`. */
export function serviceLevelStages(shared: Shared, r: Rules) {
  const { site, scheduler } = shared
  const { firstQueue, traverse, hold, vlOf, vlAt, atLink, releaseAtTail } = r
  const lanes = 1 << site.layout.LV
  const input = { ...shared, voq: false, early: r.route - (r.body ?? r.route), vlOf, vlAt }
  const outputOptions = { firstQueue, lanes, atLink, releaseAtTail, traverse, hold, shared: vlOf !== undefined }
  const output = { ...shared, ...outputOptions }
  // The scheduler's columns have a prefix, because those of the stages share the name space.
  const named = Object.fromEntries(Object.entries(scheduler.columns).map(([name, column]) => [`qos.${name}`, column]))
  return { input, output, named }
}

/** Words of an input's record. `outs` is the first of eight words with one byte for each VL. */
export const IN = { fronts: 0, stalledVcs: 1, last: 2, tail: 3, stalled: 4, target: 5, until: 6, outs: 8 } as const
/**
 * Words of an output's record (vl-outputs.ts and the crossbar).
 *   `mask`                    VLs with packets;
 *   `until`                   the link is free from this cycle on;
 *   `stalledVcs`              VLs whose first packet has a credit stall (the packet record holds its start);
 *   `sends`                   VL << 16 | flits of the packet on the link (releaseAtTail);
 *   `from`, `moving`, `ends`  of the transfer that holds the output: its input, VL << 16 | flits, and the step in which
 *                             it ends;
 *   `free`                    inputs (two words) to wake when the output becomes free;
 *   `onCredit`                inputs (two words) to wake when it has credits or buffer space.
 */
export const OUTPUT = {
  mask: 0,
  until: 1,
  stalledVcs: 2,
  sends: 3,
  from: 4,
  moving: 5,
  ends: 6,
  rate: 7,
  free: 8,
  onCredit: 10,
  spare: 12,
  queues: 16,
} as const
/** Number of words before the queues, in both kinds of records. */
const WORDS = OUTPUT.queues

export interface ServiceLevelRecords {
  /** Records of inputs start at word 0 and have 2^shift words each. `outputs` is a view of the same memory. */
  readonly records: Int32Array
  readonly outputs: Int32Array
  readonly shift: number
  readonly packetQueues: Queues
  /**
   * The same memory as 16-bit words. The flits of the first packet of VL v at output o are at flitsAt + (o << (shift +
   * 1)) + v.
   */
  readonly halves: Uint16Array
  readonly flitsAt: number
}

/**
 * Allocates the records, and `groups` of 2^LV queues in addition to those of ports. Queues are numbered (input << LV) +
 * VL, then outputs, then groups.
 */
export function serviceLevelRecords(
  packets: Int32Array,
  ports: Ports,
  LV: number,
  groups: number,
): ServiceLevelRecords {
  const lanes = 1 << LV
  // Four spare words hold the flit counts of eight packets.
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
    packetQueues: makeQueues(packets, records, LV, shift, both, groups),
    halves: new Uint16Array(records.buffer),
    flitsAt: (firstOutput + flits) << 1,
  }
}

/** The queues of packet-queues.ts, stored in these records. Last packets are 2^LV words after the first ones. */
function makeQueues(
  packets: Int32Array,
  records: Int32Array,
  LV: number,
  shift: number,
  both: number,
  groups: number,
): Queues {
  const lanes = 1 << LV
  const VMASK = lanes - 1
  const GROUPS = groups > 0
  const END = both << LV
  const BEHIND = both << shift
  const FIRST = WORDS
  const lasts = records.subarray(lanes)
  const { pNext } = recordViews(packets)

  /** Returns the word of the first packet of queue i. */
  function place(i: number): number {
    if (GROUPS && i >= END) return BEHIND + (((i - END) >> LV) << (LV + 1)) + (i & VMASK)
    return ((i >> LV) << shift) + FIRST + (i & VMASK)
  }

  function push(i: number, p: number): boolean {
    const at = place(i)
    pNext[p] = 0
    const head = records[at]
    if (head === 0) {
      records[at] = p
      return true
    }
    if (pNext[head] === 0) pNext[head] = p
    else pNext[lasts[at]] = p
    lasts[at] = p
    return false
  }

  function pop(i: number): number {
    const at = place(i)
    const p = records[at]
    records[at] = pNext[p]
    return p
  }

  function first(i: number): number {
    return records[place(i)]
  }

  const fronts = () => Array.from({ length: END + (groups << LV) }, (_, i) => first(i))
  return { columns: { records }, push, pop, first, fronts }
}
