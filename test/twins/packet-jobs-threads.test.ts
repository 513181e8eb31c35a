// Jobs on worker threads of the packet engine: however many, under each synchronisation, and left in the middle: the
// result of one worker, tables included. Threads run from dist/, which is built if it is old.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { check } from "../../src/api.ts"
import { defineExperiment } from "../../src/index.ts"
import type { RunResult, RunSpec } from "../../src/model/experiment.ts"
import { built } from "../support/build.ts"

let lab: typeof import("../../src/run/simulate.ts")
let spec: RunSpec
let first: Omit<RunResult, "values">

beforeAll(async () => {
  lab = await import(pathToFileURL(join(built(), "app/simulate.js")).href)
  const got = await check(
    defineExperiment({
      lacewing: 1,
      network: {
        topology: { name: "dragonfly", p: 2, a: 4, h: 2 },
        routing: "dragonfly.minimal",
        switch: { name: "chunk", bandwidth: "12.5GiB/s", vcs: 2, delay: "500ns", credit: "500ns" },
        endpoint: "rails",
      },
      engine: "packet",
      jobs: [
        { workload: { name: "halo", grid: "3x3x3", bytes: "20KiB", turns: 2, compute: "1us" }, place: "random" },
        { workload: { name: "collective", ranks: 9, bytes: "10KiB" }, place: "groups" },
        { workload: { name: "background", ranks: 8, load: 0.2, period: "10us" }, place: "random" },
      ],
      measure: { until: "jobs", limit: "300us" },
    }),
  )
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  spec = got.ok.runs[0].spec
  first = (await run({}, false)).same
})

async function run(engine: Record<string, unknown>, threads: boolean) {
  const ready = lab.prepare({ ...spec, engine: { ...spec.engine, ...engine } }, { read: () => "" })
  if ("bad" in ready) throw new Error(ready.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  const { values, ...same } = await lab.simulate(ready.ok, { threads })
  return { values, same }
}

describe("jobs on threads", () => {
  it.each([
    ["windows", { sync: "conservative", workers: 2 }],
    ["null messages", { sync: "conservative", protocol: "null-messages", workers: 2 }],
    ["optimistic", { sync: "optimistic", optimism: "2us", workers: 2 }],
    ["optimistic", { sync: "optimistic", optimism: "2us", workers: 8 }],
  ])("%s: as on one worker", async (_, engine) => {
    const { same, values } = await run(engine, true)
    expect(first.why).toBe("drained")
    expect(same).toEqual(first)
    expect(values["engine.workers"]).toBe(engine.workers)
    if (engine.workers === 8) expect(values["engine.rollbacks"]).toBeGreaterThan(0)
  })

  it("left in the middle and gone on from", async () => {
    const ready = lab.prepare(
      { ...spec, engine: { ...spec.engine, sync: "optimistic", optimism: "2us", workers: 2 } },
      { read: () => "" },
    )
    if ("bad" in ready) throw new Error(ready.bad[0].says)
    const before = await lab.open(ready.ok)
    expect(before.step(8000)).toBe(false)
    const saved = before.save()
    await before.close()
    const after = await lab.open(ready.ok, {}, saved)
    while (!after.step(Number.POSITIVE_INFINITY));
    const { values: _, ...same } = await after.result()
    expect(same).toEqual(first)
  })
})
