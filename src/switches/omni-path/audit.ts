// The audit of the Omni-Path switch: the counts of senders, the output buffers and central buffers with the reserved
// part and the limit of each VL, and the packet records.
import { type Complaint, complain } from "../../core/complaint.ts"
import { eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
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
import { IN_CENTRE } from "./packet-centre.ts"
import { UPLINKS } from "./params.ts"
import type { OmniPathState } from "./shared-state.ts"

/** Returns the errors found in cycle t. */
export function auditOmniPath(f: OmniPathState, t: number): Complaint[] {
  const { site, ports, p, output, central, MP, UP } = f
  const { layout: l, sharedBuffers } = site
  const bytes = new Uint8Array(site.columns.packets.buffer)
  const expected = onLinks(site)
  const bad = inputCounts(f, expected, t)
  // With grain: message, a packet in the centre already holds its space in the output buffer.
  const GRAIN = p.grain === "packet"
  const { own: OWN } = site.constants
  const promised = new Int32Array(ports.count << l.LV)
  const inCentre = new Int32Array((l.routers * MP) << l.LV)
  const see = (u: number, queue: number) =>
    eachInChain(site.columns.packets, f.packetQueues.first(queue), (x) => {
      const v = bytes[((x + STATE) << 2) + 1]
      const flits = site.columns.packets[x + FLITS]
      const own = site.columns.packets[x + OWN]
      const slot = ((Math.floor(u / UP) * l.PS + bytes[(x + STATE) << 2]) << l.LV) + v
      if (!GRAIN || (own & IN_CENTRE.holds) !== 0) promised[slot] += flits
      if (!GRAIN || (own & IN_CENTRE.passes) === 0) inCentre[(Math.floor(u / UPLINKS) << l.LV) + v] += flits
    })
  for (let u = 0; u < l.routers * UP; u++) {
    for (let n = 0; n < f.perUplink; n++) see(u, f.firstCentral + u * f.perUplink + n)
    see(u, f.firstComing + u)
  }
  const heads: number[] = []
  if (GRAIN)
    for (let cell = 0; cell < ports.count << l.LV; cell++) {
      const x = f.columns["current"][cell]
      if (x === 0) continue
      const at = (x + STATE) << 2
      const o = bytes[at]
      const q = cell >> l.LV
      // A message that crosses the centre is in one of its queues.
      if (Math.floor(ports.local[q] / p.mport) !== Math.floor(o / p.mport)) continue
      heads.push(x)
      promised[((ports.router[q] * l.PS + o) << l.LV) + bytes[at + 1]] += site.columns.packets[x + FLITS]
    }
  const books = (where: string, held: number, found: number, most: number) => {
    if (held !== found) bad.push(complain(where, `cycle ${t}: ${held} flits are counted, ${found} are found`, BUG))
    if (held > most) bad.push(complain(where, `cycle ${t}: ${held} flits, it may hold ${most}`, BUG))
  }
  for (let o = 0; o < ports.count; o++) {
    if (ports.wired[o] === 0) continue
    let all = 0
    for (let v = 0; v < l.vcs; v++) {
      const ov = (o << l.LV) + v
      const held = sharedBuffers.held[sharedBuffers.OUT + ov]
      books(
        `${portName(site, o)} VL ${v} of the output buffer`,
        held,
        flitsIn(f, output.firstQueue + ov) + promised[ov],
        mostOf(p, p.output),
      )
      all += Math.max(held, p.reservedPerVl)
    }
    if (all > p.output)
      bad.push(complain(portName(site, o), `cycle ${t}: ${all} flits of an output buffer of ${p.output}`, BUG))
  }
  for (let m = 0; m < l.routers * MP; m++) {
    let all = 0
    for (let v = 0; v < l.vcs; v++) {
      const held = central.centralHeld[(m << l.LV) + v]
      books(`MPort ${m} VL ${v} of the central buffer`, held, inCentre[(m << l.LV) + v], mostOf(p, p.central))
      all += Math.max(held, p.reservedPerVl)
    }
    if (all > p.central)
      bad.push(complain(`MPort ${m}`, `cycle ${t}: ${all} flits of a central buffer of ${p.central}`, BUG))
  }
  return [...bad, ...conservationErrors(site, expected, t), ...recordComplaints(site, [...allHeads(f), ...heads], t, 0)]
}
