// Invariants of CAM lines, for the audit: counters of packets and flits, owners of destinations, and requests of
// queues.
import { type Complaint, complain } from "../../../core/complaint.ts"
import { DST, eachInChain, FLITS, STATE } from "../../../fabric/packets.ts"
import { portName } from "../../parts/conservation.ts"
import type { Lines } from "./columns.ts"
import type { LineState } from "./home.ts"

const BUG = "this is a bug in lacewing"

export function lineComplaints(
  { site, ports, packetQueues, columns: c, scheme, p }: LineState,
  s: Lines,
  t: number,
): Complaint[] {
  const { packets } = site.columns
  const { radix: R } = site.layout
  const bytes = new Uint8Array(packets.buffer)
  const bad: Complaint[] = []
  const stops = (x: number, d: number) => {
    const k = s.outOwner[x * s.N + d]
    return k !== 0 && s.outStop[x * s.L + k - 1] !== 0
  }
  // A queue is stopped by the line that it is linked to, or by the destination of its head packet.
  const byLine = p.stopRule === "line" || p.scheme === "recn"
  for (let q = 0; q < ports.count; q++) {
    const say = (says: string) => bad.push(complain(portName(site, q), `cycle ${t}: ${says}`, BUG))
    let on = 0
    let aside = 0
    for (let k = 0; k <= s.L; k++) {
      const line = q * s.L + k - 1
      const head = packetQueues.first(q * (s.L + 1) + k)
      let flits = 0
      let count = 0
      eachInChain(packets, head, (one) => {
        flits += packets[one + FLITS]
        count++
        if (k > 0 && bytes[(one + STATE) << 2] !== s.lineOut[line]) say(`line ${k - 1}: a packet of another output`)
        if (k > 0 && ((s.lineList[line * s.W + (packets[one + DST] >> 5)] >>> packets[one + DST]) & 1) === 0)
          say(`line ${k - 1}: packet to ${packets[one + DST]} is not of its list`)
      })
      for (let o = 0; o < R; o++) {
        const requests = (c.waiting[q * R + o] >>> k) & 1
        const may =
          k === 0 ? s.normalRequests[q] === o + 1 : ((s.lineRequests[q] >>> (k - 1)) & 1) !== 0 && s.lineOut[line] === o
        if (requests !== (may ? 1 : 0)) say(`queue ${k}: output ${o} is ${requests === 1 ? "" : "not "}requested`)
        const x = ports.router[q] * site.layout.PS + o
        const next = k > 0 ? s.lineNext[line] : 0
        const held = byLine
          ? next !== 0 && s.outStop[x * s.L + next - 1] !== 0
          : k > 0 && head !== 0 && stops(x, packets[head + DST])
        if (requests === 1 && held) say(`line ${k - 1} is stopped, and requests output ${o}`)
        if (requests === 1 && (head === 0 || bytes[(head + STATE) << 2] !== o))
          say(`queue ${k} requests output ${o} without a packet for it`)
      }
      if (k === 0) {
        if (count !== s.normal[q]) say(`${s.normal[q]} packets in the normal queue are counted, ${count} are found`)
        continue
      }
      aside += flits
      if (s.lineOn[line] !== 0) on++
      else if (count > 0) say(`line ${k - 1} is free and has ${count} packets`)
      if (count !== s.linePackets[line] || flits !== s.lineFlits[line])
        say(`line ${k - 1}: ${s.linePackets[line]} packets are counted, ${count} are found`)
      if (flits > scheme.lineFlits!) say(`line ${k - 1} holds ${flits} flits of ${scheme.lineFlits}`)
    }
    if (on !== s.lines[q]) say(`${s.lines[q]} lines are counted, ${on} are found`)
    if (aside !== s.setAside[q]) say(`${s.setAside[q]} flits set aside are counted, ${aside} are found`)
    // The owner of a destination must be a line in use that lists it.
    for (let d = 0; d < s.N; d++) {
      const k = s.owner[q * s.N + d]
      if (
        k !== 0 &&
        (s.lineOn[q * s.L + k - 1] === 0 || ((s.lineList[(q * s.L + k - 1) * s.W + (d >> 5)] >>> d) & 1) === 0)
      )
        say(`destination ${d} is owned by line ${k - 1}, which does not list it`)
    }
  }
  return bad
}
