// The middle one of an odd number of VCs where two classes of packets have halves: given to one class on every channel
// it is free of deadlock by order; shared, as BookSim2 has it, it is so only where a VC is handed out empty.
import { describe, expect, test } from "vitest"
import { checkNetwork } from "../src/inspect/check-network.ts"
import { diagnosisOf } from "../src/measure/clocked/watchdog.ts"
import type { Named } from "../src/model/experiment.ts"
import { compiledOf, engineOf, type Wish } from "./support/machine.ts"

const torus: Named = { name: "torus", sides: [5, 4] }
const hyperx: Named = { name: "hyperx", sides: [4, 3], p: 1 }
const line: Named = { name: "hyperx", sides: [4], p: 2 }

const judged = (w: Wish) => checkNetwork(compiledOf(w).network, { brief: true }).deadlock

describe.each([3, 5, 7])("with %i VCs", (vcs) => {
  test.each<[string, Named, Named]>([
    ["torus, fixed", torus, { name: "torus.dimension-order" }],
    ["torus, crossing", torus, { name: "torus.dimension-order", dateline: "crossing" }],
    ["ring of two and three", { name: "torus", sides: [2, 3] }, { name: "torus.dimension-order" }],
    ["HyperX, Valiant", hyperx, { name: "hyperx.valiant" }],
    ["HyperX, UGAL", line, { name: "hyperx.ugal-l" }],
    ["HyperX, DimWAR", hyperx, { name: "hyperx.dimwar" }],
  ])("%s: (channel, VC) pairs have an order", (_, topology, routing) => {
    const { free, by } = judged({ topology, routing, switch: { vcs } })
    expect({ free, by }).toEqual({ free: true, by: "order" })
  })
})

test("shared, three VCs on HyperX: a circle, unless VCs are handed out empty", () => {
  const wish = (tailCredit: boolean): Wish => ({
    topology: line,
    routing: { name: "hyperx.valiant", odd: "shared" },
    switch: { vcs: 3, tailCredit },
  })
  const bound = judged(wish(false))
  expect(bound).toMatchObject({ free: false, by: "cycle" })
  expect(bound.cure).toBe("set network.switch.flow: cut-through and network.switch.busyWhenFull: true")
  const whole = { vcs: 3, flow: "cut-through", busyWhenFull: true }
  expect(judged({ ...wish(false), switch: whole })).toMatchObject({ free: true, by: "escape" })
  expect(judged(wish(true))).toMatchObject({ free: true, by: "escape" })
})

test(
  "escape VCs prove nothing in a switch that binds heads to full VCs: a " +
    "torus that is called free does not end in a circle",
  () => {
    const wish = (tailCredit: boolean, side = 4): Wish => ({
      topology: { name: "torus", sides: [side, side] },
      routing: { name: "torus.adaptive" },
      switch: { vcs: 3, buffer: "4flits", tailCredit },
      traffic: [{ pattern: { name: "uniform" }, load: 0.9, flits: 4 }],
    })
    // flits per cycle and endpoint in the last of 6,000 cycles of overload
    const late = (tailCredit: boolean) => {
      const engine = engineOf(wish(tailCredit, 6))
      engine.advance(5000)
      const before = engine.stat("delivered")
      expect(before).toBeGreaterThan(10_000)
      engine.advance(6000)
      const { topology } = compiledOf(wish(tailCredit, 6)).network
      expect(diagnosisOf(engine, topology, 1000).kind).toBe(tailCredit ? "stall" : "deadlock")
      return (4 * (engine.stat("delivered") - before)) / 1000 / 36
    }
    expect(judged(wish(false)).free).toBe(false)
    expect(judged(wish(true))).toMatchObject({ free: true, by: "escape" })
    expect(late(false)).toBe(0)
    expect(late(true)).toBeGreaterThan(0.2)
  },
)

test("torus 6x6, three VCs, 0.3: one class for each middle VC costs at most 3 % beside sharing it", () => {
  const latency = (odd: string) => {
    const engine = engineOf({
      topology: { name: "torus", sides: [6, 6] },
      routing: { name: "torus.dimension-order", odd },
      links: { link: "1cycle" },
      switch: { vcs: 3 },
      traffic: [{ pattern: { name: "uniform", self: true }, load: 0.3 }],
    })
    engine.advance(5000)
    return engine.stat("latency") / engine.stat("measured")
  }
  // BookSim2 with its shared VC, six seeds: 23.2 (odd-torus6x6-vcs3-p1-0.3)
  const shared = latency("shared")
  expect(latency("one-class") / shared).toBeLessThan(1.03)
})
