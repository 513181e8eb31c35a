// The audit of the combined switch: the counts of senders, output buffers, packet records, and the bits of virtual
// output queues.
import { type Complaint, complain } from "../../core/complaint.ts"
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import {
  allHeads,
  BUG,
  conservationErrors,
  crossingCounts,
  inputCounts,
  onLinks,
  portName,
  recordComplaints,
} from "../parts/conservation.ts"
import type { CombinedState } from "./shared-state.ts"

/** Returns the errors found in cycle t. `kept` is the number of records that endpoints hold. */
export function auditCombined(f: CombinedState, t: number, kept: number): Complaint[] {
  const { site, ports, levels, columns: c, packetQueues, p: params } = f
  const { layout: l, columns: a } = site
  const bytes = new Uint8Array(a.packets.buffer)
  const expected = onLinks(site)
  const bad = inputCounts(f, expected, t)
  const tail = params.release === "tail"
  for (let o = 0; o < ports.count; o++) {
    if (ports.wired[o] === 0) continue
    // A packet on the link still occupies the output buffer (releaseAtTail).
    let held = tail ? c["linkSends"][o] : 0
    for (let level = 0; level < levels; level++)
      eachInChain(a.packets, packetQueues.first(f.output.firstQueue + o * levels + level), (p) => {
        held += a.packets[p + FLITS]
        if (l.down[o] >= 0) expected[(o << l.LV) + bytes[((p + STATE) << 2) + 1]] += a.packets[p + FLITS]
      })
    if (held !== c["outHeld"][o])
      bad.push(
        complain(
          portName(site, o),
          `cycle ${t}: output buffer: ${c["outHeld"][o]} flits are counted, ${held} are found`,
          BUG,
        ),
      )
    if (held > params.output)
      bad.push(complain(portName(site, o), `cycle ${t}: ${held} flits in an output buffer of ${params.output}`, BUG))
    if (tail) crossingCounts(f, expected, o)
  }
  return [...bad, ...conservationErrors(site, expected, t), ...recordComplaints(site, allHeads(f), t, kept)]
}
