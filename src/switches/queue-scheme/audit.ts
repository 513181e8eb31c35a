// The audit of the queue-scheme switch. It recounts the flits of each lane and compares them with the senders' counts,
// checks that each packet record is in exactly one place, and that the request bits match the head packets of the
// queues.
import { type Complaint, complain } from "../../core/complaint.ts"
import { DST, END, eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import { onLinks, portName, recordComplaints } from "../parts/conservation.ts"
import type { IsolationScheme } from "./isolation-scheme.ts"
import type { SharedState } from "./shared-state.ts"

const BUG = "this is a bug in lacewing"

export function auditQueueScheme(
  sharedState: SharedState,
  aside: IsolationScheme | undefined,
  t: number,
  kept: number,
): Complaint[] {
  const { site, ports, packetQueues, scheme, table, columns: c } = sharedState
  const { layout: l, columns: a } = site
  const { queues: Q, lanes } = scheme
  const bytes = new Uint8Array(a.packets.buffer)
  const bad: Complaint[] = []
  // The lane that a packet occupies at the input of a router.
  const laneAt = (q: number, p: number) => scheme.lane(l.outerRouter[ports.router[q]], a.packets[p + DST], table)
  const expected = onLinks(site, { lanes, laneAt })
  const heads: number[] = [...a.waitHead]
  if (aside !== undefined) {
    bad.push(...aside.audit(t))
    for (let x = 0; x < ports.count; x++) heads.push(sharedState.talk!.notes[2 * x])
    for (let e = 0; e < l.ends; e++) heads.push(a.ends[e * END.size + END.noteHead])
    heads.push(...a.controlHead, ...a.endControlHead)
  }
  for (let q = 0; q < ports.count; q++)
    for (let k = 0; k < Q; k++) {
      const head = packetQueues.first(q * Q + k)
      heads.push(head)
      eachInChain(a.packets, head, (p) => {
        if (k === 0 || sharedState.p.credits !== "nfq")
          expected[(l.up[q] >> l.LV) * lanes + laneAt(q, p)] += a.packets[p + FLITS]
      })
      // In simple schemes, the bit of an output is set exactly if the head packet of the queue goes there.
      if (aside !== undefined) continue
      for (let o = 0; o < l.radix; o++) {
        const bit = (c.waiting[(q * l.radix + o) * sharedState.words + (k >> 5)] >>> k) & 1
        if (bit === (head !== 0 && bytes[(head + STATE) << 2] === o ? 1 : 0)) continue
        bad.push(
          complain(
            portName(site, q),
            `cycle ${t}: queue ${k}: its front packet is not what the bit of output ${o} says`,
            BUG,
          ),
        )
      }
    }
  const books = (held: ArrayLike<number>, i: number, found: number, whose: string, lane: number) => {
    if (held[i] !== found)
      bad.push(complain(whose, `cycle ${t}: lane ${lane}: ${held[i]} flits are counted, ${found} are found`, BUG))
  }
  for (let lane = 0; lane < lanes; lane++) {
    for (let o = 0; o < ports.count; o++)
      if (l.down[o] >= 0) books(c.laneHeld, o * lanes + lane, expected[o * lanes + lane], portName(site, o), lane)
    for (let e = 0; e < l.ends; e++)
      books(a.laneHeld, e * lanes + lane, expected[(ports.count + e) * lanes + lane], `endpoint ${l.outerEnd[e]}`, lane)
  }
  return [...bad, ...recordComplaints(site, heads, t, kept)]
}
