// Injection queues of an adapter that copy FBICM: a normal queue and a queue for each CAM line, over as much memory as a port has. It is a port with one input
// and one output, the link to the switch, and the lines of its output are copies of those of the switch's input; so everything is as in a switch (../isolation/fbicm),
// but nobody is upstream: a line above `stop` closes the admittance queues of its destinations until it is down to `go`.
import { lowest } from "../../../core/bitset.ts"
import { i32, u8 } from "../../../fabric/columns.ts"
import { DST, eachInChain, FLITS, KEY } from "../../../fabric/packets.ts"
import { type EndpointProtocol, type EndpointSite, UNTIL_WOKEN } from "../../../model/protocol.ts"
import { makeChains } from "../../parts/chains.ts"
import { lineComplaints } from "../isolation/audit.ts"
import { lineColumns, SENT_STOP } from "../isolation/columns.ts"
import { digestLines } from "../isolation/digest.ts"
import { makeSetAside } from "../isolation/fbicm/fbicm.ts"
import type { LineHome } from "../isolation/home.ts"
import { type LineNotes, lineOf, NOTE, noteValue } from "../isolation/notes.ts"
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
  const ROOM = p.memory ?? MEMORY
  const LONGEST = at.maxPacket
  const HEADER = p.header ?? 8
  const ANSWER = p.scheme === "fbicm-2" && (p.answer ?? true)
  const GATE = wish.gate ?? true

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
  const chains = makeChains(packets, rows * Q)
  // neither wheels nor series: an endpoint has a timer of its own
  const frame = {
    ...{ ports, chains, scheme, table: { ports: new Uint8Array(N * N), ends: N } },
    site: {
      ...site,
      layout: { ...site.layout, PS: 1, radix: 1, outerRouter: site.layout.outerEnd },
      constants: { ...site.constants, portWords: 0, portMarks: 0, seriesLength: 0 },
    },
    // Allocates are answered below; its own wait for nobody
    p: { ...p, answer: false, detection: wish.detect === true ? ("on" as const) : ("off" as const) },
    columns: { lacking: u8(rows * Q), waiting: i32(rows) },
  }
  const s = lineColumns(frame.site, ports, L, Math.max(1, p.timer ?? 256))
  // what the sweeps of a switch use: an endpoint has no use for it, and its size is not that of endpoints
  const { postDirty, postMarks, timerDue, timerMarks, lineSeries, ...own } = s.columns
  const { waiting } = frame.columns
  const { owner, lineState, lineDue, lines } = s
  // [endpoint] -> flits in its queues; 1 if its normal queue is to be looked at again
  const used = i32(rows)
  const again = i32(rows)

  const home: LineHome = {
    enter: () => {},
    arm: (e, cycle) => at.wakeAt(e, cycle),
    again: (e) => {
      again[e] = 1
    },
    count: () => {},
  }
  const notes: LineNotes = {
    up: (e, kind) => {
      if (kind === NOTE.go || kind === NOTE.deallocate) at.wake(e)
    },
    upOne: () => {},
    down: () => {},
  }
  const { arrived, leave, classOf, hear, post, timer } = makeSetAside(
    frame,
    s,
    {
      front: (e, _, k) => {
        waiting[e]! |= 1 << k
      },
      gone: (e, _, k) => {
        waiting[e]! &= ~(1 << k)
      },
    },
    notes,
    { giveBackLane: () => {}, discard: () => {} },
    home,
  )

  /** What must be looked at later asks for the endpoint's timer. */
  function later(e: number, t: number): void {
    if (again[e] !== 0) at.wakeAt(e, t + 1)
  }

  function due(e: number, t: number): void {
    again[e] = 0
    timer(e, 0, t)
    post(e, 0, t)
    // its timer was the earliest: the others are still to come
    if (lines[e] !== 0) for (let line = e * L; line < (e + 1) * L; line++) if (lineDue[line]! > t) at.wakeAt(e, lineDue[line]!)
    later(e, t)
    at.wake(e)
  }

  function mayInject(e: number, to: number): number {
    if (used[e]! + LONGEST > ROOM) return UNTIL_WOKEN
    const k = GATE ? owner[e * N + to]! : 0
    return k !== 0 && (lineState[e * L + k - 1]! & SENT_STOP) !== 0 ? UNTIL_WOKEN : 0
  }

  function joins(e: number, q: number, t: number): void {
    used[e]! += packets[q + FLITS]!
    arrived(e, q, t)
    later(e, t)
  }

  /** Of the queues whose front has room behind the link: one of the most urgent class, whose front has been here longest. */
  function next(e: number, t: number): number {
    let best = -1
    let rank = 0
    for (let m = waiting[e]!; m !== 0; m &= m - 1) {
      const k = low(m)
      const q = chains.heads[e * Q + k]!
      if (!at.room(e, packets[q + DST]!, packets[q + FLITS]!)) continue
      const key = classOf(e, k) * 0x80000000 + (packets[q + OWN]! >>> 1)
      if (best >= 0 && key >= rank) continue
      best = k
      rank = key
    }
    if (best < 0) return 0
    const q = leave(e, 0, best, t)
    used[e]! -= packets[q + FLITS]!
    later(e, t)
    return q
  }

  return {
    mayInject,
    joins,
    next,
    due,
    heard(e, m, t) {
      if (view.kind(m) === NOTE.allocate && ANSWER) at.tell(e, NOTE.accept, noteValue(lineOf(view.value(m)), 0, 0, 0), HEADER)
      hear(e, m, t)
      later(e, t)
      at.wake(e)
    },
    columns: { ...own, ...chains.columns, ...frame.columns, used, again },
    kept: () => sum(s.normal) + sum(s.linePackets),
    audit: (t) => lineComplaints(frame, s, t),
    digest(add) {
      for (let e = 0; e < rows; e++) {
        if (outer(e) < 0) continue
        const key = outer(e) * 256
        digestLines(s, { add }, e, key)
        for (let k = 0; k < Q; k++)
          eachInChain(packets, chains.first(e * Q + k), (one, place) => add(key + 64 + k, packets[one + KEY]!, place))
      }
    },
  }
}
