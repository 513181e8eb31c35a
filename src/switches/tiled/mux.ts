// Output multiplexers: the column buffers of the R rows share an output, a whole packet at a time, round robin over (row, VC), the most urgent
// priority first. A retrieved packet returns to the VC that it had before it was stashed.
import { lowest } from "../../core/bitset.ts"
import { APART } from "../../fabric/columns.ts"
import { CREDIT_SHIFT, recordViews } from "../../fabric/packets.ts"
import { LACKING } from "./columns.ts"
import type { Frame } from "./frame.ts"

export interface MuxStage {
  arbitrate(o: number, s: number, t: number): void
  ended(o: number): void
}

export function makeMux(frame: Frame): MuxStage {
  const low = lowest
  // constants of other modules cost a load each time they are read; these do not
  const LACKS = LACKING
  const SHIFT = CREDIT_SHIFT
  const { site, use, k, columns, options, tables, running, levelOf } = frame
  const { layout, columns: shared, rooms } = site
  const { LV, PS, down } = layout
  const { packetHops, flitHops } = shared
  const { pFlits, pHops, sVc } = recordViews(shared.packets)
  const { push, pop } = frame.chains
  const { column: COLUMN, output: OUTPUT } = frame.queues
  const { heads, colMask, colHeld, colRows, muxUntil, muxNext, muxFrom, muxLength, muxDirty, muxEnd } = columns
  const { outMask, linkDirty, tileDirty, wants, recent, lacking, lacked } = columns
  const { local, router, tileOf, still, queue: queueOf } = tables
  const { coreMask: CM, colQueues: COLQS, V, R, stash: STASH } = k
  const { rows: ROWS } = k.geometry
  const { fits, take, modest } = site.rules
  const OUT = rooms.OUT
  const FIRST_OUT = OUT >> LV
  const NETWORK = (1 << k.V) - 1
  const { held } = rooms
  const { releaseAtTail: TAIL, retention: RETAIN } = options
  const BUBBLES = frame.bubbles !== undefined
  const ringRows = frame.bubbles?.rows ?? new Uint32Array(32)
  const LEAST = options.columnBuffer - site.constants.maxLength
  const WORDS = k.portWords
  const VMASK = (1 << LV) - 1
  const { levels } = use.plan
  const LEVELS = levels.length

  function arbitrate(o: number, s: number, t: number): void {
    const rows = colRows[o]!
    if (rows === 0 || muxUntil[o]! > s) return
    if (LEVELS === 1) inTurn(o, rows, allowed(o, rows, NETWORK), 0, s, t)
    else urgentFirst(o, rows, s, t)
  }

  function urgentFirst(o: number, rows: number, s: number, t: number): void {
    for (let level = 0; level < LEVELS; level++) if (inTurn(o, rows, allowed(o, rows, levels[level]!), level, s, t)) return
  }

  /** A packet of this level and of these VCs goes, the first in turn that can; answers whether one does. */
  function inTurn(o: number, rows: number, may: number, level: number, s: number, t: number): boolean {
    const from = muxNext[o]! >> LV
    const fromVc = muxNext[o]! & VMASK
    const to0 = router[o]! * ROWS * PS + local[o]!
    for (let j = 0; j <= ROWS; j++) {
      const r = from + j >= ROWS ? from + j - ROWS : from + j
      if (((rows >> r) & 1) === 0) continue
      let m = colMask[to0 + r * PS]! & may
      if (LEVELS > 1 && STASH && ((m >> R) & 1) !== 0 && levelOf(retrieved(o, r)) !== level) m &= ~(1 << R)
      if (j === 0) m &= -1 << fromVc
      else if (j === ROWS) m &= ~(-1 << fromVc)
      while (m !== 0) {
        const v = low(m)
        m &= m - 1
        if (tryQueue(o, r, to0 + r * PS, v, s, t)) return true
      }
    }
    return false
  }

  /** The first retrieved packet of a row. */
  function retrieved(o: number, r: number): number {
    return heads[COLUMN + (router[o]! * ROWS + r) * COLQS + queueOf[(o << LV) + R]!]!
  }

  /** Of the VCs of a level that wait for an output buffer, those that hold less than their part of it come first; retrieved packets are not counted among
   *  them. */
  function allowed(o: number, rows: number, ofLevel: number): number {
    if (down[o]! < 0) return ofLevel | ~NETWORK
    const to0 = router[o]! * ROWS * PS + local[o]!
    let waiting = 0
    for (let m = rows; m !== 0; m &= m - 1) waiting |= colMask[to0 + low(m) * PS]!
    waiting &= ofLevel
    return (waiting & (waiting - 1)) === 0 ? ofLevel | ~NETWORK : modest(FIRST_OUT + o, waiting) | ~NETWORK
  }

  function tryQueue(o: number, r: number, to: number, v: number, s: number, t: number): boolean {
    const at = COLUMN + (router[o]! * ROWS + r) * COLQS + queueOf[(o << LV) + v]!
    const p = heads[at]!
    const f = pFlits[p]!
    const ov = (o << LV) + sVc[p << 2]!
    if (held[OUT + ov]! - (RETAIN ? recent[ov]! : 0) >= still[o]! || !fits(OUT + ov, f)) return false
    if (BUBBLES && ringRows[o] !== 0 && (v >= V || ((ringRows[o]! >> r) & 1) === 0) && !leavesBubble(o, ov & VMASK)) return false
    take(OUT + ov, f)
    pop(at)
    if (heads[at] === 0) {
      const left = colMask[to]! & ~(1 << v)
      colMask[to] = left
      if (left === 0) colRows[o]! &= ~(1 << r)
    }
    muxNext[o] = v < VMASK ? (r << LV) + v + 1 : r + 1 === ROWS ? 0 : (r + 1) << LV
    muxUntil[o] = s + f
    muxEnd[Math.imul(running[3]! + ((s + f) & CM), WORDS) + ((o - running[2]!) >> 5)]! |= 1 << o
    muxFrom[o] = (to << LV) + v
    muxLength[o] = f
    if (!TAIL) freeColumn(to, (to << LV) + v, f)
    const part = running[1]!
    packetHops[part * APART]!++
    flitHops[part * APART]! += f
    if (push(OUTPUT + ov, p)) {
      outMask[o]! |= 1 << (ov & VMASK)
      linkDirty[o >> 5]! |= 1 << o
    } else if ((outMask[o]! & LACKS) !== 0) before(o, ov, p, t)
    return true
  }

  /** Whoever goes past the column buffer of a ring must leave room in it. Asked again when a packet leaves it, for then the multiplexer has sent. */
  function leavesBubble(o: number, v: number): boolean {
    for (let m = ringRows[o]!; m !== 0; m &= m - 1)
      if (colHeld[(((router[o]! * ROWS + low(m)) * PS + local[o]!) << LV) + v]! > LEAST) return false
    return true
  }

  /** The link will add all the cycles that the VC lacked room: not those before packet p came. */
  function before(o: number, ov: number, p: number, t: number): void {
    if (((lacking[o]! >> (ov & VMASK)) & 1) === 0) return
    pHops[p]! -= (lacked[ov]! < 0 ? lacked[ov]! + t + 1 : lacked[ov]!) << SHIFT
  }

  function freeColumn(to: number, slot: number, f: number): void {
    colHeld[slot]! -= f
    if (wants[to] === 0) return
    const tile = tileOf[to]!
    tileDirty[tile >> 5]! |= 1 << tile
  }

  function ended(o: number): void {
    if (TAIL) freeColumn(muxFrom[o]! >> LV, muxFrom[o]!, muxLength[o]!)
    if (colRows[o] !== 0) muxDirty[o >> 5]! |= 1 << o
  }

  return { arbitrate, ended }
}
