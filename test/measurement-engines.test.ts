// The measurement is one procedure for all engines: what each engine must do in the same way.
import { describe, expect, test } from "vitest"
import { plan } from "../src/experiment/plan.ts"
import { plainSource } from "../src/experiment/source.ts"
import type { RunResult } from "../src/model/experiment.ts"
import { prepare, simulate } from "../src/run/simulate.ts"
import { ringTable } from "./support/ring.ts"

type Tree = Record<string, unknown>

const files = new Map([["ring.table", ringTable(6)]])
const host = { read: (path: string) => files.get(path) ?? "" }

function result(tree: Tree): Promise<RunResult> {
  const planned = plan({ source: plainSource("test", { lacewing: 1, ...tree }), host, name: "test" })
  if ("bad" in planned) throw new Error(JSON.stringify(planned.bad))
  const ready = prepare(planned.ok.runs[0].spec, host)
  if ("bad" in ready) throw new Error(JSON.stringify(ready.bad))
  return simulate(ready.ok, { threads: false })
}

const chunk = { name: "chunk", vcs: 1, chunk: "64B", buffer: "128B" }
const packets = {
  network: {
    topology: { name: "torus", sides: [6] },
    routing: { name: "torus.dimension-order" },
    switch: { ...chunk, vcs: 2 },
    endpoint: "rails",
  },
  engine: { name: "packet", sync: "sequential" },
}

describe("replies have no offered load, so they do not hide saturation", () => {
  // Eight endpoints request 0.15 flits a cycle each from the ninth, which takes at most 1 of 1.2 and answers as much.
  // So more arrives than was offered, but at least 0.2 of 1.2 pile up.
  test("input-queued", async () => {
    const r = await result({
      network: {
        topology: { name: "crossbar", n: 9 },
        routing: "crossbar.direct",
        switch: { name: "input-queued", vcs: 2 },
      },
      traffic: { pattern: { name: "to-set", set: [0] }, load: 0.15, packet: "4flits", reply: "4flits", from: "1-8" },
      measure: { limit: "60kcycles", saturation: "early" },
    })
    expect(r.why).toBe("saturated")
    const [, growth] = /^the backlog grows steadily by (\S+) % of the offered load/.exec(r.explains) ?? []
    expect(Number(growth)).toBeGreaterThanOrEqual((100 * 0.2) / 1.2)
    // reports show all that arrived
    expect(r.values["accepted"]).toBeGreaterThan(r.values["offered"])
  })
})

describe("jobs on the packet engine", () => {
  // One way round a ring without a dateline: the stream fills it and stops, while the rank computes on.
  test("are blocked by a deadlock of other traffic, which is found before the limit", async () => {
    const r = await result({
      ...packets,
      network: { ...packets.network, routing: { name: "any.table", file: "ring.table" }, switch: chunk },
      traffic: { pattern: { name: "fixed", to: [4, 5, 0, 1, 2, 3] }, load: 0.9, packet: "64B" },
      jobs: [{ workload: { name: "halo", grid: "2x1x1", turns: 2, compute: "400us" } }],
      measure: { until: "jobs", limit: "1ms" },
    })
    expect(r.why).toBe("deadlock")
    expect(r.explains).toContain("wait for one another in a cycle")
    // Inspections are 10 µs apart; the ranks wait from 400 µs on.
    expect(r.values["cycles"]).toBeLessThan(100_000)
  })

  test("end at the same cycle whatever the interval of the time series", async () => {
    const jobs = [{ workload: { name: "ring", ranks: 4 } }]
    const cyclesOf = async (series: string) =>
      (await result({ ...packets, jobs, measure: { until: "jobs", limit: "1ms", series } })).values["cycles"]
    expect(await cyclesOf("7us")).toBe(await cyclesOf("1us"))
  })
})

test("jobs on the ideal network end at the limit, not at the last event before it", async () => {
  const r = await result({
    network: packets.network,
    engine: "ideal",
    jobs: [{ workload: { name: "halo", grid: "2x1x1", turns: 2, compute: "3us" } }],
    measure: { until: "jobs", limit: "5us" },
  })
  expect([r.why, r.values["cycles"]]).toEqual(["limit", 5000])
})
