// State digest of the combined switch: each queue, buffer and pointer, under keys that do not depend on the
// partitioning.
import type { StateDigest } from "../../fabric/switch.ts"
import { digestParts } from "../parts/digest.ts"
import type { CombinedState } from "./shared-state.ts"

/** Adds the state of all ports, with that of dropping and of the contention counters where they exist. */
export function digestCombined(f: CombinedState, d: StateDigest, outer: (id: number) => number): void {
  const { ports, columns: c } = f
  const { radix } = f.site.layout
  digestParts(f, d, outer, (o, key) => {
    d.add(key + 2, c["until"][o], c["linkUntil"][o])
    const next = f.arbiter === undefined ? c["outNext"][ports.router[o] * radix + ports.local[o]] : 0
    d.add(key + 1, next * 256 + c["outTurn"][o], c["outHeld"][o])
    if (f.turns !== undefined) {
      d.add(key + 5, f.turns.owned[o], f.turns.underWay[o])
      for (let v = 0; v < f.site.layout.vcs; v++)
        d.add(key + v + 0x2b000000, f.turns.vcNext[(o << f.site.layout.LV) + v], 0)
    }
    if (f.flitCredits !== undefined) digestCredits(f, d, o, key)
    if (f.dropping !== undefined) d.add(key + 4, c["heldFor"][o], Object.hasOwn(c, "granted") ? c["granted"][o] : 0)
    if (f.sensing !== undefined) d.add(key + 3, f.sensing.requesters(o), c["contended"][ports.router[o]])
  })
  f.arbiter?.digest(d, outer)
}

/** Flits that cross, and credits that wait to leave. */
function digestCredits({ flitCredits, site }: CombinedState, d: StateDigest, q: number, key: number): void {
  const { left, since, headAt, route, unsent, next } = flitCredits!
  for (let at = 2 * q; at < 2 * q + 2; at++)
    if (left[at] !== 0) d.add(key + 6, left[at] * 1024 + (route[at] & 1023), since[at] ^ (headAt[at] << 8))
  d.add(key + 7, next[q], 0)
  for (let v = 0; v < site.layout.vcs; v++) d.add(key + v + 0x2d000000, unsent[(q << site.layout.LV) + v], 0)
}
