// A VL of a ring's output buffer with room for exactly 32 flits: a message of 32 that is in the ring goes on, one of 16
// may not enter it, for that needs room for two of the largest, 64.
import { expect, test } from "vitest"
import { infinibandEngine } from "../support/infiniband.ts"

test.each(["infiniband", "omni-path"])("%s: room for 32 flits lets 32 go on, and nobody in", (name) => {
  const fixed = (from: number, to: number) => ({ from: [from], pattern: { name: "fixed", pairs: [[from, to]] } })
  const periodic = { load: 0.05, arrivals: { name: "periodic" } }
  // endpoints 2 r and 2 r + 1 are at router r: 0 -> 4 passes router 1, 2 -> 4 enters the ring there
  const e = infinibandEngine({
    topology: { name: "torus", sides: "6", p: 2 },
    routing: { name: "torus.bubble" },
    switch: { name, vcs: 1, input: "256flits", output: "64flits", reservedPerVl: "64flits" },
    traffic: [
      { flits: 32, ...periodic, ...fixed(0, 4) },
      { flits: 16, ...periodic, ...fixed(2, 4) },
    ],
  })
  const { graph: g, slot } = e.layout
  const chan = Array.from({ length: g.chans }, (_, c) => c).find(
    (c) => g.routerOf[c] === 1 && g.far[c] >= 0 && g.routerOf[g.far[c]] === 2,
  )!
  const at = e.sharedBuffers.OUT + slot[chan]
  // 64 - 32: as if one message stood there
  e.sharedBuffers.held[at] = 32
  e.advance(3000)
  expect(e.stat("delivered", 0)).toBeGreaterThan(3)
  expect(e.stat("delivered", 1)).toBe(0)
  // one flit more, and nobody goes on
  e.sharedBuffers.held[at] += 1
  const before = e.stat("delivered", 0)
  e.advance(6000)
  expect(e.stat("delivered", 0)).toBeLessThan(before + 2)
})
