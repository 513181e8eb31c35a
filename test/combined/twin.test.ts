// The combined switch, packet by packet, against its twin, flit by flit: every packet arrives in the same cycle over as
// many routers.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hash3 } from "../../src/core/hash.ts"
import type { CombinedParams } from "../../src/switches/combined/params.ts"
import { params } from "../../src/switches/combined/params.ts"
import { combinedEngine, compiledCombined, drained } from "../support/combined.ts"
import type { Wish } from "../support/machine.ts"
import { type Arrival, PlainCombined } from "../support/plain-combined.ts"

const STOP = 400

/** The engine's hash of all deliveries: a sum over (packet, cycle, routers, source). */
function hashOf(arrived: readonly Arrival[]): [number, number] {
  let a = 0
  let b = 0
  for (const { key, at, hops, from } of arrived) {
    const h = hash3(key, at, (hops << 20) ^ from)
    a = (a + h) | 0
    b = (b + Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)) | 0
  }
  return [a, b]
}

function paramsOf(w: Wish): CombinedParams {
  const got = params.parse({ ...w.switch }, "network.switch")
  if ("bad" in got) throw new Error(got.bad.map((c) => c.says).join("; "))
  return got.ok
}

function same(w: Wish): number {
  const engine = drained(combinedEngine(w), 500)
  const plain = new PlainCombined(compiledCombined(w), paramsOf(w), STOP)
  plain.run(engine.now)
  const { trail } = engine.columns
  const cycles = plain.arrived.reduce((sum, a) => sum + a.at, 0)
  expect(plain.left).toBe(0)
  expect(engine.stat("delivered")).toBe(plain.arrived.length)
  expect({ trail: [trail[0], trail[1]], cycles }).toEqual({ trail: hashOf(plain.arrived), cycles })
  return plain.arrived.length
}

const nets = {
  line: { topology: { name: "mesh", sides: "3", p: 2 }, routing: { name: "mesh.dimension-order" } },
  one: { topology: { name: "crossbar", n: 6 }, routing: { name: "crossbar.direct" } },
  ugal: { topology: { name: "hyperx", sides: "3x2", p: 2 }, routing: { name: "hyperx.ugal-l" } },
  tree: { topology: { name: "tree", k: 2, n: 2 }, routing: { name: "tree.nearest-ancestor", up: "adaptive" } },
  torus: { topology: { name: "torus", sides: "4" }, routing: { name: "torus.dimension-order" } },
} satisfies Record<string, Wish>

const wishes = fc
  .record({
    net: fc.constantFrom(...(Object.keys(nets) as (keyof typeof nets)[])),
    least: fc.integer({ min: 1, max: 32 }),
    most: fc.integer({ min: 1, max: 32 }),
    vcs: fc.integer({ min: 2, max: 5 }),
    packets: fc.integer({ min: 1, max: 3 }),
    outputs: fc.integer({ min: 1, max: 4 }),
    speed: fc.constantFrom(1, 2, 1.5),
    start: fc.constantFrom("head", "dry", "stored"),
    release: fc.constantFrom("flit", "tail", "each"),
    fifo: fc.boolean(),
    each: fc.boolean(),
    delays: fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })),
    allocator: fc.constantFrom("input-first", "output-first", "islip"),
    iterations: fc.integer({ min: 1, max: 3 }),
    latency: fc.integer({ min: 1, max: 20 }),
    end: fc.integer({ min: 1, max: 4 }),
    load: fc.constantFrom(0.1, 0.4, 0.8, 1),
    seed: fc.integer({ min: 1, max: 1e6 }),
    // [class, priority] of a second stream
    second: fc.option(fc.tuple(fc.constantFrom(0, 1), fc.integer({ min: 0, max: 2 }))),
  })
  .map((o): Wish => {
    const packet = (a: number, b: number) => ({
      name: "range",
      min: `${Math.min(a, b)}flits`,
      max: `${Math.max(a, b)}flits`,
    })
    const stop = `${STOP}cycles`
    const [vcClass, priority] = o.second ?? [0, 0]
    const allocator = o.allocator === "islip" && priority > 0 ? "input-first" : o.allocator
    const most = Math.max(o.least, o.most)
    return {
      ...nets[o.net],
      switch: {
        vcs: o.vcs * (vcClass + 1),
        buffer: `${most * o.packets}flits`,
        output: `${most * o.outputs}flits`,
        speed: o.speed,
        ...(o.start !== "dry" || o.speed > 1 ? { start: o.start } : {}),
        ...(o.release === "flit" ? {} : { release: o.release }),
        ...(o.fifo ? { queues: "fifo" } : o.each ? { depth: "each" } : {}),
        route: `${o.delays[0]}cycles`,
        traverse: `${o.delays[1]}cycles`,
        allocator,
        iterations: o.iterations,
      },
      links: { end: `${o.end}cycles`, ...(o.net === "one" ? {} : { link: `${o.latency}cycles` }) },
      traffic: [
        { packet: packet(o.least, o.most), load: o.second === null ? o.load : o.load / 2, stop },
        ...(o.second === null
          ? []
          : [
              {
                packet: packet(o.most, 1),
                load: o.load / 2,
                class: vcClass,
                priority: vcClass === 0 ? 0 : priority,
                stop,
              },
            ]),
      ],
      seed: o.seed,
    }
  })

describe("packets arrive when their flits would", () => {
  for (const [name, net] of Object.entries(nets))
    it(`${name}, 32 flits, twice as fast`, () => {
      const link = name === "one" ? {} : { link: "10cycles" }
      expect(
        same({
          ...net,
          switch: { vcs: 4, buffer: "64flits" },
          links: { end: "2cycles", ...link },
          traffic: [{ flits: 32, load: 0.8, stop: `${STOP}cycles` }],
        }),
      ).toBeGreaterThan(20)
    })
  it("any size, speed, buffer, delay, allocator and load", () =>
    fc.assert(
      fc.property(wishes, (w) => {
        same(w)
      }),
      { numRuns: 40 },
    ))
})
