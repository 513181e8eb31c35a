// The wait-for relation of queue-scheme switches, for the deadlock diagnosis: the head packet of a queue waits for
// credits of its downstream lane. Queue numbers of one router: by input and queue.
import { DST, eachInChain, FLITS, STATE } from "../../fabric/packets.ts"
import type { StateWaits } from "../../fabric/switch.ts"
import { type Holder, type Holders, QueueWaits } from "../parts/waits.ts"
import type { SharedState } from "./shared-state.ts"

/** Returns the number of queue numbers that one router uses. */
export function queueSpan({ site, scheme }: SharedState): number {
  return site.layout.radix * scheme.queues
}

export function waitsOf(sharedState: SharedState): readonly StateWaits[] {
  const { site, ports, packetQueues, scheme, table, columns: c } = sharedState
  const { layout: l, columns: a } = site
  const { packets } = a
  const { queues: Q, lanes } = scheme
  const bytes = new Uint8Array(packets.buffer)
  const waits = new QueueWaits()
  const numberOf = (q: number, k: number) => (ports.router[q] * l.radix + ports.local[q]) * Q + k
  const laneAt = (q: number, p: number) => scheme.lane(l.outerRouter[ports.router[q]], packets[p + DST], table)

  /** Returns the queues of input q that contain all flits of a lane; undefined if some flits are in flight. */
  function holders(q: number, lane: number, held: number): Holders {
    const found: Holder[] = []
    let flits = 0
    for (let k = 0; k < Q; k++) {
      const head = packetQueues.first(q * Q + k)
      let some = false
      eachInChain(packets, head, (p) => {
        if (laneAt(q, p) !== lane) return
        flits += packets[p + FLITS]
        some = true
      })
      if (some) found.push({ queue: numberOf(q, k), vc: l.up[q] })
    }
    return flits === held ? found : undefined
  }

  for (let q = 0; q < ports.count; q++)
    for (let k = 0; k < Q; k++) {
      const p = packetQueues.first(q * Q + k)
      if (p === 0) continue
      const port = ports.router[q] * l.PS + bytes[(p + STATE) << 2]
      const d = l.down[port] >> l.LV
      if (l.down[port] < 0) continue
      const lane = laneAt(d, p)
      const held = c.laneHeld[port * lanes + lane]
      if (held + packets[p + FLITS] > scheme.laneFlits)
        waits.add(numberOf(q, k), p, port << l.LV, holders(d, lane, held))
    }
  return waits.found
}
