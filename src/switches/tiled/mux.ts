// Output multiplexers of tiled switches: the column buffers of the R rows share an output, one whole packet at a time.
// Higher priorities go first. Among equal ones, VCs are served round-robin, and each VC has its own round-robin pointer
// over the rows; tile.ts explains why one pointer over all pairs would starve some. A retrieved packet returns to the
// VC that it had before it was stashed.
import { lowest } from "../../core/bitset.ts"
import { APART } from "../../fabric/columns.ts"
import { CREDIT_SHIFT, recordViews } from "../../fabric/packets.ts"
import type { SharedState } from "./shared-state.ts"

export interface MuxStage {
  arbitrate(o: number, s: number, t: number): void
  ended(o: number): void
}

export function makeMux(sharedState: SharedState): MuxStage {
  const low = lowest
  // A local copy: reading a constant of another module costs a load each time.
  const SHIFT = CREDIT_SHIFT
  const { site, use, k, columns, options, tables, running, levelOf } = sharedState
  const { layout, columns: shared, sharedBuffers } = site
  const { LV, PS, down } = layout
  const { packetHops, flitHops } = shared
  const { pFlits, pHops, sVc } = recordViews(shared.packets)
  const { push, pop } = sharedState.packetQueues
  const { column: COLUMN, output: OUTPUT } = sharedState.queues
  const { heads, colMask, colHeld, colRows, muxUntil, muxTurn, muxNext, muxFrom, muxLength, muxPending, muxEnd } =
    columns
  const { outMask, linkPending, tilePending, linkUntil, wants, recent, colStalledSince } = columns
  const { local, router, tileOf, still, queue: queueOf } = tables
  const { coreMask: CM, colQueues: COLQS, V, R, stash: STASH } = k
  const { rows: ROWS } = k.geometry
  const { fits, take, modest } = site.rules
  const OUT = sharedBuffers.OUT
  const FIRST_OUT = OUT >> LV
  const NETWORK = (1 << k.V) - 1
  const { held } = sharedBuffers
  const { releaseAtTail: TAIL, retention: RETAIN } = options
  const BUBBLES = sharedState.bubbles !== undefined
  const ringRows = sharedState.bubbles?.rows ?? new Uint32Array(32)
  const LEAST = options.columnBuffer - site.constants.maxLength
  const WORDS = k.portWords
  const VMASK = (1 << LV) - 1
  const { levels } = use.plan
  const LEVELS = levels.length

  function arbitrate(o: number, s: number, t: number): void {
    const rows = colRows[o]
    if (rows === 0 || muxUntil[o] > s) return
    const to0 = router[o] * ROWS * PS + local[o]
    let waiting = 0
    for (let m = rows; m !== 0; m &= m - 1) waiting |= colMask[to0 + low(m) * PS]
    if (LEVELS === 1) inTurn(o, rows, waiting & allowed(o, waiting, NETWORK), to0, 0, s, t)
    else urgentFirst(o, rows, waiting, to0, s, t)
  }

  /** Tries the priority levels from the highest to the lowest. */
  function urgentFirst(o: number, rows: number, waiting: number, to0: number, s: number, t: number): void {
    for (let level = 0; level < LEVELS; level++)
      if (inTurn(o, rows, waiting & allowed(o, waiting, levels[level]), to0, level, s, t)) return
  }

  /**
   * Sends a packet of this level and these VCs, from the first VC and the first row in round-robin order. Returns
   * whether there is one.
   */
  function inTurn(o: number, rows: number, vcs: number, to0: number, level: number, s: number, t: number): boolean {
    let first = vcs & (-1 << muxTurn[o])
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

  /** Sends the first packet of VC v, from the first row in round-robin order that can. Returns whether there is one. */
  function fromRow(o: number, rows: number, v: number, to0: number, level: number, s: number, t: number): boolean {
    let first = rows & (-1 << muxNext[(o << LV) + v])
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
      if (((colMask[to] >> v) & 1) === 0 || (LEVELS > 1 && STASH && v === R && levelOf(retrieved(o, r)) !== level))
        continue
      if (tryQueue(o, r, to, v, s, t)) return true
    }
  }

  /** Returns the first retrieved packet of a row. */
  function retrieved(o: number, r: number): number {
    return heads[COLUMN + (router[o] * ROWS + r) * COLQS + queueOf[(o << LV) + R]]
  }

  /**
   * Returns the VCs of a level that may send. VCs below their fair share of the output buffer go first; retrieved
   * packets are exempt.
   */
  function allowed(o: number, waiting: number, ofLevel: number): number {
    const those = waiting & ofLevel
    if (down[o] < 0 || (those & (those - 1)) === 0) return ofLevel | ~NETWORK
    return modest(FIRST_OUT + o, those) | ~NETWORK
  }

  /**
   * Sends the first packet of VC v in row r, if the output buffer has space and bubbles allow it. Returns false
   * otherwise.
   */
  function tryQueue(o: number, r: number, to: number, v: number, s: number, t: number): boolean {
    const at = COLUMN + (router[o] * ROWS + r) * COLQS + queueOf[(o << LV) + v]
    const p = heads[at]
    const f = pFlits[p]
    const ov = (o << LV) + sVc[p << 2]
    if (held[OUT + ov] - (RETAIN ? recent[ov] : 0) >= still[o] || !fits(OUT + ov, f)) {
      if (RETAIN && recent[ov] !== 0) unconfirmed(o, to, v, ov, p, t)
      return false
    }
    if (BUBBLES && ringRows[o] !== 0 && (v >= V || ((ringRows[o] >> r) & 1) === 0) && !leavesBubble(o, ov & VMASK))
      return false
    take(OUT + ov, f)
    pop(at)
    if (heads[at] === 0) {
      const left = colMask[to] & ~(1 << v)
      colMask[to] = left
      if (left === 0) colRows[o] &= ~(1 << r)
    }
    if (RETAIN && ((colStalledSince[to] >> v) & 1) !== 0) {
      colStalledSince[to] &= ~(1 << v)
      pHops[p] += idleFrom(o, t) << SHIFT
    }
    muxTurn[o] = v === VMASK ? 0 : v + 1
    muxNext[(o << LV) + v] = r + 1 === ROWS ? 0 : r + 1
    muxUntil[o] = s + f
    muxEnd[Math.imul(running[3] + ((s + f) & CM), WORDS) + ((o - running[2]) >> 5)] |= 1 << o
    muxFrom[o] = (to << LV) + v
    muxLength[o] = f
    if (!TAIL) freeColumn(to, (to << LV) + v, f)
    const part = running[1]
    packetHops[part * APART]++
    flitHops[part * APART] += f
    if (push(OUTPUT + ov, p)) {
      outMask[o] |= 1 << (ov & VMASK)
      linkPending[o >> 5] |= 1 << o
    }
    return true
  }

  /**
   * Returns whether each column buffer of the ring keeps space for a packet. A packet that bypasses these buffers must
   * leave the bubble. The check is repeated after each packet that leaves them, because the multiplexer then arbitrates
   * again.
   */
  function leavesBubble(o: number, v: number): boolean {
    for (let m = ringRows[o]; m !== 0; m &= m - 1)
      if (colHeld[(((router[o] * ROWS + low(m)) * PS + local[o]) << LV) + v] > LEAST) return false
    return true
  }

  /**
   * Packet p finds the output buffer full. If its VC has no packet left to send there, all its space is held by packets
   * that wait for link-level acknowledgements. The packet then waits for a round trip of the link, which counts as
   * credit stall from now on, or from the cycle in which the link becomes idle.
   */
  function unconfirmed(o: number, to: number, v: number, ov: number, p: number, t: number): void {
    if (heads[OUTPUT + ov] !== 0 || ((colStalledSince[to] >> v) & 1) !== 0) return
    colStalledSince[to] |= 1 << v
    pHops[p] -= idleFrom(o, t) << SHIFT
  }

  /** Returns the first cycle from t on in which a packet that leaves the multiplexer would find the link free. */
  function idleFrom(o: number, t: number): number {
    return linkUntil[o] - 1 > t ? linkUntil[o] - 1 : t
  }

  /** Frees f flits of a column buffer, and wakes its tile. */
  function freeColumn(to: number, slot: number, f: number): void {
    colHeld[slot] -= f
    if (wants[to] === 0) return
    const tile = tileOf[to]
    tilePending[tile >> 5] |= 1 << tile
  }

  function ended(o: number): void {
    if (TAIL) freeColumn(muxFrom[o] >> LV, muxFrom[o], muxLength[o])
    if (colRows[o] !== 0) muxPending[o >> 5] |= 1 << o
  }

  return { arbitrate, ended }
}
