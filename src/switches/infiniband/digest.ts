// The state of every queue, buffer, pointer and scheduler, named by the network's own numbers.
import type { StateDigest } from "../../fabric/switch.ts"
import { digestParts } from "../parts/digest.ts"
import type { InfinibandState } from "./frame.ts"

export function digestInfiniband(f: InfinibandState, d: StateDigest, outer: (id: number) => number): void {
  const { site, ports, columns: c, scheduler } = f
  const { layout: l, rooms } = site
  const schedules = Object.values(scheduler.columns)
  const classes = f.use.plan.classes.length
  digestParts(f, d, outer, (o, key) => {
    d.add(key + 1, c["outNext"]![ports.router[o]! * l.radix + ports.local[o]!]! * 256 + c["outTurn"]![o]!, c["lackBehind"]![o]!)
    for (let v = 0; v < l.vcs; v++) d.add(key + v + 0x2b000000, rooms.held[rooms.OUT + (o << l.LV) + v]!)
    for (let k = 0; k < classes; k++) d.add(key + 0x2c000000, k, c["vlTurn"]![o * classes + k]!)
    schedules.forEach((column, n) => {
      const width = column.length / ports.count
      for (let k = 0; k < width; k++) d.add(key + n + 0x2d000000, k, bits(column[o * width + k]!))
    })
  })
}

const real = new Float64Array(1)
const words = new Int32Array(real.buffer)

/** Tags of fair queueing are no whole numbers. */
function bits(x: number): number {
  real[0] = x
  return words[0]! ^ Math.imul(words[1]!, 0x9e3779b1)
}
