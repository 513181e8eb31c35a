// Tile crossbars of tiled switches: a separable output-first allocator over (input, VC) requests. Both stages are
// round-robin, and pointers move for final matches only (D. U. Becker and W. J. Dally, "Allocator implementations for
// network-on-chip routers", 2009). A match moves a whole packet into the column buffer of its VC.
//
// VCs of one priority are equal. The storage and the retrieval VC have the priority of their head packet. Higher
// priorities go first in both stages. An output serves the VCs whose column buffers have space round-robin, and each VC
// has its own pointer over the inputs. One pointer over all (input, VC) pairs would starve inputs: the column buffers
// of different VCs free space in a fixed rhythm, and the pointer could pass an input each time just when another VC has
// the space.
//
// The head of a storage FIFO chooses its output anew at each attempt: the port with a pool whose column buffer has the
// most free storage space. The larger free pool breaks ties.
import { lowest } from "../../core/bitset.ts"
import { recordViews } from "../../fabric/packets.ts"
import { WORK } from "./columns.ts"
import type { SharedState } from "./shared-state.ts"

export interface TileStage {
  arbitrate(tile: number, s: number): void
  ended(to: number): void
}

export function makeTile(sharedState: SharedState): TileStage {
  const low = lowest
  // A local copy: reading constants of other modules costs a load each time.
  const COUNT = WORK
  const { site, use, k, columns, options, tables, running, levelOf } = sharedState
  const { layout, columns: shared, queued } = site
  const { LV, PS } = layout
  const { pFlits, sVc } = recordViews(shared.packets)
  const { push, pop } = sharedState.packetQueues
  const { voq: VOQ, column: COLUMN, store: STORE } = sharedState.queues
  const {
    heads,
    voqMask,
    wants,
    wanted,
    tileInBusy,
    tileOutBusy,
    tileInput,
    tileVc,
    tileLength,
    outTurn,
    outNext,
    inNext,
  } = columns
  const {
    colMask,
    colHeld,
    colRows,
    rowHeld,
    storeHeld,
    inMask,
    busBusy,
    rowPending,
    tilePending,
    muxPending,
    storePending,
    tileEnd,
  } = columns
  const { storeWait, storeRows, poolFree, work } = columns
  const {
    firstInput,
    firstTo,
    firstOutput,
    tileRow,
    column,
    output,
    router,
    pool,
    queue: queueOf,
    tileOf,
    portOf,
  } = tables
  const { S, R, coreMask: CM, stash: STASH, voqs: VOQS, colQueues: COLQS, rowPerVoq: PER_VOQ } = k
  const { rows: ROWS, columns: C, inputs: I, outputs: O } = k.geometry
  const COLCAP = options.columnBuffer
  const TAIL = options.releaseAtTail
  const { levels } = use.plan
  const LEVELS = levels.length
  const ITERATIONS = options.iterations
  const BUBBLES = sharedState.bubbles !== undefined
  const enters = sharedState.bubbles?.enters ?? new Uint8Array(64)
  const TWO = 2 * site.constants.maxLength
  const ALL = I === 32 ? -1 : (1 << I) - 1
  const WORDS = k.toWords
  const VCS = 1 << LV
  // Scratch memory of one attempt: granted input, VC and level of each output; below, the output that storage heads
  // request, and the inputs with such heads.
  const grantInput = new Int32Array(32)
  const grantVc = new Int32Array(32)
  const grantLevel = new Int32Array(32)
  // [input] -> VCs on which it requests the current output
  const requested = new Int32Array(32)
  let storedTo = -1
  let storing = 0

  /** Runs the iterations of the allocator. A tile with lost grants is arbitrated again in the next step. */
  function arbitrate(tile: number, s: number): void {
    for (let i = 0; i < ITERATIONS; i++) {
      const lost = attempt(tile, s)
      if (lost === 0) return
      if (i === ITERATIONS - 1) tilePending[tile >> 5] |= 1 << tile
    }
  }

  /** Runs one iteration. Returns 1 if a grant was lost because two outputs granted one input. */
  function attempt(tile: number, s: number): number {
    // Stage 1: each free output with requests grants one input and VC.
    const outFree = ~tileOutBusy[tile]
    const inFree = ~tileInBusy[tile] & ALL
    let outs = wanted[tile] & outFree
    storedTo = -1
    if (STASH && (storeWait[tile] & inFree) !== 0) {
      chooseStorage(tile, storeWait[tile] & inFree, outFree)
      if (storedTo >= 0) outs |= 1 << storedTo
    }
    if (outs === 0) return 0
    const to0 = firstTo[tile]
    let granted = 0
    let lost = 0
    let won = 0
    while (outs !== 0) {
      const out = low(outs)
      outs &= outs - 1
      let requests = wants[to0 + out] & inFree
      if (STASH && out === storedTo) requests |= storing
      if (requests === 0 || !granting(tile, out, requests)) continue
      const bit = 1 << grantInput[out]
      if ((granted & bit) !== 0) lost = 1
      granted |= bit
      won |= 1 << out
    }
    // Stage 2: each granted input accepts one output.
    while (granted !== 0) {
      const i = low(granted)
      granted &= granted - 1
      accept(tile, i, won, s)
    }
    return lost
  }

  /**
   * Chooses the output that the storage heads of free inputs request now, and the inputs whose head packet fits there.
   */
  function chooseStorage(tile: number, inputs: number, outFree: number): void {
    const to0 = firstTo[tile]
    const o0 = firstOutput[tile]
    const c = column[o0]
    let best = -1
    let most = 0
    let roomiest = 0
    for (let out = 0; out < O; out++) {
      if (pool[o0 + out] === 0) continue
      const free = COLCAP - colHeld[((to0 + out) << LV) + S]
      if (free > most || (free === most && poolFree[o0 + out] > roomiest)) {
        most = free
        roomiest = poolFree[o0 + out]
        best = out
      }
    }
    if (best < 0 || ((outFree >> best) & 1) === 0) return
    storing = 0
    while (inputs !== 0) {
      const i = low(inputs)
      inputs &= inputs - 1
      if (pFlits[heads[STORE + (firstInput[tile] + i) * C + c]] <= most) storing |= 1 << i
    }
    if (storing !== 0) storedTo = best
  }

  /** Grants output `out` to one of the inputs that request it. Returns false if no packet fits the column buffers. */
  function granting(tile: number, out: number, requests: number): boolean {
    if (LEVELS > 1) return grantUrgent(tile, out, requests)
    return (requests & (requests - 1)) === 0 ? grantLone(tile, out, low(requests)) : grant(tile, out, requests, 0)
  }

  /** The same decision as `grant` for a single requesting input, without its scratch memory. */
  function grantLone(tile: number, out: number, i: number): boolean {
    const to = firstTo[tile] + out
    const o = firstOutput[tile] + out
    const q = firstInput[tile] + i
    const queue = q * PS + o - router[q] * PS
    const vcs = STASH && out === storedTo && ((storing >> i) & 1) !== 0 ? voqMask[queue] | (1 << S) : voqMask[queue]
    let first = vcs & (-1 << outTurn[to])
    let second = vcs ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return false
        first = second
        second = 0
      }
      const v = low(first)
      first &= first - 1
      // A packet that enters a ring needs space for two packets (bubble.ts).
      const flits = BUBBLES && enters[queue] !== 0 && (!STASH || v !== S) ? TWO : pFlits[front(q, o, v)]
      if (colHeld[(to << LV) + v] + flits > COLCAP) continue
      grantInput[out] = i
      grantVc[out] = v
      return true
    }
  }

  /** Grants the highest level of which a packet fits. */
  function grantUrgent(tile: number, out: number, requests: number): boolean {
    for (let level = 0; level < LEVELS; level++) {
      if (!grant(tile, out, requests, level)) continue
      grantLevel[out] = level
      return true
    }
    return false
  }

  /**
   * The output chooses a VC of a level and an input of that VC, both round-robin, whose packet fits into the column
   * buffer. Returns whether there is one.
   */
  function grant(tile: number, out: number, requests: number, level: number): boolean {
    const turn = outTurn[firstTo[tile] + out]
    const vcs = requestedVcs(tile, out, requests, level)
    let first = vcs & (-1 << turn)
    let second = vcs ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return false
        first = second
        second = 0
      }
      const v = low(first)
      first &= first - 1
      if (fitting(tile, out, v, requests)) return true
    }
  }

  /** Records the VCs of a level on which each of these inputs requests output `out`. Returns their union. */
  function requestedVcs(tile: number, out: number, requests: number, level: number): number {
    const o = firstOutput[tile] + out
    let all = 0
    for (let m = requests; m !== 0; m &= m - 1) {
      const i = low(m)
      const q = firstInput[tile] + i
      let vcs = voqMask[q * PS + o - router[q] * PS]
      if (STASH && out === storedTo && ((storing >> i) & 1) !== 0) vcs |= 1 << S
      if (LEVELS > 1) vcs = ofLevel(vcs, level, q, o)
      requested[i] = vcs
      all |= vcs
    }
    return all
  }

  /**
   * Grants output `out` to the first input in round-robin order whose packet on VC v fits into the column buffer.
   * Returns whether there is one.
   */
  function fitting(tile: number, out: number, v: number, requests: number): boolean {
    const slot = ((firstTo[tile] + out) << LV) + v
    const left = COLCAP - colHeld[slot]
    if (left <= 0) return false
    const o = firstOutput[tile] + out
    let first = requests & (-1 << outNext[slot])
    let second = requests ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return false
        first = second
        second = 0
      }
      const i = low(first)
      first &= first - 1
      if (((requested[i] >> v) & 1) === 0) continue
      const q = firstInput[tile] + i
      if (
        (BUBBLES && enters[q * PS + o - router[q] * PS] !== 0 && (!STASH || v !== S) ? TWO : pFlits[front(q, o, v)]) >
        left
      )
        continue
      grantInput[out] = i
      grantVc[out] = v
      return true
    }
  }

  /** Returns the first packet of VC v in the row buffers of input q for output o. */
  function front(q: number, o: number, v: number): number {
    return STASH && v === S ? heads[STORE + q * C + column[o]] : heads[VOQ + q * VOQS + queueOf[(o << LV) + v]]
  }

  /** Returns the VCs of mask m that belong to a level; storage and retrieval VC by their head packets. */
  function ofLevel(m: number, level: number, q: number, o: number): number {
    let of = m & levels[level]
    if (!STASH) return of
    if (((m >> S) & 1) !== 0 && levelOf(front(q, o, S)) === level) of |= 1 << S
    if (((m >> R) & 1) !== 0 && levelOf(front(q, o, R)) === level) of |= 1 << R
    return of
  }

  /** Returns the highest priority level at which one of these outputs granted input i. */
  function mostUrgent(i: number, won: number): number {
    let least = LEVELS
    for (let m = won; m !== 0; m &= m - 1) {
      const out = low(m)
      if (grantInput[out] === i && grantLevel[out] < least) least = grantLevel[out]
    }
    return least
  }

  /**
   * Input i accepts one of the outputs that granted it: the first one at or after its pointer, of the highest priority
   * level. Moves the packet, and advances the pointers of both sides.
   */
  function accept(tile: number, i: number, won: number, s: number): void {
    const q = firstInput[tile] + i
    const c = column[firstOutput[tile]]
    let out = inNext[q * C + c]
    const level = LEVELS === 1 ? 0 : mostUrgent(i, won)
    while (((won >> out) & 1) === 0 || grantInput[out] !== i || (LEVELS > 1 && grantLevel[out] !== level))
      out = out + 1 === O ? 0 : out + 1
    const v = grantVc[out]
    const to = firstTo[tile] + out
    const o = firstOutput[tile] + out
    inNext[q * C + c] = out + 1 === O ? 0 : out + 1
    outTurn[to] = v + 1 === VCS ? 0 : v + 1
    outNext[(to << LV) + v] = i + 1 === I ? 0 : i + 1
    const p = STASH && v === S ? takeStored(tile, q, c, i) : takeQueued(tile, q, o, to, v, i, out)
    const f = pFlits[p]
    colHeld[(to << LV) + v] += f
    tileInBusy[tile] |= 1 << i
    tileOutBusy[tile] |= 1 << out
    tileInput[to] = i
    tileVc[to] = v
    tileLength[to] = f
    tileEnd[Math.imul(running[3] + ((s + f) & CM), WORDS) + ((to - running[4]) >> 5)] |= 1 << to
    if (!TAIL) freeRow(q, o, v, f)
    if (STASH && v === S) work[running[0] + COUNT.tileStorage] += f
    else {
      // `queued` counts down: from here on, the packet counts as queued at its output VC for adaptive routing.
      queued[(o << LV) + sVc[p << 2]] -= f
      if (STASH && v === R) work[running[0] + COUNT.tileRetrieval] += f
    }
    toColumn(tile, o, to, v, p)
  }

  /** Removes the head packet of a storage FIFO. */
  function takeStored(tile: number, q: number, c: number, i: number): number {
    const at = STORE + q * C + c
    const p = pop(at)
    if (heads[at] === 0) storeWait[tile] &= ~(1 << i)
    return p
  }

  /** Removes the head packet of a virtual output queue, and clears the request bits that it leaves empty. */
  function takeQueued(tile: number, q: number, o: number, to: number, v: number, i: number, out: number): number {
    const queue = q * PS + o - router[q] * PS
    const at = VOQ + q * VOQS + queueOf[(o << LV) + v]
    const p = pop(at)
    if (heads[at] === 0) {
      const left = voqMask[queue] & ~(1 << v)
      voqMask[queue] = left
      if (left === 0) {
        const others = wants[to] & ~(1 << i)
        wants[to] = others
        if (others === 0) wanted[tile] &= ~(1 << out)
      }
    }
    return p
  }

  /** Frees f flits of a row buffer, and wakes its row bus. */
  function freeRow(q: number, o: number, v: number, f: number): void {
    if (STASH && v === S) storeHeld[q * C + column[o]] -= f
    else rowHeld[PER_VOQ ? q * VOQS + queueOf[(o << LV) + v] : ((q * C + column[o]) << LV) + v] -= f
    if (inMask[q] !== 0 && busBusy[q] === 0) rowPending[q >> 5] |= 1 << q
  }

  /** Appends packet p to its column queue, and wakes the multiplexer of the output or of the pool. */
  function toColumn(tile: number, o: number, to: number, v: number, p: number): void {
    const r = tileRow[tile]
    if (!push(COLUMN + (router[o] * ROWS + r) * COLQS + queueOf[(o << LV) + v], p)) return
    if (STASH && v === S) {
      storeRows[o] |= 1 << r
      storePending[o >> 5] |= 1 << o
      return
    }
    colMask[to] |= 1 << v
    colRows[o] |= 1 << r
    muxPending[o >> 5] |= 1 << o
  }

  /** The transfer to tile output `to` has ended: frees both ports, and wakes the tile if it has requests. */
  function ended(to: number): void {
    const o = portOf[to]
    const tile = tileOf[to]
    const i = tileInput[to]
    tileInBusy[tile] &= ~(1 << i)
    tileOutBusy[tile] &= ~(1 << output[o])
    if (TAIL) freeRow(firstInput[tile] + i, o, tileVc[to], tileLength[to])
    if (wanted[tile] !== 0 || (STASH && storeWait[tile] !== 0)) tilePending[tile >> 5] |= 1 << tile
  }

  return { arbitrate, ended }
}
