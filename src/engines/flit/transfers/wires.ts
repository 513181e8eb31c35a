// Links and credits between routers and endpoints. What is on its way waits in order on its channel (flights, credits), and the cycle in which the first of
// them is due is a bit of the channel in a wheel: nothing depends on the order in which events were made.
import { creditWord } from "../../../fabric/credit.ts"
import { HEARS, recordViews } from "../../../fabric/packets.ts"
import type { TransferWires } from "../../../fabric/transfer.ts"
import type { Outbox } from "../outbox.ts"
import type { TransferLoopSpec } from "./spec.ts"

export interface PacketWires extends Pick<TransferWires, "launch" | "giveBack" | "giveBackLane" | "tell"> {
  enter(part: number): void
  /** packet p reaches an input port of this partition in cycle `at` */
  fly(port: number, p: number, at: number): void
  /** a credit reaches the sender of a channel (a port, or NOV >> LV + endpoint) of this partition in cycle `at` */
  creditOn(channel: number, word: number, at: number): void
  /** the oldest credit on its way to a channel */
  nextCredit(channel: number): number
  /** message p reaches an input port of this partition in cycle `at` */
  hearAt(port: number, p: number, at: number): void
}

export function makeWires(spec: TransferLoopSpec, { post }: Outbox): PacketWires {
  const { layout, columns, constants } = spec
  const { LV, NOV, PS, down, up, latency, upLatency, downPart, upPart, parts, firstRouter, firstEnd } = layout
  const { arriveDue, arriveMarks, creditDue, creditMarks, endArriveDue, endCreditDue, flyHead, flyTail, endFlyHead, endFlyTail } = columns
  const { hearDue, hearMarks, hearHead, hearTail, endHearDue, endHearHead, endHearTail, tellLast } = columns
  const { credits, creditFirst, creditHead, creditTail, creditLast } = columns
  const { wheelMask: WM, nearMask: NM, portWords: PW, portMarks: PM, endWords: EW, latest: LATEST } = constants
  const { pNext, pPlace } = recordViews(columns.packets)
  const wordOf = creditWord
  const ONE = parts === 1
  const VMASK = (1 << LV) - 1
  const FIRST = NOV >> LV
  // latency and length of a message take less than the other half of the wheel
  const BURST = WM >> 1
  // bases of the partition that is running
  let me = 0
  let wheel = 0
  let near = 0
  let portBase = 0
  let endBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (WM + 1)
    near = part * (NM + 1)
    portBase = firstRouter[part]! * PS
    endBase = firstEnd[part]!
  }

  function fly(port: number, p: number, at: number): void {
    pNext[p] = 0
    if (flyHead[port] === 0) flyHead[port] = p
    else pNext[flyTail[port]!] = p
    flyTail[port] = p
    const rel = port - portBase
    const slot = near + (at & NM)
    arriveDue[Math.imul(slot, PW) + (rel >> 5)]! |= 1 << rel
    arriveMarks[Math.imul(slot, PM) + (rel >> 10)]! |= 1 << (rel >> 5)
  }

  function launch(ov: number, p: number, at: number): void {
    const port = ov >> LV
    pPlace[p]! += latency[port]!
    const d = down[port]!
    if (d >= 0) {
      if (ONE || downPart[port] === me) fly(d >> LV, p, at)
      else post(downPart[port]!, at, d >> LV, p)
      return
    }
    const e = -1 - d
    pNext[p] = 0
    if (endFlyHead[e] === 0) endFlyHead[e] = p
    else pNext[endFlyTail[e]!] = p
    endFlyTail[e] = p
    const rel = e - endBase
    endArriveDue[Math.imul(wheel + (at & WM), EW) + (rel >> 5)]! |= 1 << rel
  }

  /** A credit message leaves; one in each cycle and channel. */
  function giveBack(iv: number, flits: number, t: number): void {
    giveBackLane(iv >> LV, iv & VMASK, flits, t)
  }

  function giveBackLane(port: number, lane: number, flits: number, t: number): void {
    let leave = creditLast[port]! + 1
    if (leave < t) leave = t
    else if (leave - t > LATEST) lateCredit(port, leave - t)
    creditLast[port] = leave
    const channel = up[port]! >> LV
    const at = leave + upLatency[port]!
    const word = wordOf(lane, flits)
    if (ONE || upPart[port] === me) creditOn(channel, word, at)
    else post(upPart[port]!, at, ~channel, word)
  }

  /** The ring of a channel and the wheel have room for as many as are foreseen: one more would take the place of another. */
  function lateCredit(port: number, waiting: number): void {
    throw new Error(`${waiting} credits wait for the link of input port ${port}: at most ${LATEST} are foreseen`)
  }

  function creditOn(channel: number, word: number, at: number): void {
    const first = creditFirst[channel]!
    const tail = creditTail[channel]!
    credits[first + (tail & (creditFirst[channel + 1]! - first - 1))] = word
    creditTail[channel] = tail + 1
    if (channel < FIRST) {
      const rel = channel - portBase
      const slot = near + (at & NM)
      creditDue[Math.imul(slot, PW) + (rel >> 5)]! |= 1 << rel
      creditMarks[Math.imul(slot, PM) + (rel >> 10)]! |= 1 << (rel >> 5)
    } else {
      const rel = channel - FIRST - endBase
      endCreditDue[Math.imul(wheel + (at & WM), EW) + (rel >> 5)]! |= 1 << rel
    }
  }

  function nextCredit(channel: number): number {
    const first = creditFirst[channel]!
    const head = creditHead[channel]!
    // an empty ring begins anew, so that a few credits never leave its first words
    if (head + 1 === creditTail[channel]) {
      creditHead[channel] = 0
      creditTail[channel] = 0
    } else creditHead[channel] = head + 1
    return credits[first + (head & (creditFirst[channel + 1]! - first - 1))]!
  }

  function tell(port: number, p: number, at: number): void {
    let due = tellLast[port]! + 1
    if (due < at) due = at
    else if (due - at > BURST) burst(port, due - at)
    tellLast[port] = due
    pNext[p] = 0
    const d = down[port]!
    if (d >= 0) {
      if (ONE || downPart[port] === me) hearAt(d >> LV, p, due)
      else post(downPart[port]!, due, HEARS + (d >> LV), p)
      return
    }
    const e = -1 - d
    if (endHearHead[e] === 0) endHearHead[e] = p
    else pNext[endHearTail[e]!] = p
    endHearTail[e] = p
    const rel = e - endBase
    endHearDue[(wheel + (due & WM)) * EW + (rel >> 5)]! |= 1 << (rel & 31)
  }

  /** One message reaches the other side in each cycle: a side band on which more wait than the wheel has cycles would lose them. */
  function burst(port: number, waiting: number): void {
    throw new Error(`${waiting} messages wait on the side band of port ${port}: a link may have at most ${BURST} of them`)
  }

  function hearAt(port: number, p: number, at: number): void {
    pNext[p] = 0
    if (hearHead[port] === 0) hearHead[port] = p
    else pNext[hearTail[port]!] = p
    hearTail[port] = p
    const rel = port - portBase
    const slot = wheel + (at & WM)
    hearDue[Math.imul(slot, PW) + (rel >> 5)]! |= 1 << rel
    hearMarks[Math.imul(slot, PM) + (rel >> 10)]! |= 1 << (rel >> 5)
  }

  return { enter, fly, launch, giveBack, giveBackLane, creditOn, nextCredit, tell, hearAt }
}
