// Output multiplexers: the column buffers of the R rows share an output, a whole packet at a time, the most urgent
// priority first. VCs take turns, and
// each VC has a round-robin pointer of its own over the rows (tile.ts says why one pointer over all pairs would starve
// some). A retrieved packet
// returns to the VC that it had before it was stashed.
import { lowest } from "../../core/bitset.ts"
import { APART } from "../../fabric/columns.ts"
import { CREDIT_SHIFT, recordViews } from "../../fabric/packets.ts"
import type { Frame } from "./frame.ts"

export interface MuxStage {
  arbitrate(o: number, s: number, t: number): void
  ended(o: number): void
}

export function makeMux(frame: Frame): MuxStage {
  const low = lowest
  // a constant of another module costs a load each time it is read; this one does not
  const SHIFT = CREDIT_SHIFT
  const { site, use, k, columns, options, tables, running, levelOf } = frame
  const { layout, columns: shared, rooms } = site
  const { LV, PS, down } = layout
  const { packetHops, flitHops } = shared
  const { pFlits, pHops, sVc } = recordViews(shared.packets)
  const { push, pop } = frame.chains
  const { column: COLUMN, output: OUTPUT } = frame.queues
  const { heads, colMask, colHeld, colRows, muxUntil, muxTurn, muxNext, muxFrom, muxLength, muxDirty, muxEnd } = columns
  const { outMask, linkDirty, tileDirty, linkUntil, wants, recent, colLacking } = columns
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

  /** Sends a packet of this level and of these VCs: of the first VC in turn that can, from the first row in turn.
   *  Returns whether there is one. */
  function inTurn(o: number, rows: number, may: number, level: number, s: number, t: number): boolean {
    const to0 = router[o]! * ROWS * PS + local[o]!
    let vcs = 0
    for (let m = rows; m !== 0; m &= m - 1) vcs |= colMask[to0 + low(m) * PS]!
    vcs &= may
    let first = vcs & (-1 << muxTurn[o]!)
    let second = vcs ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return false
        first = second
        second = 0
      }
      const v = low(first)
      first &= first - 1
      if (fromRow(o, rows, v, to0, level, s, t)) return true
    }
  }

  /** The same of VC v. */
  function fromRow(o: number, rows: number, v: number, to0: number, level: number, s: number, t: number): boolean {
    let first = rows & (-1 << muxNext[(o << LV) + v]!)
    let second = rows ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return false
        first = second
        second = 0
      }
      const r = low(first)
      first &= first - 1
      const to = to0 + r * PS
      if (((colMask[to]! >> v) & 1) === 0 || (LEVELS > 1 && STASH && v === R && levelOf(retrieved(o, r)) !== level)) continue
      if (tryQueue(o, r, to, v, s, t)) return true
    }
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
    if (held[OUT + ov]! - (RETAIN ? recent[ov]! : 0) >= still[o]! || !fits(OUT + ov, f)) {
      if (RETAIN && recent[ov] !== 0) unconfirmed(o, to, v, ov, p, t)
      return false
    }
    if (BUBBLES && ringRows[o] !== 0 && (v >= V || ((ringRows[o]! >> r) & 1) === 0) && !leavesBubble(o, ov & VMASK)) return false
    take(OUT + ov, f)
    pop(at)
    if (heads[at] === 0) {
      const left = colMask[to]! & ~(1 << v)
      colMask[to] = left
      if (left === 0) colRows[o]! &= ~(1 << r)
    }
    if (RETAIN && ((colLacking[to]! >> v) & 1) !== 0) {
      colLacking[to]! &= ~(1 << v)
      pHops[p]! += idleFrom(o, t) << SHIFT
    }
    muxTurn[o] = v === VMASK ? 0 : v + 1
    muxNext[(o << LV) + v] = r + 1 === ROWS ? 0 : r + 1
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
    }
    return true
  }

  /** Whoever goes past the column buffer of a ring must leave room in it. Asked again when a packet leaves it, for then the multiplexer has sent. */
  function leavesBubble(o: number, v: number): boolean {
    for (let m = ringRows[o]!; m !== 0; m &= m - 1)
      if (colHeld[(((router[o]! * ROWS + low(m)) * PS + local[o]!) << LV) + v]! > LEAST) return false
    return true
  }

  /** Packet p finds the output buffer full. Where its VC has nothing left to send there, all that it holds is on the
   *  link or waits for the link's
   *  acknowledgement: from now on, or from the cycle in which the link has nothing to do, packet p waits for a round
   *  trip of the link, as for credits. */
  function unconfirmed(o: number, to: number, v: number, ov: number, p: number, t: number): void {
    if (heads[OUTPUT + ov] !== 0 || ((colLacking[to]! >> v) & 1) !== 0) return
    colLacking[to]! |= 1 << v
    pHops[p]! -= idleFrom(o, t) << SHIFT
  }

  /** The first cycle from t on in which a packet that leaves the multiplexer could find its link free in the next one.
   *  */
  function idleFrom(o: number, t: number): number {
    return linkUntil[o]! - 1 > t ? linkUntil[o]! - 1 : t
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
