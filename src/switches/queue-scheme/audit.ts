// Conservation, in words: what senders believe of the lanes behind them, records, and the bits that stand for queues.
import { type Complaint, complain } from "../../core/complaint.ts"
import { DST, END, eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import { onWires, portName, recordComplaints } from "../parts/books.ts"
import type { Aside } from "./aside.ts"
import type { Frame } from "./frame.ts"

const BUG = "this is a bug in lacewing"

export function auditQueueScheme(frame: Frame, aside: Aside | undefined, t: number, kept: number): Complaint[] {
  const { site, ports, chains, scheme, table, columns: c } = frame
  const { layout: l, columns: a } = site
  const { queues: Q, lanes } = scheme
  const bytes = new Uint8Array(a.packets.buffer)
  const bad: Complaint[] = []
  const laneAt = (q: number, p: number) => scheme.lane(l.outerRouter[ports.router[q]!]!, a.packets[p + DST]!, table)
  const expected = onWires(site, { lanes, laneAt })
  const heads: number[] = [...a.waitHead]
  if (aside !== undefined) {
    bad.push(...aside.audit(t))
    for (let x = 0; x < ports.count; x++) heads.push(frame.talk!.notes[2 * x]!)
    for (let e = 0; e < l.ends; e++) heads.push(a.ends[e * END.size + END.noteHead]!)
    heads.push(...a.hearHead, ...a.endHearHead)
  }
  for (let q = 0; q < ports.count; q++)
    for (let k = 0; k < Q; k++) {
      const head = chains.first(q * Q + k)
      heads.push(head)
      eachInChain(a.packets, head, (p) => {
        if (k === 0 || frame.p.credits !== "nfq") expected[(l.up[q]! >> l.LV) * lanes + laneAt(q, p)]! += a.packets[p + FLITS]!
      })
      if (aside !== undefined) continue
      for (let o = 0; o < l.radix; o++) {
        const bit = (c.waiting[(q * l.radix + o) * frame.words + (k >> 5)]! >>> k) & 1
        if (bit === (head !== 0 && bytes[(head + STATE) << 2] === o ? 1 : 0)) continue
        bad.push(complain(portName(site, q), `cycle ${t}: queue ${k}: its front packet is not what the bit of output ${o} says`, BUG))
      }
    }
  const books = (held: ArrayLike<number>, i: number, found: number, whose: string, lane: number) => {
    if (held[i] !== found) bad.push(complain(whose, `cycle ${t}: lane ${lane}: ${held[i]} flits by the books, ${found} are found`, BUG))
  }
  for (let lane = 0; lane < lanes; lane++) {
    for (let o = 0; o < ports.count; o++)
      if (l.down[o]! >= 0) books(c.laneHeld, o * lanes + lane, expected[o * lanes + lane]!, portName(site, o), lane)
    for (let e = 0; e < l.ends; e++)
      books(a.laneHeld, e * lanes + lane, expected[(ports.count + e) * lanes + lane]!, `endpoint ${l.outerEnd[e]}`, lane)
  }
  return [...bad, ...recordComplaints(site, heads, t, kept)]
}
