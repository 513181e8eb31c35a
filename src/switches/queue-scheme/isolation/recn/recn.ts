// RECN for input-queued switches: regional explicit congestion notification. A congested point is named by the turns that lead to it; packets whose way begins
// with these turns are set aside in a queue of its line (SAQ), the longest list of turns first. A line that grows tells its sender, who extends the way by a
// turn; the farthest lines go first, and give back what they were told of (tokens).
// J. Duato, I. Johnson, J. Flich, F. Naven, P. Garcia and T. Nachiondo, "A New Scalable and Cost-Effective Congestion Management Strategy for Lossless
// Multistage Interconnection Networks", 2005; G. Mora, P. J. Garcia, J. Flich and J. Duato, "RECN-IQ", 2007.
// Limits: a router knows the ways of all destinations (its table's), as a source would write them on a packet; a count of the packets of each output in the
// standard queue stands for detection queues; memory is one pool, so a line has no room of its own.
import { DST, FLITS, STATE } from "../../../../fabric/packets.ts"
import type { TransferWires } from "../../../../fabric/transfer.ts"
import type { Aside } from "../../aside.ts"
import type { Frame } from "../../frame.ts"
import type { Inputs } from "../../inputs.ts"
import { lineComplaints } from "../audit.ts"
import { type Lines, MAPPED, SENT_STOP } from "../columns.ts"
import { digestLines } from "../digest.ts"
import { makeLog } from "../log.ts"
import { countOf, destinationAt, lineOf, NOTE, type Notes } from "../notes.ts"
import { armed, lineTable, lineValues, running } from "../report.ts"
import { isolationSeries } from "../series.ts"
import { makeBook } from "./book.ts"
import { TURNS, type TurnColumns } from "./columns.ts"

export function makeRecn(frame: Frame, s: Lines, v: TurnColumns, inputs: Inputs, notes: Notes, wires: TransferWires): Aside {
  const { site, ports, chains, p: params } = frame
  const { PS, radix: R } = site.layout
  const { packets } = site.columns
  const { own: OWN, value: VALUE, kind: KIND_AT } = site.constants
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { push, pop, heads } = chains
  const { front, gone } = inputs
  const log = makeLog(frame, wires)
  const { discard } = wires
  const book = makeBook(frame, s, v, notes, log)
  const { born, dies, arm, outBorn, giveBack } = book
  const { L, N, lineOn, lineOut, lineNext, lineState, lineLength, linePackets, lineFlits, lineDue, lineAsks } = s
  const { outHops, outOn, outStop, outOwner, outLines, owner, lines, setAside, normal, normalAsks, aside, refused } = s
  const { linePath, outPath, joined, left, after, standing, root, outLinks, outDue } = v
  const Q = 1 + L
  const DETECT = params.detection === "off" ? Number.POSITIVE_INFINITY : (params.detect ?? 8)
  const STOP = params.stop ?? 8
  const GO = params.go ?? 4

  function arrived(q: number, p: number, t: number): void {
    packets[p + OWN] = t << 1
    const d = packets[p + DST]!
    const o = bytes[(p + STATE) << 2]!
    const x = router[q]! * PS + o
    const k = lines[q] === 0 && outLines[x] === 0 && root[x] === 0 ? 0 : lineFor(q, d, o, x, t)
    joined[q * Q + k]!++
    const first = push(q * Q + k, p)
    if (k > 0) {
      joins(q, k - 1, packets[p + FLITS]!)
      if (first) look(q, k - 1)
      return
    }
    normal[q]!++
    if (first) asksFor(q, o)
    if (++standing[q * R + o]! > DETECT && root[x] === 0) detect(x, t)
  }

  /** The queue of a packet to d: of the line with the longest way, which is made if the output knows of a longer one, or is congested itself. */
  function lineFor(q: number, d: number, o: number, x: number, t: number): number {
    const y = outLines[x] === 0 ? 0 : outOwner[x * N + d]!
    const k = owner[q * N + d]!
    if (k !== 0 && lineNext[q * L + k - 1] === y) return k
    if (y === 0 && root[x] === 0) return k
    // a line of this point may be there, and d not be its own because a longer one is
    for (let i = 0; i < L; i++)
      if (lineOn[q * L + i] !== 0 && lineOut[q * L + i] === o && lineNext[q * L + i] === y) return owner[q * N + d]!
    if (born(q, o, y, t) < 0) refused[q]!++
    return owner[q * N + d]!
  }

  function joins(q: number, i: number, flits: number): void {
    const line = q * L + i
    linePackets[line]!++
    lineFlits[line]! += flits
    lineDue[line] = 0
    setAside[q]! += flits
    aside[q]!++
    if (linePackets[line]! > STOP && (lineState[line]! & SENT_STOP) === 0) stop(q, i, line)
  }

  /** Output x is a congested point: every input that has packets for it sets them aside from now on. */
  function detect(x: number, t: number): void {
    root[x] = 1
    const first = router[x]! * PS
    const o = local[x]!
    let some = false
    for (let q = first; q < first + R; q++) {
      if (standing[q * R + o] === 0) continue
      if (born(q, o, 0, t) < 0) refused[q]!++
      else some = true
    }
    if (!some) root[x] = 0
  }

  function stop(q: number, i: number, line: number): void {
    if ((lineState[line]! & MAPPED) !== 0) {
      lineState[line]! |= SENT_STOP
      notes.up(q, NOTE.stop, i, 0, 0, -1)
      return
    }
    if (lineLength[line]! >= TURNS) return
    lineState[line]! |= SENT_STOP | MAPPED
    notes.upTurns(q, NOTE.allocate, i, linePath, line * TURNS, lineLength[line]!)
  }

  function asksFor(q: number, o: number): void {
    front(q, o, 0)
    normalAsks[q] = o + 1
  }

  /** May the front of line i ask? Not before those that were here when the line was born, nor while it is stopped behind its output. */
  function may(q: number, i: number): boolean {
    const line = q * L + i
    if (heads[q * Q + 1 + i] === 0) return false
    const y = lineNext[line]!
    if (y !== 0 && outStop[(router[q]! * PS + lineOut[line]!) * L + y - 1] !== 0) return false
    for (let k = 0; k < Q; k++) if (left[q * Q + k]! < after[line * Q + k]!) return false
    return true
  }

  function look(q: number, i: number): void {
    const was = ((lineAsks[q]! >>> i) & 1) !== 0
    if (may(q, i) === was) return
    lineAsks[q]! ^= 1 << i
    if (was) gone(q, lineOut[q * L + i]!, 1 + i)
    else front(q, lineOut[q * L + i]!, 1 + i)
  }

  function lookAll(q: number, t: number): void {
    for (let i = 0; i < L; i++) {
      if (lineOn[q * L + i] === 0) continue
      look(q, i)
      idle(q, i, t)
    }
  }

  function leave(q: number, o: number, k: number, t: number): number {
    const p = pop(q * Q + k)
    left[q * Q + k]!++
    gone(q, o, k)
    if (k === 0) {
      normal[q]!--
      standing[q * R + o]!--
      normalAsks[q] = 0
      const next = heads[q * Q]!
      if (next !== 0) asksFor(q, bytes[(next + STATE) << 2]!)
    } else {
      const line = q * L + k - 1
      const flits = packets[p + FLITS]!
      linePackets[line]!--
      lineFlits[line]! -= flits
      setAside[q]! -= flits
      lineAsks[q]! &= ~(1 << (k - 1))
      if ((lineState[line]! & SENT_STOP) !== 0 && linePackets[line]! <= GO) {
        lineState[line]! &= ~SENT_STOP
        notes.up(q, NOTE.go, k - 1, 0, 0, -1)
      }
    }
    if (lines[q] !== 0) lookAll(q, t)
    return p
  }

  /** A line is given back when it is empty, its sender has given back what it was told, and nothing stops it, for a while. */
  function dead(q: number, i: number): boolean {
    const line = q * L + i
    const y = lineNext[line]!
    return (
      linePackets[line] === 0 &&
      (lineState[line]! & MAPPED) === 0 &&
      (y === 0 || outStop[(router[q]! * PS + lineOut[line]!) * L + y - 1] === 0)
    )
  }

  function idle(q: number, i: number, t: number): void {
    if (lineDue[q * L + i] === 0 && dead(q, i)) lineDue[q * L + i] = arm(q, t)
  }

  function timer(port: number, _s: number, t: number): void {
    for (let i = 0; i < L; i++) {
      const line = port * L + i
      if (lineOn[line] !== 0 && lineDue[line] === t) {
        lineDue[line] = 0
        if (dead(port, i)) dies(port, i, t)
      }
      if (outOn[line] === 0 || outDue[line] !== t) continue
      outDue[line] = 0
      if (outLinks[line] === 0) giveBack(port, i)
    }
  }

  function hear(x: number, p: number, t: number): void {
    const value = packets[p + VALUE]!
    const kind = packets[p + KIND_AT]!
    const i = lineOf(value)
    const line = x * L + i
    if (kind === NOTE.token) {
      lineState[line] = 0
      if (linePackets[line]! > STOP) stop(x, i, line)
      idle(x, i, t)
    } else if (kind === NOTE.allocate) {
      const n = countOf(value)
      for (let k = 0; k < n; k++) outPath[line * TURNS + k] = destinationAt(packets, p, k)
      outBorn(x, i, n, t)
    } else if (outOn[line] !== 0) {
      outStop[line] = kind === NOTE.stop ? 1 : 0
      if (log.ON) log.gate(x, i, outHops[line]!, kind === NOTE.stop)
      const first = router[x]! * PS
      for (let q = first; q < first + R; q++) if (lines[q] !== 0) lookAll(q, t)
    }
    discard(p)
  }

  return {
    enter: book.enter,
    arrived,
    leave,
    classOf: (_, k) => (k === 0 ? 0 : 1),
    hear,
    timer,
    armed: () => armed(frame, s) + running(outDue),
    audit: (t) => lineComplaints(frame, s, t),
    digest: (d, q, key) => digestLines(s, d, q, key),
    values: (cycles) => lineValues(frame, s, cycles),
    tables: (now) => ({ lines: lineTable(frame, s), isolation: isolationSeries(frame, now) }),
  }
}
