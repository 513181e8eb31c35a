// Columns and constants of the input-queued router, and the helper functions that all its stages share.
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
import { bitsFor, lowest } from "../../core/bitset.ts"
import { i32, scratch, scratchOf, u8, u16, upTo } from "../../fabric/columns.ts"
import type { AnyColumns } from "../../fabric/flit.ts"
import type { RoutingContext, SwitchSite } from "../../fabric/switch.ts"
import { type AllocatorChoice, type ArbiterName, makeAllocator } from "../parts/allocator.ts"
import { makeBatches } from "./batches.ts"

export interface IqOptions {
  /** stage delays in core steps; route 0 = look-ahead */
  readonly routeDelay: number
  readonly vcDelay: number
  readonly crossDelay: number
  /** core steps per cycle */
  readonly speed: number
  /** routing and crossbar of several cycles work in batches instead of as pipelines (batches.ts) */
  readonly batches: boolean
  readonly speculative: boolean
  readonly hold: boolean
  readonly cutThrough: boolean
  readonly tailWait: boolean
  readonly busyWhenFull: boolean
  readonly inputSpeedup: number
  readonly outputSpeedup: number
  readonly priority: "none" | "class" | "age"
  readonly vcAllocator: AllocatorChoice
  readonly swAllocator: AllocatorChoice
  readonly arbiter: ArbiterName
  /** flits of each output buffer, in which a flit stays for one round trip of its link; 0 = no such buffer */
  readonly retention: number
}

export type IqSpec = SwitchSite & RoutingContext & IqOptions

const plain = ({ name, iterations }: AllocatorChoice): boolean =>
  iterations === 1 && (name === "islip" || name === "separable-output-first" || name === "separable-input-first")

export type IqState = ReturnType<typeof makeState>

/**
 * Allocates the columns of all routers, and derives the constants of the configuration. Columns are as narrow as their
 * largest value allows, and those that the configuration does not use have one element.
 */
export function makeState(spec: IqSpec) {
  const low = lowest
  const {
    layout,
    buffers,
    rules,
    routing,
    constants,
    hold: HOLD,
    inputSpeedup: IS,
    outputSpeedup: OS,
    candidates: C,
  } = spec
  const { W, RS, PS, LV, routers: R, radix: P, vcs: V, parts } = layout
  const { routeDelay: RD, vcDelay: VD, cutThrough: VCT } = spec
  const { pLen, pWait, pCreated, pStream } = spec.fields
  const { streamPriority } = spec
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
  // Words of `clock`, which is private to each worker. They are its partition, its next step, and start and capacity of
  // its lists of heads. The others are the rows of `act` for the next step and the one after, and the row of `soon` for
  // the one after. The indices are local because constants of the module would cost a load.
  const ME = 0
  const UPCOMING = 1
  const LIST_BASE = 2
  const LIST_SIZE = 3
  const NEXT_ACT = 4
  const THEN_ACT = 5
  const THEN_SOON = 6

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

  const creditsOf = RETAIN > 0 ? retainedCredits : rules.creditsOf
  /** Credits limited by the free space of the output buffer that retains flits for retransmission. */
  function retainedCredits(ov: number): number {
    const free = kept[ov >> LV]
    const open = rules.creditsOf(ov)
    return free < open ? free : open
  }
  /** Returns the first VC id of the router of VC `id`. */
  function baseOf(id: number): number {
    return W === 1 ? id & ~31 : wordRouter[id >> 5] * RS
  }
  function routerAt(id: number): number {
    return W === 1 ? id >> 5 : wordRouter[id >> 5]
  }
  /** Marks the router of VC `id` for a visit in the next step. */
  function wake(id: number): void {
    const r = routerAt(id)
    act[clock[NEXT_ACT] + (r >> 5)] |= 1 << (r & 31)
  }
  /** Input VC iv takes part in the next switch allocation. */
  function bid(iv: number): void {
    saM[iv >> 5] |= 1 << (iv & 31)
    wake(iv)
  }
  /** Input VC iv requests an output VC in the next VC allocation. */
  function request(iv: number): void {
    vaM[iv >> 5] |= 1 << (iv & 31)
    wake(iv)
  }
  /** Input VC iv requests an output VC in the VC allocation after the next one. */
  function requestThen(iv: number): void {
    soon[clock[THEN_SOON] + (iv >> 5)] |= 1 << (iv & 31)
    const r = routerAt(iv)
    act[clock[THEN_ACT] + (r >> 5)] |= 1 << (r & 31)
  }
  /** Sets the next step to s, and with it the rows of `act` and `soon`. */
  function nextIs(s: number): void {
    const odd = s & 1
    clock[UPCOMING] = s
    clock[NEXT_ACT] = odd * ACT
    clock[THEN_ACT] = (1 - odd) * ACT
    clock[THEN_SOON] = (1 - odd) * WORDS
  }
  /**
   * Returns the first set bit of m at or after k, cyclically. Rotating m by k avoids a branch that the processor cannot
   * predict.
   */
  function turn(m: number, k: number): number {
    return (low((m >>> k) | (m << (32 - k))) + k) & 31
  }
  function lengthOf(p: number): number {
    return LEN > 0 ? LEN : pLen[p]
  }
  /**
   * Returns the credits that the first flit of iv needs. Under cut-through, a head flit needs those of its whole
   * packet.
   */
  function needOf(iv: number): number {
    if (!VCT) return 1
    const n = lengthOf(cur[iv])
    return rem[iv] === n ? n : 1
  }
  /** Returns the priority of the head packet of iv: its age, or that of its stream. */
  function priorityOf(iv: number): number {
    if (!PRIO) return 0
    const p = cur[iv]
    return AGE ? 0x7fffffff - pCreated[p] : streamPriority[STREAMS > 1 ? pStream[p] : 0]
  }
  /**
   * `stalls`: the head of iv has no credits from cycle t on. `finds`: it has credits again in cycle t. The time between
   * is added to the packet's credit stall time.
   */
  function stalls(iv: number, t: number): void {
    if (stall[iv] === 0) stall[iv] = t + 1
  }
  function finds(iv: number, t: number): void {
    const since = stall[iv]
    if (since === 0) return
    stall[iv] = 0
    pWait[cur[iv]] += t + 1 - since
  }
  /** Selects the partition for the following calls; s is its next step. */
  function enter(part: number, s: number): void {
    const { firstRouter } = layout
    clock[ME] = part
    nextIs(s)
    clock[LIST_BASE] = firstRouter[part] * HEADS * LISTS
    clock[LIST_SIZE] = (firstRouter[part + 1] - firstRouter[part]) * HEADS
  }

  const columns: AnyColumns = {
    ...{
      cnt,
      rem,
      cur,
      qh,
      qt,
      out,
      own,
      rqPort,
      rqMask,
      rqCount,
      stall,
      gptr,
      aptr,
      freeVc,
      rr,
      sg,
      sa,
      saM,
      vaM,
      soon,
      pending,
      act,
      kept,
    },
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
    ...{ W, RS, PS, LV, R, P, V, C, IS, OS, RD, VD, VCT, LEN, SPAN, WORDS, ACT, LISTS, HEADS, HELD, ENDS },
    ...{
      HOLD,
      RETAIN,
      BUBBLE,
      PARK,
      AT_ONCE,
      VA_GENERAL,
      SA_GENERAL,
      ROUTE_BATCHES,
      CROSS_BATCHES,
      routeBatches,
      crossBatches,
    },
    ...{ ME, UPCOMING, LIST_BASE, LIST_SIZE },
    ONE: parts === 1,
    SINGLE: LEN === 1 && HELD === 0,
    VMASK: (1 << LV) - 1,
    VALL: (2 ** (1 << LV) - 1) | 0,
    // Space that several VCs share can be gone when a bid is considered.
    SHARED: buffers.shared || RETAIN > 0,
    ...{
      cnt,
      rem,
      cur,
      qh,
      qt,
      out,
      own,
      rqPort,
      rqMask,
      rqCount,
      gptr,
      aptr,
      freeVc,
      rr,
      sg,
      sa,
      saM,
      vaM,
      soon,
      act,
      kept,
    },
    ...{ pending, busyIn, busyOut, ending, endingCount },
    ...{
      parkHead,
      parkNext,
      holdM,
      holdIn,
      holdOut,
      front,
      frontCount,
      granted,
      grantedCount,
      vaGeneral,
      saGeneral,
      clock,
      newVa,
      hopOf,
    },
    stall,
    ...{
      creditsOf,
      baseOf,
      routerAt,
      nextIs,
      wake,
      bid,
      request,
      requestThen,
      lengthOf,
      needOf,
      priorityOf,
      stalls,
      finds,
      turn,
      enter,
      columns,
    },
  }
}

function maxOf(a: ArrayLike<number>): number {
  let m = 0
  for (let i = 0; i < a.length; i++) if (a[i] > m) m = a[i]
  return m
}
