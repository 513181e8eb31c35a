// Runs whose values do not exist, on every engine: jobs that do not end, networks without packets, beyond saturation
// and in a deadlock, traffic to oneself.
import { describe, expect, test } from "vitest"
import { check, run } from "../src/api.ts"
import { defineExperiment } from "../src/index.ts"
import type { RunResult, RunSpec } from "../src/model/experiment.ts"
import { reasonMissing, told } from "../src/model/missing.ts"
import { prepare, simulate } from "../src/run/simulate.ts"
import { unsound } from "./support/unsound.ts"

type Tree = Record<string, unknown>
const mesh = { topology: { name: "mesh", sides: "4x4" }, routing: "mesh.dimension-order" }
const short = { warmup: "100cycles", window: "1000cycles", limit: "5000cycles" }
const halo = [{ name: "j", workload: { name: "halo", grid: "2x2x1", turns: 2 } }]

async function outcome(tree: Tree): Promise<{ spec: RunSpec; result: RunResult }> {
  const got = await check(defineExperiment({ lacewing: 1, ...tree } as never))
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  const { spec } = got.ok.runs[0]!
  const made = prepare(spec, { read: () => "" })
  if ("bad" in made) throw new Error(made.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return { spec, result: await simulate(made.ok, { threads: false }) }
}

describe("a job that did not end", () => {
  const machines: Readonly<Record<string, Tree>> = {
    ...Object.fromEntries(
      ["input-queued", "combined", "queue-scheme"].map((name) => [
        name,
        { network: { ...mesh, switch: { name } }, measure: short },
      ]),
    ),
    tiled: { network: { ...mesh, switch: { name: "tiled", rows: 5, columns: 5 } }, measure: short },
    packet: {
      network: { ...mesh, switch: { name: "chunk", vcs: 2 }, endpoint: "rails" },
      engine: "packet",
      measure: short,
    },
    ideal: {
      network: { ...mesh, switch: { name: "chunk", vcs: 2 }, endpoint: "rails" },
      engine: "ideal",
      measure: { until: "jobs", limit: "1ns" },
    },
  }
  test.each(Object.keys(machines))("%s: has no time", async (name) => {
    const { spec, result } = await outcome({ ...machines[name], jobs: halo })
    expect(result.values["jobs.ended"]).toBeLessThan(1)
    expect(
      ["jobs.time", "jobs.communication.mean", "jobs.communication.max"].map((v) => reasonMissing(result, v)),
    ).toEqual(["did not end", "did not end", "did not end"])
    expect(result.tables["jobs"]!["end"]).toEqual([Number.NaN])
    expect(await unsound(spec, result)).toEqual([])
  })

  test("an expectation about its time fails, although -0.001 is less than 10", async () => {
    const tree = { ...machines["input-queued"], jobs: halo, expect: ["jobs.time < 10cycles", "jobs.time != 5cycles"] }
    const got = await run(defineExperiment({ lacewing: 1, ...tree } as never), { workers: 1 })
    if ("bad" in got) throw new Error(got.bad[0]!.says)
    expect(got.ok.verdicts.map((v) => [v.holds, v.failures])).toEqual([
      [false, ["jobs.time is missing (did not end) (drained)"]],
      [false, ["jobs.time is missing (did not end) (drained)"]],
    ])
  })

  test("is not given the end of the ranks that did", async () => {
    // the limit comes long after the end of the first job and long before that of the second
    const jobs = [
      { name: "quick", workload: { name: "halo", grid: "2x1x1", turns: 1, bytes: "1B" } },
      { name: "slow", workload: { name: "halo", grid: "2x1x1", turns: 1, compute: "1s" } },
    ]
    const ideal = { network: { ...mesh, switch: { name: "chunk", vcs: 2 }, endpoint: "rails" }, engine: "ideal" }
    const { result } = await outcome({ ...ideal, jobs, measure: { until: "jobs", limit: "1ms" } })
    expect(result.values["jobs.ended"]).toBe(0.5)
    const [quick, slow] = result.tables["jobs"]!["end"] as readonly number[]
    expect([quick! > 0, slow]).toEqual([true, Number.NaN])
    expect([result.values["jobs.time"], reasonMissing(result, "jobs.time")]).toEqual([undefined, "did not end"])
  })
})

describe("networks", () => {
  const clocked = { network: { ...mesh, switch: { name: "input-queued", vcs: 2 } } }
  test("without packets they have no latency and no hops", async () => {
    const { spec, result } = await outcome({ ...clocked, traffic: { pattern: "uniform", load: 0 }, measure: short })
    const { values, missing } = told(result)
    expect([values["packets"], values["accepted"], missing["latency.mean"], missing["hops.mean"]]).toEqual([
      0,
      0,
      "no packet",
      "no packet",
    ])
    expect(await unsound(spec, result)).toEqual([])
  })

  test("beyond saturation they have no latency, but an accepted load and hops", async () => {
    const { result } = await outcome({ ...clocked, traffic: { pattern: "uniform", load: 1 }, measure: short })
    const { values, missing } = told(result)
    expect(missing["latency.mean"]).toBe("saturated")
    expect(values["accepted"]).toBeGreaterThan(0.3)
    expect(values["hops.mean"]).toBeGreaterThan(3)
  })

  test.each(["flit", "packet"])("%s: traffic to oneself crosses no link", async (engine) => {
    const two = { topology: { name: "mesh", sides: "2" }, routing: "mesh.dimension-order" }
    const network =
      engine === "flit"
        ? { ...two, switch: { name: "input-queued" } }
        : { ...two, switch: { name: "chunk" }, endpoint: "rails" }
    const traffic = { pattern: { name: "uniform", self: true }, load: 0.2 }
    const { spec, result } = await outcome({
      network,
      engine,
      traffic,
      measure: { ...short, window: "20000cycles", limit: "90000cycles" },
    })
    const { "links.mean": links, "hops.mean": hops } = result.values
    // half of the packets go to the other router: 2 hops and 1 link. The others have 1 hop in a router, or none where
    // endpoints copy them.
    expect(links).toBeGreaterThan(0.4)
    expect(links).toBeLessThan(0.6)
    expect(hops).toBeCloseTo(engine === "flit" ? 1 + links! : 2 * links!, 9)
    expect(await unsound(spec, result)).toEqual([])
  })
})
