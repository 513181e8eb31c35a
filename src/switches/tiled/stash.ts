// The stash of a tiled switch: idle port memory, used as pools. Packets reach a pool over the storage VC (S) and leave
// it over the retrieval VC (R). The pool of a port has its own multiplexer for the storage column buffers of its rows.
// Space is counted in pairs of flits, because there are two interleaved banks.
//
// An absorbed packet waits in the FIFO of its pool for the retrieval VC at once. A copy stays until the end port that
// sent the packet releases it. Copy and end port exchange messages over a side band with fixed latency. The tracking
// record of the end port is stored in the record of the copy:
//   `LOCATED`   the location of the copy has reached the end port;
//   `ANSWERED`  an acknowledgement has arrived, so the copy is to be deleted;
//   `REFUSED`   a negative acknowledgement has arrived, so the copy is to be retransmitted;
//   `BUSY`      a message is on the side band;
//   `REPEAT`    that message orders a retransmission;
//   `EARLY`     the negative acknowledgement was no failure, but too early; the retransmission is not counted as a
//               retry.
// Messages may arrive in any order, but the space is freed exactly once. Only a delete order frees it, and it is sent
// once: when LOCATED and ANSWERED both hold.
//
// A packet that runs out of retries is abandoned (FLAG.given). Its payload is dropped, and a notice of one flit is sent
// in its place until the destination acknowledges it. The flow can then pass the gap, and source and destination agree
// on the loss. This is the forward TSN of R. Stewart and others, "Stream Control Transmission Protocol (SCTP) Partial
// Reliability Extension", 2004.

import { draw, streamOf } from "../../core/rng.ts"
import { DIRECT, FLAG, recordViews, STATE, VALUE } from "../../fabric/packets.ts"
import { KIND } from "../../model/protocol.ts"
import { TIMER_MASK, WORK } from "./columns.ts"
import type { Drops } from "./drops.ts"
import { banked } from "./options.ts"
import type { SharedState } from "./shared-state.ts"

const LOCATED = 1
export const ANSWERED = 2
export const REFUSED = 4
const BUSY = 8
const REPEAT = 16
/** Deleted, but a timer still refers to the record. */
export const DEAD = 32
const EARLY = 64
/** The copy is in its pool: its location is known to the end port, or on the side band. */
export const STORED = LOCATED | BUSY
/** Flits of a notice that a packet was abandoned. */
const NOTICE = 1
/** Words of a copy's record that routing does not need yet: link of the timer list, deadline. */
export const TIMER = VALUE
const DEADLINE = VALUE + 1

export interface StashPath {
  /** Returns the column for a packet of f flits from input q, or -1 if none has space. */
  chooseColumn(q: number, f: number): number
  /** The packet takes the row bus to the storage VC of column c. */
  store(q: number, c: number, p: number): void
  /** Returns a copy of a packet that enters the network on VC v, or 0 if there is no free record. */
  copyOf(p: number, v: number, t: number): number
  /** The first packet of a pool's FIFO leaves over the row bus. Returns whether its pool space becomes free. */
  leavePool(p: number): boolean
  /** The packet starts to wait in the stash. */
  enters(p: number, t: number): void
  release(q: number, flits: number): void
  arbitrate(o: number, s: number): void
  ended(o: number, s: number): void
  /** Handles the side-band messages that arrive in step s. */
  deliver(part: number, s: number, t: number): void
  /** Handles the copies whose deadline is cycle t. */
  expire(part: number, t: number): void
  /** An acknowledgement passes the end port on the path to its endpoint. */
  answered(ack: number, s: number): void
  /** The endpoint orders the retransmission, as data, of a packet that was dropped. */
  recall(order: number, t: number): void
}

/** `routeAgain` computes the output of a packet that starts again at port q on VC v. */
export function makeStash(
  sharedState: SharedState,
  routeAgain: (p: number, q: number, v: number, t: number) => void,
  drops: Drops | undefined,
): StashPath {
  // Local copies: reading constants of other modules costs a load each time.
  const FLAGS = FLAG
  const COUNT = WORK
  const { site, use, k, columns, options, tables, links, bytes, running, hold, late, levelOf } = sharedState
  const { layout, columns: shared, constants } = site
  const { LV, PS, entryLatency, innerEnd } = layout
  const { packets, stashed } = shared
  const { pSrc, pDst, pEnter, pKey, pFlits, pHops, pCopy, pPlace, pSequence } = recordViews(shared.packets)
  const { push, pop } = sharedState.packetQueues
  const { input: INPUT, column: COLUMN, store: STORE } = sharedState.queues
  const { storeHeld, heads, inMask, busBusy, rowPending, tilePending, storePending, storeEnd, colHeld, work } = columns
  const { storeWait, storeNextColumn, storeRows, storeUntil, storeRow, storePacket, storeFrom } = columns
  const { timerHead, poolFree, columnFree, starved, sideHead, routerStash, stashPeak, stashSeries } = columns
  const { local, router, row, column, input, columnHas, tileOf, queue: queueOf } = tables
  const { S, R, coreMask: CM, sideMask: SM, seriesLength, colQueues: COLQS, timeout: TIMEOUT } = k
  const { ports: P, rows: ROWS, columns: C } = k.geometry
  const { speculation: SPECULATION } = options
  const { vcFirst } = use
  const pKind = packets.subarray(constants.kind)
  const pValue = packets.subarray(constants.value)
  const {
    rowBuffer: ROWCAP,
    releaseAtTail: TAIL,
    reserveAtBus: AT_BUS,
    sideband,
    sidebandSpread: SPREAD,
    retries: RETRIES,
  } = options
  const { record, discard } = links
  const STRIDE = constants.stride
  const { plain: PLAIN, levels } = use.plan
  const LEVELS = levels.length
  const WORDS = k.portWords
  const SERIES = constants.seriesInterval
  const LATENESS = streamOf(constants.seed, 0x51de)

  /**
   * Chooses the column with the most free storage space at this input; among equal ones, the column with the most free
   * pool space. The scan starts at a round-robin pointer.
   */
  function chooseColumn(q: number, f: number): number {
    const need = banked(f)
    const first = router[q] * C
    let best = -1
    let most = f - 1
    let roomiest = -1
    let c = storeNextColumn[q]
    for (let j = 0; j < C; j++) {
      const free = ROWCAP - storeHeld[q * C + c]
      const left = columnFree[first + c]
      if (
        columnHas[first + c] !== 0 &&
        (!AT_BUS || left >= need) &&
        (free > most || (free === most && left > roomiest))
      ) {
        most = free
        roomiest = left
        best = c
      }
      c = c + 1 === C ? 0 : c + 1
    }
    if (best < 0) starved[q] = 1
    return best
  }

  function store(q: number, c: number, p: number): void {
    const f = pFlits[p]
    const at = q * C + c
    const tile = (router[q] * ROWS + row[q]) * C + c
    storeHeld[at] += f
    if (AT_BUS) columnFree[router[q] * C + c] -= banked(f)
    if (push(STORE + at, p)) storeWait[tile] |= 1 << input[q]
    tilePending[tile >> 5] |= 1 << tile
    storeNextColumn[q] = c + 1 === C ? 0 : c + 1
    work[running[0] + COUNT.rowStorage] += f
  }

  function copyOf(p: number, v: number, t: number): number {
    const copy = record()
    if (copy === 0) return 0
    for (let w = 1; w < STRIDE; w++) packets[copy + w] = packets[p + w]
    pCopy[copy] = 0
    pPlace[copy] = 0
    // A copy makes no hops, so this word stores the VC on which its packet entered.
    if (!PLAIN) pHops[copy] = v
    bytes[(copy + STATE) << 2] = 0
    bytes[((copy + STATE) << 2) + 1] = 0
    bytes[((copy + STATE) << 2) + 2] = FLAGS.copy
    pCopy[p] = copy
    work[running[0] + COUNT.copied]++
    if (TIMEOUT > 0) arm(copy, t + TIMEOUT)
    return copy
  }

  /** Starts the stash time of a packet: subtracts the cycle, and the departure adds it again. */
  function enters(p: number, t: number): void {
    const b = ((p + STATE) << 2) + 2
    stashed[p >> 4] = (bytes[b] & FLAGS.stashed) === 0 ? -t : stashed[p >> 4] - t
    bytes[b] |= FLAGS.stashed
  }

  // ---- pools

  function arbitrate(o: number, s: number): void {
    if (storeUntil[o] > s) return
    const rows = storeRows[o]
    if (rows === 0) return
    for (let level = 0; level < LEVELS; level++) if (storeInTurn(o, rows, level, s)) return
  }

  /**
   * Moves a packet of this level into the pool, from the first row in round-robin order that can. Returns whether one
   * can.
   */
  function storeInTurn(o: number, rows: number, level: number, s: number): boolean {
    for (let j = 0; j < ROWS; j++) {
      const r = storeRow[o] + j >= ROWS ? storeRow[o] + j - ROWS : storeRow[o] + j
      if (((rows >> r) & 1) === 0) continue
      const to = (router[o] * ROWS + r) * PS + local[o]
      const at = COLUMN + (router[o] * ROWS + r) * COLQS + queueOf[(o << LV) + S]
      const p = heads[at]
      const f = pFlits[p]
      if ((LEVELS > 1 && levelOf(p) !== level) || poolFree[o] < banked(f)) continue
      pop(at)
      if (heads[at] === 0) storeRows[o] &= ~(1 << r)
      storeRow[o] = r + 1 === ROWS ? 0 : r + 1
      fillPool(o, banked(f), s)
      storeUntil[o] = s + f
      storePacket[o] = p
      storeFrom[o] = to
      storeEnd[Math.imul(running[3] + ((s + f) & CM), WORDS) + ((o - running[2]) >> 5)] |= 1 << o
      if (!TAIL) freeColumn(to, f)
      work[running[0] + COUNT.storage] += f
      return true
    }
    return false
  }

  /** Takes pool space, and updates the peak and the time series of the router. */
  function fillPool(o: number, flits: number, s: number): void {
    const r = router[o]
    poolFree[o] -= flits
    if (!AT_BUS) columnFree[r * C + column[o]] -= flits
    const used = routerStash[r] + flits
    routerStash[r] = used
    if (used > stashPeak[r]) stashPeak[r] = used
    const interval = Math.floor(Math.floor((s * options.clock.core) / options.clock.link) / SERIES)
    const at = r * seriesLength + (interval < seriesLength ? interval : seriesLength - 1)
    if (used > stashSeries[at]) stashSeries[at] = used
  }

  function freeColumn(to: number, f: number): void {
    colHeld[(to << LV) + S] -= f
    const tile = tileOf[to]
    if (storeWait[tile] !== 0) tilePending[tile >> 5] |= 1 << tile
  }

  function release(o: number, flits: number): void {
    free(o, banked(flits))
  }

  /** Frees pool space, and wakes the storage multiplexer and the inputs that found no space. */
  function free(o: number, space: number): void {
    const r = router[o]
    poolFree[o] += space
    columnFree[r * C + column[o]] += space
    routerStash[r] -= space
    if (storeRows[o] !== 0) storePending[o >> 5] |= 1 << o
    for (let q = r * PS; q < r * PS + P; q++) {
      if (starved[q] === 0) continue
      starved[q] = 0
      if (inMask[q] !== 0 && busBusy[q] === 0) rowPending[q >> 5] |= 1 << q
    }
  }

  /**
   * The storage transfer to pool o has ended. An absorbed packet joins the FIFO at once; a copy sends its location to
   * the end port.
   */
  function ended(o: number, s: number): void {
    const p = storePacket[o]
    storePacket[o] = 0
    if (TAIL) freeColumn(storeFrom[o], pFlits[p])
    if (storeRows[o] !== 0) storePending[o >> 5] |= 1 << o
    if ((bytes[((p + STATE) << 2) + 2] & FLAGS.copy) === 0) {
      toFifo(o, p)
      return
    }
    pPlace[p] = o
    bytes[(p + STATE) << 2] |= BUSY
    send(p, s)
  }

  /** Appends a packet to the FIFO of the pool, which competes for the row bus on the retrieval VC. */
  function toFifo(o: number, p: number): void {
    if (!push(INPUT + (o << LV) + R, p)) return
    inMask[o] |= 1 << R
    if (busBusy[o] === 0) rowPending[o >> 5] |= 1 << o
  }

  /**
   * Returns whether the packet frees its pool space. An absorbed packet does; a retransmitted one leaves the space to
   * its copy.
   */
  function leavePool(p: number): boolean {
    const b = ((p + STATE) << 2) + 2
    if ((bytes[b] & FLAGS.borrows) === 0) return true
    bytes[b] &= ~FLAGS.borrows
    return false
  }

  // ---- side band

  /** Puts a message about a copy on the side band, with a random additional delay below `sidebandSpread`. */
  function send(copy: number, s: number): void {
    const late = SPREAD === 0 ? 0 : (draw(pKey[copy] ^ LATENESS, s) >>> 0) % SPREAD
    const slot = running[1] * (SM + 1) + ((s + sideband + late) & SM)
    pCopy[copy] = sideHead[slot]
    sideHead[slot] = copy
    work[running[0] + COUNT.messages]++
  }

  function deliver(part: number, s: number, t: number): void {
    const slot = part * (SM + 1) + (s & SM)
    let p = sideHead[slot]
    if (p === 0) return
    sideHead[slot] = 0
    while (p !== 0) {
      const next = pCopy[p]
      message(p, s, t)
      p = next
    }
  }

  /**
   * A side-band message about a copy arrives: its location at the end port, or an order to retransmit or delete it at
   * the pool. The state bits show which one, because at most one message of a copy is on the side band.
   */
  function message(copy: number, s: number, t: number): void {
    const b = (copy + STATE) << 2
    const state = bytes[b]
    if ((state & LOCATED) === 0) bytes[b] = (state | LOCATED) & ~BUSY
    else if ((state & REPEAT) !== 0) {
      bytes[b] = state & ~(REPEAT | REFUSED | BUSY | EARLY)
      if (SPECULATION) {
        resume(copy, t)
        return
      }
      repeat(copy, (state & EARLY) !== 0, t)
    } else {
      release(pPlace[copy], pFlits[copy])
      work[running[0] + COUNT.deleted]++
      if (TIMEOUT > 0) {
        bytes[b] = DEAD
        work[running[0] + COUNT.dead]++
      } else discard(copy)
      return
    }
    order(copy, s)
  }

  /**
   * Sends the pending order to a copy, if the end port knows its location and no other message is on the side band. A
   * delete order takes precedence over a retransmission.
   */
  function order(copy: number, s: number): void {
    const b = (copy + STATE) << 2
    const state = bytes[b]
    if ((state & LOCATED) === 0 || (state & BUSY) !== 0 || (state & (ANSWERED | REFUSED)) === 0) return
    bytes[b] = state | BUSY | ((state & ANSWERED) !== 0 ? 0 : REPEAT)
    send(copy, s)
  }

  /** Records an acknowledgement in the copy of its packet, and sends the resulting order. */
  function answered(ack: number, s: number): void {
    const copy = pCopy[ack]
    if (!isFor(ack, copy)) {
      // The acknowledgement belongs to no copy, so the endpoint must ignore it too.
      bytes[((ack + STATE) << 2) + 2] |= FLAGS.spoilt
      work[running[0] + COUNT.unknown]++
      return
    }
    const flags = bytes[((ack + STATE) << 2) + 2]
    if ((flags & FLAGS.negative) === 0) bytes[(copy + STATE) << 2] |= ANSWERED
    else if ((flags & FLAGS.early) !== 0) bytes[(copy + STATE) << 2] |= REFUSED | EARLY
    else failed(copy)
    order(copy, s)
  }

  /** The packet was damaged or timed out: it is retransmitted, or replaced by a notice if it has no retries left. */
  function failed(copy: number): void {
    const b = (copy + STATE) << 2
    bytes[b] |= REFUSED
    if (bytes[b + 1] < RETRIES || (bytes[b + 2] & FLAGS.given) !== 0) return
    bytes[b + 2] |= FLAGS.given
    // Congestion windows must learn the original length.
    pEnter[copy] = pFlits[copy]
    work[running[0] + COUNT.given]++
  }

  /** Checks that an acknowledgement belongs to this copy, because the record may have been reused. */
  function isFor(ack: number, copy: number): boolean {
    return (
      copy !== 0 &&
      (bytes[((copy + STATE) << 2) + 2] & FLAGS.copy) !== 0 &&
      (bytes[(copy + STATE) << 2] & (ANSWERED | DEAD)) === 0 &&
      pSrc[copy] === pDst[ack] &&
      pDst[copy] === pSrc[ack] &&
      pSequence[copy] === pSequence[ack]
    )
  }

  /** Retransmits a packet from its copy. If there is no free record, the order is restored and tried again later. */
  function repeat(copy: number, early: boolean, t: number): void {
    const p = record()
    const b = (copy + STATE) << 2
    if (p === 0) {
      bytes[b] |= early ? REFUSED | EARLY : REFUSED
      return
    }
    const o = pPlace[copy]
    const given = bytes[b + 2] & FLAGS.given
    // Each transmission needs its own random numbers, whether it counts as a retry or not. Indices below 0 are used,
    // because packets never draw there on their path.
    if (early || given !== 0) pKey[copy] = draw(pKey[copy], -1)
    else bytes[b + 1]++
    if (given !== 0) shrink(copy, o)
    packets[copy + DEADLINE] = t + TIMEOUT
    for (let w = 1; w < STRIDE; w++) packets[p + w] = packets[copy + w]
    pKey[p] = draw(pKey[copy], -2 - bytes[b + 1])
    pHops[p] = 0
    pCopy[p] = copy
    packets[p + STATE] = (bytes[b + 3] << 24) | ((FLAGS.borrows | given) << 16)
    if (given !== 0) pPlace[p] = DIRECT
    else again(p)
    routeAgain(p, o, PLAIN ? 0 : pHops[copy], t)
    toFifo(o, p)
    work[running[0] + COUNT.repeated]++
  }

  /** The order of an endpoint to resend a dropped packet is treated like an early negative acknowledgement. */
  function recall(order_: number, t: number): void {
    const copy = pCopy[order_]
    discard(order_)
    bytes[(copy + STATE) << 2] |= REFUSED | EARLY
    order(copy, Math.ceil((t * options.clock.link) / options.clock.core))
  }

  /**
   * The copy of a dropped packet becomes the packet, and takes its pool space along. It continues as data, which are
   * never dropped.
   */
  function resume(p: number, t: number): void {
    const o = pPlace[p]
    const stream = bytes[((p + STATE) << 2) + 3]
    packets[p + STATE] = stream << 24
    pHops[p] = 0
    pCopy[p] = 0
    pKind[p] = KIND.data
    pValue[p] = 0
    again(p)
    routeAgain(p, o, PLAIN ? 0 : vcFirst[stream], t)
    drops!.retrieved(o, p)
    toFifo(o, p)
    work[running[0] + COUNT.repeated]++
    work[running[0] + COUNT.deleted]++
  }

  /** Frees the pool space of the payload of an abandoned packet. */
  function shrink(copy: number, o: number): void {
    const space = banked(pFlits[copy]) - banked(NOTICE)
    pFlits[copy] = NOTICE
    if (space > 0) free(o, space)
  }

  /**
   * Sets the times of a retransmitted packet. Its network time starts when it can leave this switch; all time before
   * counts as time in the stash.
   */
  function again(p: number): void {
    const wire = entryLatency[innerEnd[pSrc[p]]]
    const ready = pEnter[p] + wire + hold[pFlits[p]]
    pPlace[p] = wire + late[ready % late.length]
    enters(p, ready)
  }

  // ---- timeouts

  /** Starts the timer of a copy for cycle `at`. */
  function arm(copy: number, at: number): void {
    const slot = running[1] * (TIMER_MASK + 1) + (at & TIMER_MASK)
    packets[copy + DEADLINE] = at
    packets[copy + TIMER] = timerHead[slot]
    timerHead[slot] = copy
  }

  /**
   * Handles the timers of cycle t. A copy whose deadline has moved, or which already has an answer, is armed again; an
   * expired one counts as failed.
   */
  function expire(part: number, t: number): void {
    const slot = part * (TIMER_MASK + 1) + (t & TIMER_MASK)
    let copy = timerHead[slot]
    if (copy === 0) return
    timerHead[slot] = 0
    while (copy !== 0) {
      const next = packets[copy + TIMER]
      const state = bytes[(copy + STATE) << 2]
      if (state === DEAD) {
        discard(copy)
        work[running[0] + COUNT.dead]--
      } else if (packets[copy + DEADLINE] > t || (state & (ANSWERED | REFUSED)) !== 0) {
        arm(copy, packets[copy + DEADLINE] > t ? packets[copy + DEADLINE] : t + TIMEOUT)
      } else {
        work[running[0] + COUNT.timedOut]++
        failed(copy)
        arm(copy, t + TIMEOUT)
        order(copy, Math.ceil((t * options.clock.link) / options.clock.core))
      }
      copy = next
    }
  }

  return {
    expire,
    enters,
    chooseColumn,
    store,
    copyOf,
    leavePool,
    release,
    arbitrate,
    ended,
    deliver,
    answered,
    recall,
  }
}
