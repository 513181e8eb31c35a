// Links and credits between routers and endpoints. Packets and credits in flight wait in order on their channel. The
// cycle in which the first of them arrives is a bit of the channel in a timing wheel. Nothing depends on the order in
// which events were created. Switches call `transmit`, `returnCredit` and `sendToNeighbour` (fabric/transfer.ts);
// due.ts removes what is due.
//
// A wheel has two levels: a bit per port in `…Due`, and a bit per non-zero word of these in `…Marks`, so that empty
// cycles cost little. Routers use the near wheel (`nearMask`), endpoints the long one (`wheelMask`).
import { creditWord } from "../../../fabric/credit.ts"
import { HEARS, recordViews } from "../../../fabric/packets.ts"
import type { SwitchPorts } from "../../../fabric/transfer.ts"
import type { Outbox } from "../outbox.ts"
import type { TransferLoopSpec } from "./spec.ts"

export interface PacketLinks
  extends Pick<SwitchPorts, "transmit" | "returnCredit" | "returnVlCredit" | "sendToNeighbour"> {
  enter(part: number): void
  /** Files packet p, which reaches an input port of this partition in cycle `at`. */
  fly(port: number, p: number, at: number): void
  /**
   * Files a credit that reaches the sender of a channel (a port, or NOV >> LV + endpoint) of this partition in cycle
   * `at`.
   */
  creditOn(channel: number, word: number, at: number): void
  /** Removes the oldest credit in flight to a channel and returns it. */
  nextCredit(channel: number): number
  /** Files message p, which reaches an input port of this partition in cycle `at`. */
  receiveAt(port: number, p: number, at: number): void
}

export function makeLinks(spec: TransferLoopSpec, { post }: Outbox): PacketLinks {
  const { layout, columns, constants } = spec
  const { LV, NOV, PS, down, up, latency, upLatency, downPart, upPart, parts, firstRouter, firstEnd } = layout
  const {
    arriveDue,
    arriveMarks,
    creditDue,
    creditMarks,
    endArriveDue,
    endCreditDue,
    flyHead,
    flyTail,
    endFlyHead,
    endFlyTail,
  } = columns
  const {
    controlDue,
    controlMarks,
    controlHead,
    controlTail,
    endControlDue,
    endControlHead,
    endControlTail,
    tellLast,
  } = columns
  const { credits, creditFirst, creditHead, creditTail, creditLast } = columns
  const { wheelMask: WM, nearMask: NM, portWords: PW, portMarks: PM, endWords: EW, latest: LATEST } = constants
  const { pNext, pPlace } = recordViews(columns.packets)
  const wordOf = creditWord
  const ONE = parts === 1
  const VMASK = (1 << LV) - 1
  const FIRST = NOV >> LV
  // Latency and length of a message take less than the other half of the wheel.
  const BURST = WM >> 1
  // Offsets of the running partition.
  let me = 0
  let wheel = 0
  let near = 0
  let portBase = 0
  let endBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (WM + 1)
    near = part * (NM + 1)
    portBase = firstRouter[part] * PS
    endBase = firstEnd[part]
  }

  function fly(port: number, p: number, at: number): void {
    pNext[p] = 0
    if (flyHead[port] === 0) flyHead[port] = p
    else pNext[flyTail[port]] = p
    flyTail[port] = p
    const rel = port - portBase
    const slot = near + (at & NM)
    arriveDue[Math.imul(slot, PW) + (rel >> 5)] |= 1 << rel
    arriveMarks[Math.imul(slot, PM) + (rel >> 10)] |= 1 << (rel >> 5)
  }

  function transmit(ov: number, p: number, at: number): void {
    const port = ov >> LV
    pPlace[p] += latency[port]
    const d = down[port]
    if (d >= 0) {
      if (ONE || downPart[port] === me) fly(d >> LV, p, at)
      else post(downPart[port], at, d >> LV, p)
      return
    }
    const e = -1 - d
    pNext[p] = 0
    if (endFlyHead[e] === 0) endFlyHead[e] = p
    else pNext[endFlyTail[e]] = p
    endFlyTail[e] = p
    const rel = e - endBase
    endArriveDue[Math.imul(wheel + (at & WM), EW) + (rel >> 5)] |= 1 << rel
  }

  /** Returns credits of a VC. One credit message leaves per cycle and channel. */
  function returnCredit(iv: number, flits: number, t: number): void {
    returnVlCredit(iv >> LV, iv & VMASK, flits, t)
  }

  // Credits that become free in the same cycle leave one after the other.
  function returnVlCredit(port: number, lane: number, flits: number, t: number): void {
    let leave = creditLast[port] + 1
    if (leave < t) leave = t
    else if (leave - t > LATEST) lateCredit(port, leave - t)
    creditLast[port] = leave
    const channel = up[port] >> LV
    const at = leave + upLatency[port]
    const word = wordOf(lane, flits)
    if (ONE || upPart[port] === me) creditOn(channel, word, at)
    else post(upPart[port], at, ~channel, word)
  }

  /** Throws: the ring of a channel and the wheel are sized for LATEST credits; one more would overwrite another. */
  function lateCredit(port: number, waiting: number): void {
    throw new Error(`${waiting} credits wait for the link of input port ${port}: at most ${LATEST} are expected`)
  }

  function creditOn(channel: number, word: number, at: number): void {
    const first = creditFirst[channel]
    const tail = creditTail[channel]
    credits[first + (tail & (creditFirst[channel + 1] - first - 1))] = word
    creditTail[channel] = tail + 1
    if (channel < FIRST) {
      const rel = channel - portBase
      const slot = near + (at & NM)
      creditDue[Math.imul(slot, PW) + (rel >> 5)] |= 1 << rel
      creditMarks[Math.imul(slot, PM) + (rel >> 10)] |= 1 << (rel >> 5)
    } else {
      const rel = channel - FIRST - endBase
      endCreditDue[Math.imul(wheel + (at & WM), EW) + (rel >> 5)] |= 1 << rel
    }
  }

  function nextCredit(channel: number): number {
    const first = creditFirst[channel]
    const head = creditHead[channel]
    // An empty ring restarts at its first word, so that few credits touch few cache lines.
    if (head + 1 === creditTail[channel]) {
      creditHead[channel] = 0
      creditTail[channel] = 0
    } else creditHead[channel] = head + 1
    return credits[first + (head & (creditFirst[channel + 1] - first - 1))]
  }

  // Messages between neighbours arrive one per cycle and link, in order.
  function tell(port: number, p: number, at: number): void {
    let due = tellLast[port] + 1
    if (due < at) due = at
    else if (due - at > BURST) burst(port, due - at)
    tellLast[port] = due
    pNext[p] = 0
    const d = down[port]
    if (d >= 0) {
      if (ONE || downPart[port] === me) receiveAt(d >> LV, p, due)
      else post(downPart[port], due, HEARS + (d >> LV), p)
      return
    }
    const e = -1 - d
    if (endControlHead[e] === 0) endControlHead[e] = p
    else pNext[endControlTail[e]] = p
    endControlTail[e] = p
    const rel = e - endBase
    endControlDue[(wheel + (due & WM)) * EW + (rel >> 5)] |= 1 << (rel & 31)
  }

  /** Throws: one message arrives per cycle, so more messages than cycles in the wheel would be lost. */
  function burst(port: number, waiting: number): void {
    throw new Error(
      `${waiting} messages wait on the side band of port ${port}: a link may have at most ${BURST} of them`,
    )
  }

  function receiveAt(port: number, p: number, at: number): void {
    pNext[p] = 0
    if (controlHead[port] === 0) controlHead[port] = p
    else pNext[controlTail[port]] = p
    controlTail[port] = p
    const rel = port - portBase
    const slot = wheel + (at & WM)
    controlDue[Math.imul(slot, PW) + (rel >> 5)] |= 1 << rel
    controlMarks[Math.imul(slot, PM) + (rel >> 10)] |= 1 << (rel >> 5)
  }

  return { enter, fly, transmit, returnCredit, returnVlCredit, creditOn, nextCredit, sendToNeighbour: tell, receiveAt }
}
