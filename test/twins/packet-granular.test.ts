// Packets in one piece against flit by flit: cut-through, packet hold and one size of packets. The same packets arrive
// at the same cycles, and once all have arrived every counter agrees. Where a routing reads queues, sizes differ or a
// buffer is smaller than a packet there is no short cut.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { engineOf, type Wish } from "../support/machine.ts"

function story(w: Wish, transfer: "packets" | "flits", parts = 1) {
  const hold = { flow: "cut-through", hold: true, transfer }
  const traffic = (w.traffic ?? [{}]).map((t) => ({ load: 0.4, stop: "600cycles", ...t }))
  const assign = parts > 1 ? Uint8Array.from({ length: 64 }, (_, r) => r % parts) : undefined
  const engine = engineOf(
    { ...w, traffic, switch: { vcs: 2, buffer: "8flits", ...w.switch, ...hold } },
    assign === undefined ? {} : { parts, assign },
  )
  // sources wait with what is created: with little room behind slow links that takes long to send
  for (let quiet = 0; quiet < 10; quiet = engine.inFlight() === 0 ? quiet + 1 : 0) {
    engine.advance(engine.now + 100)
    expect(engine.audit()).toEqual([])
    if (engine.now > 100_000) throw new Error("does not drain")
  }
  const c = engine.columns
  const { trail } = c
  return {
    held: engine.constants.held,
    trail: [0, 1].map((lane) => [...trail].filter((_, i) => i % 2 === lane).reduce((s, x) => (s + x) | 0, 0)),
    delivered: engine.stat("delivered"),
    latency: engine.stat("latency"),
    network: engine.stat("network"),
    wires: engine.stat("wires"),
    credit: engine.stat("credit"),
    ...(parts === 1
      ? {
          accepted: [...c.endOut],
          channels: [...c.portFlits],
          flits: [...c.seriesFlits],
          histogram: [...c.histogram],
          entered: [...c.endIn],
        }
      : {}),
  }
}

const networks: Readonly<Record<string, Wish>> = {
  "mesh, 5 flits": { traffic: [{ flits: 5 }] },
  "mesh, 8 of 8 flits": { traffic: [{ flits: 8, load: 0.7 }] },
  "mesh, 3 flits in buffers of 17": { switch: { buffer: "17flits" }, traffic: [{ flits: 3, load: 0.9 }] },
  "mesh, look-ahead": { switch: { route: 0, traverse: 2 }, traffic: [{ flits: 4 }] },
  "mesh, slow stages": { switch: { route: 3, vc: 2 }, links: { link: "4cycles" }, traffic: [{ flits: 4, load: 0.6 }] },
  "mesh, input first": {
    switch: { vcAllocator: "separable-input-first", swAllocator: "separable-input-first" },
    traffic: [{ flits: 6 }],
  },
  "torus, 20 flits": {
    topology: { name: "torus", k: 4, n: 2 },
    routing: { name: "torus.dimension-order" },
    switch: { vcs: 4, buffer: "48flits" },
    traffic: [{ flits: 20 }],
  },
  "two classes": {
    switch: { vcs: 4 },
    traffic: [{ flits: 4 }, { flits: 4, load: 0.3, pattern: { name: "transpose" } }],
  },
  "one switch of 12": {
    topology: { name: "crossbar", n: 12 },
    routing: { name: "crossbar.direct" },
    traffic: [{ flits: 7, load: 0.8 }],
  },
}

describe("packets in one piece arrive when their flits would", () => {
  for (const [name, w] of Object.entries(networks))
    it(name, () => {
      const { held, ...one } = story(w, "packets")
      const { held: none, ...other } = story(w, "flits")
      expect(held).toBeGreaterThan(1)
      expect(none).toBe(0)
      expect(one.delivered).toBeGreaterThan(100)
      expect(one).toEqual(other)
    })

  it("any size, depth, delay and load", () => {
    const wish = fc.record({
      flits: fc.integer({ min: 2, max: 9 }),
      more: fc.integer({ min: 0, max: 13 }),
      vcs: fc.integer({ min: 1, max: 3 }),
    })
    const stages = fc.record({
      route: fc.integer({ min: 0, max: 2 }),
      vc: fc.integer({ min: 1, max: 2 }),
      traverse: fc.integer({ min: 1, max: 2 }),
    })
    fc.assert(
      fc.property(
        wish,
        stages,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 9 }),
        (x, stage, link, load) => {
          const w: Wish = {
            topology: { name: "mesh", k: 3, n: 2 },
            switch: { vcs: x.vcs, buffer: `${x.flits + x.more}flits`, ...stage },
            links: { link: `${link}cycles` },
            traffic: [{ flits: x.flits, load: load / 10 }],
          }
          expect({ ...story(w, "packets"), held: 0 }).toEqual(story(w, "flits"))
        },
      ),
      { numRuns: 25, examples: [[{ flits: 2, more: 0, vcs: 1 }, { route: 0, vc: 1, traverse: 1 }, 4, 7]] },
    )
  })

  it("and in any partition", () => {
    const w: Wish = { traffic: [{ flits: 5 }] }
    const { held, trail, delivered, latency, network, wires, credit } = story(w, "packets")
    expect(story(w, "packets", 3)).toEqual({ held, trail, delivered, latency, network, wires, credit })
  })

  it("no short cut where it would not be exact", () => {
    expect(story({ traffic: [{ flits: 9 }], switch: { buffer: "9flits" } }, "packets").held).toBe(9)
    expect(story({ traffic: [{ flits: 5 }], switch: { speed: 2 } }, "packets").held).toBe(0)
    expect(story({ traffic: [{ flits: 5 }, { flits: 3 }], switch: { vcs: 4 } }, "packets").held).toBe(0)
    expect(
      story({ routing: { name: "mesh.adaptive" }, traffic: [{ flits: 5 }], switch: { vcs: 2 } }, "packets").held,
    ).toBe(0)
  })
})
