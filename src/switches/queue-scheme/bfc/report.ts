// Audit, state digest and reported values of BFC (bfc.ts).
import { type Complaint, complain } from "../../../core/complaint.ts"
import { DST, eachInChain, SRC, STATE } from "../../../fabric/packets.ts"
import type { StateDigest } from "../../../fabric/switch.ts"
import { portName } from "../../parts/conservation.ts"
import { sum } from "../isolation/report.ts"
import type { SharedState } from "../shared-state.ts"
import { type FlowColumns, flowOf } from "./columns.ts"

const BUG = "this is a bug in lacewing"

/** Checks the counters of flows and queues against the packets, and the requests against paused flows. */
export function flowComplaints(
  { site, ports, packetQueues, scheme, columns: c }: SharedState,
  s: FlowColumns,
  t: number,
): Complaint[] {
  const { packets } = site.columns
  const { radix: R, PS } = site.layout
  const bytes = new Uint8Array(packets.buffer)
  const { queues: Q } = scheme
  const { flows: F } = s
  const bad: Complaint[] = []
  const found = new Int32Array(F)
  for (let q = 0; q < ports.count; q++) {
    const say = (says: string) => bad.push(complain(portName(site, q), `cycle ${t}: ${says}`, BUG))
    found.fill(0)
    for (let k = 0; k < Q; k++) {
      const head = packetQueues.first(q * Q + k)
      let count = 0
      eachInChain(packets, head, (p) => {
        const f = flowOf(packets[p + SRC], packets[p + DST], F)
        count++
        found[f]++
        if (s.flowQueue[q * F + f] !== k + 1)
          say(`queue ${k} has a packet of flow ${f}, whose queue is ${s.flowQueue[q * F + f] - 1}`)
      })
      if (count !== s.queuePackets[q * Q + k])
        say(`queue ${k}: ${s.queuePackets[q * Q + k]} packets are counted, ${count} are found`)
      for (let o = 0; o < R; o++) {
        const requests = ((c.waiting[q * R + o] >>> k) & 1) === 1
        if (requests !== (s.requested[q * Q + k] === o + 1))
          say(`queue ${k}: output ${o} is ${requests ? "" : "not "}requested`)
        if (!requests) continue
        if (head === 0 || bytes[(head + STATE) << 2] !== o)
          say(`queue ${k} requests output ${o} without a packet for it`)
        else if (
          s.outPaused[(ports.router[q] * PS + o) * F + flowOf(packets[head + SRC], packets[head + DST], F)] !== 0
        )
          say(`queue ${k} is paused, and requests output ${o}`)
      }
    }
    for (let f = 0; f < F; f++)
      if (found[f] !== s.flowPackets[q * F + f])
        say(`flow ${f}: ${s.flowPackets[q * F + f]} packets are counted, ${found[f]} are found`)
  }
  return bad
}

export function digestFlows(s: FlowColumns, Q: number, d: StateDigest, q: number, key: number): void {
  const { flows: F } = s
  for (let f = 0; f < F; f++) {
    const at = q * F + f
    const state = s.flowQueue[at] * 4 + s.flowPaused[at] * 2 + s.outPaused[at]
    if (state !== 0) d.add(key ^ 0x51, f, state)
  }
  for (let k = 0; k < Q; k++) if (s.pausedHead[q * Q + k] !== 0) d.add(key ^ 0x52, k, s.pausedHead[q * Q + k])
}

export function flowValues({ talk }: SharedState): Record<string, number> {
  return { "isolation.messages": sum(talk!.controlCount), "isolation.flits": sum(talk!.controlFlits) }
}
