// Conservation, in words: books of senders, output buffers, records, and the bits that stand for queues.
import { type Complaint, complain } from "../../core/complaint.ts"
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import { allHeads, BUG, bookComplaints, crossingBooks, inputBooks, onWires, portName, recordComplaints } from "../parts/books.ts"
import type { CombinedState } from "./frame.ts"

export function auditCombined(f: CombinedState, t: number, kept: number): Complaint[] {
  const { site, ports, levels, columns: c, chains, p: params } = f
  const { layout: l, columns: a } = site
  const bytes = new Uint8Array(a.packets.buffer)
  const expected = onWires(site)
  const bad = inputBooks(f, expected, t)
  const tail = params.release === "tail"
  for (let o = 0; o < ports.count; o++) {
    if (ports.wired[o] === 0) continue
    let held = tail ? c["linkSends"]![o]! : 0
    for (let level = 0; level < levels; level++)
      eachInChain(a.packets, chains.first(f.output.firstQueue + o * levels + level), (p) => {
        held += a.packets[p + FLITS]!
        if (l.down[o]! >= 0) expected[(o << l.LV) + bytes[((p + STATE) << 2) + 1]!]! += a.packets[p + FLITS]!
      })
    if (held !== c["outHeld"]![o])
      bad.push(complain(portName(site, o), `cycle ${t}: output buffer: ${c["outHeld"]![o]} flits by the books, ${held} are found`, BUG))
    if (held > params.output)
      bad.push(complain(portName(site, o), `cycle ${t}: ${held} flits in an output buffer of ${params.output}`, BUG))
    if (tail) crossingBooks(f, expected, o)
  }
  return [...bad, ...bookComplaints(site, expected, t), ...recordComplaints(site, allHeads(f), t, kept)]
}
