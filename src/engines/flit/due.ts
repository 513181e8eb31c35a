// The arrivals of one cycle: applies the credits and delivers the flits that the two timing wheels hold for it. loop.ts
// calls it at the beginning of each cycle. Credits come first, so that a flit that arrives can use them in the same
// cycle.
import { scratch } from "../../fabric/columns.ts"
import type { FlitSwitch } from "../../fabric/switch.ts"
import type { LoopSpec } from "./spec.ts"

export interface Due {
  /** Selects the partition of the following calls. */
  enter(part: number): void
  credits(t: number): void
  arrivals(t: number): void
}

export function makeDue(spec: LoopSpec, sw: FlitSwitch): Due {
  const { layout, constants, columns, retention: RETAIN } = spec
  const { LV, NOV, ends: N, parts } = layout
  const { flitAt, flitPacket, flitCount, creditAt, creditCount, waiting, ready } = columns
  const { wheelMask: WM, flitSlots: FLITS, creditSlots: CREDITS } = constants
  const { give } = spec.rules
  const { pDst } = spec.fields
  const { arrive, credit: credited, release } = sw
  const ONE = parts === 1
  const RELEASE = NOV + (N << LV)
  const AHEAD = 16
  let wheel = 0
  // Receives the result of `touch`, so that the compiler cannot remove its loads.
  const touched = scratch(1)

  function enter(part: number): void {
    wheel = part * (WM + 1)
  }

  // A credit id is an output VC, an injection VC of an endpoint (from NOV on), or a retransmission buffer (from RELEASE
  // on).
  function credits(t: number): void {
    const s = (ONE ? 0 : wheel) + (t & WM)
    const n = creditCount[s]
    const base = s * CREDITS
    for (let i = 0; i < n; i++) {
      const ov = creditAt[base + i]
      if (ov < NOV) credited(ov, t)
      else if (RETAIN > 0 && ov >= RELEASE) release!(ov - RELEASE, t)
      else {
        give(ov)
        const node = (ov - NOV) >> LV
        ready[node >> 5] |= waiting[node >> 5] & (1 << (node & 31))
      }
    }
    creditCount[s] = 0
  }

  /**
   * Reads the destination of the next arriving packets. In a large network each of these loads misses the caches. Loads
   * in a row overlap their misses.
   */
  function touch(from: number, to: number): void {
    let all = 0
    for (let i = from; i < to; i++) {
      const p = flitPacket[i]
      all |= pDst[p < 0 ? 0 : p]
    }
    touched[0] = all
  }

  function arrivals(t: number): void {
    const s = (ONE ? 0 : wheel) + (t & WM)
    const n = flitCount[s]
    const base = s * FLITS
    // One partition keeps its packets in cache, so the prefetch would only cost time.
    if (ONE) for (let i = 0; i < n; i++) arrive(flitAt[base + i], flitPacket[base + i], t)
    else {
      for (let i = 0; i < n; ) {
        const end = i + AHEAD < n ? i + AHEAD : n
        touch(base + i, base + end)
        for (; i < end; i++) arrive(flitAt[base + i], flitPacket[base + i], t)
      }
    }
    flitCount[s] = 0
  }

  return { enter, credits, arrivals }
}
