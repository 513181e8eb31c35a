// The state of every queue, buffer and pointer, named by the network's own numbers.
import type { StateDigest } from "../../fabric/switch.ts"
import { digestParts } from "../parts/digest.ts"
import type { CombinedState } from "./frame.ts"

export function digestCombined(f: CombinedState, d: StateDigest, outer: (id: number) => number): void {
  const { ports, columns: c } = f
  const { radix } = f.site.layout
  digestParts(f, d, outer, (o, key) => {
    d.add(key + 2, c["until"]![o]!, c["linkUntil"]![o]!)
    d.add(key + 1, c["outNext"]![ports.router[o]! * radix + ports.local[o]!]! * 256 + c["outTurn"]![o]!, c["outHeld"]![o]!)
    if (f.dropping !== undefined) d.add(key + 4, c["heldFor"]![o]!, c["granted"]![o]!)
    if (f.sensing !== undefined) d.add(key + 3, f.sensing.askers(o), c["contended"]![ports.router[o]!]!)
  })
}
