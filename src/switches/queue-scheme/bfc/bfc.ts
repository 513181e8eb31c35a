// Back-pressure by flow and hop: an active flow has a queue of its own while there is one, and a queue that grows pauses the flows that feed it at the sender
// of the link, one by one. P. Goyal, P. Shah, K. Zhao, G. Nikolaidis, M. Alizadeh and T. E. Anderson, "Backpressure Flow Control", 2022.
// Limits: queues are at inputs, as everywhere in this switch (theirs are at outputs); thresholds are packets of a queue; flows are pairs of endpoints.
import { lowest } from "../../../core/bitset.ts"
import { DST, SRC, STATE } from "../../../fabric/packets.ts"
import type { TransferWires } from "../../../fabric/transfer.ts"
import type { Aside } from "../aside.ts"
import type { Frame } from "../frame.ts"
import type { Inputs } from "../inputs.ts"
import { NOTE, type Notes } from "../isolation/notes.ts"
import { waitingNotes } from "../isolation/report.ts"
import { isolationSeries } from "../isolation/series.ts"
import { type FlowColumns, flowOf } from "./columns.ts"
import { digestFlows, flowComplaints, flowValues } from "./report.ts"

export function makeBfc(frame: Frame, s: FlowColumns, { front, gone }: Inputs, notes: Notes, { discard }: TransferWires): Aside {
  const low = lowest
  const { site, ports, chains, p: params, scheme } = frame
  const { PS, radix: R } = site.layout
  const { packets } = site.columns
  const { value: VALUE, kind: KIND_AT } = site.constants
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { push, pop, heads } = chains
  const { flows: F, flowQueue, flowPackets, flowPaused, pausedNext, outPaused, pausedHead, queuePackets, queueFlows, asked, taken } = s
  const { queues: Q } = scheme
  const ALL = Q === 32 ? -1 : 2 ** Q - 1
  const STOP = params.stop ?? 8
  const GO = params.go ?? 4
  const SIZE = (params.header ?? 8) + (params.each ?? 2)
  const idOf = flowOf

  function arrived(q: number, p: number): void {
    const f = idOf(packets[p + SRC]!, packets[p + DST]!, F)
    const flow = q * F + f
    const k = flowQueue[flow] === 0 ? queueFor(q, f) : flowQueue[flow]! - 1
    flowPackets[flow]!++
    const n = ++queuePackets[q * Q + k]!
    if (push(q * Q + k, p)) ask(q, k, p)
    if (n > STOP && flowPaused[flow] === 0) pause(q, k, f)
  }

  /** A queue without flows; without one, the queue that the flow's number leads to. */
  function queueFor(q: number, f: number): number {
    const free = ~taken[q]! & ALL
    const k = free === 0 ? f % Q : low(free)
    flowQueue[q * F + f] = k + 1
    queueFlows[q * Q + k]!++
    taken[q]! |= 1 << k
    return k
  }

  /** The front of queue k asks, unless its flow is paused behind its output. */
  function ask(q: number, k: number, p: number): void {
    const o = bytes[(p + STATE) << 2]!
    if (outPaused[(router[q]! * PS + o) * F + idOf(packets[p + SRC]!, packets[p + DST]!, F)] !== 0) return
    asked[q * Q + k] = o + 1
    front(q, o, k)
  }

  function pause(q: number, k: number, f: number): void {
    flowPaused[q * F + f] = 1
    pausedNext[q * F + f] = pausedHead[q * Q + k]!
    pausedHead[q * Q + k] = f + 1
    notes.say(q, NOTE.pause, f, SIZE)
  }

  function resumeAll(q: number, k: number): void {
    let f = pausedHead[q * Q + k]! - 1
    pausedHead[q * Q + k] = 0
    while (f >= 0) {
      flowPaused[q * F + f] = 0
      notes.say(q, NOTE.resume, f, SIZE)
      if (flowPackets[q * F + f] === 0) forget(q, k, f)
      f = pausedNext[q * F + f]! - 1
    }
  }

  function forget(q: number, k: number, f: number): void {
    flowQueue[q * F + f] = 0
    if (--queueFlows[q * Q + k]! === 0) taken[q]! &= ~(1 << k)
  }

  function leave(q: number, o: number, k: number): number {
    const p = pop(q * Q + k)
    gone(q, o, k)
    asked[q * Q + k] = 0
    const f = idOf(packets[p + SRC]!, packets[p + DST]!, F)
    const left = --flowPackets[q * F + f]!
    const n = --queuePackets[q * Q + k]!
    if (left === 0 && flowPaused[q * F + f] === 0) forget(q, k, f)
    if (n <= GO && pausedHead[q * Q + k] !== 0) resumeAll(q, k)
    const next = heads[q * Q + k]!
    if (next !== 0) ask(q, k, next)
    return p
  }

  function hear(x: number, p: number): void {
    const f = packets[p + VALUE]!
    const on = packets[p + KIND_AT] === NOTE.pause
    discard(p)
    outPaused[x * F + f] = on ? 1 : 0
    const first = router[x]! * PS
    const o = local[x]!
    for (let q = first; q < first + R; q++) {
      const k = flowQueue[q * F + f]! - 1
      if (k >= 0) turn(q, k, f, o, on)
    }
  }

  /** Queue k of input q has packets of a flow that is paused behind output o now, or no longer. */
  function turn(q: number, k: number, f: number, o: number, on: boolean): void {
    const head = heads[q * Q + k]!
    if (head === 0 || bytes[(head + STATE) << 2] !== o || idOf(packets[head + SRC]!, packets[head + DST]!, F) !== f) return
    if (!on) {
      if (asked[q * Q + k] === 0) ask(q, k, head)
      return
    }
    if (asked[q * Q + k] !== 0) gone(q, o, k)
    asked[q * Q + k] = 0
  }

  return {
    enter: () => {},
    arrived,
    leave,
    hear,
    armed: () => waitingNotes(frame.talk!),
    audit: (t) => flowComplaints(frame, s, t),
    digest: (d, q, key) => digestFlows(s, Q, d, q, key),
    values: () => flowValues(frame),
    tables: (now) => ({ isolation: isolationSeries(frame, now) }),
  }
}
