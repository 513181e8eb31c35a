// Conservation, in words: books of senders, output buffers with what every VL has for itself and at most, records.
import { type Complaint, complain } from "../../core/complaint.ts"
import { allHeads, BUG, bookComplaints, flitsIn, inputBooks, onWires, portName, recordComplaints } from "../parts/books.ts"
import { OUTPUT } from "../parts/level-stages.ts"
import { mostOf } from "../parts/sense.ts"
import { STATES } from "../parts/vls.ts"
import type { InfinibandState } from "./frame.ts"

export function auditInfiniband(f: InfinibandState, t: number): Complaint[] {
  const { site, ports, p, output } = f
  const { layout: l, rooms } = site
  const expected = onWires(site)
  const bad = inputBooks(f, expected, t)
  const most = mostOf(p, p.output)
  for (let o = 0; o < ports.count; o++) {
    if (ports.wired[o] === 0) continue
    let all = 0
    for (let v = 0; v < l.vcs; v++) {
      const flits = flitsIn(f, output.firstQueue + o * output.lanes + v)
      const sent = f.outputs[(o << f.shift) + OUTPUT.sends]!
      const sends = output.releaseAtTail && sent >> 16 === v ? sent & 0xffff : 0
      const held = rooms.held[rooms.OUT + (o << l.LV) + v]!
      const say = (says: string) => bad.push(complain(portName(site, o), `cycle ${t}: VL ${v} of the output buffer: ${says}`, BUG))
      if (held !== flits + sends) say(`${held} flits by the books, ${flits + sends} are found`)
      if (held > most) say(`${held} flits, it may hold ${most}`)
      if ((flits > 0 ? 1 : 0) !== ((f.outputs[(o << f.shift) + OUTPUT.mask]! >>> v) & 1)) say(`${flits} flits, its bit says otherwise`)
      if (!output.atLink && l.down[o]! >= 0) expected[(o << l.LV) + v]! += flits
      all += Math.max(held, p.least)
    }
    if (all > p.output)
      bad.push(complain(portName(site, o), `cycle ${t}: ${all} flits of an output buffer of ${p.output} are held or kept`, BUG))
    if (output.releaseAtTail) crossingBooks(f, expected, o)
  }
  return [...bad, ...bookComplaints(site, expected, t), ...recordComplaints(site, allHeads(f), t, 0)]
}

/** Room of inputs that is given back at the tail: what a transfer to output o still holds. */
function crossingBooks({ site, ports, outputs, shift, columns: c }: InfinibandState, expected: Int32Array, o: number): void {
  const local = ports.local[o]!
  const busy = (c["states"]![(ports.router[o]! << STATES.shift) + STATES.busyOut + (local >> 5)]! >>> local) & 1
  const q = outputs[(o << shift) + OUTPUT.from]!
  const moves = outputs[(o << shift) + OUTPUT.moving]!
  if (busy === 1 && q < ports.count) expected[site.layout.up[q]! + (moves >> 16)]! += moves & 0xffff
}
