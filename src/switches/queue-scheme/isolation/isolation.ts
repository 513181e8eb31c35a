// Congestion isolation in the inputs of switches: FBICM. Packets arrive in the normal queue (NFQ, queue 0). When it grows beyond a threshold its front is
// taken for congested: a CAM line is born, and packets to the destinations of its list are set aside in the line's queue (CFQ, queue 1 + line), so that the
// others pass. A line's queue that grows stops its senders, over all links of the tree.
// J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato, "Efficient Congestion Management for High-Performance Interconnection Networks
// with Distributed Routing", 2010. docs/isolation.md names the rules that it leaves open.
import { lowest } from "../../../core/bitset.ts"
import { CREDIT_SHIFT, DST, FLITS, HOPS, STATE } from "../../../fabric/packets.ts"
import type { TransferWires } from "../../../fabric/transfer.ts"
import type { Frame } from "../frame.ts"
import type { Inputs } from "../inputs.ts"
import { type Lines, MAPPED, PENDING, SENT_STOP } from "./columns.ts"
import { makeLineBook } from "./lines.ts"
import { countOf, destinationAt, hopsOf, lineOf, NOTE, type Notes, pointOf } from "./notes.ts"

export interface Isolation {
  enter(part: number): void
  /** packet p, which takes output o, has arrived at input q */
  arrived(q: number, p: number, t: number): void
  /** the front packet of queue k leaves for output o */
  leave(q: number, o: number, k: number, t: number): number
  /** urgency of queue k: 0 the normal one, 1 lines that are linked to no line of their output, 2 the others */
  classOf(q: number, k: number): number
  hear(port: number, p: number, t: number): void
  /** looks at the normal queue of input q again */
  post(q: number, s: number, t: number): void
  timer(q: number, s: number, t: number): void
}

export function makeIsolation(frame: Frame, s: Lines, inputs: Inputs, notes: Notes, wires: TransferWires): Isolation {
  const low = lowest
  const { site, ports, chains, p: params, table } = frame
  const { PS, outerRouter, radix: R } = site.layout
  const { packets } = site.columns
  const { own: OWN, value: VALUE, kind: KIND_AT } = site.constants
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { push, pop, heads } = chains
  const { front, gone } = inputs
  const { lacking } = frame.columns
  const { L, W, N } = s
  const { lineOn, lineHops, linePoint, lineOut, lineNext, lineState, linePackets, lineFlits, lineDue, lineList, lineLength } = s
  const { outOn, outHops, outPoint, outStop, outList, owner, outOwner, movedTo, moved } = s
  const { lines, setAside, normal, normalAsks, lastMove, lineAsks, postDirty, aside, cascaded, refused } = s
  const Q = 1 + L
  const SHORT = params.scheme === "fbicm-2"
  const DETECT = params.detection === "off" ? Number.POSITIVE_INFINITY : (params.detect ?? 8)
  const STOP = params.stop ?? 8
  const GO = params.go ?? 4
  const CASCADE = params.cascade ?? true
  const HEAD_STOPS = (params.stopRule ?? "head") === "head"
  const ANSWER = params.answer ?? true
  const LIST = SHORT ? (params.list ?? 8) : N
  const LINE_ROOM = frame.scheme.lineFlits!
  const ALL_ROOM = frame.scheme.asideFlits!
  const NFQ_CREDITS = params.credits === "nfq"
  const book = makeLineBook(frame, s, notes)
  const { add, list, born, dies, arm, outAdd, outDies, inList } = book

  function arrived(q: number, p: number, t: number): void {
    packets[p + OWN] = t << 1
    normal[q]!++
    push(q * Q, p)
    post(q, 0, t)
  }

  /** Set aside from a queue whose front had found no room: it waits for something else now. */
  function unlack(queue: number, p: number, t: number): void {
    if (lacking[queue] === 0) return
    lacking[queue] = 0
    packets[p + HOPS]! += t << CREDIT_SHIFT
  }

  /** The line of output x that stops packets to d; 0 if none does. */
  function stops(x: number, d: number): boolean {
    const k = outOwner[x * N + d]!
    return k !== 0 && outStop[x * L + k - 1] !== 0
  }

  function portOf(q: number, line: number): number {
    return router[q]! * PS + lineOut[line]!
  }

  /** May the front of line i's queue not ask? */
  function blocked(q: number, i: number, p: number): boolean {
    const line = q * L + i
    const d = packets[p + DST]!
    if (CASCADE && (packets[p + OWN]! & 1) === 0 && moved[q * N + d]! > 0 && movedTo[q * N + d] !== i + 1) return true
    const x = portOf(q, line)
    if (HEAD_STOPS) return stops(x, d)
    return lineNext[line] !== 0 && outStop[x * L + lineNext[line]! - 1] !== 0
  }

  /** Bits of all line queues of input q that ask. */
  function refresh(q: number): void {
    let asks = lineAsks[q]!
    if (lines[q] === 0 && asks === 0) return
    for (let i = 0; i < L; i++) {
      const line = q * L + i
      const p = heads[q * Q + 1 + i]!
      const was = ((asks >>> i) & 1) !== 0
      const may = p !== 0 && !blocked(q, i, p)
      if (may === was) continue
      asks ^= 1 << i
      if (may) front(q, lineOut[line]!, 1 + i)
      else gone(q, lineOut[line]!, 1 + i)
    }
    lineAsks[q] = asks
  }

  /** Is some destination of the line stopped? */
  function stopped(q: number, line: number): boolean {
    const x = portOf(q, line)
    if (!HEAD_STOPS) return lineNext[line] !== 0 && outStop[x * L + lineNext[line]! - 1] !== 0
    for (let w = 0; w < W; w++) for (let m = lineList[line * W + w]!; m !== 0; m &= m - 1) if (stops(x, (w << 5) + low(m))) return true
    return false
  }

  /** An empty line that may be filled dies when its timer ends. */
  function idle(q: number, i: number, t: number): void {
    const line = q * L + i
    if (lineOn[line] === 0 || linePackets[line] !== 0 || lineDue[line] !== 0 || (lineState[line]! & PENDING) !== 0) return
    if (!stopped(q, line)) arm(q, i, t)
  }

  function timer(q: number, _s: number, t: number): void {
    for (let i = 0; i < L; i++) {
      const line = q * L + i
      if (lineOn[line] === 0 || lineDue[line] !== t) continue
      lineDue[line] = 0
      if (linePackets[line] !== 0 || (lineState[line]! & PENDING) !== 0 || stopped(q, line)) continue
      const mapped = (lineState[line]! & MAPPED) !== 0
      dies(q, i, t)
      if (mapped) notes.up(q, NOTE.deallocate, i, 0, 0, -1)
      post(q, 0, t)
    }
  }

  function checkStop(q: number, i: number): void {
    const line = q * L + i
    const state = lineState[line]!
    if (linePackets[line]! <= STOP || (state & (SENT_STOP | PENDING)) !== 0) return
    if (!SHORT || (state & MAPPED) === 0) {
      lineState[line] = SHORT && ANSWER ? state | PENDING : state | SENT_STOP | MAPPED
      notes.up(q, SHORT ? NOTE.allocate : NOTE.line, i, lineHops[line]! + 1, linePoint[line]!, line * W)
      return
    }
    lineState[line] = state | SENT_STOP
    notes.up(q, NOTE.stop, i, 0, 0, -1)
  }

  function checkGo(q: number, i: number): void {
    const line = q * L + i
    if ((lineState[line]! & SENT_STOP) === 0 || linePackets[line]! > GO) return
    lineState[line]! &= ~SENT_STOP
    notes.up(q, NOTE.go, i, 0, 0, -1)
  }

  /** Packet p joins the queue of line i. */
  function join(q: number, i: number, p: number): void {
    const line = q * L + i
    linePackets[line]!++
    lineFlits[line]! += packets[p + FLITS]!
    lineDue[line] = 0
    push(q * Q + 1 + i, p)
  }

  /** The line of input q that is linked to line y of output o (its number in the router); -1 if there is none. */
  function linked(q: number, o: number, y: number): number {
    for (let j = 0; j < L; j++) if (lineOn[q * L + j] !== 0 && lineOut[q * L + j] === o && lineNext[q * L + j] === y + 1) return j
    return -1
  }

  /** Fronts of line i's queue whose destination is listed in another line of the output move on to the queue that is linked to that one: lists mix congested
   *  points, and what goes to the nearer one must not wait for the farther. A packet moves on once at most, and whoever comes behind it follows. */
  function cascade(q: number, i: number, t: number): void {
    if (!CASCADE) return
    const line = q * L + i
    for (;;) {
      const p = heads[q * Q + 1 + i]!
      if (p === 0 || (packets[p + OWN]! & 1) !== 0) return
      const d = packets[p + DST]!
      const j = target(q, line, d, t)
      if (j < 0 || j === i) return
      const to = q * L + j
      if (lineFlits[to]! + packets[p + FLITS]! > LINE_ROOM || !list(q, j, d)) return
      pop(q * Q + 1 + i)
      unlack(q * Q + 1 + i, p, t)
      linePackets[line]!--
      lineFlits[line]! -= packets[p + FLITS]!
      packets[p + OWN]! |= 1
      moved[q * N + d]!++
      movedTo[q * N + d] = j + 1
      cascaded[q]!++
      join(q, j, p)
      checkStop(q, j)
      checkGo(q, i)
      idle(q, i, t)
    }
  }

  function target(q: number, line: number, d: number, t: number): number {
    if (moved[q * N + d]! > 0) return movedTo[q * N + d]! - 1
    const o = lineOut[line]!
    const x = portOf(q, line)
    const y = outOwner[x * N + d]!
    if (y === 0 || lineNext[line] === y) return -1
    const j = linked(q, o, y - 1)
    return j >= 0 ? j : born(q, o, outHops[x * L + y - 1]!, outPoint[x * L + y - 1]!, y, t)
  }

  /** The line + 1 that the front packet of the normal queue belongs to, or is to belong to; 0 = none. */
  function lineFor(q: number, d: number, o: number, t: number): number {
    const x = router[q]! * PS + o
    const y = outOwner[x * N + d]!
    if (y !== 0) {
      const found = joinLinked(q, d, o, y, x, t)
      if (found !== 0) return found
    }
    if (normal[q]! <= DETECT) return 0
    return SHORT ? detectShort(q, d, o, t) : detectWhole(q, d, o, t)
  }

  /** A line that is linked to the output's line y - 1, with d in its list. */
  function joinLinked(q: number, d: number, o: number, y: number, x: number, t: number): number {
    if (CASCADE) {
      const j = linked(q, o, y - 1)
      if (j >= 0 && inList(q * L + j, d)) {
        owner[q * N + d] = j + 1
        return j + 1
      }
      if (j >= 0 && add(q, j, d)) return j + 1
    }
    const far = x * L + y - 1
    const i = born(q, o, outHops[far]!, outPoint[far]!, y, t)
    if (i < 0) {
      refused[q]!++
      return 0
    }
    add(q, i, d)
    // the list of version 1 names all destinations of the congested output, and not all of them go this way
    const base = outerRouter[router[q]!]! * N
    for (let w = 0; w < W; w++)
      for (let m = outList[far * W + w]!; m !== 0; m &= m - 1) {
        const z = (w << 5) + low(m)
        if (table!.ports[base + z] === o) add(q, i, z)
      }
    return i + 1
  }

  /** Version 2: d joins a line of this switch's own congested output, or a new one. */
  function detectShort(q: number, d: number, o: number, t: number): number {
    for (let i = 0; i < L; i++) {
      const line = q * L + i
      if (lineOn[line] !== 0 && lineHops[line] === 0 && lineOut[line] === o && lineLength[line]! < LIST && add(q, i, d)) return i + 1
    }
    const i = born(q, o, 0, o, 0, t)
    if (i < 0) refused[q]!++
    else add(q, i, d)
    return i + 1
  }

  /** Version 1: all destinations that the table sends to output o. */
  function detectWhole(q: number, _d: number, o: number, t: number): number {
    const i = born(q, o, 0, o, 0, t)
    if (i < 0) {
      refused[q]!++
      return 0
    }
    const base = outerRouter[router[q]!]! * N
    for (let z = 0; z < N; z++) if (table!.ports[base + z] === o) add(q, i, z)
    return i + 1
  }

  function post(q: number, _s: number, t: number): void {
    for (;;) {
      const p = heads[q * Q]!
      const o = p === 0 ? -1 : postOne(q, p, t)
      const asks = normalAsks[q]! - 1
      if (asks !== o) {
        if (asks >= 0) gone(q, asks, 0)
        if (o >= 0) front(q, o, 0)
        normalAsks[q] = o + 1
      }
      if (p === 0 || p === heads[q * Q]) break
    }
    refresh(q)
  }

  /** The output that the front packet may ask for; -1 if it was set aside or must wait. */
  function postOne(q: number, p: number, t: number): number {
    const d = packets[p + DST]!
    const o = bytes[(p + STATE) << 2]!
    let k = owner[q * N + d]!
    if (CASCADE && k === 0 && moved[q * N + d]! > 0) {
      // the line that owned it has died: whoever holds packets of it owns it
      k = movedTo[q * N + d]!
      owner[q * N + d] = k
    }
    const f = packets[p + FLITS]!
    const full = setAside[q]! + f > ALL_ROOM
    if (k === 0 && !full) k = lineFor(q, d, o, t)
    if (k === 0) return o
    const line = q * L + k - 1
    if (full || lineFlits[line]! + f > LINE_ROOM) {
      refused[q]!++
      return -1
    }
    // one move in a cycle
    if (lastMove[q] === t + 1) {
      postDirty[q >> 5]! |= 1 << q
      return -1
    }
    lastMove[q] = t + 1
    pop(q * Q)
    unlack(q * Q, p, t)
    normal[q]!--
    setAside[q]! += f
    aside[q]!++
    join(q, k - 1, p)
    if (NFQ_CREDITS) wires.giveBackLane(q, 0, f, t)
    checkStop(q, k - 1)
    cascade(q, k - 1, t)
    return -1
  }

  function leave(q: number, o: number, k: number, t: number): number {
    const p = pop(q * Q + k)
    if (k === 0) {
      normal[q]!--
      normalAsks[q] = 0
      gone(q, o, 0)
    } else {
      const i = k - 1
      const line = q * L + i
      const f = packets[p + FLITS]!
      linePackets[line]!--
      lineFlits[line]! -= f
      setAside[q]! -= f
      lineAsks[q]! &= ~(1 << i)
      gone(q, o, k)
      if ((packets[p + OWN]! & 1) !== 0) moved[q * N + packets[p + DST]!]!--
      cascade(q, i, t)
      checkGo(q, i)
      idle(q, i, t)
    }
    post(q, 0, t)
    return p
  }

  function classOf(q: number, k: number): number {
    return k === 0 ? 0 : SHORT && lineNext[q * L + k - 1] !== 0 ? 2 : 1
  }

  /** Something has changed at output x: all inputs look again. */
  function wake(x: number, t: number): void {
    const first = router[x]! * PS
    const o = local[x]!
    for (let q = first; q < first + R; q++) {
      if (lines[q] !== 0)
        for (let i = 0; i < L; i++) {
          if (lineOn[q * L + i] === 0 || lineOut[q * L + i] !== o) continue
          cascade(q, i, t)
          idle(q, i, t)
        }
      post(q, 0, t)
    }
  }

  function hear(x: number, p: number, t: number): void {
    const value = packets[p + VALUE]!
    const kind = packets[p + KIND_AT]!
    const i = lineOf(value)
    const line = x * L + i
    if (kind === NOTE.accept) {
      lineState[line] = (lineState[line]! & ~PENDING) | MAPPED | SENT_STOP
      checkGo(x, i)
      idle(x, i, t)
    } else if (kind === NOTE.allocate || kind === NOTE.line) {
      outOn[line] = 1
      outHops[line] = hopsOf(value)
      outPoint[line] = pointOf(value)
      outStop[line] = 1
      for (let n = 0; n < countOf(value); n++) outAdd(x, i, destinationAt(packets, p, n))
      if (kind === NOTE.allocate && ANSWER) notes.down(x, NOTE.accept, i)
    } else if (outOn[line] !== 0) {
      if (kind === NOTE.deallocate) deallocate(x, i)
      else if (kind === NOTE.stop || kind === NOTE.go) outStop[line] = kind === NOTE.stop ? 1 : 0
      else for (let n = 0; n < countOf(value); n++) spread(x, i, destinationAt(packets, p, n), kind === NOTE.update)
    }
    wires.discard(p)
    if (kind !== NOTE.accept) wake(x, t)
  }

  /** A destination more in output line i; an Update goes on through all lines that are linked to it. */
  function spread(x: number, i: number, d: number, on: boolean): void {
    outAdd(x, i, d)
    if (!on) return
    const first = router[x]! * PS
    for (let q = first; q < first + R; q++) {
      if (lines[q] === 0) continue
      const j = linked(q, local[x]!, i)
      if (j >= 0) add(q, j, d)
    }
  }

  function deallocate(x: number, i: number): void {
    outDies(x, i)
    const first = router[x]! * PS
    for (let q = first; q < first + R; q++)
      for (let j = 0; j < L; j++) {
        const line = q * L + j
        if (lineOn[line] !== 0 && lineOut[line] === local[x] && lineNext[line] === i + 1) lineNext[line] = 0
      }
  }

  return { enter: book.enter, arrived, leave, classOf, hear, post, timer }
}
