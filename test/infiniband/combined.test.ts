// With one service level and round robin an InfiniBand switch is a combined switch with a FIFO for each VC, the same
// buffers and stage delays: every packet arrives in the same cycle over the same way.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { combinedEngine, drained, wholeEngine } from "../support/combined.ts"
import { specOf, type Wish } from "../support/machine.ts"

const nets = {
  line: { topology: { name: "mesh", sides: "3", p: 2 }, routing: { name: "mesh.dimension-order" } },
  one: { topology: { name: "crossbar", n: 6 }, routing: { name: "crossbar.direct" } },
  tree: { topology: { name: "tree", k: 2, n: 3 }, routing: { name: "tree.valiant" } },
  adaptive: { topology: { name: "tree", k: 2, n: 2 }, routing: { name: "tree.nearest-ancestor", up: "adaptive" } },
  ring: { topology: { name: "torus", sides: "4", trunk: 2 }, routing: { name: "torus.bubble" } },
} satisfies Record<string, Wish>

const infiniband = (w: Wish): TransferEngine =>
  wholeEngine(specOf({ ...w, switch: { name: "infiniband", grain: "message", ...w.switch } }))

interface Case {
  readonly net: keyof typeof nets
  readonly flits: number
  readonly input: number
  readonly output: number
  readonly delays: readonly [number, number]
  readonly tail: boolean
  readonly latency: number
  readonly load: number
  readonly seed: number
}

/** Both machines run empty; the hash of all deliveries is a sum over (packet, cycle, routers, source). */
function same(o: Case, credits: "link" | "crossbar"): number {
  const common = {
    ...(o.tail ? { release: "tail" } : {}),
    route: `${o.delays[0]}cycles`,
    traverse: `${o.delays[1]}cycles`,
    speed: 1,
    vcs: 1,
    output: `${o.output * o.flits}flits`,
  }
  const w: Wish = {
    ...nets[o.net],
    links: { end: "2cycles", ...(o.net === "one" ? {} : { link: `${o.latency}cycles` }) },
    traffic: [{ packet: { name: "range", min: "1flit", max: `${o.flits}flits` }, load: o.load, stop: "400cycles" }],
    seed: o.seed,
  }
  const buffer = `${o.input * o.flits}flits`
  const a = drained(combinedEngine({ ...w, switch: { ...common, queues: "fifo", buffer } }), 500)
  const b = drained(
    infiniband({
      ...w,
      switch: { ...common, input: buffer, least: o.net === "ring" ? `${2 * o.flits}flits` : "0flits", credits },
    }),
    500,
  )
  const seen = (e: TransferEngine) => ({
    trail: [e.columns.trail[0], e.columns.trail[1]],
    delivered: e.stat("delivered"),
    latency: e.stat("latency"),
    network: e.stat("network"),
  })
  expect(seen(b)).toEqual(seen(a))
  return a.stat("delivered")
}

const cases = fc.record({
  net: fc.constantFrom(...(Object.keys(nets) as (keyof typeof nets)[])),
  flits: fc.integer({ min: 1, max: 32 }),
  input: fc.integer({ min: 2, max: 4 }),
  output: fc.integer({ min: 2, max: 4 }),
  delays: fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })),
  tail: fc.boolean(),
  latency: fc.integer({ min: 1, max: 20 }),
  load: fc.constantFrom(0.1, 0.4, 0.8, 1),
  seed: fc.integer({ min: 1, max: 1e6 }),
})

describe("one service level, round robin, speed 1", () => {
  test("room behind the link is taken before the crossbar: equal whatever the buffers, loads and networks", () => {
    let packets = 0
    fc.assert(
      fc.property(cases, (o) => {
        packets += same(o, "crossbar")
      }),
      { numRuns: 25, seed: 5 },
    )
    expect(packets).toBeGreaterThan(1000)
  })
  test("room is taken by the link: equal where inputs never lack room", () => {
    const wide = { flits: 16, input: 200, output: 3, delays: [2, 1], tail: false, latency: 9, seed: 11 } as const
    for (const net of ["line", "one", "tree", "adaptive"] as const)
      for (const load of [0.3, 0.9]) expect(same({ ...wide, net, load }, "link")).toBeGreaterThan(20)
  })
})
