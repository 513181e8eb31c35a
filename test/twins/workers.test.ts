// One run on several worker threads over shared memory: the same result, to the bit. Threads run from dist/, which is
// built if it is old.
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import type { RunResult } from "../../src/model/experiment.ts"
import { built } from "../support/build.ts"
import { specOf, type Wish } from "../support/machine.ts"
import { options } from "../support/options.ts"

let lab: typeof import("../../src/run/simulate.ts")

beforeAll(async () => {
  lab = await import(pathToFileURL(join(built(), "app/simulate.js")).href)
})

async function simulated(
  w: Wish,
  workers: number,
): Promise<Omit<RunResult, "values"> & { values: Record<string, number> }> {
  const prepared = lab.prepare(specOf(w), { read: () => "" })
  if ("bad" in prepared) throw new Error(prepared.bad[0].says)
  const { values, ...rest } = await lab.simulate(prepared.ok, { workers })
  const { seconds: _, ...counted } = values
  return { ...rest, values: counted }
}

describe.skipIf(availableParallelism() < 2)("two workers do what one does (skipped on a machine with one core)", () => {
  const measure = { warmup: "300cycles", window: "700cycles", limit: "4000cycles", drain: "measured" } as const
  for (const name of [
    "plain",
    "damq",
    "speed 1.3",
    "request and reply",
    "two streams",
    "mesh, adaptive",
    "dragonfly, UGAL",
  ])
    it(name, async () => {
      const w = { ...options[name], measure }
      const one = await simulated(w, 1)
      expect(one.values["packets"]).toBeGreaterThan(100)
      expect(await simulated(w, 2)).toEqual(one)
    })
})
