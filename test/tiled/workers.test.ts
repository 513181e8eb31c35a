// Tiled switches on several worker threads over shared memory: the same result, to the bit. Threads run from dist/,
// which is built if it is old.
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { beforeAll, describe, expect, test } from "vitest"
import type { RunSpec } from "../../src/model/experiment.ts"
import { built } from "../support/build.ts"
import { small } from "../support/tiled.ts"

let lab: typeof import("../../src/run/simulate.ts")

beforeAll(async () => {
  lab = await import(pathToFileURL(join(built(), "app/simulate.js")).href)
})

async function simulated(spec: RunSpec, workers: number) {
  const prepared = lab.prepare(spec, { read: () => "" })
  if ("bad" in prepared) throw new Error(prepared.bad[0].says)
  const { values, ...rest } = await lab.simulate(prepared.ok, { workers })
  const { seconds: _, ...counted } = values
  return { ...rest, values: counted }
}

const cores = [2, 4].filter((n) => n <= availableParallelism())

describe.skipIf(cores.length === 0)("two and four workers do what one does (as many as there are cores)", () => {
  const measure = {
    warmup: "1us",
    window: "3us",
    precision: 0.05,
    limit: "4us",
    drain: "none",
    saturation: "never",
    series: "1us",
  } as const
  for (const [name, o] of [
    ["copies", { load: 0.8, stash: 0.5, switch: { reliability: true } }],
    [
      "errors",
      { load: 0.5, stash: 1, switch: { reliability: true, errors: { global: 0.01 }, lost: 0.5, timeout: "3us" } },
    ],
    [
      "windows",
      { load: 0.9, stash: 0.1, switch: { absorb: true }, congestion: { name: "ecn-window", window: "200flits" } },
    ],
  ] as const) {
    test(name, async () => {
      const spec = { ...small(o), measure, probes: [{ name: "series" }, { name: "occupancy" }, { name: "events" }] }
      const one = await simulated(spec, 1)
      expect(one.values["packets"]).toBeGreaterThan(1000)
      for (const workers of cores) expect(await simulated(spec, workers)).toEqual(one)
    })
  }
})
