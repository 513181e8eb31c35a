// State digest of the queue-scheme switch: each queue and each pointer, under keys that do not depend on the
// partitioning.
import { DST, eachInChain, FLITS, KEY, stateOf } from "../../fabric/packets.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import type { IsolationScheme } from "./isolation-scheme.ts"
import type { SharedState } from "./shared-state.ts"

export function digestQueueScheme(
  { site, ports, packetQueues, scheme, columns: c }: SharedState,
  aside: IsolationScheme | undefined,
  d: StateDigest,
  outer: (id: number) => number,
): void {
  const { layout: l, columns: a } = site
  const { queues: Q, lanes } = scheme
  for (let q = 0; q < ports.count; q++) {
    if (ports.wired[q] === 0) continue
    const r = ports.router[q]
    const local = ports.local[q]
    const key = outer(q << l.LV)
    d.add(key, c.turn[q], c.inNext[r * l.radix + local] * 64 + c.outNext[r * l.radix + local])
    d.add(key + 1, c.until[q])
    for (let k = 0; k < Q; k++)
      eachInChain(a.packets, packetQueues.first(q * Q + k), (p, place) => {
        d.add(key ^ ((k + 1) << 20), a.packets[p + KEY], place)
        d.add(key ^ ((k + 1) << 20), a.packets[p + DST], stateOf(a.packets, p) ^ (a.packets[p + FLITS] << 24))
      })
    aside?.digest(d, q, key)
    for (let lane = 0; lane < lanes; lane++) {
      const held = c.laneHeld[q * lanes + lane]
      if (held !== 0) d.add(key ^ ((lane + 1) << 19), held)
    }
  }
}
