// What does not move, told by real networks: a sink that too many send to holds its queues, those of the routers before
// it wait for it, and whoever looks sees the same.
import { describe, expect, test } from "vitest"
import type { RunSpec } from "../src/model/experiment.ts"
import { stream } from "../src/reproduce/papers/stashing/network.ts"
import { prepare, simulate } from "../src/run/simulate.ts"
import { combined } from "./effects/scenes.ts"
import { specOf } from "./support/machine.ts"
import { sceneSpec } from "./support/scene.ts"
import { small } from "./support/tiled.ts"

const measure = {
  warmup: "100cycles",
  window: "1100cycles",
  limit: "1200cycles",
  drain: "none",
  saturation: "never",
  series: "40cycles",
} as const
const probes = [{ name: "blocked", cycles: "40cycles", hot: [0], router: 0 }]
/** Everybody to endpoint 0. */
const hot = (flits: number) => [
  stream("hot", 1, { packet: { name: "fixed", size: `${flits}flits` }, pattern: { name: "to-set", set: [0] } }),
]

const input = { ...specOf({ traffic: [{ load: 1, flits: 4 }], switch: { vcs: 2, buffer: "8flits" } }), traffic: hot(4) }
const machines: readonly [string, RunSpec][] = [
  ["input-queued", input],
  ["tiled", { ...small({ load: 1 }), traffic: hot(24) }],
  ["combined", { ...sceneSpec(combined), traffic: hot(8) }],
]

async function tablesOf(spec: RunSpec, workers: number) {
  const ready = prepare({ ...spec, probes, measure: { ...spec.measure, ...measure } }, { read: () => "" })
  if ("bad" in ready) throw new Error(JSON.stringify(ready.bad))
  const { tables, values } = await simulate(ready.ok, { workers, threads: false })
  return { standing: tables["blocked"]!, waits: tables["waits"]!, most: values["blocked.max"]! }
}

describe.each(machines)("%s", (_, spec) => {
  test(
    "all that stands is for the hot endpoint; other routers wait for the " +
      "sink's, and 1, 2 and 4 workers see the same",
    async () => {
      const one = await tablesOf(spec, 1)
      expect(one.standing["flits"]!.length).toBeGreaterThan(3)
      expect(new Set<unknown>(one.standing["hot"])).toEqual(new Set([1]))
      expect(Math.max(...one.waits["distance"]!.map(Number))).toBeGreaterThan(0)
      // no look has more in the tree of the sink than stands at all
      const sum = (table: typeof one.waits, time: unknown) =>
        table["flits"]!.reduce<number>((s, f, i) => (table["time"]![i] === time ? s + Number(f) : s), 0)
      const times = [...new Set<unknown>(one.standing["time"])]
      for (const time of times) expect(sum(one.waits, time)).toBeLessThanOrEqual(sum(one.standing, time))
      expect(Math.max(...times.map((time) => sum(one.standing, time)))).toBe(one.most)
      for (const workers of [2, 4]) expect(await tablesOf(spec, workers)).toEqual(one)
    },
  )
})

test("nothing stands where little is sent, and a router that is not there is refused", async () => {
  const calm = await tablesOf(specOf({ traffic: [{ load: 0.05, flits: 2 }] }), 1)
  expect([calm.standing["time"], calm.most]).toEqual([[], 0])
  const wrong = prepare({ ...input, probes: [{ name: "blocked", hot: [0, 99], router: 16 }] }, { read: () => "" })
  expect("bad" in wrong && wrong.bad.map((c) => `${c.path}: ${c.says}. ${c.fix}`)).toEqual([
    "probes.0.hot.1: this network has no endpoint 99. choose from 0 to 15",
    "probes.0.router: this network has no router 16. choose from 0 to 15",
  ])
})
