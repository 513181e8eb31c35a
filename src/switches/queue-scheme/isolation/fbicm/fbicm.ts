// Congestion isolation in switch inputs: FBICM. Packets arrive in the normal queue (NFQ, queue 0). If it exceeds a
// threshold, its head packet is considered congested: a CAM line is allocated, and packets to the destinations of its
// list are set aside in the queue of the line (CFQ, queue 1 + line). Other packets can then pass. A line queue that
// grows stops its senders, over all links of the congestion tree.
//
// J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato, "Efficient Congestion Management for
// High-Performance Interconnection Networks with Distributed Routing", 2010. docs/guide/congestion-isolation.md lists
// the rules that the paper leaves open. The parts: detection.ts, lines.ts, cascade.ts, eligibility.ts, flow.ts,
// receiving.ts.
import { DST, FLITS, STATE } from "../../../../fabric/packets.ts"
import type { SwitchPorts } from "../../../../fabric/transfer.ts"
import type { Inputs } from "../../inputs.ts"
import type { IsolationScheme } from "../../isolation-scheme.ts"
import type { SharedState } from "../../shared-state.ts"
import { lineComplaints } from "../audit.ts"
import type { Lines } from "../columns.ts"
import type { LineMessages } from "../control-messages.ts"
import { digestLines } from "../digest.ts"
import { type LineHome, type LineState, switchHome } from "../home.ts"
import { makeLog } from "../log.ts"
import { armed, lineTable, lineValues } from "../report.ts"
import { isolationSeries } from "../series.ts"
import { makeCascade } from "./cascade.ts"
import { makeDetection } from "./detection.ts"
import { makeEligibility } from "./eligibility.ts"
import { makeFlow } from "./flow.ts"
import { makeLineBook } from "./lines.ts"
import { makeReceiving } from "./receiving.ts"

type IsolationPorts = Pick<SwitchPorts, "returnVlCredit" | "discard" | "traceEvent">

/** FBICM for the inputs of switches. */
export function makeFbicm(
  sharedState: SharedState,
  s: Lines,
  inputs: Inputs,
  notes: LineMessages,
  links: IsolationPorts,
): IsolationScheme {
  const home = switchHome(sharedState, s)
  return {
    ...makeSetAside(sharedState, s, inputs, notes, links, home),
    enter: home.enter,
    armed: () => armed(sharedState, s),
    audit: (t) => lineComplaints(sharedState, s, t),
    digest: (d, q, key) => digestLines(s, d, q, key),
    values: (cycles) => lineValues(sharedState, s, cycles),
    tables: (now) => ({ lines: lineTable(sharedState, s), isolation: isolationSeries(sharedState, now) }),
  }
}

type SetAside = Required<
  Pick<IsolationScheme, "arrived" | "leave" | "classOf" | "receiveFromNeighbour" | "post" | "timer">
>

/** The core of FBICM for any ports with a normal queue and lines; adapters use it too (../../injection/lines.ts). */
export function makeSetAside(
  sharedState: LineState,
  s: Lines,
  inputs: Pick<Inputs, "front" | "gone">,
  notes: LineMessages,
  links: IsolationPorts,
  home: LineHome,
): SetAside {
  const { site, packetQueues, p: params } = sharedState
  const { packets } = site.columns
  const { own: OWN } = site.constants
  const bytes = new Uint8Array(packets.buffer)
  const { push, pop, heads } = packetQueues
  const { front, gone } = inputs
  const log = makeLog(sharedState, links)
  const book = makeLineBook(sharedState, s, notes, log, home)
  const gates = makeEligibility(sharedState, s, inputs)
  const flow = makeFlow(sharedState, s, notes, book, gates)
  const moves = makeCascade(sharedState, s, book, gates, flow)
  const { lineFor } = makeDetection(sharedState, s, book, moves)
  const receiveFromNeighbour = makeReceiving(sharedState, s, notes, book, flow, moves, links, log, post)
  const { refresh } = gates
  const { join, left, checkStop, checkGo, idle, ends } = flow
  const { cascade, unlack } = moves
  const {
    L,
    N,
    lineNext,
    lineFlits,
    owner,
    movedTo,
    moved,
    lines,
    setAside,
    normal,
    normalRequests,
    lastMove,
    lineRequests,
    lineStale,
  } = s
  const { aside, refused } = s
  const Q = 1 + L
  const ALL = 2 ** L - 1
  const DETECT = params.detect ?? 8
  const SHORT = params.scheme === "fbicm-2"
  const CASCADE = params.cascade ?? true
  const LINE_FLITS = sharedState.scheme.lineFlits!
  const ALL_FLITS = sharedState.scheme.asideFlits!
  const NFQ_CREDITS = params.credits === "nfq"

  function arrived(q: number, p: number, t: number): void {
    packets[p + OWN] = t << 1
    const n = ++normal[q]
    // Behind a head packet that already requests its output, nothing changes until the queue reaches the threshold.
    if (push(q * Q, p) || normalRequests[q] === 0 || n === DETECT + 1) post(q, 0, t)
  }

  function timer(q: number, _s: number, t: number): void {
    if (ends(q, t)) post(q, 0, t)
  }

  /**
   * Processes the head of the normal queue: it is set aside in a line queue, requests its output, or waits. Repeats
   * while packets are set aside, then updates the requests of stale line queues.
   */
  function post(q: number, _s: number, t: number): void {
    for (;;) {
      const p = heads[q * Q]
      const o = p === 0 ? -1 : postOne(q, p, t)
      const requests = normalRequests[q] - 1
      // The request of the normal queue follows its head packet.
      if (requests !== o) {
        if (requests >= 0) gone(q, requests, 0)
        if (o >= 0) front(q, o, 0)
        normalRequests[q] = o + 1
      }
      if (p === 0 || p === heads[q * Q]) break
    }
    if (lineStale[q] !== 0) refresh(q)
  }

  /** Returns the line + 1 that owns destination d at input q, which has lines in use; 0 = none. */
  function ownerOf(q: number, d: number): number {
    let k = owner[q * N + d]
    if (CASCADE && k === 0 && moved[q * N + d] > 0) {
      // The line that owned d was freed, but packets to d were moved: the line with these packets becomes the owner.
      k = movedTo[q * N + d]
      owner[q * N + d] = k
    }
    return k
  }

  /** Returns the output that the head packet p may request, or -1 if it was set aside or must wait. */
  function postOne(q: number, p: number, t: number): number {
    const d = packets[p + DST]
    const o = bytes[(p + STATE) << 2]
    let k = lines[q] === 0 ? 0 : ownerOf(q, d)
    const f = packets[p + FLITS]
    // The memory for all lines together is limited, so that the normal queue keeps some space.
    const full = setAside[q] + f > ALL_FLITS
    if (k === 0 && !full) k = lineFor(q, d, o, t)
    if (k === 0) return o
    const line = q * L + k - 1
    if (full || lineFlits[line] + f > LINE_FLITS) {
      refused[q]++
      return -1
    }
    // At most one packet is set aside in a cycle.
    if (lastMove[q] === t + 1) {
      home.again(q)
      return -1
    }
    lastMove[q] = t + 1
    pop(q * Q)
    unlack(q * Q, p, t)
    normal[q]--
    setAside[q] += f
    aside[q]++
    join(q, k - 1, p)
    // The packet has left the normal queue, whose space the sender's credits count.
    if (NFQ_CREDITS) links.returnVlCredit(q, 0, f, t)
    checkStop(q, k - 1)
    cascade(q, k - 1, t)
    return -1
  }

  function leave(q: number, o: number, k: number, t: number): number {
    const p = pop(q * Q + k)
    gone(q, o, k)
    if (k === 0) {
      normal[q]--
      normalRequests[q] = 0
    } else {
      const i = k - 1
      left(q, i, p)
      setAside[q] -= packets[p + FLITS]
      lineRequests[q] &= ~(1 << i)
      // Bit 0 of the own word marks packets that were moved between lines; the others may now request again.
      if ((packets[p + OWN] & 1) !== 0) {
        moved[q * N + packets[p + DST]]--
        lineStale[q] = ALL
      }
      cascade(q, i, t)
      checkGo(q, i)
      idle(q, i, t)
    }
    post(q, 0, t)
    return p
  }

  /**
   * Normal queue first, then lines of this switch's own congested outputs, then (version 2) lines of farther points.
   */
  function classOf(q: number, k: number): number {
    return k === 0 ? 0 : SHORT && lineNext[q * L + k - 1] !== 0 ? 2 : 1
  }

  return { arrived, leave, classOf, receiveFromNeighbour, post, timer }
}
