// Counters as values, and visits of all queues with the output that the head packet requests.
import { DST, eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import type { TransferSwitch } from "../../fabric/transfer.ts"
import type { SharedState } from "./shared-state.ts"

/** Returns the utilisation: flits moved / (ports * cycles). */
export function reportValues({ site, ports }: SharedState, cycles: number): Record<string, number> {
  let outputs = 0
  for (let o = 0; o < ports.count; o++) outputs += ports.wired[o]
  let moved = 0
  for (const flits of site.columns.flitHops) moved += flits
  return { "switch.crossbar.utilisation": moved / (outputs * cycles) }
}

export function eachQueue(
  sharedState: SharedState,
  visit: Parameters<TransferSwitch["queues"]>[0],
  first?: number,
  end?: number,
): void {
  const { site, ports, packetQueues, scheme } = sharedState
  const { layout: l, columns: a } = site
  const bytes = new Uint8Array(a.packets.buffer)
  for (let q = (first ?? 0) * l.PS; q < (end ?? l.routers) * l.PS; q++)
    for (let k = 0; k < scheme.queues; k++) {
      const head = packetQueues.first(q * scheme.queues + k)
      if (head === 0) continue
      let flits = 0
      eachInChain(a.packets, head, (p) => {
        flits += a.packets[p + FLITS]
      })
      const o = ports.router[q] * l.PS + bytes[(head + STATE) << 2]
      visit(o, flits, head, downstreamSpace(sharedState, o, head), q << l.LV)
    }
}

function downstreamSpace({ site, ports, scheme, table, columns }: SharedState, o: number, p: number): boolean {
  const { layout: l, columns: a } = site
  const d = l.down[o]
  if (d < 0) return true
  const lane = scheme.lane(l.outerRouter[ports.router[d >> l.LV]], a.packets[p + DST], table)
  return columns.laneHeld[o * scheme.lanes + lane] + a.packets[p + FLITS] <= scheme.laneFlits
}
