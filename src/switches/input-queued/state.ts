// The state of the input-queued router: its constants and columns (columns.ts), and the helper functions that all its
// stages share.
import { lowest } from "../../core/bitset.ts"
import { iqColumns, iqConstants } from "./columns.ts"
import type { IqSpec } from "./options.ts"

export type IqState = ReturnType<typeof makeState>

/** Makes the state of all routers. */
export function makeState(spec: IqSpec) {
  const low = lowest
  const { layout, rules, streamPriority } = spec
  const { pLen, pWait, pCreated, pStream } = spec.fields
  const constants = iqConstants(spec)
  const memory = iqColumns(spec, constants)
  const { W, RS, LV, VCT, LEN, STREAMS, PRIO, AGE, WORDS, ACT, LISTS, HEADS, RETAIN } = constants
  const { rem, cur, stall, saM, vaM, soon, act, kept, clock, wordRouter } = memory
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

  return {
    ...constants,
    ...memory,
    ...{ ME, UPCOMING, LIST_BASE, LIST_SIZE },
    ...{ creditsOf, baseOf, routerAt, nextIs, wake, bid, request, requestThen },
    ...{ lengthOf, needOf, priorityOf, stalls, finds, turn, enter },
  }
}
