// The events of one cycle: credits and packets at routers, then at endpoints, visited in ascending order of their
// ports. loop.ts calls these functions at the beginning of a cycle. Columns and offsets are copied to locals before a
// loop, because the compiler would otherwise load their address and length for each word.
import { lowest } from "../../../core/bitset.ts"
import { scratch } from "../../../fabric/columns.ts"
import { creditFlits, creditLane } from "../../../fabric/credit.ts"
import { lateIn, recordViews } from "../../../fabric/packets.ts"
import type { TransferSwitch } from "../../../fabric/transfer.ts"
import type { Delivery } from "./delivery.ts"
import type { Entry } from "./entry.ts"
import type { PacketLinks } from "./links.ts"
import type { TransferLoopSpec } from "./spec.ts"

export interface Due {
  enter(part: number): void
  dueCredits(t: number): void
  dueArrivals(t: number): void
  /** called only if neighbours exchange messages */
  dueMessages(t: number): void
  dueAtEnds(t: number): void
}

export function makeDue(
  spec: TransferLoopSpec,
  { nextCredit }: PacketLinks,
  { arrive, arrivals, credit, touchCredits, laneCredit, receiveFromNeighbour }: TransferSwitch,
  { deliver, heard }: Delivery,
  { give }: Entry,
): Due {
  const low = lowest
  const laneOf = creditLane
  const flitsOf = creditFlits
  const { LV, NOV, PS, firstRouter, firstEnd } = spec.layout
  const {
    arriveDue,
    arriveMarks,
    creditDue,
    creditMarks,
    endArriveDue,
    endCreditDue,
    endWakeDue,
    flyHead,
    endFlyHead,
    endReady,
  } = spec.columns
  const { controlDue, controlMarks, controlHead, endControlDue, endControlHead } = spec.columns
  const { wheelMask: WM, nearMask: NM, portWords: PW, portMarks: PM, endWords: EW } = spec.constants
  const { pNext, pPlace, sVc } = recordViews(spec.columns.packets)
  const { core: CORE } = spec.clock
  const late = lateIn(spec.pass)
  const FIRST = NOV >> LV
  const LANES = laneCredit !== undefined
  const TOGETHER = arrivals !== undefined
  const TOUCHES = touchCredits !== undefined
  // Packets that arrive in this cycle and their input VCs; also reused for credits.
  const coming = scratch(32 * PW)
  const inputs = scratch(32 * PW)
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

  function dueCredits(t: number): void {
    const due = creditDue
    const marked = creditMarks
    const base = portBase
    const words = coming
    const ports = inputs
    const slot = near + (t & NM)
    const at = Math.imul(slot, PW)
    const first = Math.imul(slot, PM)
    let n = 0
    // All credits are collected first, for the same reason as arrivals.
    for (let i = 0; i < PM; i++) {
      let marks = marked[first + i]
      if (marks === 0) continue
      marked[first + i] = 0
      for (; marks !== 0; marks &= marks - 1) {
        const w = (i << 5) + low(marks)
        let m = due[at + w]
        due[at + w] = 0
        for (; m !== 0; m &= m - 1) {
          const port = (base + (w << 5) + low(m)) | 0
          words[n] = nextCredit(port)
          ports[n++] = port
        }
      }
    }
    // The switch may prefetch the state of these ports.
    if (TOUCHES) touchCredits!(ports, n)
    for (let k = 0; k < n; k++) creditAt(ports[k], words[k], t)
  }

  function creditAt(port: number, word: number, t: number): void {
    if (LANES) laneCredit!(port, laneOf(word), flitsOf(word), t)
    else credit((port << LV) + laneOf(word), flitsOf(word), t)
  }

  // `late`: extra cycles that the packet needs because of the clock phase in which it arrives (fabric/packets.ts).
  function dueArrivals(t: number): void {
    const lateness = late[t % CORE]
    const due = arriveDue
    const marked = arriveMarks
    const base = portBase
    const head = flyHead
    const next = pNext
    const place = pPlace
    const vc = sVc
    const slot = near + (t & NM)
    const at = Math.imul(slot, PW)
    const first = Math.imul(slot, PM)
    let n = 0
    // All packets are collected first: their records are far apart, and consecutive loads overlap their cache misses.
    for (let i = 0; i < PM; i++) {
      let marks = marked[first + i]
      if (marks === 0) continue
      marked[first + i] = 0
      for (; marks !== 0; marks &= marks - 1) {
        const w = (i << 5) + low(marks)
        let m = due[at + w]
        due[at + w] = 0
        for (; m !== 0; m &= m - 1) {
          const port = (base + (w << 5) + low(m)) | 0
          coming[n] = head[port]
          inputs[n++] = port
        }
      }
    }
    for (let k = 0; k < n; k++) {
      const p = coming[k]
      const port = inputs[k]
      head[port] = next[p]
      place[p] += lateness
      inputs[k] = (port << LV) + vc[p << 2]
    }
    if (TOGETHER) arrivals!(inputs, coming, n, t)
    else for (let k = 0; k < n; k++) arrive(inputs[k], coming[k], t)
  }

  /** Delivers messages between neighbours, to routers and then to endpoints. */
  function dueMessages(t: number): void {
    const slot = wheel + (t & WM)
    const at = Math.imul(slot, PW)
    const first = Math.imul(slot, PM)
    const due = controlDue
    const marked = controlMarks
    const base = portBase
    for (let i = 0; i < PM; i++) {
      let marks = marked[first + i]
      marked[first + i] = 0
      for (; marks !== 0; marks &= marks - 1) {
        const w = (i << 5) + low(marks)
        let m = due[at + w]
        due[at + w] = 0
        for (; m !== 0; m &= m - 1) hears((base + (w << 5) + low(m)) | 0, t)
      }
    }
    const ends = Math.imul(wheel + (t & WM), EW)
    for (let w = 0; w < EW; w++) {
      let m = endControlDue[ends + w]
      endControlDue[ends + w] = 0
      while (m !== 0) {
        const e = endBase + (w << 5) + low(m)
        m &= m - 1
        const p = endControlHead[e]
        endControlHead[e] = pNext[p]
        heard(e, p, t)
      }
    }
  }

  function hears(port: number, t: number): void {
    const p = controlHead[port]
    controlHead[port] = pNext[p]
    receiveFromNeighbour!(port, p, t)
  }

  // Credits and arrivals at an endpoint may let it inject, so its `endReady` bit is set.
  function dueAtEnds(t: number): void {
    const credits = endCreditDue
    const wakes = endWakeDue
    const arrivals = endArriveDue
    const must = endReady
    const base = endBase
    const at = Math.imul(wheel + (t & WM), EW)
    const ready = Math.imul(me, EW)
    for (let w = 0; w < EW; w++) {
      let m = credits[at + w]
      const woken = m | wakes[at + w]
      if (woken !== 0) {
        credits[at + w] = 0
        wakes[at + w] = 0
        must[ready + w] |= woken
        for (; m !== 0; m &= m - 1) endCredit((base + (w << 5) + low(m)) | 0)
      }
      m = arrivals[at + w]
      if (m === 0) continue
      arrivals[at + w] = 0
      for (; m !== 0; m &= m - 1) endArrival((base + (w << 5) + low(m)) | 0, t)
    }
  }

  function endCredit(e: number): void {
    const word = nextCredit(FIRST + e)
    give(e, laneOf(word), flitsOf(word))
  }

  function endArrival(e: number, t: number): void {
    const p = endFlyHead[e]
    endFlyHead[e] = pNext[p]
    deliver(e, p, t)
  }

  return { enter, dueCredits, dueArrivals, dueMessages, dueAtEnds }
}
