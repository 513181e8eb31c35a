// Where the time goes: the parts add up to the mean latency, and each is what it must be where that can be said
// beforehand.
import { describe, expect, it } from "vitest"
import type { RunResult } from "../../src/model/experiment.ts"
import { prepareFlit, simulate } from "../../src/run/simulate.ts"
import { specOf, type Wish } from "../support/machine.ts"
import { options } from "../support/options.ts"

async function run(w: Wish): Promise<RunResult> {
  const measure = {
    warmup: "500cycles",
    window: "2000cycles",
    drain: "measured",
    limit: "20000cycles",
    ...w.measure,
  } as const
  const prepared = prepareFlit(specOf({ ...w, measure }), { read: () => "" })
  if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
  return simulate(prepared.ok)
}
const parts = ({ values: v }: RunResult) => Object.keys(v).filter((k) => k.startsWith("time."))
const sum = (r: RunResult) => parts(r).reduce((s, k) => s + r.values[k], 0)

describe("the parts of the mean latency", () => {
  for (const [name, w] of Object.entries(options))
    it(`add up, and none is negative: ${name}`, async () => {
      const r = await run(w)
      expect(r.values["packets"]).toBeGreaterThan(50)
      expect(Math.abs(sum(r) - r.values["latency.mean"])).toBeLessThan(1e-9 * r.values["latency.mean"])
      for (const k of parts(r)) expect(r.values[k], k).toBeGreaterThanOrEqual(-1e-9)
      const table = r.tables["attribution"]
      expect(table["cycles"]).toEqual(parts(r).map((k) => r.values[k]))
    })

  it("at next to no load there is only the way: 4 x 4 mesh, 5 flits, links of 3 cycles", async () => {
    const links = { link: "3cycles", end: "2cycles" }
    const { values: v } = await run({
      links,
      traffic: [{ load: 0.001, flits: 5 }],
      measure: { window: "200000cycles", limit: "400000cycles" },
    })
    // a head crosses a router in routing + VC + switch + crossbar = 3 steps after the one of its arrival, and a cycle
    // on each channel
    expect(v["time.serialisation"]).toBe(4)
    expect(v["time.pipelines"]).toBeCloseTo(1 + 4 * v["hops.mean"], 9)
    expect(v["time.propagation"]).toBeCloseTo(2 + 2 + 3 * (v["hops.mean"] - 1), 9)
    expect(v["time.detour"]).toBe(0)
    expect(v["time.source"] + v["time.contention"] + v["time.credits"]).toBeLessThan(0.1)
  })

  it("Valiant's way is a detour, the minimal one is not", async () => {
    const topology = { name: "dragonfly", p: 2, a: 4, h: 2 }
    const wish = (name: string): Wish => ({
      topology,
      routing: { name },
      switch: { vcs: 6 },
      traffic: [{ load: 0.05 }],
    })
    expect((await run(wish("dragonfly.minimal"))).values["time.detour"]).toBeLessThan(1)
    expect((await run(wish("dragonfly.valiant"))).values["time.detour"]).toBeGreaterThan(5)
  })

  it("buffers of 2 flits on links of 8 cycles: the wait is for credits; of 64 flits: it is not", async () => {
    const wish = (buffer: string): Wish => ({
      switch: { vcs: 1, buffer },
      links: { link: "8cycles" },
      traffic: [{ load: 0.08 }],
    })
    const [small, large] = [await run(wish("2flits")), await run(wish("64flits"))]
    expect(small.values["time.credits"]).toBeGreaterThan(1)
    expect(large.values["time.credits"]).toBe(0)
  })
})

describe("the worst channel", () => {
  it("of a hot spot is the one to its endpoint, and the flows are those of the hot spot", async () => {
    const hot = { name: "hotspot", targets: [5], share: 0.5 }
    const r = await run({ topology: { name: "mesh", k: 4, n: 2 }, traffic: [{ load: 0.11, pattern: hot }] })
    const worst = r.tables["channels-worst"]
    expect(worst["to"][0]).toBe("endpoint 5")
    expect(worst["utilisation"][0]).toBeGreaterThan(0.8)
    expect(worst["flows"][0]).toMatch(/^\d+ to 5 /)
  })

  it(
    "of a dragonfly whose groups all send to the next one is a link to the next " +
      "one, also with a core twice as fast as the links",
    async () => {
      const r = await run({
        topology: { name: "dragonfly", p: 2, a: 4, h: 2 },
        routing: { name: "dragonfly.ugal-l" },
        switch: { vcs: 5, buffer: "64flits", route: 0, speed: 2 },
        links: { local: "5cycles", global: "20cycles" },
        traffic: [{ load: 0.3, flits: 4, pattern: { name: "group-adversarial" } }],
        measure: { warmup: "6000cycles", window: "6000cycles", limit: "60000cycles" },
      })
      const worst = r.tables["channels-worst"]
      // four routers of a group, so a link between groups joins routers r and s with different r / 4; nine groups have
      // one such link to the next
      const group = (text: unknown) => Math.floor(Number(/router (\d+)/.exec(String(text))![1]) / 4)
      for (let i = 0; i < 9; i++) expect(group(worst["to"][i])).toBe((group(worst["from"][i]) + 1) % 9)
    },
  )

  it("of a network in which one link is all there is between two halves is that link", async () => {
    // routers 0 - 1 - 2 - 3 in a line with 4 endpoints each: half of the uniform traffic crosses the middle
    const r = await run({ topology: { name: "mesh", k: 4, n: 1, p: 4 }, traffic: [{ load: 0.21 }] })
    const worst = r.tables["channels-worst"]
    expect([worst["from"][0], worst["to"][0]].join(" ")).toMatch(
      /router 1 port \d+ router 2|router 2 port \d+ router 1/,
    )
  })
})
