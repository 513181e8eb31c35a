// Conservation, in words: books of senders, output buffers, records, and the bits that stand for queues.
import { type Complaint, complain } from "../../core/complaint.ts"
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import { bookComplaints, onWires, portName, recordComplaints } from "../parts/books.ts"
import type { CombinedState } from "./frame.ts"

const BUG = "this is a bug in lacewing"

export function auditCombined(f: CombinedState, t: number, kept: number): Complaint[] {
  const { site, ports, levels, columns: c, chains, p: params } = f
  const { layout: l, columns: a } = site
  const bytes = new Uint8Array(a.packets.buffer)
  const expected = onWires(site)
  const bad: Complaint[] = []
  const heads: number[] = []
  const flitsIn = (queue: number) => {
    let sum = 0
    eachInChain(a.packets, chains.first(queue), (p) => {
      sum += a.packets[p + FLITS]!
    })
    return sum
  }
  for (let i = 0; i < chains.queues.length; i += 2) heads.push(chains.queues[i]!)
  for (const head of a.waitHead) heads.push(head)
  const tail = params.release === "tail"
  for (let q = 0; q < ports.inputs; q++) {
    if (l.outerRouter[ports.router[q]!]! < 0) continue
    for (let v = 0; v < l.vcs; v++)
      for (let o = 0; o < (f.input.voq ? l.radix : 1); o++) {
        const flits = flitsIn(f.queueOf(q, o, v))
        if (flits > 0 && q < ports.count) expected[l.up[q]! + v]! += flits
        if (!f.input.voq) continue
        const bit = (c["waiting"]![q * l.radix + o]! >>> v) & 1
        if (bit !== (flits > 0 ? 1 : 0))
          bad.push(complain(portName(site, q), `cycle ${t}: VC ${v} for output ${o} has ${flits} flits, its bit is ${bit}`, BUG))
      }
  }
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
    const busy = (c["busyOut"]![2 * ports.router[o]! + (ports.local[o]! >> 5)]! >>> ports.local[o]!) & 1
    const q = c["from"]![o]!
    if (tail && busy === 1 && q < ports.count) expected[l.up[q]! + (c["moving"]![o]! >> 16)]! += c["moving"]![o]! & 0xffff
  }
  return [...bad, ...bookComplaints(site, expected, t), ...recordComplaints(site, heads, t, kept)]
}
