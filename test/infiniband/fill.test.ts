// How full the buffers of each VL are, interval by interval: all VLs and buffers of a router together are what stands
// in its queues.
import { expect, test } from "vitest"
import type { RunSpec, Table } from "../../src/model/experiment.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"
import { specOf } from "../support/machine.ts"

const spec = (name: string): RunSpec =>
  specOf({
    topology: { name: "tree", k: 4, n: 2 },
    routing: { name: "tree.valiant" },
    switch: { name, vcs: 3, input: "128flits", output: "128flits", reservedPerVl: "32flits" },
    qos: { name: "strict" },
    flit: "64B",
    links: { link: "7cycles" },
    probes: [{ name: "occupancy", perVl: true }],
    traffic: [0.2, 0.4, 0.4].map((load, c) => ({ flits: [3, 16, 16][c], class: c, load })),
    measure: {
      warmup: "0cycles",
      window: "400cycles",
      limit: "400cycles",
      drain: "none",
      saturation: "never",
      series: "50cycles",
    },
  })

const column = (t: Table, name: string) => t[name].map(Number)

test.each(["infiniband", "omni-path"])("%s: lanes add up to the router, for 1, 2 and 4 workers", async (name) => {
  const ready = prepare(spec(name), { read: () => "" })
  if ("bad" in ready) throw new Error(JSON.stringify(ready.bad))
  const runs = await Promise.all([1, 2, 4].map((workers) => simulate(ready.ok, { workers, threads: false })))
  const [one, ...others] = runs.map((r) => r.tables["occupancy.vls"])
  for (const other of others) expect(other).toEqual(one)
  const sums = new Map<string, number>()
  const byVl = [0, 0, 0]
  const [time, router, vl] = ["time", "router", "vl"].map((n) => column(one!, n)) as [number[], number[], number[]]
  const places = ["input", "output", "centre"].map((n) => column(one!, n))
  time.forEach((t, i) => {
    const flits = places.reduce((sum, p) => sum + p[i], 0)
    sums.set(`${t} ${router[i]}`, (sums.get(`${t} ${router[i]}`) ?? 0) + flits)
    byVl[vl[i]] += flits
  })
  const all = runs[0].tables["occupancy"]
  const found = column(all, "time").map(
    (t, i) => [`${t} ${column(all, "router")[i]}`, column(all, "flits")[i]] as const,
  )
  expect(found.length).toBeGreaterThan(50)
  expect([...sums].sort()).toEqual([...found].sort())
  for (const flits of byVl) expect(flits).toBeGreaterThan(0)
  expect(places[2].some((n) => n > 0)).toBe(name === "omni-path")
})
