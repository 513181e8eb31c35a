// From how many flits on an input marks what passes, by what the share is of.
import { expect, test } from "vitest"
import type { Marking } from "../../src/model/congestion.ts"
import { thresholdsOf } from "../../src/switches/tiled/model.ts"
import { engineOf, small } from "../support/tiled.ts"

/** Threshold of each link class of a switch with 1000 flits for each port, of which the stash leaves 125 to end and 250
 *  to local ports. */
function thresholds(base: Marking["base"], params: Record<string, unknown> = {}): Record<string, number[]> {
  const { layout: l, sharedBuffers } = engineOf(
    small({ load: 0.01, stash: 1, switch: { reliability: true, ...params } }),
    1,
  )
  const still = new Int32Array(l.routers * l.PS)
  const classOf = (q: number) =>
    l.graph.classes[l.graph.linkClass[l.graph.firstChan[Math.floor(q / l.PS)] + (q % l.PS)]]
  const normal: Record<string, number> = { end: 125, local: 250, global: 1000 }
  for (let q = 0; q < still.length; q++)
    if (l.up[q] >= 0) still[q] = normal[classOf(q)] * (classOf(q) === "end" ? 1 : 0.4)
  const { on, off } = thresholdsOf(
    { layout: l, sharedBuffers },
    { on: 0.5, off: 0.5, base },
    { vcs: 6, buffer: 1000 },
    still,
  )
  expect(off).toEqual(on)
  const found: Record<string, number[]> = {}
  for (let q = 0; q < still.length; q++) {
    if (l.up[q] < 0) continue
    const seen = (found[classOf(q)] ??= [])
    if (!seen.includes(on[q])) seen.push(on[q])
  }
  return found
}

test("port: half of the input buffer, whatever one VC may hold of it", () => {
  expect(thresholds("port")).toEqual({ end: [62], local: [125], global: [500] })
})
test(
  "vc: half of what one VC may hold: 0.4 of 250 and of 1000, and at end " +
    "ports all but what is kept for the other VC",
  () => {
    expect(thresholds("vc")).toEqual({ end: [50], local: [50], global: [200] })
  },
)
test("reachable: of the port, unless one VC cannot fill the share", () => {
  // 125 - 24 = 101 flits for one VC of an end port are more than 62; 100 of 250 and 400 of 1000 are less than half
  expect(thresholds("reachable")).toEqual({ end: [62], local: [50], global: [200] })
})
test("whole: half of the memory of the port, its stash included", () => {
  expect(thresholds("whole")).toEqual({ end: [500], local: [500], global: [500] })
})
