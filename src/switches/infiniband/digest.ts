// State digest of the InfiniBand switch: each queue, buffer, pointer and scheduler, under keys that do not depend on
// the partitioning.
import { KEY } from "../../fabric/packets.ts"
import { digestScheduler } from "../../fabric/scheduling.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import { digestParts } from "../parts/digest.ts"
import { OUTPUT } from "../parts/service-level-stages.ts"
import type { InfinibandState } from "./shared-state.ts"

/** Adds the state of all ports, with output buffers, round-robin pointers and scheduler state. */
export function digestInfiniband(f: InfinibandState, d: StateDigest, outer: (id: number) => number): void {
  const { site, ports, columns: c, scheduler } = f
  const { layout: l, sharedBuffers } = site
  const classes = f.use.plan.classes.length
  const of = (o: number, word: number) => f.outputs[(o << f.shift) + word]
  digestParts(f, d, outer, (o, key) => {
    d.add(key + 2, of(o, OUTPUT.ends), of(o, OUTPUT.until))
    d.add(
      key + 1,
      c["outNext"][ports.router[o] * l.radix + ports.local[o]] * 256 + c["outTurn"][o],
      of(o, OUTPUT.stalledVcs),
    )
    for (let v = 0; v < l.vcs; v++) d.add(key + v + 0x2b000000, sharedBuffers.held[sharedBuffers.OUT + (o << l.LV) + v])
    for (let k = 0; k < classes; k++) d.add(key + 0x2c000000, k, c["vlTurn"][o * classes + k])
    if (Object.hasOwn(c, "startNext"))
      d.add(key + 0x30000000, c["startNext"][ports.router[o] * l.radix + ports.local[o]], 0)
    if (Object.hasOwn(c, "current"))
      for (let v = 0; v < l.vcs; v++) {
        const p = c["current"][(o << l.LV) + v]
        if (p !== 0) d.add(key + v + 0x2f000000, site.columns.packets[p + KEY], c["crossed"][(o << l.LV) + v])
      }
    digestScheduler(scheduler, (n, i, bits) => d.add(key + n + 0x2d000000, i, bits), o, ports.count)
  })
}
