// The state of every queue, buffer and pointer, named by the network's own numbers.
import { DST, eachInChain, FLITS, KEY, stateOf } from "../../fabric/packets.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import { AVERAGE } from "../parts/averages.ts"
import type { CombinedState } from "./frame.ts"

/** How long a transfer or a link is still busy follows from the cycle, which the engine adds; here are the ends. */
export function digestCombined(f: CombinedState, d: StateDigest, outer: (id: number) => number): void {
  const { site, ports, levels, columns: c, chains } = f
  const { layout: l, columns: a, rooms, load } = site
  const chain = (key: number, queue: number) =>
    eachInChain(a.packets, chains.first(queue), (p, place) => {
      d.add(key, a.packets[p + KEY]!, place)
      d.add(key, a.packets[p + DST]!, stateOf(a.packets, p) ^ (a.packets[p + FLITS]! << 24))
    })
  const firstOutput = f.output.firstQueue
  for (let q = 0; q < ports.inputs; q++) {
    const r = ports.router[q]!
    const local = ports.local[q]!
    if (l.outerRouter[r]! < 0 || (q < ports.count && ports.wired[q] === 0)) continue
    // the input of made packets has no number in the network: that of its router, and a salt
    const key = q < ports.count ? outer(q << l.LV) : outer((r * l.PS) << l.LV) ^ 0x3c000000
    d.add(key, c["turn"]![q]!, c["inNext"]![r * (l.radix + 1) + local]!)
    for (let v = 0; v < l.vcs; v++) {
      if (f.input.voq) for (let o = 0; o < l.radix; o++) chain(key + v + (o << 26), f.queueOf(q, o, v))
      else chain(key + v, f.queueOf(q, 0, v))
    }
    if (q >= ports.count) continue
    for (let v = 0; v < l.vcs; v++) d.add(key + v, rooms.held[(q << l.LV) + v]!, load[q]!)
    for (let level = 0; level < levels; level++) chain(key + level + 0x2a000000, firstOutput + q * levels + level)
    d.add(key + 1, c["outNext"]![r * l.radix + local]! * 256 + c["outTurn"]![q]!, c["outHeld"]![q]!)
    d.add(key + 2, c["until"]![q]!, c["linkUntil"]![q]!)
    if (f.dropping !== undefined) d.add(key + 4, c["heldFor"]![q]!, c["granted"]![q]!)
    if (f.sensing !== undefined) for (let w = 0; w < AVERAGE.bottomSum + 1; w++) d.add(key + 3, c["averages"]![q * AVERAGE.size + w]!, w)
  }
}
