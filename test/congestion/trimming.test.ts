// Trimming on the combined switch, and endpoints that send trimmed packets again: each packet arrives exactly once,
// whatever the numbers.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { CONTROL } from "../../src/fabric/flit.ts"
import { combinedEngine, drained } from "../support/combined.ts"
import type { Wish } from "../support/machine.ts"

const drawn = fc.record({
  name: fc.constantFrom("nscc", "nscc uec", "rccc", "rccc uec", "hpcc"),
  trim: fc.integer({ min: 32, max: 100 }),
  buffer: fc.constantFrom(48, 400),
  flows: fc.constantFrom(1, 2, 256),
  flits: fc.integer({ min: 8, max: 16 }),
  message: fc.integer({ min: 1, max: 5 }),
  load: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
  routing: fc.constantFrom("hyperx.minimal", "hyperx.ugal-l"),
  speed: fc.constantFrom(1, 2),
  timeout: fc.constantFrom(0, 0, 1, 60, 500),
  stored: fc.boolean(),
  seed: fc.nat(1000),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

function machine(d: Drawn): Wish {
  const protocol = {
    nscc: { name: "nscc", kmin: "8flits", kmax: "64flits" },
    "nscc uec": { name: "nscc", rules: "uec" },
    rccc: { name: "rccc", initialCredit: "64flits", quantum: "32flits" },
    "rccc uec": { name: "rccc", rules: "uec", initialCredit: "64flits", quantum: "32flits" },
    hpcc: { name: "hpcc" },
  }[d.name] ?? { name: "nscc" }
  const usual = { flits: d.flits, message: { name: "fixed", size: `${d.message}packets` } }
  return {
    topology: { name: "hyperx", sides: "3", p: 3 },
    routing: { name: d.routing },
    endpoint: { name: "queue-pairs", ack: "0flits", active: 64 },
    links: { link: "12cycles", end: "1cycle" },
    congestion: { ...protocol, flows: d.flows },
    switch: {
      ...{ vcs: 4, buffer: `${d.buffer}flits`, output: "32flits", trim: `${d.trim}flits`, speed: d.speed },
      ...(d.stored ? { start: "stored" } : {}),
      ...(d.timeout > 0 ? { timeout: `${d.timeout}cycles` } : {}),
    },
    traffic: [
      { ...usual, name: "hot", from: [0, 1, 5, 7], load: 0.9, pattern: { name: "to-set", set: [4] } },
      { ...usual, name: "all", load: d.load, pattern: { name: "uniform" } },
    ],
    seed: d.seed,
  }
}

describe("packets that are trimmed", () => {
  test("arrive exactly once, with the same bits for 1, 2 and 4 workers and after a copy in the middle", () => {
    let trimmed = 0
    fc.assert(
      fc.property(drawn, (d) => {
        const wish = machine(d)
        const prints = [1, 2, 4].map((parts) => {
          let engine = combinedEngine(wish, parts)
          engine.columns.control[CONTROL.quiet] = 600
          engine.advance(400)
          if (parts === 2) {
            const copy = combinedEngine(wish, parts)
            copy.restore(engine.snapshot())
            engine = copy
          }
          drained(engine)
          expect(engine.audit()).toEqual([])
          // created packets are delivered; none is left, and none came twice
          expect(engine.stat("delivered")).toBe(engine.stat("created"))
          expect(engine.inFlight()).toBe(0)
          const values = engine.extraValues()
          expect(values["trim.resent"]).toBe(values["trim.packets"])
          expect(engine.loop.protocol!.kept!()).toBe(0)
          trimmed += values["trim.packets"]
          return engine.fingerprint()
        })
        expect(new Set(prints).size).toBe(1)
      }),
      { numRuns: 12, endOnFailure: true },
    )
    expect(trimmed).toBeGreaterThan(100)
  })

  test("keep the queue of an output within the limit", () => {
    const wish = machine({
      ...{ name: "nscc", trim: 64, buffer: 400, flows: 256, flits: 16, message: 4, load: 0.2 },
      ...{ routing: "hyperx.minimal", speed: 2, timeout: 0, stored: true, seed: 1 },
    })
    const engine = combinedEngine(wish)
    for (let t = 50; t < 3000; t += 50) {
      engine.advance(t)
      expect(engine.audit()).toEqual([])
      const { heldFor, outHeld } = engine.sw.columns as Record<string, Int32Array>
      for (let o = 0; o < heldFor.length; o++) expect(heldFor[o] + outHeld[o]).toBeLessThanOrEqual(64 + 40)
    }
    expect(engine.extraValues()["trim.packets"]).toBeGreaterThan(50)
  })
})
