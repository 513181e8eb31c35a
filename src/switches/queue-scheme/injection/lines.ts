// Injection queues of an adapter that mirror FBICM: one normal queue and one queue per CAM line, in as much memory as a
// switch port has. The adapter is modelled as a port with one input and one output, the link to the switch. The lines
// of its output are copies of those of the switch's input, so the code of the switch (../isolation/fbicm) is reused.
//
// There is no upstream neighbour. Instead, a line above the Stop threshold closes the admittance queues of its
// destinations until it has drained to the Go threshold.
import { lowest } from "../../../core/bitset.ts"
import { i32, u8 } from "../../../fabric/columns.ts"
import { DST, eachInChain, FLITS, KEY } from "../../../fabric/packets.ts"
import { type EndpointProtocol, type EndpointSite, UNTIL_WOKEN } from "../../../model/protocol.ts"
import { makePacketQueues } from "../../parts/packet-queues.ts"
import { lineComplaints } from "../isolation/audit.ts"
import { lineColumns, SENT_STOP } from "../isolation/columns.ts"
import { CONTROL, controlValue, type LineMessages, lineOf } from "../isolation/control-messages.ts"
import { digestLines } from "../isolation/digest.ts"
import { makeSetAside } from "../isolation/fbicm/fbicm.ts"
import type { LineHome } from "../isolation/home.ts"
import { sum } from "../isolation/report.ts"
import { MEMORY } from "../params.ts"
import type { InjectionSpec } from "./spec.ts"

export function makeLineQueues(at: EndpointSite, spec: InjectionSpec): EndpointProtocol {
  const low = lowest
  const { site, p, scheme, wish } = spec
  const { rows, ends: N, outer, packets: view } = at
  const { packets } = site.columns
  const { own: OWN } = site.constants
  const L = scheme.lines!
  const Q = 1 + L
  const MEMORY_FLITS = p.memory ?? MEMORY
  const LONGEST = at.maxPacket
  const HEADER = p.header ?? 8
  const ANSWER = p.scheme === "fbicm-2" && (p.allocateAck ?? true)
  const GATE = wish.gate ?? true
  const PACED = wish.rate !== "any"

  const ports = {
    count: rows,
    inputs: rows,
    router: i32(rows),
    local: u8(rows),
    linkClass: u8(rows),
    wired: u8(rows).fill(1),
    ejects: u8(rows),
  }
  for (let e = 0; e < rows; e++) ports.router[e] = e
  const packetQueues = makePacketQueues(packets, rows * Q)
  // No timing wheels and no series, because an endpoint has its own timer.
  // A switch of one port per endpoint: the code of FBICM sees the adapter as a router with one input and one output.
  const sharedState = {
    ...{ ports, packetQueues, scheme, table: { ports: new Uint8Array(N * N), ends: N } },
    site: {
      ...site,
      layout: { ...site.layout, PS: 1, radix: 1, outerRouter: site.layout.outerEnd },
      constants: { ...site.constants, portWords: 0, portMarks: 0, seriesLength: 0 },
    },
    // Allocate messages are acknowledged below; the adapter's own lines have no upstream neighbour to wait for.
    p: { ...p, allocateAck: false, detection: wish.detect === true ? ("on" as const) : ("off" as const) },
    columns: { stalledSince: u8(rows * Q), waiting: i32(rows) },
  }
  const s = lineColumns(sharedState.site, ports, L, Math.max(1, p.timer ?? 256))
  // Columns for the ready sets of a switch are left out: an endpoint does not use them, and their size differs.
  const { postPending, postMarks, timerDue, timerMarks, lineSeries, ...own } = s.columns
  const { waiting } = sharedState.columns
  const { owner, lineState, lineDue, lines } = s
  // [endpoint] -> flits in its queues; 1 if its normal queue must be checked again
  const used = i32(rows)
  const again = i32(rows)
  // [endpoint] -> the first cycle in which a packet may join them
  const ready = i32(rows)

  // Timers and repeated checks use the endpoint's timer instead of timing wheels.
  const home: LineHome = {
    enter: () => {},
    arm: (e, cycle) => at.wakeAt(e, cycle),
    again: (e) => {
      again[e] = 1
    },
    count: () => {},
  }
  // There is no upstream neighbour; Go and Deallocate open admittance queues again, so the endpoint is woken.
  const notes: LineMessages = {
    up: (e, kind) => {
      if (kind === CONTROL.go || kind === CONTROL.deallocate) at.wake(e)
    },
    upOne: () => {},
    down: () => {},
  }
  const { arrived, leave, classOf, receiveFromNeighbour, post, timer } = makeSetAside(
    sharedState,
    s,
    {
      front: (e, _, k) => {
        waiting[e] |= 1 << k
      },
      gone: (e, _, k) => {
        waiting[e] &= ~(1 << k)
      },
    },
    notes,
    { returnVlCredit: () => {}, discard: () => {} },
    home,
  )

  /** Sets the endpoint's timer if a queue must be checked again. */
  function later(e: number, t: number): void {
    if (again[e] !== 0) at.wakeAt(e, t + 1)
  }

  function due(e: number, t: number): void {
    again[e] = 0
    timer(e, 0, t)
    post(e, 0, t)
    // The timer was the earliest one; the timers of the other lines are set again.
    if (lines[e] !== 0)
      for (let line = e * L; line < (e + 1) * L; line++) if (lineDue[line] > t) at.wakeAt(e, lineDue[line])
    later(e, t)
    at.wake(e)
  }

  /**
   * Returns 0 if a packet to `to` may enter the injection queues now. Otherwise they are full, or the line of its
   * destination is above the Stop threshold.
   */
  function mayInject(e: number, to: number, _flits: number, t: number): number {
    if (used[e] + LONGEST > MEMORY_FLITS) return UNTIL_WOKEN
    const k = GATE ? owner[e * N + to] : 0
    if (k !== 0 && (lineState[e * L + k - 1] & SENT_STOP) !== 0) return UNTIL_WOKEN
    return ready[e] > t ? ready[e] : 0
  }

  function joins(e: number, q: number, t: number): void {
    used[e] += packets[q + FLITS]
    if (PACED) ready[e] = t + packets[q + FLITS]
    arrived(e, q, t)
    later(e, t)
  }

  /**
   * Removes and returns the next packet: of the queues whose head packet has credits, one of the highest class, and
   * within it the packet that arrived first.
   */
  function next(e: number, t: number): number {
    let best = -1
    let rank = 0
    for (let m = waiting[e]; m !== 0; m &= m - 1) {
      const k = low(m)
      const q = packetQueues.heads[e * Q + k]
      if (!at.hasCredits(e, packets[q + DST], packets[q + FLITS])) continue
      const key = classOf(e, k) * 0x80000000 + (packets[q + OWN] >>> 1)
      if (best >= 0 && key >= rank) continue
      best = k
      rank = key
    }
    if (best < 0) return 0
    const q = leave(e, 0, best, t)
    used[e] -= packets[q + FLITS]
    later(e, t)
    return q
  }

  return {
    mayInject,
    joins,
    next,
    due,
    heard(e, m, t) {
      if (view.kind(m) === CONTROL.allocate && ANSWER)
        at.tell(e, CONTROL.accept, controlValue(lineOf(view.value(m)), 0, 0, 0), HEADER)
      receiveFromNeighbour(e, m, t)
      later(e, t)
      at.wake(e)
    },
    columns: { ...own, ...packetQueues.columns, ...sharedState.columns, used, again, ready },
    kept: () => sum(s.normal) + sum(s.linePackets),
    audit: (t) => lineComplaints(sharedState, s, t),
    digest(add) {
      for (let e = 0; e < rows; e++) {
        if (outer(e) < 0) continue
        const key = outer(e) * 256
        digestLines(s, { add }, e, key)
        for (let k = 0; k < Q; k++)
          eachInChain(packets, packetQueues.first(e * Q + k), (one, place) =>
            add(key + 64 + k, packets[one + KEY], place),
          )
      }
    },
  }
}
