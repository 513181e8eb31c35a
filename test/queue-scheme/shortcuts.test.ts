// Two shortcuts that must change no bit: stages that are called only when something is due for them, and queues of full
// lanes that are passed over together.
import fc from "fast-check"
import { expect, test } from "vitest"
import type { Wish } from "../support/machine.ts"
import { schemeEngine } from "../support/queue-scheme.ts"

const wishes = fc
  .record({
    sw: fc.constantFrom<Readonly<Record<string, unknown>>>(
      { scheme: "1q", memory: "96flits" },
      { scheme: "1q", memory: "96flits", slot: "16cycles" },
      { scheme: "dbbm", memory: "96flits", queues: 4 },
      { scheme: "dbbm", memory: "160flits", queues: 2, iterations: 2 },
      { scheme: "voq-switch", memory: "160flits" },
      { scheme: "voq-network", queue: "24flits" },
    ),
    load: fc.constantFrom(0.01, 0.3, 1),
    packet: fc.constantFrom({ name: "fixed", size: "8flits" }, { name: "uniform", min: "1flits", max: "16flits" }),
    message: fc.integer({ min: 1, max: 3 }),
    hot: fc.integer({ min: 0, max: 15 }),
    backlog: fc.constantFrom(4, 60),
    seed: fc.integer({ min: 1, max: 1000 }),
  })
  .map(
    ({ sw, load, packet, message, hot, backlog, seed }): Wish => ({
      switch: sw,
      endpoint: { name: "adapter", backlog },
      traffic: [
        { load, packet, message: { name: "fixed", size: `${message}packets` } },
        { load, packet, pattern: { name: "to-set", set: [hot] }, from: ["0-5"] },
      ],
      seed,
    }),
  )

test("stages that wait until something is due do what they do when they are called in every cycle", () => {
  fc.assert(
    fc.property(wishes, fc.integer({ min: 1, max: 2 }), (wish, parts) => {
      const waits = schemeEngine(wish, parts)
      // whoever writes down what happens needs every cycle
      const every = schemeEngine({ ...wish, probes: [{ name: "events", rows: 64 }] }, parts)
      waits.advance(2000)
      every.advance(2000)
      expect(waits.audit()).toEqual([])
      expect([waits.packetHops(), waits.stat("delivered")]).toEqual([every.packetHops(), every.stat("delivered")])
      expect(waits.fingerprint()).toBe(every.fingerprint())
    }),
    { numRuns: 12, seed: 71 },
  )
})

test("what an endpoint remembers of the queues that it has passed over may be forgotten in any cycle", () => {
  let remembered = 0
  fc.assert(
    fc.property(wishes, (wish) => {
      const knows = schemeEngine(wish)
      const forgets = schemeEngine(wish)
      knows.advance(2000)
      for (let t = 1; t <= 2000; t++) {
        forgets.advance(t)
        forgets.columns.passed.fill(0)
      }
      remembered += knows.columns.passed.some((n) => n !== 0) ? 1 : 0
      expect(knows.stat("delivered")).toBeGreaterThan(0)
      expect(forgets.fingerprint()).toBe(knows.fingerprint())
    }),
    { numRuns: 24, seed: 72 },
  )
  expect(remembered).toBeGreaterThan(5)
})
