// Speculative packets, drops and reservations on the combined switch: every drop has one answer, nothing is lost or
// comes twice, whatever the numbers.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import { combinedEngine, drained } from "../support/combined.ts"
import { contention, incast, others } from "../support/contention.ts"
import type { Wish } from "../support/machine.ts"

const sum = (a: ArrayLike<number>): number => Array.from(a).reduce((x, y) => x + y, 0)
const own = (engine: TransferEngine, name: string): number => sum(engine.loop.protocol!.columns[name])

const drawn = fc.record({
  name: fc.constantFrom("srp", "smsrp", "lhrp"),
  budget: fc.integer({ min: 1, max: 300 }),
  threshold: fc.integer({ min: 1, max: 100 }),
  chunk: fc.integer({ min: 16, max: 100 }),
  eps: fc.double({ min: 0, max: 0.5, noNaN: true }),
  flows: fc.constantFrom(1, 2, 256),
  flits: fc.integer({ min: 1, max: 16 }),
  message: fc.integer({ min: 1, max: 5 }),
  load: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
  routing: fc.constantFrom("hyperx.minimal", "hyperx.ugal-l"),
  speed: fc.constantFrom(1, 2),
  seed: fc.nat(1000),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

function machine({
  name,
  budget,
  threshold,
  chunk,
  eps,
  flows,
  flits,
  message,
  load,
  routing,
  speed,
  seed,
}: Drawn): Wish {
  const numbers = {
    srp: { budget: `${budget}cycles`, least: "8flits", chunk: `${chunk}flits` },
    smsrp: { budget: `${budget}cycles` },
    lhrp: { threshold: `${threshold}flits` },
  }[name]
  const usual = { flits, message: { name: "fixed", size: `${message}packets` } }
  return {
    topology: { name: "hyperx", sides: "3", p: 3 },
    routing: { name: routing },
    endpoint: { name: "queue-pairs", ack: "0flits", active: 64 },
    links: { link: "12cycles", end: "1cycle" },
    congestion: { name, eps, flows, ...numbers },
    switch: { vcs: 6, buffer: "48flits", output: "32flits", speed },
    traffic: [
      { ...usual, name: "hot", from: [0, 1, 5, 7], load: 0.9, pattern: { name: "to-set", set: [4] } },
      { ...usual, name: "all", load, pattern: { name: "uniform" } },
    ],
    seed,
  }
}

describe("packets that are dropped", () => {
  test(
    "one answer for each, all arrive once, nothing is left; 1, 2 and 4 " +
      "workers and a copy in the middle: the same bits",
    () => {
      let drops = 0
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
            engine.advance(600)
            expect(engine.audit()).toEqual([])
            const middle = engine.fingerprint()
            drained(engine, 500)
            engine.advance(engine.now + 3000)
            expect(engine.stat("delivered")).toBe(engine.stat("created"))
            expect(own(engine, "dropped")).toBe(sum(engine.columns.dropped))
            expect([own(engine, "open"), engine.loop.protocol!.kept!()]).toEqual([0, 0])
            expect(engine.standing()).toEqual({ underWay: 0, waiting: 0, onLinks: 0, timers: 0 })
            drops += sum(engine.columns.dropped)
            return `${middle} ${engine.fingerprint()} ${engine.stat("created")} ${sum(engine.columns.dropped)}`
          })
          expect(new Set(prints).size).toBe(1)
        }),
        { numRuns: 12 },
      )
      expect(drops).toBeGreaterThan(100)
    },
  )
})

describe("victims of four senders to one endpoint", () => {
  const run = (name: string): TransferEngine => {
    const engine = combinedEngine(contention({ name }, [incast([0, 5, 8, 12], 4), others(0.3, [0, 5, 8, 12, 4])]))
    engine.advance(12_000)
    return engine
  }
  const victims = (engine: TransferEngine): number => engine.stat("latency", 1) / engine.stat("measured", 1)
  test("srp: nothing is dropped, the hot channel is full, victims wait less than without", () => {
    const [none, srp] = [run("none"), run("srp")]
    expect(victims(srp)).toBeLessThan(0.75 * victims(none))
    expect(sum(srp.columns.dropped)).toBe(0)
    // 12,000 cycles less the way
    expect(srp.columns.endOut[4 * 2]).toBeGreaterThan(11_500)
    expect(srp.extraValues()["speculative.sent"]).toBeGreaterThan(500)
  })
  test.each(["smsrp", "lhrp"])("%s: what is dropped goes again, the hot channel is full", (name) => {
    const engine = run(name)
    expect(engine.extraValues()["speculative.dropped"]).toBeGreaterThan(50)
    expect(engine.columns.endOut[4 * 2]).toBeGreaterThan(11_500)
  })
})
