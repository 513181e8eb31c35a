// Congestion isolation in the inputs of switches: FBICM. Packets arrive in the normal queue (NFQ, queue 0). When it grows beyond a threshold its front is
// taken for congested: a CAM line is born, and packets to the destinations of its list are set aside in the line's queue (CFQ, queue 1 + line), so that the
// others pass. A line's queue that grows stops its senders, over all links of the tree.
// J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato, "Efficient Congestion Management for High-Performance Interconnection Networks
// with Distributed Routing", 2010. docs/isolation.md names the rules that it leaves open.
import { DST, FLITS, STATE } from "../../../../fabric/packets.ts"
import type { TransferWires } from "../../../../fabric/transfer.ts"
import type { Aside } from "../../aside.ts"
import type { Frame } from "../../frame.ts"
import type { Inputs } from "../../inputs.ts"
import { lineComplaints } from "../audit.ts"
import type { Lines } from "../columns.ts"
import { digestLines } from "../digest.ts"
import { type LineFrame, type LineHome, switchHome } from "../home.ts"
import { makeLog } from "../log.ts"
import type { LineNotes } from "../notes.ts"
import { armed, lineTable, lineValues } from "../report.ts"
import { isolationSeries } from "../series.ts"
import { makeCascade } from "./cascade.ts"
import { makeDetection } from "./detection.ts"
import { makeFlow } from "./flow.ts"
import { makeGates } from "./gates.ts"
import { makeHearing } from "./hearing.ts"
import { makeLineBook } from "./lines.ts"

type Wires = Pick<TransferWires, "giveBackLane" | "discard" | "fact">

/** Inputs of switches. */
export function makeFbicm(frame: Frame, s: Lines, inputs: Inputs, notes: LineNotes, wires: Wires): Aside {
  const home = switchHome(frame, s)
  return {
    ...makeSetAside(frame, s, inputs, notes, wires, home),
    enter: home.enter,
    armed: () => armed(frame, s),
    audit: (t) => lineComplaints(frame, s, t),
    digest: (d, q, key) => digestLines(s, d, q, key),
    values: (cycles) => lineValues(frame, s, cycles),
    tables: (now) => ({ lines: lineTable(frame, s), isolation: isolationSeries(frame, now) }),
  }
}

type SetAside = Required<Pick<Aside, "arrived" | "leave" | "classOf" | "hear" | "post" | "timer">>

/** Any ports with a normal queue and lines. */
export function makeSetAside(
  frame: LineFrame,
  s: Lines,
  inputs: Pick<Inputs, "front" | "gone">,
  notes: LineNotes,
  wires: Wires,
  home: LineHome,
): SetAside {
  const { site, chains, p: params } = frame
  const { packets } = site.columns
  const { own: OWN } = site.constants
  const bytes = new Uint8Array(packets.buffer)
  const { push, pop, heads } = chains
  const { front, gone } = inputs
  const log = makeLog(frame, wires)
  const book = makeLineBook(frame, s, notes, log, home)
  const gates = makeGates(frame, s, inputs)
  const flow = makeFlow(frame, s, notes, book, gates)
  const moves = makeCascade(frame, s, book, gates, flow)
  const { lineFor } = makeDetection(frame, s, book, moves)
  const hear = makeHearing(frame, s, notes, book, flow, moves, wires, log, post)
  const { refresh } = gates
  const { join, left, checkStop, checkGo, idle, ends } = flow
  const { cascade, unlack } = moves
  const { L, N, lineNext, lineFlits, owner, movedTo, moved, lines, setAside, normal, normalAsks, lastMove, lineAsks, lineStale } = s
  const { aside, refused } = s
  const Q = 1 + L
  const ALL = 2 ** L - 1
  const DETECT = params.detect ?? 8
  const SHORT = params.scheme === "fbicm-2"
  const CASCADE = params.cascade ?? true
  const LINE_ROOM = frame.scheme.lineFlits!
  const ALL_ROOM = frame.scheme.asideFlits!
  const NFQ_CREDITS = params.credits === "nfq"

  function arrived(q: number, p: number, t: number): void {
    packets[p + OWN] = t << 1
    const n = ++normal[q]!
    // behind a front that asks already, nothing is new before the queue is too long
    if (push(q * Q, p) || normalAsks[q] === 0 || n === DETECT + 1) post(q, 0, t)
  }

  function timer(q: number, _s: number, t: number): void {
    if (ends(q, t)) post(q, 0, t)
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
    if (lineStale[q] !== 0) refresh(q)
  }

  /** The line + 1 that owns destination d at input q, which has lines; 0 = none. */
  function ownerOf(q: number, d: number): number {
    let k = owner[q * N + d]!
    if (CASCADE && k === 0 && moved[q * N + d]! > 0) {
      // the line that owned it has died: whoever holds packets of it owns it
      k = movedTo[q * N + d]!
      owner[q * N + d] = k
    }
    return k
  }

  /** The output that the front packet may ask for; -1 if it was set aside or must wait. */
  function postOne(q: number, p: number, t: number): number {
    const d = packets[p + DST]!
    const o = bytes[(p + STATE) << 2]!
    let k = lines[q] === 0 ? 0 : ownerOf(q, d)
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
      home.again(q)
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
    gone(q, o, k)
    if (k === 0) {
      normal[q]!--
      normalAsks[q] = 0
    } else {
      const i = k - 1
      left(q, i, p)
      setAside[q]! -= packets[p + FLITS]!
      lineAsks[q]! &= ~(1 << i)
      if ((packets[p + OWN]! & 1) !== 0) {
        moved[q * N + packets[p + DST]!]!--
        lineStale[q] = ALL
      }
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

  return { arrived, leave, classOf, hear, post, timer }
}
