// The fast paths of switch and VC allocation against the general allocators of the same name. A priority that is equal
// for all forces the general form and changes no choice; separable-output-first with one iteration is iSLIP.
import { describe, expect, it } from "vitest"
import { engineOf, type Wish } from "../support/machine.ts"

function story(w: Wish) {
  const engine = engineOf(w)
  engine.advance(900)
  const { trail, endOut, portFlits } = engine.columns
  return {
    trail: [...trail],
    accepted: [...endOut],
    channels: [...portFlits],
    credits: [...engine.buffers.credits],
    latency: engine.stat("latency"),
    delivered: engine.stat("delivered"),
  }
}

const networks: Readonly<Record<string, Wish>> = {
  "mesh, 1 VC": { switch: { vcs: 1 } },
  "mesh, 4 VCs": { switch: { vcs: 4 } },
  "mesh, 16 VCs": { switch: { vcs: 16, buffer: "2flits" } },
  "mesh, slow stages": { switch: { vcs: 3, route: 0, traverse: 2 } },
  "mesh, shared buffers": { switch: { vcs: 3, sharing: "damq", buffer: "3flits" } },
  "mesh, retention": { switch: { vcs: 3, retention: "3flits" }, links: { link: "2cycles" } },
  torus: { topology: { name: "torus", k: 4, n: 2 }, routing: { name: "torus.dimension-order" }, switch: { vcs: 4 } },
  "one switch of 12": {
    topology: { name: "crossbar", n: 12 },
    routing: { name: "crossbar.direct" },
    switch: { vcs: 3 },
  },
}

describe("fast paths do what the general allocators do", () => {
  for (const [name, w] of Object.entries(networks))
    for (const [fast, general] of [
      ["islip", "separable-output-first"],
      ["separable-output-first", "separable-output-first"],
      ["separable-input-first", "separable-input-first"],
    ] as const)
      it(`${name}, ${fast}`, () => {
        const traffic = [{ load: 0.9, flits: name.length % 3 === 0 ? 1 : 3 }]
        const one = story({ ...w, traffic, switch: { ...w.switch, vcAllocator: fast, swAllocator: fast } })
        const other = story({
          ...w,
          traffic,
          switch: { ...w.switch, vcAllocator: general, swAllocator: general, priority: "class" },
        })
        expect(one.delivered).toBeGreaterThan(600)
        expect(other).toEqual(one)
      })

  it("and the twin can fail: input first is not output first", () => {
    const w = (name: string): Wish => ({ traffic: [{ load: 0.9 }], switch: { vcAllocator: name, swAllocator: name } })
    expect(story(w("separable-input-first"))).not.toEqual(story(w("separable-output-first")))
  })
})
