// The audit of the InfiniBand switch: the counts of senders, the output buffers with the reserved part and the limit of
// each VL, and the packet records.
import { type Complaint, complain } from "../../core/complaint.ts"
import { FLITS, STATE } from "../../fabric/packets.ts"
import {
  allHeads,
  BUG,
  conservationErrors,
  flitsIn,
  inputCounts,
  onLinks,
  portName,
  recordComplaints,
} from "../parts/conservation.ts"
import { mostOf } from "../parts/parameter-checks.ts"
import { OUTPUT } from "../parts/service-level-stages.ts"
import { STATES } from "../parts/vls.ts"
import type { InfinibandState } from "./shared-state.ts"

/** Returns the errors found in cycle t. */
export function auditInfiniband(f: InfinibandState, t: number): Complaint[] {
  const { site, ports, p, output } = f
  const { layout: l, sharedBuffers } = site
  const expected = onLinks(site)
  const bad = inputCounts(f, expected, t)
  const most = mostOf(p, p.output)
  const { reserved, heads } = messagesInParts(f)
  for (let o = 0; o < ports.count; o++) {
    if (ports.wired[o] === 0) continue
    let all = 0
    for (let v = 0; v < l.vcs; v++) {
      const flits = flitsIn(f, output.firstQueue + o * output.lanes + v)
      const sent = f.outputs[(o << f.shift) + OUTPUT.sends]
      const sends = output.releaseAtTail && sent >> 16 === v ? sent & 0xffff : 0
      const held = sharedBuffers.held[sharedBuffers.OUT + (o << l.LV) + v]
      const say = (says: string) =>
        bad.push(complain(portName(site, o), `cycle ${t}: VL ${v} of the output buffer: ${says}`, BUG))
      // The counter includes the packet on the link if its space is only freed at the tail.
      const found = flits + sends + reserved[(o << l.LV) + v]
      if (held !== found) say(`${held} flits are counted, ${found} are found`)
      if (held > most) say(`${held} flits, it may hold ${most}`)
      if ((flits > 0 ? 1 : 0) !== ((f.outputs[(o << f.shift) + OUTPUT.mask] >>> v) & 1))
        say(`${flits} flits, its bit says otherwise`)
      if (!output.atLink && l.down[o] >= 0) expected[(o << l.LV) + v] += flits
      all += Math.max(held, p.reservedPerVl)
    }
    if (all > p.output)
      bad.push(
        complain(
          portName(site, o),
          `cycle ${t}: ${all} flits of an output buffer of ${p.output} are held or kept`,
          BUG,
        ),
      )
    if (output.releaseAtTail && p.grain === "message") crossingCounts(f, expected, o)
  }
  return [...bad, ...conservationErrors(site, expected, t), ...recordComplaints(site, [...allHeads(f), ...heads], t, 0)]
}

/** Returns the messages of which a part has crossed (grain: packet), and their flits by output VL. */
function messagesInParts({ site, ports, columns: c, p }: InfinibandState) {
  const { packets } = site.columns
  const bytes = new Uint8Array(packets.buffer)
  const reserved = new Int32Array(ports.count << site.layout.LV)
  const heads: number[] = []
  if (p.grain === "packet")
    for (let cell = 0; cell < c["current"].length; cell++) {
      const message = c["current"][cell]
      if (message === 0) continue
      const at = (message + STATE) << 2
      const o = ports.router[cell >> site.layout.LV] * site.layout.PS + bytes[at]
      reserved[(o << site.layout.LV) + bytes[at + 1]] += packets[message + FLITS]
      heads.push(message)
    }
  return { reserved, heads }
}

/** Adds the flits of the transfer to output o, if its input buffer space is only released when the tail has left. */
function crossingCounts(
  { site, ports, outputs, shift, columns: c }: InfinibandState,
  expected: Int32Array,
  o: number,
): void {
  const local = ports.local[o]
  const busy = (c["states"][(ports.router[o] << STATES.shift) + STATES.busyOut + (local >> 5)] >>> local) & 1
  const q = outputs[(o << shift) + OUTPUT.from]
  const moves = outputs[(o << shift) + OUTPUT.moving]
  if (busy === 1 && q < ports.count) expected[site.layout.up[q] + (moves >> 16)] += moves & 0xffff
}
