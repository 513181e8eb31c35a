// Credits of the flit engine: private buffers for each VC, or a DAMQ, a shared buffer with a reserve for each VC (Y.
// Tamir and G. L. Frazier, "High-performance multi-queue buffers for VLSI communications switches", 1988). The sender
// mirrors the occupancy of the receiver, so both apply the same test. Switches and endpoints use `creditRules`.
import { type Column, i32, upTo } from "./columns.ts"
import type { Layout } from "./layout.ts"

export interface BufferSpec {
  /** maximum flits of one VC, and flits reserved for it; reserve = depth means private buffers */
  readonly depth: number
  readonly reserve: number
  /** flits of the whole port (private: vcs * depth) */
  readonly total: number
}

export interface Buffers {
  /** [output VC or injection VC] -> flits that it may still send; its largest value */
  readonly credits: Uint16Array | Int32Array | Uint8Array
  readonly capacity: Uint16Array | Int32Array | Uint8Array
  /** [port, then endpoint] -> shared flits left (DAMQ only) */
  readonly pool: Int32Array
  readonly shared: boolean
  /** flits reserved for each VC; beyond them it uses shared ones */
  readonly reserve: number
  readonly columns: Readonly<Record<string, Column>>
}

export function makeBuffers(l: Layout, spec: BufferSpec): Buffers {
  const slots = l.NOV + (l.ends << l.LV)
  const shared = spec.reserve < spec.depth
  const credits = upTo(spec.depth, slots)
  const capacity = upTo(spec.depth, slots)
  for (let i = 0; i < slots; i++) {
    if ((i & ((1 << l.LV) - 1)) >= l.vcs) continue
    credits[i] = spec.depth
    capacity[i] = spec.depth
  }
  const pool = i32(shared ? slots >> l.LV : 1)
  if (shared) pool.fill(spec.total - l.vcs * spec.reserve)
  return { credits, capacity, pool, shared, reserve: spec.reserve, columns: { credits, pool } }
}

/** The rules as functions over the columns; the closures are small so that both users inline them. */
export interface CreditRules {
  /** Returns the number of flits that may be sent on this VC now. */
  creditsOf(ov: number): number
  take(ov: number): void
  give(ov: number): void
}

export function creditRules(l: Layout, buffers: Buffers, spec: BufferSpec): CreditRules {
  const { credits, capacity, pool, shared: SHARED } = buffers
  const LV = l.LV
  const RESERVE = spec.reserve
  function creditsOf(ov: number): number {
    const c = credits[ov]
    if (!SHARED) return c
    // Unused reserve plus shared flits, limited by the depth of the VC.
    const unused = RESERVE - (capacity[ov] - c)
    const open = (unused > 0 ? unused : 0) + pool[ov >> LV]
    return open < c ? open : c
  }
  // A VC takes from the pool only when its reserve is used up, and returns to the pool first.
  function take(ov: number): void {
    const c = credits[ov]
    if (SHARED && capacity[ov] - c >= RESERVE) pool[ov >> LV]--
    credits[ov] = c - 1
  }
  function give(ov: number): void {
    const c = credits[ov] + 1
    credits[ov] = c
    if (SHARED && capacity[ov] - c >= RESERVE) pool[ov >> LV]++
  }
  return { creditsOf, take, give }
}
