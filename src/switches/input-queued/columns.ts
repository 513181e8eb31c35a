// Constants and columns of the input-queued router: what a configuration makes of its sizes, and the memory of all
// routers.
//
// Columns by input VC:
//   `cnt`, `rem`                   flits in the buffer; flits left of the head packet;
//   `cur`, `qh`, `qt`              head packet; first and last of the packets behind it;
//   `out`                          1 + assigned output VC (local to the router), 0 = none;
//   `rqPort`, `rqMask`, `rqCount`  requested output port and VCs; number of candidates;
//   `stall`                        1 + the step since which its head has no credits;
//   `aptr`                         round-robin pointer over output VCs;
//   `parkNext`                     next parked head of the same port.
// Columns by output VC: own (1 + the input VC that owns it) and gptr (round-robin pointer over input VCs). Columns by
// port: freeVc (mask of free VCs), parkHead, and rr, sg, sa (round-robin pointers of switch allocation). Columns by
// word of 32 VCs:
//   `saM`      VCs that bid for the switch;
//   `vaM`      VCs that request an output VC;
//   `pending`  VCs with a grant that is not effective yet;
//   `soon`     VCs that request an output VC from an even (first row) or odd (second row) step on.
// act: routers to visit in a step, one row for even and one for odd steps.
import { bitsFor } from "../../core/bitset.ts"
import { i32, scratch, scratchOf, u8, u16, upTo } from "../../fabric/columns.ts"
import type { AnyColumns } from "../../fabric/flit.ts"
import { type AllocatorChoice, makeAllocator } from "../parts/allocator.ts"
import { makeBatches } from "./batches.ts"
import type { IqSpec } from "./options.ts"

const plain = ({ name, iterations }: AllocatorChoice): boolean =>
  iterations === 1 && (name === "islip" || name === "separable-output-first" || name === "separable-input-first")

/** Derives the constants of the configuration. */
export function iqConstants(spec: IqSpec) {
  const { layout, routing, constants, hold: HOLD, inputSpeedup: IS, outputSpeedup: OS, candidates: C } = spec
  const { W, RS, PS, LV, routers: R, radix: P, vcs: V } = layout
  const { routeDelay: RD, vcDelay: VD, cutThrough: VCT } = spec
  const STREAMS = constants.streams
  // Traversal of whole packets (packet-granular.ts): the unit of buffers, credits and events is a packet.
  const HELD = constants.held
  const LEN = HELD > 0 ? 1 : constants.fixedLength
  const SPAN = P << LV
  const SLOTS = R * RS
  const PORTS = R * PS
  const PRIO = spec.priority !== "none"
  const AGE = spec.priority === "age"
  const MATRIX = spec.arbiter === "matrix"
  const VA_GENERAL = PRIO || MATRIX || !plain(spec.vcAllocator)
  const SA_GENERAL =
    PRIO || MATRIX || spec.speculative || (HOLD && HELD === 0) || IS > 1 || OS > 1 || P > 32 || !plain(spec.swAllocator)
  // Bubble flow control: the routing returns the number of maximum-size packets for which a head needs space before it
  // takes a VC. A waiting head then does not block the packets that it must let pass.
  const BUBBLE = VCT && routing.room !== undefined
  const PARK = C === 1 && !spec.busyWhenFull && !BUBBLE
  // A routing that reads no queues can be evaluated as soon as a packet becomes the head. Bits then record in which
  // step it may request a VC.
  const AT_ONCE = !spec.adaptive && RD <= 1
  // Lists of new heads, by the step in which they are routed.
  const ROUTE_BATCHES = spec.batches && RD > 1
  const CROSS_BATCHES = spec.batches && spec.crossDelay > 1
  const LISTS = 2 ** bitsFor(Math.max(2, VD + 1, ROUTE_BATCHES ? 2 * Math.ceil(RD * spec.speed) + 2 : RD + 1))
  // A batch may contain all VCs of its router.
  const HEADS = ROUTE_BATCHES ? RS : 2 * IS * PS
  const RETAIN = spec.retention
  const ACT = (R + 31) >> 5
  const WORDS = R * W
  return {
    ...{ HOLD, W, RS, PS, LV, R, P, V, C, IS, OS, RD },
    ...{ VD, VCT, LEN, SPAN, SLOTS, PORTS, STREAMS, PRIO, AGE, WORDS, ACT, LISTS },
    ...{ HEADS, HELD, RETAIN, BUBBLE, PARK, AT_ONCE, VA_GENERAL, SA_GENERAL, ROUTE_BATCHES, CROSS_BATCHES },
    ONE: layout.parts === 1,
    SINGLE: LEN === 1 && HELD === 0,
    VMASK: (1 << LV) - 1,
    VALL: (2 ** (1 << LV) - 1) | 0,
    // Space that several VCs share can be gone when a bid is considered.
    SHARED: spec.buffers.shared || RETAIN > 0,
  }
}

export type IqConstants = ReturnType<typeof iqConstants>

/**
 * Allocates the columns of all routers. They are as narrow as their largest value allows, and those that the
 * configuration does not use have one element.
 */
export function iqColumns(spec: IqSpec, k: IqConstants) {
  const { layout, buffers, constants } = spec
  const { parts } = layout
  const { W, R, P, V, C, IS, OS, VD, RD, SPAN, SLOTS, PORTS, WORDS, ACT } = k
  const { LISTS, HEADS, HELD, HOLD, RETAIN, PARK, AT_ONCE, VA_GENERAL, SA_GENERAL, ROUTE_BATCHES, CROSS_BATCHES, RS } =
    k
  const cnt = upTo(maxOf(buffers.capacity), SLOTS)
  const rem = upTo(constants.maxLength, SLOTS)
  const cur = i32(SLOTS)
  const qh = i32(SLOTS)
  const qt = i32(SLOTS)
  const out = upTo(RS, SLOTS)
  const own = upTo(RS, SLOTS)
  const rqPort = upTo(P, SLOTS * C)
  const rqMask = upTo(2 ** V - 1, SLOTS * C)
  const rqCount = u8(C > 1 ? SLOTS : 1)
  const stall = i32(SLOTS)
  const gptr = upTo(RS, SLOTS)
  const aptr = upTo(RS, SLOTS)
  const freeVc = upTo(2 ** V - 1, PORTS).fill(V >= 32 ? -1 : 2 ** V - 1)
  const rr = u8(PORTS * IS)
  const sg = upTo(P, PORTS)
  const sa = upTo(P, PORTS)
  const saM = i32(WORDS)
  const vaM = i32(WORDS)
  const soon = i32(2 * WORDS)
  const pending = i32(VD > 1 ? WORDS : 1)
  const act = i32(2 * ACT)
  const kept = i32(RETAIN > 0 ? PORTS : 1).fill(RETAIN)
  const parkHead = upTo(RS, PARK ? PORTS : 1)
  const parkNext = upTo(RS, PARK ? SLOTS : 1)
  const holdM = i32(HOLD ? WORDS : 1)
  const holdIn = u16(HOLD ? PORTS * IS : 1)
  const holdOut = u16(HOLD ? PORTS * OS : 1)
  // HELD: ports of each router that are busy with a packet, and the packets whose last flit leaves in a step.
  const busyIn = i32(HELD > 0 ? R : 1)
  const busyOut = i32(HELD > 0 ? R : 1)
  const ENDS = 2 ** bitsFor(HELD + 1)
  const ending = i32(HELD > 0 ? ENDS * R * P : 1)
  const endingCount = i32(parts * ENDS)
  const front = i32(AT_ONCE ? 1 : LISTS * HEADS * R)
  const frontCount = i32(parts * LISTS)
  const granted = i32(VD > 1 ? LISTS * HEADS * R : 1)
  const grantedCount = i32(parts * LISTS)
  const vaGeneral = makeAllocator(spec.vcAllocator, VA_GENERAL ? R : 1, SPAN, SPAN, constants.seed ^ 1, spec.arbiter)
  const saGeneral = makeAllocator(
    spec.swAllocator,
    SA_GENERAL ? R : 1,
    P * IS,
    P * OS,
    constants.seed ^ 2,
    spec.arbiter,
  )
  const routeBatches = makeBatches(ROUTE_BATCHES ? R : 0, RD, spec.speed)
  const crossBatches = makeBatches(CROSS_BATCHES ? R : 0, spec.crossDelay, spec.speed)
  // Scratch memory of the worker, and of one visit: VCs that got their output VC in this step.
  const clock = scratch(8)
  const newVa = scratch(WORDS)
  // [port] -> what a hop over it adds to the packet's word of hop count and propagation time.
  const hopOf = scratchOf(layout.latency).map((l) => 1 + (l << 12))
  const wordRouter = scratchOf(Array.from({ length: WORDS }, (_, w) => Math.floor(w / W)))
  const columns: AnyColumns = {
    ...{ cnt, rem, cur, qh, qt, out, own, rqPort, rqMask, rqCount, stall, gptr, aptr },
    ...{ freeVc, rr, sg, sa, saM, vaM, soon, pending, act, kept },
    ...{
      parkHead,
      parkNext,
      holdM,
      holdIn,
      holdOut,
      busyIn,
      busyOut,
      ending,
      endingCount,
      front,
      frontCount,
      granted,
      grantedCount,
    },
  }
  if (ROUTE_BATCHES) for (const [k, c] of Object.entries(routeBatches.columns)) columns[`route.${k}`] = c
  if (CROSS_BATCHES) for (const [k, c] of Object.entries(crossBatches.columns)) columns[`cross.${k}`] = c
  for (const [k, c] of Object.entries(vaGeneral.columns)) columns[`va.${k}`] = c
  for (const [k, c] of Object.entries(saGeneral.columns)) columns[`sa.${k}`] = c
  return {
    ...{ cnt, rem, cur, qh, qt, out, own, rqPort, rqMask, rqCount, stall, gptr },
    ...{ aptr, freeVc, rr, sg, sa, saM, vaM, soon, pending, act, kept, parkHead },
    ...{ parkNext, holdM, holdIn, holdOut, busyIn, busyOut, ENDS, ending, endingCount, front, frontCount, granted },
    ...{ grantedCount, vaGeneral, saGeneral, routeBatches, crossBatches, clock, newVa, hopOf, wordRouter },
    columns,
  }
}

function maxOf(a: ArrayLike<number>): number {
  let m = 0
  for (let i = 0; i < a.length; i++) if (a[i] > m) m = a[i]
  return m
}
