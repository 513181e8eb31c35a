// Credits at the router inputs that endpoints send into: selects the VC of its class for a packet. If links have
// virtual lanes (VLs), the credits are those of the VL. injection.ts and due.ts use it.
import { draw, streamOf } from "../../../core/rng.ts"
import { scratchOf } from "../../../fabric/columns.ts"
import type { Layout } from "../../../fabric/layout.ts"
import { END as END_WORDS, RING as RING_WORDS, recordViews } from "../../../fabric/packets.ts"
import type { TransferLoopSpec } from "./spec.ts"
import type { Wakes } from "./wakes.ts"

export interface Entry {
  /** Returns a VC of class c with credits for f flits to endpoint `to`; negative if there is none. */
  vcFor(e: number, c: number, to: number, f: number, control: boolean, t: number): number
  take(e: number, v: number, p: number, f: number): void
  /** Applies a returned credit; `lane` is a VC if links have no VLs. */
  give(e: number, lane: number, f: number): void
}

/** Returns [endpoint] -> the router that it sends into, by the network's number. */
export function entryRouters({ entry, outerRouter, LV, PS }: Layout): Int32Array {
  return scratchOf(Array.from(entry, (iv) => (iv < 0 ? 0 : outerRouter[Math.floor((iv >> LV) / PS)])))
}

export function makeEntry(spec: TransferLoopSpec, { wakeAt }: Wakes): Entry {
  const { layout, columns, plan, injectRandom: RANDOM, anyEntry: ANY, ackVc: ACKVC, rules } = spec
  const { LV, NOV, outerEnd } = layout
  const { ends } = columns
  const { fits } = rules
  const { laneHeld, rings } = columns
  const { dataClasses: DATA } = spec.constants
  const { pDst } = recordViews(columns.packets)
  const END = END_WORDS
  const RING = RING_WORDS
  const { lanes } = spec
  const LANES = lanes !== undefined
  const COUNT = lanes?.count ?? 0
  const CAPACITY = lanes?.flits ?? 0
  const routerOf = entryRouters(layout)
  const PLAIN = plan.plain
  const MAPPED = spec.vlOf !== undefined
  const first = scratchOf(plan.classes.map((c, i) => spec.vlOf?.[i] ?? c.first))
  const count = scratchOf(plan.classes.map((c) => c.count))
  const TX = spec.constants.seed ^ 0x3c6ef372

  function vcFor(e: number, c: number, to: number, f: number, control: boolean, t: number): number {
    if (LANES) return laneHeld[e * COUNT + laneOf(e, to)] + f <= CAPACITY ? first[c] : -1
    const base = NOV + (e << LV)
    // Control packets of a data class, and all packets without `anyEntry`, have a fixed VC.
    if (!ANY || (control && c < plan.data)) {
      const v = (PLAIN && !MAPPED ? 0 : first[c]) + (control && c < plan.data ? ACKVC : 0)
      return fits(base + v, f) ? v : -1
    }
    return RANDOM && !control ? drawn(e, base, c, f, t) : inTurn(e, base, c, f)
  }

  /** Returns the next VC with credits after the last one used (round-robin). */
  function inTurn(e: number, base: number, c: number, f: number): number {
    const last = ends[e * END.size + END.lastVc] - first[c]
    const n = count[c]
    let v = last >= 0 && last < n ? last : n - 1
    for (let j = 0; j < n; j++) {
      v = v + 1 === n ? 0 : v + 1
      if (fits(base + first[c] + v, f)) return first[c] + v
    }
    return -1
  }

  /**
   * Returns a random VC if it has credits. Each attempt draws a new one, so the endpoint tries again in the next cycle.
   */
  function drawn(e: number, base: number, c: number, f: number, t: number): number {
    const v = first[c] + Math.floor((draw(streamOf(TX, outerEnd[e]), t) >>> 0) * 2.3283064365386963e-10 * count[c])
    if (fits(base + v, f)) return v
    wakeAt(e, t + 1)
    return -1
  }

  function laneOf(e: number, to: number): number {
    return lanes!.of(routerOf[e], to)
  }

  function give(e: number, lane: number, f: number): void {
    if (!LANES) {
      rules.give(NOV + (e << LV) + lane, f)
      return
    }
    laneHeld[e * COUNT + lane] -= f
    // A queue that was stuck on this VL may go now.
    for (let ring = e * DATA; ring < (e + 1) * DATA; ring++) rings[ring * RING.size + RING.stuck] = 0
  }

  function take(e: number, v: number, p: number, f: number): void {
    if (LANES) {
      laneHeld[e * COUNT + laneOf(e, pDst[p])] += f
      return
    }
    rules.take(NOV + (e << LV) + v, f)
    if (ANY) ends[e * END.size + END.lastVc] = v
  }

  return { vcFor, take, give }
}
