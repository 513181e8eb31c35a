// RECN for input-queued switches: regional explicit congestion notification. A congested point is named by the turns
// that lead to it. Packets whose path starts with these turns are set aside in the queue of its line (SAQ); the longest
// list of turns has precedence. A line that grows notifies its sender, which extends the path by one turn. Lines are
// freed from the leaves of the tree to its root, and return a token to the neighbour that notified them.
//
// J. Duato, I. Johnson, J. Flich, F. Naven, P. Garcia and T. Nachiondo, "A New Scalable and Cost-Effective Congestion
// Management Strategy for Lossless Multistage Interconnection Networks", 2005; G. Mora, P. J. Garcia, J. Flich and J.
// Duato, "RECN-IQ", 2007.
//
// Limits: a router knows the paths to all destinations from its table, as a source would write them into the packet. A
// count of the packets of each output in the standard queue replaces detection queues. Memory is one pool, so a line
// has no reserved space.
import { DST, FLITS, STATE } from "../../../../fabric/packets.ts"
import type { SwitchPorts } from "../../../../fabric/transfer.ts"
import type { Inputs } from "../../inputs.ts"
import type { IsolationScheme } from "../../isolation-scheme.ts"
import type { SharedState } from "../../shared-state.ts"
import { lineComplaints } from "../audit.ts"
import { type Lines, MAPPED, SENT_STOP } from "../columns.ts"
import { CONTROL, type ControlMessages, countOf, destinationAt, lineOf } from "../control-messages.ts"
import { digestLines } from "../digest.ts"
import { makeLog } from "../log.ts"
import { armed, lineTable, lineValues, running } from "../report.ts"
import { isolationSeries } from "../series.ts"
import { TURNS, type TurnColumns } from "./columns.ts"
import { makeBook } from "./lines.ts"

export function makeRecn(
  sharedState: SharedState,
  s: Lines,
  v: TurnColumns,
  inputs: Inputs,
  notes: ControlMessages,
  links: SwitchPorts,
): IsolationScheme {
  const { site, ports, packetQueues, p: params } = sharedState
  const { PS, radix: R } = site.layout
  const { packets } = site.columns
  const { own: OWN, value: VALUE, kind: KIND_AT } = site.constants
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { push, pop, heads } = packetQueues
  const { front, gone } = inputs
  const log = makeLog(sharedState, links)
  const { discard } = links
  const book = makeBook(sharedState, s, v, notes, log)
  const { allocate, dies, arm, outAllocate, freeOutLine } = book
  const { L, N, lineOn, lineOut, lineNext, lineState, lineLength, linePackets, lineFlits, lineDue, lineRequests } = s
  const {
    outHops,
    outOn,
    outStop,
    outOwner,
    outLines,
    owner,
    lines,
    setAside,
    normal,
    normalRequests,
    aside,
    refused,
  } = s
  const { linePath, outPath, joined, left, after, standing, root, outLinks, outDue } = v
  const Q = 1 + L
  const DETECT = params.detection === "off" ? Number.POSITIVE_INFINITY : (params.detect ?? 8)
  const STOP = params.stop ?? 8
  const GO = params.go ?? 4

  /** Packet p arrives at input q: joins the queue of its line, or the standard queue, which may detect congestion. */
  function arrived(q: number, p: number, t: number): void {
    packets[p + OWN] = t << 1
    const d = packets[p + DST]
    const o = bytes[(p + STATE) << 2]
    const x = router[q] * PS + o
    // Without any line in the neighbourhood, the packet joins the standard queue (queue 0).
    const k = lines[q] === 0 && outLines[x] === 0 && root[x] === 0 ? 0 : lineFor(q, d, o, x, t)
    joined[q * Q + k]++
    const first = push(q * Q + k, p)
    if (k > 0) {
      joins(q, k - 1, packets[p + FLITS])
      if (first) look(q, k - 1)
      return
    }
    normal[q]++
    if (first) requestsFor(q, o)
    if (++standing[q * R + o] > DETECT && root[x] === 0) detect(x, t)
  }

  /**
   * Returns the queue of a packet to d: that of the line with the longest matching path. The line is allocated if the
   * output knows a longer path, or is congested itself.
   */
  function lineFor(q: number, d: number, o: number, x: number, t: number): number {
    const y = outLines[x] === 0 ? 0 : outOwner[x * N + d]
    const k = owner[q * N + d]
    if (k !== 0 && lineNext[q * L + k - 1] === y) return k
    if (y === 0 && root[x] === 0) return k
    // The line of this point may exist without owning d, because a longer path owns it.
    for (let i = 0; i < L; i++)
      if (lineOn[q * L + i] !== 0 && lineOut[q * L + i] === o && lineNext[q * L + i] === y) return owner[q * N + d]
    if (allocate(q, o, y, t) < 0) refused[q]++
    return owner[q * N + d]
  }

  /** Counts a packet that joins the queue of line i, and stops the sender if the queue is too long. */
  function joins(q: number, i: number, flits: number): void {
    const line = q * L + i
    linePackets[line]++
    lineFlits[line] += flits
    lineDue[line] = 0
    setAside[q] += flits
    aside[q]++
    if (linePackets[line] > STOP && (lineState[line] & SENT_STOP) === 0) stop(q, i, line)
  }

  /** Output x becomes a congested point: each input with packets for it sets them aside from now on. */
  function detect(x: number, t: number): void {
    root[x] = 1
    const first = router[x] * PS
    const o = local[x]
    let some = false
    for (let q = first; q < first + R; q++) {
      if (standing[q * R + o] === 0) continue
      if (allocate(q, o, 0, t) < 0) refused[q]++
      else some = true
    }
    if (!some) root[x] = 0
  }

  /** Stops the sender of line i; the first Stop is an Allocate with the path of the line. */
  function stop(q: number, i: number, line: number): void {
    // The sender has a copy of the line, so its number suffices.
    if ((lineState[line] & MAPPED) !== 0) {
      lineState[line] |= SENT_STOP
      notes.up(q, CONTROL.stop, i, 0, 0, -1)
      return
    }
    if (lineLength[line] >= TURNS) return
    lineState[line] |= SENT_STOP | MAPPED
    notes.upTurns(q, CONTROL.allocate, i, linePath, line * TURNS, lineLength[line])
  }

  function requestsFor(q: number, o: number): void {
    front(q, o, 0)
    normalRequests[q] = o + 1
  }

  /**
   * Returns whether the head packet of line i may request its output. It must wait for the packets that were in other
   * queues when the line was allocated, and while the line is stopped at its output.
   */
  function may(q: number, i: number): boolean {
    const line = q * L + i
    if (heads[q * Q + 1 + i] === 0) return false
    const y = lineNext[line]
    if (y !== 0 && outStop[(router[q] * PS + lineOut[line]) * L + y - 1] !== 0) return false
    for (let k = 0; k < Q; k++) if (left[q * Q + k] < after[line * Q + k]) return false
    return true
  }

  /** Updates the request of line i. */
  function look(q: number, i: number): void {
    const was = ((lineRequests[q] >>> i) & 1) !== 0
    if (may(q, i) === was) return
    lineRequests[q] ^= 1 << i
    if (was) gone(q, lineOut[q * L + i], 1 + i)
    else front(q, lineOut[q * L + i], 1 + i)
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
    left[q * Q + k]++
    gone(q, o, k)
    if (k === 0) {
      normal[q]--
      standing[q * R + o]--
      normalRequests[q] = 0
      const next = heads[q * Q]
      if (next !== 0) requestsFor(q, bytes[(next + STATE) << 2])
    } else {
      const line = q * L + k - 1
      const flits = packets[p + FLITS]
      linePackets[line]--
      lineFlits[line] -= flits
      setAside[q] -= flits
      lineRequests[q] &= ~(1 << (k - 1))
      if ((lineState[line] & SENT_STOP) !== 0 && linePackets[line] <= GO) {
        lineState[line] &= ~SENT_STOP
        notes.up(q, CONTROL.go, k - 1, 0, 0, -1)
      }
    }
    // A departure can satisfy the order constraints (`after`) of other lines.
    if (lines[q] !== 0) lookAll(q, t)
    return p
  }

  /**
   * Returns whether a line can be freed (after its timer): it is empty, not stopped, and its sender has returned the
   * token.
   */
  function dead(q: number, i: number): boolean {
    const line = q * L + i
    const y = lineNext[line]
    return (
      linePackets[line] === 0 &&
      (lineState[line] & MAPPED) === 0 &&
      (y === 0 || outStop[(router[q] * PS + lineOut[line]) * L + y - 1] === 0)
    )
  }

  function idle(q: number, i: number, t: number): void {
    if (lineDue[q * L + i] === 0 && dead(q, i)) lineDue[q * L + i] = arm(q, t)
  }

  /** Frees the input and output lines of a port whose timer is due and which are still unused. */
  function timer(port: number, _s: number, t: number): void {
    for (let i = 0; i < L; i++) {
      const line = port * L + i
      if (lineOn[line] !== 0 && lineDue[line] === t) {
        lineDue[line] = 0
        if (dead(port, i)) dies(port, i, t)
      }
      if (outOn[line] === 0 || outDue[line] !== t) continue
      outDue[line] = 0
      if (outLinks[line] === 0) freeOutLine(port, i)
    }
  }

  /** Handles a message: a token for an input line, or Allocate, Stop and Go for an output line. */
  function receiveFromNeighbour(x: number, p: number, t: number): void {
    const value = packets[p + VALUE]
    const kind = packets[p + KIND_AT]
    const i = lineOf(value)
    const line = x * L + i
    // The sender has released its copy: the line can be notified again or freed.
    if (kind === CONTROL.token) {
      lineState[line] = 0
      if (linePackets[line] > STOP) stop(x, i, line)
      idle(x, i, t)
    } else if (kind === CONTROL.allocate) {
      const n = countOf(value)
      for (let k = 0; k < n; k++) outPath[line * TURNS + k] = destinationAt(packets, p, k)
      outAllocate(x, i, n, t)
    } else if (outOn[line] !== 0) {
      outStop[line] = kind === CONTROL.stop ? 1 : 0
      if (log.ON) log.gate(x, i, outHops[line], kind === CONTROL.stop)
      const first = router[x] * PS
      for (let q = first; q < first + R; q++) if (lines[q] !== 0) lookAll(q, t)
    }
    discard(p)
  }

  return {
    enter: book.enter,
    arrived,
    leave,
    classOf: (_, k) => (k === 0 ? 0 : 1),
    receiveFromNeighbour,
    timer,
    armed: () => armed(sharedState, s) + running(outDue),
    audit: (t) => lineComplaints(sharedState, s, t),
    digest: (d, q, key) => digestLines(s, d, q, key),
    values: (cycles) => lineValues(sharedState, s, cycles),
    tables: (now) => ({ lines: lineTable(sharedState, s), isolation: isolationSeries(sharedState, now) }),
  }
}
