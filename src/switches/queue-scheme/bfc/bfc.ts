// Backpressure Flow Control (BFC): per-hop, per-flow flow control. An active flow has its own queue at an input, as
// long as there are free queues. A queue that exceeds a threshold pauses the flows that feed it at the upstream end of
// the link, one by one. P. Goyal, P. Shah, K. Zhao, G. Nikolaidis, M. Alizadeh and T. E. Anderson, "Backpressure Flow
// Control", 2022.
//
// Limits: queues are at inputs, as in all schemes of this switch (in the paper they are at outputs); thresholds are
// packets of a queue; a flow is a pair of endpoints, identified by a hash.
import { lowest } from "../../../core/bitset.ts"
import { DST, SRC, STATE } from "../../../fabric/packets.ts"
import type { SwitchPorts } from "../../../fabric/transfer.ts"
import type { Inputs } from "../inputs.ts"
import { CONTROL, type ControlMessages } from "../isolation/control-messages.ts"
import { waitingControls } from "../isolation/report.ts"
import { isolationSeries } from "../isolation/series.ts"
import type { IsolationScheme } from "../isolation-scheme.ts"
import type { SharedState } from "../shared-state.ts"
import { type FlowColumns, flowOf } from "./columns.ts"
import { digestFlows, flowComplaints, flowValues } from "./report.ts"

export function makeBfc(
  sharedState: SharedState,
  s: FlowColumns,
  { front, gone }: Inputs,
  notes: ControlMessages,
  { discard }: SwitchPorts,
): IsolationScheme {
  const low = lowest
  const { site, ports, packetQueues, p: params, scheme } = sharedState
  const { PS, radix: R } = site.layout
  const { packets } = site.columns
  const { value: VALUE, kind: KIND_AT } = site.constants
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { push, pop, heads } = packetQueues
  const {
    flows: F,
    flowQueue,
    flowPackets,
    flowPaused,
    pausedNext,
    outPaused,
    pausedHead,
    queuePackets,
    queueFlows,
    requested,
    taken,
  } = s
  const { queues: Q } = scheme
  const ALL = Q === 32 ? -1 : 2 ** Q - 1
  const STOP = params.stop ?? 8
  const GO = params.go ?? 4
  const SIZE = (params.header ?? 8) + (params.each ?? 2)
  const idOf = flowOf

  /** Packet p arrives at input q: joins the queue of its flow, and pauses the flow if the queue is too long. */
  function arrived(q: number, p: number): void {
    const f = idOf(packets[p + SRC], packets[p + DST], F)
    const flow = q * F + f
    const k = flowQueue[flow] === 0 ? queueFor(q, f) : flowQueue[flow] - 1
    flowPackets[flow]++
    const n = ++queuePackets[q * Q + k]
    if (push(q * Q + k, p)) request(q, k, p)
    // Each flow of a long queue is paused when one of its packets arrives, so idle flows get no message.
    if (n > STOP && flowPaused[flow] === 0) pause(q, k, f)
  }

  /** Assigns a queue without flows; if there is none, the queue that follows from the flow's number. */
  function queueFor(q: number, f: number): number {
    const free = ~taken[q] & ALL
    const k = free === 0 ? f % Q : low(free)
    flowQueue[q * F + f] = k + 1
    queueFlows[q * Q + k]++
    taken[q] |= 1 << k
    return k
  }

  /** The head packet of queue k requests its output, unless its flow is paused there. */
  function request(q: number, k: number, p: number): void {
    const o = bytes[(p + STATE) << 2]
    if (outPaused[(router[q] * PS + o) * F + idOf(packets[p + SRC], packets[p + DST], F)] !== 0) return
    requested[q * Q + k] = o + 1
    front(q, o, k)
  }

  /** Pauses flow f at the sender of input q, and adds it to the list of paused flows of queue k. */
  function pause(q: number, k: number, f: number): void {
    flowPaused[q * F + f] = 1
    pausedNext[q * F + f] = pausedHead[q * Q + k]
    pausedHead[q * Q + k] = f + 1
    notes.say(q, CONTROL.pause, f, SIZE)
  }

  /** Resumes all paused flows of queue k, because it has drained to the lower threshold. */
  function resumeAll(q: number, k: number): void {
    let f = pausedHead[q * Q + k] - 1
    pausedHead[q * Q + k] = 0
    while (f >= 0) {
      flowPaused[q * F + f] = 0
      notes.say(q, CONTROL.resume, f, SIZE)
      if (flowPackets[q * F + f] === 0) forget(q, k, f)
      f = pausedNext[q * F + f] - 1
    }
  }

  /** Releases the queue of a flow without packets. */
  function forget(q: number, k: number, f: number): void {
    flowQueue[q * F + f] = 0
    if (--queueFlows[q * Q + k] === 0) taken[q] &= ~(1 << k)
  }

  /**
   * Removes and returns the head packet of queue k. A flow without packets releases its queue, unless it is paused: its
   * pause must be ended first.
   */
  function leave(q: number, o: number, k: number): number {
    const p = pop(q * Q + k)
    gone(q, o, k)
    requested[q * Q + k] = 0
    const f = idOf(packets[p + SRC], packets[p + DST], F)
    const left = --flowPackets[q * F + f]
    const n = --queuePackets[q * Q + k]
    // This precedes resumeAll, which releases paused flows; in the other order a flow could be released twice.
    if (left === 0 && flowPaused[q * F + f] === 0) forget(q, k, f)
    if (n <= GO && pausedHead[q * Q + k] !== 0) resumeAll(q, k)
    const next = heads[q * Q + k]
    if (next !== 0) request(q, k, next)
    return p
  }

  /** A pause or resume for a flow of output x arrives: all inputs with packets of the flow update their requests. */
  function receiveFromNeighbour(x: number, p: number): void {
    const f = packets[p + VALUE]
    const on = packets[p + KIND_AT] === CONTROL.pause
    discard(p)
    outPaused[x * F + f] = on ? 1 : 0
    const first = router[x] * PS
    const o = local[x]
    for (let q = first; q < first + R; q++) {
      const k = flowQueue[q * F + f] - 1
      if (k >= 0) turn(q, k, f, o, on)
    }
  }

  /** Flow f becomes paused or resumes at output o: updates the request of queue k if its head packet belongs to it. */
  function turn(q: number, k: number, f: number, o: number, on: boolean): void {
    const head = heads[q * Q + k]
    if (head === 0 || bytes[(head + STATE) << 2] !== o || idOf(packets[head + SRC], packets[head + DST], F) !== f)
      return
    if (!on) {
      if (requested[q * Q + k] === 0) request(q, k, head)
      return
    }
    if (requested[q * Q + k] !== 0) gone(q, o, k)
    requested[q * Q + k] = 0
  }

  return {
    enter: () => {},
    arrived,
    leave,
    receiveFromNeighbour,
    armed: () => waitingControls(sharedState.talk!),
    audit: (t) => flowComplaints(sharedState, s, t),
    digest: (d, q, key) => digestFlows(s, Q, d, q, key),
    values: () => flowValues(sharedState),
    tables: (now) => ({ isolation: isolationSeries(sharedState, now) }),
  }
}
