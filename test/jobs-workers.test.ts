// Jobs on every engine and switch give the same bits with 1, 2 and 4 workers: fingerprint, values and tables, with the
// time line of each rank.
import { describe, expect, test } from "vitest"
import { Catalog } from "../src/experiment/catalog.ts"
import { complete } from "../src/experiment/complete.ts"
import { keysOf } from "../src/experiment/keys.ts"
import { listTraffic } from "../src/experiment/settings.ts"
import type { RunResult } from "../src/model/experiment.ts"
import { prepare, simulate } from "../src/run/simulate.ts"
import {
  changed,
  combined,
  flit,
  infiniband,
  omniPath,
  packet,
  queueScheme,
  type Tree,
  tiled,
} from "./effects/scenes.ts"

const keys = keysOf(new Catalog())
/** A stencil and an all-to-all, which start at different times, next to little traffic. */
const jobs = {
  jobs: [
    { name: "halo", workload: { name: "halo", grid: "2x2x1", bytes: "200B", compute: "40ns" }, placement: "random" },
    { name: "all", workload: { name: "collective", call: "alltoall", ranks: 4, bytes: "100B" }, start: "30ns" },
  ],
  measure: { until: "jobs", limit: "40kcycles" },
  probes: ["timeline"],
  traffic: [{ pattern: "uniform", load: 0.05, packet: "4flits" }],
}
const two = { "network.topology": { name: "torus", sides: "4x4" }, "network.routing": "torus.dimension-order" }

async function run(tree: Tree, workers: number): Promise<RunResult> {
  const copy = structuredClone(tree)
  listTraffic(copy)
  const spec = complete(copy, keys)
  if ("bad" in spec) throw new Error(spec.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  const ready = prepare({ ...spec.ok, seed: 1 }, { read: (path) => `no file ${path}` })
  if ("bad" in ready) throw new Error(ready.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  return simulate(ready.ok, { workers, threads: false })
}

describe("clocked switches", () => {
  test.each([
    ["input-queued", changed(flit, { ...two, ...jobs })],
    ["tiled", changed(tiled, { ...jobs, "network.switch.errors": {}, "network.switch.lost": 0 })],
    ["combined", changed(combined, jobs)],
    ["infiniband", changed(infiniband, jobs)],
    ["omni-path", changed(omniPath, jobs)],
    ["queue-scheme", changed(queueScheme, jobs)],
  ])("%s", async (_, tree) => {
    const first = await run(tree, 1)
    expect(first.values["jobs.ended"]).toBe(1)
    expect(first.tables["jobs-operations"]!["job"]!.length).toBeGreaterThan(8)
    for (const workers of [2, 4]) {
      const again = await run(tree, workers)
      expect(again.fingerprint).toBe(first.fingerprint)
      expect(again.tables).toEqual(first.tables)
      for (const name of ["jobs.time", "jobs.communication.max", "jobs.tail"])
        expect(again.values[name]).toBe(first.values[name])
    }
  })
})

test.each(["conservative", "optimistic"])("packet engine, %s", async (sync) => {
  const tree = (workers: number) =>
    changed(packet, { ...jobs, engine: workers === 1 ? "packet" : { name: "packet", sync, workers } })
  const first = await run(tree(1), 1)
  expect(first.values["jobs.ended"]).toBe(1)
  for (const workers of [2, 4]) {
    const again = await run(tree(workers), 1)
    expect(again.fingerprint).toBe(first.fingerprint)
    expect(again.tables).toEqual(first.tables)
  }
})
