// The stash: idle port memory as pools, reached over the storage VC (S) and left over the retrieval VC (R). A port's pool has a multiplexer of its own
// for the storage column buffers of its rows. Space is counted in pairs of flits (two interleaved banks).
// A packet that is absorbed waits in its pool's FIFO for the retrieval VC at once. A copy stays until the end port that sent the packet says so: copy and
// end port talk over a side band of fixed latency. Tracking record of the end port, kept in the copy's record:
//   LOCATED    the place of the copy has reached the end port
//   ANSWERED   a positive acknowledgement has come (then: delete); REFUSED: a negative one (then: send again)
//   BUSY       a message is on the side band; REPEAT: it asks to send again
//   EARLY      the refusal was no failure: the packet's turn had not come, and sending it again is no retry
// Whatever comes first, the space is freed once: only an order to delete frees it, and it is given once, when both LOCATED and ANSWERED hold.
// A packet that runs out of retries is given up (FLAG.given): its payload is dropped, and a notice of one flit goes in its place, as often as it takes, until
// the destination has answered. So the flow passes the hole, and whoever is right about the packet, source and destination agree. (The forward TSN of
// R. Stewart and others, "Stream Control Transmission Protocol (SCTP) Partial Reliability Extension", 2004.)

import { draw, streamOf } from "../../core/rng.ts"
import { DIRECT, FLAG, recordViews, STATE, VALUE } from "../../fabric/packets.ts"
import { KIND } from "../../model/protocol.ts"
import { TIMER_MASK, WORK } from "./columns.ts"
import type { Drops } from "./drops.ts"
import type { Frame } from "./frame.ts"
import { banked } from "./options.ts"

const LOCATED = 1
export const ANSWERED = 2
export const REFUSED = 4
const BUSY = 8
const REPEAT = 16
/** deleted, but a timer still names the record */
export const DEAD = 32
const EARLY = 64
/** the copy lies in its pool: it has told its place, or is just doing so */
export const STORED = LOCATED | BUSY
/** flits of a notice that a packet was given up */
const NOTICE = 1
/** words of a copy's record that its routing does not need yet: link of the timers, deadline */
export const TIMER = VALUE
const DEADLINE = VALUE + 1

export interface StashPath {
  /** column for a packet of f flits from input q, -1 if none can take it */
  chooseColumn(q: number, f: number): number
  /** the packet takes the row bus towards the storage VC of column c */
  store(q: number, c: number, p: number): void
  /** a copy of a packet that enters the network on VC v; 0 if there is no record left */
  copyOf(p: number, v: number, t: number): number
  /** the head of a pool's FIFO leaves over the row bus; answers whether it takes its space along */
  leavePool(p: number): boolean
  /** the packet begins to wait in the stash */
  enters(p: number, t: number): void
  release(q: number, flits: number): void
  arbitrate(o: number, s: number): void
  ended(o: number, s: number): void
  /** messages of the side band that arrive in step s */
  deliver(part: number, s: number, t: number): void
  /** copies whose time is over in cycle t */
  expire(part: number, t: number): void
  /** an acknowledgement passes the end port towards its endpoint */
  answered(ack: number, s: number): void
  /** the endpoint orders that a packet that was dropped is sent again, as data */
  recall(order: number, t: number): void
}

/** `routeAgain` finds the output of a packet that starts anew at port q, on VC v. */
export function makeStash(
  frame: Frame,
  routeAgain: (p: number, q: number, v: number, t: number) => void,
  drops: Drops | undefined,
): StashPath {
  // constants of other modules cost a load each time they are read; these do not
  const FLAGS = FLAG
  const COUNT = WORK
  const { site, use, k, columns, options, tables, wires, bytes, running, hold, late, levelOf } = frame
  const { layout, columns: shared, constants } = site
  const { LV, PS, entryLatency, innerEnd } = layout
  const { packets, stashed } = shared
  const { pSrc, pDst, pEnter, pKey, pFlits, pHops, pCopy, pPlace, pSequence } = recordViews(shared.packets)
  const { push, pop } = frame.chains
  const { input: INPUT, column: COLUMN, store: STORE } = frame.queues
  const { storeHeld, heads, inMask, busBusy, rowDirty, tileDirty, storeDirty, storeEnd, colHeld, work } = columns
  const { storeWait, storeNextColumn, storeRows, storeUntil, storeRow, storePacket, storeFrom } = columns
  const { timerHead, poolFree, columnFree, starved, sideHead, routerStash, stashPeak, stashSeries } = columns
  const { local, router, row, column, input, columnHas, tileOf, queue: queueOf } = tables
  const { S, R, coreMask: CM, sideMask: SM, seriesLength, colQueues: COLQS, timeout: TIMEOUT } = k
  const { ports: P, rows: ROWS, columns: C } = k.geometry
  const { speculation: SPECULATION } = options
  const { vcFirst } = use
  const pKind = packets.subarray(constants.kind)
  const pValue = packets.subarray(constants.value)
  const { rowBuffer: ROWCAP, releaseAtTail: TAIL, reserveAtBus: AT_BUS, sideband, sidebandSpread: SPREAD, retries: RETRIES } = options
  const { record, discard } = wires
  const STRIDE = constants.stride
  const { plain: PLAIN, levels } = use.plan
  const LEVELS = levels.length
  const WORDS = k.portWords
  const SERIES = constants.seriesInterval
  const LATENESS = streamOf(constants.seed, 0x51de)

  function chooseColumn(q: number, f: number): number {
    const need = banked(f)
    const first = router[q]! * C
    let best = -1
    let most = f - 1
    let roomiest = -1
    let c = storeNextColumn[q]!
    for (let j = 0; j < C; j++) {
      const free = ROWCAP - storeHeld[q * C + c]!
      const left = columnFree[first + c]!
      if (columnHas[first + c] !== 0 && (!AT_BUS || left >= need) && (free > most || (free === most && left > roomiest))) {
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
    const f = pFlits[p]!
    const at = q * C + c
    const tile = (router[q]! * ROWS + row[q]!) * C + c
    storeHeld[at]! += f
    if (AT_BUS) columnFree[router[q]! * C + c]! -= banked(f)
    if (push(STORE + at, p)) storeWait[tile]! |= 1 << input[q]!
    tileDirty[tile >> 5]! |= 1 << tile
    storeNextColumn[q] = c + 1 === C ? 0 : c + 1
    work[running[0]! + COUNT.rowStorage]! += f
  }

  function copyOf(p: number, v: number, t: number): number {
    const copy = record()
    if (copy === 0) return 0
    for (let w = 1; w < STRIDE; w++) packets[copy + w] = packets[p + w]!
    pCopy[copy] = 0
    pPlace[copy] = 0
    // a copy makes no hops: the word keeps the VC on which its packet entered
    if (!PLAIN) pHops[copy] = v
    bytes[(copy + STATE) << 2] = 0
    bytes[((copy + STATE) << 2) + 1] = 0
    bytes[((copy + STATE) << 2) + 2] = FLAGS.copy
    pCopy[p] = copy
    work[running[0]! + COUNT.copied]!++
    if (TIMEOUT > 0) arm(copy, t + TIMEOUT)
    return copy
  }

  function enters(p: number, t: number): void {
    const b = ((p + STATE) << 2) + 2
    stashed[p >> 4] = (bytes[b]! & FLAGS.stashed) === 0 ? -t : stashed[p >> 4]! - t
    bytes[b]! |= FLAGS.stashed
  }

  // ---- pools

  function arbitrate(o: number, s: number): void {
    if (storeUntil[o]! > s) return
    const rows = storeRows[o]!
    if (rows === 0) return
    for (let level = 0; level < LEVELS; level++) if (storeInTurn(o, rows, level, s)) return
  }

  /** A row's packet of this level goes into the pool, the first in turn that can; answers whether one does. */
  function storeInTurn(o: number, rows: number, level: number, s: number): boolean {
    for (let j = 0; j < ROWS; j++) {
      const r = storeRow[o]! + j >= ROWS ? storeRow[o]! + j - ROWS : storeRow[o]! + j
      if (((rows >> r) & 1) === 0) continue
      const to = (router[o]! * ROWS + r) * PS + local[o]!
      const at = COLUMN + (router[o]! * ROWS + r) * COLQS + queueOf[(o << LV) + S]!
      const p = heads[at]!
      const f = pFlits[p]!
      if ((LEVELS > 1 && levelOf(p) !== level) || poolFree[o]! < banked(f)) continue
      pop(at)
      if (heads[at] === 0) storeRows[o]! &= ~(1 << r)
      storeRow[o] = r + 1 === ROWS ? 0 : r + 1
      fillPool(o, banked(f), s)
      storeUntil[o] = s + f
      storePacket[o] = p
      storeFrom[o] = to
      storeEnd[Math.imul(running[3]! + ((s + f) & CM), WORDS) + ((o - running[2]!) >> 5)]! |= 1 << o
      if (!TAIL) freeColumn(to, f)
      work[running[0]! + COUNT.storage]! += f
      return true
    }
    return false
  }

  function fillPool(o: number, flits: number, s: number): void {
    const r = router[o]!
    poolFree[o]! -= flits
    if (!AT_BUS) columnFree[r * C + column[o]!]! -= flits
    const used = routerStash[r]! + flits
    routerStash[r] = used
    if (used > stashPeak[r]!) stashPeak[r] = used
    const interval = Math.floor(Math.floor((s * options.clock.core) / options.clock.link) / SERIES)
    const at = r * seriesLength + (interval < seriesLength ? interval : seriesLength - 1)
    if (used > stashSeries[at]!) stashSeries[at] = used
  }

  function freeColumn(to: number, f: number): void {
    colHeld[(to << LV) + S]! -= f
    const tile = tileOf[to]!
    if (storeWait[tile] !== 0) tileDirty[tile >> 5]! |= 1 << tile
  }

  function release(o: number, flits: number): void {
    free(o, banked(flits))
  }

  function free(o: number, space: number): void {
    const r = router[o]!
    poolFree[o]! += space
    columnFree[r * C + column[o]!]! += space
    routerStash[r]! -= space
    if (storeRows[o] !== 0) storeDirty[o >> 5]! |= 1 << o
    for (let q = r * PS; q < r * PS + P; q++) {
      if (starved[q] === 0) continue
      starved[q] = 0
      if (inMask[q] !== 0 && busBusy[q] === 0) rowDirty[q >> 5]! |= 1 << q
    }
  }

  function ended(o: number, s: number): void {
    const p = storePacket[o]!
    storePacket[o] = 0
    if (TAIL) freeColumn(storeFrom[o]!, pFlits[p]!)
    if (storeRows[o] !== 0) storeDirty[o >> 5]! |= 1 << o
    if ((bytes[((p + STATE) << 2) + 2]! & FLAGS.copy) === 0) {
      toFifo(o, p)
      return
    }
    pPlace[p] = o
    bytes[(p + STATE) << 2]! |= BUSY
    send(p, s)
  }

  function toFifo(o: number, p: number): void {
    if (!push(INPUT + (o << LV) + R, p)) return
    inMask[o]! |= 1 << R
    if (busBusy[o] === 0) rowDirty[o >> 5]! |= 1 << o
  }

  /** An absorbed packet takes its space along, with a copy elsewhere or without; what is sent again leaves its copy behind. */
  function leavePool(p: number): boolean {
    const b = ((p + STATE) << 2) + 2
    if ((bytes[b]! & FLAGS.borrows) === 0) return true
    bytes[b]! &= ~FLAGS.borrows
    return false
  }

  // ---- side band

  function send(copy: number, s: number): void {
    const late = SPREAD === 0 ? 0 : (draw(pKey[copy]! ^ LATENESS, s) >>> 0) % SPREAD
    const slot = running[1]! * (SM + 1) + ((s + sideband + late) & SM)
    pCopy[copy] = sideHead[slot]!
    sideHead[slot] = copy
    work[running[0]! + COUNT.messages]!++
  }

  function deliver(part: number, s: number, t: number): void {
    const slot = part * (SM + 1) + (s & SM)
    let p = sideHead[slot]!
    if (p === 0) return
    sideHead[slot] = 0
    while (p !== 0) {
      const next = pCopy[p]!
      message(p, s, t)
      p = next
    }
  }

  function message(copy: number, s: number, t: number): void {
    const b = (copy + STATE) << 2
    const state = bytes[b]!
    if ((state & LOCATED) === 0) bytes[b] = (state | LOCATED) & ~BUSY
    else if ((state & REPEAT) !== 0) {
      bytes[b] = state & ~(REPEAT | REFUSED | BUSY | EARLY)
      if (SPECULATION) {
        resume(copy, t)
        return
      }
      repeat(copy, (state & EARLY) !== 0, t)
    } else {
      release(pPlace[copy]!, pFlits[copy]!)
      work[running[0]! + COUNT.deleted]!++
      if (TIMEOUT > 0) {
        bytes[b] = DEAD
        work[running[0]! + COUNT.dead]!++
      } else discard(copy)
      return
    }
    order(copy, s)
  }

  /** The end port gives the order that is due, if it knows the place and no message is on its way. */
  function order(copy: number, s: number): void {
    const b = (copy + STATE) << 2
    const state = bytes[b]!
    if ((state & LOCATED) === 0 || (state & BUSY) !== 0 || (state & (ANSWERED | REFUSED)) === 0) return
    bytes[b] = state | BUSY | ((state & ANSWERED) !== 0 ? 0 : REPEAT)
    send(copy, s)
  }

  function answered(ack: number, s: number): void {
    const copy = pCopy[ack]!
    if (!isFor(ack, copy)) {
      // the endpoint must not take it for an answer either
      bytes[((ack + STATE) << 2) + 2]! |= FLAGS.spoilt
      work[running[0]! + COUNT.unknown]!++
      return
    }
    const flags = bytes[((ack + STATE) << 2) + 2]!
    if ((flags & FLAGS.negative) === 0) bytes[(copy + STATE) << 2]! |= ANSWERED
    else if ((flags & FLAGS.early) !== 0) bytes[(copy + STATE) << 2]! |= REFUSED | EARLY
    else failed(copy)
    order(copy, s)
  }

  /** Damaged, or without an answer: it is sent again; out of retries, a notice is. */
  function failed(copy: number): void {
    const b = (copy + STATE) << 2
    bytes[b]! |= REFUSED
    if (bytes[b + 1]! < RETRIES || (bytes[b + 2]! & FLAGS.given) !== 0) return
    bytes[b + 2]! |= FLAGS.given
    // windows must learn how long it was
    pEnter[copy] = pFlits[copy]!
    work[running[0]! + COUNT.given]!++
  }

  /** A record may serve another packet by now: the answer must be to this very one. */
  function isFor(ack: number, copy: number): boolean {
    return (
      copy !== 0 &&
      (bytes[((copy + STATE) << 2) + 2]! & FLAGS.copy) !== 0 &&
      (bytes[(copy + STATE) << 2]! & (ANSWERED | DEAD)) === 0 &&
      pSrc[copy] === pDst[ack] &&
      pDst[copy] === pSrc[ack] &&
      pSequence[copy] === pSequence[ack]
    )
  }

  function repeat(copy: number, early: boolean, t: number): void {
    const p = record()
    const b = (copy + STATE) << 2
    if (p === 0) {
      bytes[b]! |= early ? REFUSED | EARLY : REFUSED
      return
    }
    const o = pPlace[copy]!
    const given = bytes[b + 2]! & FLAGS.given
    // each sending has draws of its own, whether it counts as a retry or not: numbers below 0, where no packet draws on its way
    if (early || given !== 0) pKey[copy] = draw(pKey[copy]!, -1)
    else bytes[b + 1]!++
    if (given !== 0) shrink(copy, o)
    packets[copy + DEADLINE] = t + TIMEOUT
    for (let w = 1; w < STRIDE; w++) packets[p + w] = packets[copy + w]!
    pKey[p] = draw(pKey[copy]!, -2 - bytes[b + 1]!)
    pHops[p] = 0
    pCopy[p] = copy
    packets[p + STATE] = (bytes[b + 3]! << 24) | ((FLAGS.borrows | given) << 16)
    if (given !== 0) pPlace[p] = DIRECT
    else again(p)
    routeAgain(p, o, PLAIN ? 0 : pHops[copy]!, t)
    toFifo(o, p)
    work[running[0]! + COUNT.repeated]!++
  }

  function recall(order_: number, t: number): void {
    const copy = pCopy[order_]!
    discard(order_)
    bytes[(copy + STATE) << 2]! |= REFUSED | EARLY
    order(copy, Math.ceil((t * options.clock.link) / options.clock.core))
  }

  /** The copy of a packet that was dropped is the packet from now on, and takes its space along: data are never dropped. */
  function resume(p: number, t: number): void {
    const o = pPlace[p]!
    const stream = bytes[((p + STATE) << 2) + 3]!
    packets[p + STATE] = stream << 24
    pHops[p] = 0
    pCopy[p] = 0
    pKind[p] = KIND.data
    pValue[p] = 0
    again(p)
    routeAgain(p, o, PLAIN ? 0 : vcFirst[stream]!, t)
    drops!.retrieved(o, p)
    toFifo(o, p)
    work[running[0]! + COUNT.repeated]!++
    work[running[0]! + COUNT.deleted]!++
  }

  /** The payload of a packet that was given up leaves the pool. */
  function shrink(copy: number, o: number): void {
    const space = banked(pFlits[copy]!) - banked(NOTICE)
    pFlits[copy] = NOTICE
    if (space > 0) free(o, space)
  }

  /** The time of a packet that is sent again. */
  function again(p: number): void {
    // its time begins anew when it can leave this switch: all before is the stash's
    const wire = entryLatency[innerEnd[pSrc[p]!]!]!
    const ready = pEnter[p]! + wire + hold[pFlits[p]!]!
    pPlace[p] = wire + late[ready % late.length]!
    enters(p, ready)
  }

  // ---- timeouts

  function arm(copy: number, at: number): void {
    const slot = running[1]! * (TIMER_MASK + 1) + (at & TIMER_MASK)
    packets[copy + DEADLINE] = at
    packets[copy + TIMER] = timerHead[slot]!
    timerHead[slot] = copy
  }

  function expire(part: number, t: number): void {
    const slot = part * (TIMER_MASK + 1) + (t & TIMER_MASK)
    let copy = timerHead[slot]!
    if (copy === 0) return
    timerHead[slot] = 0
    while (copy !== 0) {
      const next = packets[copy + TIMER]!
      const state = bytes[(copy + STATE) << 2]!
      if (state === DEAD) {
        discard(copy)
        work[running[0]! + COUNT.dead]!--
      } else if (packets[copy + DEADLINE]! > t || (state & (ANSWERED | REFUSED)) !== 0) {
        arm(copy, packets[copy + DEADLINE]! > t ? packets[copy + DEADLINE]! : t + TIMEOUT)
      } else {
        work[running[0]! + COUNT.timedOut]!++
        failed(copy)
        arm(copy, t + TIMEOUT)
        order(copy, Math.ceil((t * options.clock.link) / options.clock.core))
      }
      copy = next
    }
  }

  return { expire, enters, chooseColumn, store, copyOf, leavePool, release, arbitrate, ended, deliver, answered, recall }
}
