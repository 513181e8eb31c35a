// One machine, cut into pieces in any way: the same bits. Each piece runs a whole window before the next one does.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compiledOf, engineOf, type Wish } from "../support/machine.ts"
import { options } from "../support/options.ts"

const CYCLES = 400

function cut(w: Wish, assign: Uint8Array, parts: number, cycles = CYCLES, workers = parts) {
  const engine = engineOf(w, { assign, parts, workers })
  engine.advance(cycles)
  return {
    mark: engine.fingerprint(),
    delivered: engine.stat("delivered"),
    hops: engine.flitHops(),
    bad: engine.audit(),
  }
}

function routersOf(w: Wish): number {
  return compiledOf(w).network.topology.graph.routers
}

describe("any partition gives the same fingerprint", () => {
  for (const [name, w] of Object.entries(options)) {
    it(name, () => {
      const routers = routersOf(w)
      const whole = cut(w, new Uint8Array(routers), 1)
      expect(whole.bad).toEqual([])
      expect(whole.delivered).toBeGreaterThan(100)
      // neighbours together, and dealt like cards
      for (const parts of [2, 3, 7]) {
        const blocks = Uint8Array.from({ length: routers }, (_, r) => Math.floor((r * parts) / routers))
        expect({ parts, ...cut(w, blocks, parts) }).toEqual({ parts, ...whole })
      }
      expect(
        cut(
          w,
          Uint8Array.from({ length: routers }, (_, r) => r % 4),
          4,
        ),
      ).toEqual(whole)
    })
  }

  it("random partitions of random options", () => {
    const names = Object.keys(options)
    const wholes = new Map<string, ReturnType<typeof cut>>()
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.integer({ min: 2, max: 9 }),
        fc.nat(8),
        fc.infiniteStream(fc.nat(255)),
        (name, parts, few, deal) => {
          const w = options[name]
          const routers = routersOf(w)
          const whole = wholes.get(name) ?? cut(w, new Uint8Array(routers), 1, 250)
          wholes.set(name, whole)
          const assign = Uint8Array.from({ length: routers }, () => deal.next().value! % parts)
          // partitions of one worker write to each other without an outbox
          expect(cut(w, assign, parts, 250, (few % parts) + 1)).toEqual(whole)
        },
      ),
      { numRuns: 50, seed: 11 },
    )
  })

  it(
    "a core of double speed hands an endpoint more than a packet in each cycle " +
      "for a while: their records find room on the way home",
    () => {
      const sizes = { name: "weighted", sizes: ["1packets", "2packets", "5packets"], weights: [1, 2, 3] }
      const w: Wish = {
        topology: { name: "clos", leaves: 3, spines: 3, p: 1 },
        routing: { name: "any.up-down" },
        switch: { speed: 2 },
        traffic: [{ pattern: { name: "uniform" }, message: sizes, load: 0.45 }],
        seed: 673426,
      }
      const whole = cut(w, new Uint8Array(6), 1, 1140)
      for (const parts of [2, 3, 4, 6]) {
        const blocks = Uint8Array.from({ length: 6 }, (_, r) => Math.floor((r * parts) / 6))
        expect({ parts, ...cut(w, blocks, parts, 1140) }).toEqual({ parts, ...whole })
      }
    },
  )

  it("stops in the middle of windows change nothing", () => {
    const w = options["dragonfly, UGAL"]
    const assign = Uint8Array.from({ length: routersOf(w) }, (_, r) => (r >> 2) % 3)
    const whole = cut(w, assign, 3)
    const engine = engineOf(w, { assign, parts: 3 })
    for (let t = 0; t < CYCLES; t += 7) engine.advance(Math.min(CYCLES, t + 7))
    expect(engine.fingerprint()).toBe(whole.mark)
  })
})
