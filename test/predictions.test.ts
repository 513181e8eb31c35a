// What is predicted before a run against what the run counts: hops, cycles, columns; never seconds. Counts of the
// experiments are those that their expected.json holds.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { clockedEngine, partsFor } from "../src/compile/clocked/engine.ts"
import { hostAt } from "../src/experiment/disk/host.ts"
import { loadPlan } from "../src/experiment/load.ts"
import { atLoad, type Plan, plan } from "../src/experiment/plan.ts"
import { plainSource } from "../src/experiment/source.ts"
import type { RunSpec } from "../src/model/experiment.ts"
import { basisOf, estimatePlan, estimateRun, foreseen, lengthOf, planFor } from "../src/predict/estimate.ts"
import { predictRun } from "../src/predict/run.ts"
import { shapeOf } from "../src/predict/shape.ts"
import { papers } from "../src/reproduce/papers/index.ts"
import { stashingNetwork } from "../src/reproduce/papers/stashing/network.ts"
import { PacketWorkers } from "../src/run/packet/run.ts"
import { preparePacket } from "../src/run/packet/simulate.ts"
import { prepare, prepareFlit, simulate } from "../src/run/simulate.ts"
import { root } from "./support/build.ts"
import { experiments } from "./support/experiments.ts"

/** Predicted over counted, and what it was; what is beyond a factor of 3 is listed when too many are. */
interface Row {
  readonly name: string
  readonly ratio: number
}
const near = (r: Row) => r.ratio > 1 / 3 && r.ratio < 3
const far = (rows: readonly Row[]) => rows.filter((r) => !near(r)).map((r) => `${r.name}: ${r.ratio.toFixed(2)}`)
const rows: Row[] = []
function keep(name: string, spec: RunSpec, counted: number, folder = root): void {
  rows.push({ name, ratio: predictRun(spec, folder)!.flitHops / counted })
}

function planned(experiment: object): Plan {
  const got = plan({ source: plainSource("test", experiment), host: hostAt(root), name: "test" })
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path}: ${c.says}`).join("\n"))
  return got.ok
}

async function counted(spec: RunSpec): Promise<number> {
  const ready = prepare(spec, hostAt(root))
  if ("bad" in ready) throw new Error(ready.bad.map((c) => `${c.path}: ${c.says}`).join("\n"))
  return (await simulate(ready.ok)).values["flit-hops"]!
}

const iq = { name: "input-queued", vcs: 4, buffer: "8flits" }
const grid = (name: "mesh" | "torus", sides: string) => ({
  topology: { name, sides },
  routing: `${name}.dimension-order`,
  switch: iq,
})
const dragonfly = (routing: string) => ({
  topology: { name: "dragonfly", p: 2, a: 4, h: 2 },
  routing: `dragonfly.${routing}`,
  switch: { ...iq, vcs: 5, buffer: "64flits" },
})

describe("flit-hops, predicted over counted", () => {
  test.each(experiments)("experiments/%s, run for run", async (name) => {
    const expected = JSON.parse(readFileSync(join(experimentsOf(name), "expected.json"), "utf8"))
    const loaded = await loadPlan(experimentsOf(name), { set: expected.set, seeds: expected.seeds })
    if ("bad" in loaded) throw new Error(loaded.bad[0]!.says)
    const { runs, folder, search } = loaded.ok
    const label = (r: (typeof runs)[number]) =>
      [...Object.entries(r.point).map(([k, v]) => `${k}=${v}`), `seed=${r.seed}`].join(" ")
    for (const { run, values } of expected.runs) {
      const load = Number(/load=([\d.]+)/.exec(run)?.[1])
      const found = search === undefined ? runs.find((r) => label(r) === run) : atLoad(runs[0]!, load)
      // how long a program runs is not foreseen
      if (found!.spec.jobs === undefined) keep(`${name} ${run}`, found!.spec, values["flit-hops"], folder)
    }
  })

  test.each([
    ["mesh", grid("mesh", "4x4"), { pattern: "uniform" }, [0.05, 0.8]],
    ["mesh, long packets", grid("mesh", "4x4"), { pattern: "uniform", packet: "8flits" }, [0.1, 0.45]],
    ["mesh, one flow each", grid("mesh", "8x8"), { pattern: "transpose" }, [0.05, 0.3]],
    ["torus", grid("torus", "8x8"), { pattern: "uniform" }, [0.8]],
    ["torus, one way round", grid("torus", "8x8"), { pattern: "tornado" }, [0.1, 0.5]],
    [
      "dragonfly, minimal against its worst",
      dragonfly("minimal"),
      { pattern: "group-adversarial", packet: "4flits" },
      [0.05, 0.4],
    ],
    [
      "dragonfly, adaptive against its worst",
      dragonfly("ugal-l"),
      { pattern: "group-adversarial", packet: "4flits" },
      [0.15, 0.5],
    ],
    ["dragonfly, adaptive", dragonfly("ugal-l"), { pattern: "uniform", packet: "4flits" }, [0.9]],
  ])("automatic measurements: %s", async (name, network, traffic, loads) => {
    for (const load of loads) {
      const { spec } = planned({
        lacewing: 1,
        title: name,
        network,
        traffic: { ...traffic, load },
        measure: { limit: "40kcycles" },
      }).runs[0]!
      keep(`${name} at ${load}`, spec, await counted(spec))
    }
  })

  test("quick figures of the papers, shorter", async () => {
    const seen = new Set<unknown>()
    let figures = 0
    for (const { id, quick } of papers)
      for (const [name, experiment] of Object.entries(quick?.experiments ?? {})) {
        if (seen.has(experiment) || /conservative|optimistic|packets|rails-4|curve/.test(name)) continue
        seen.add(experiment)
        // every other one, another point of each
        if (seen.size % 2 === 0) continue
        const { runs } = planned(experiment as object)
        const { spec } = runs[figures++ % runs.length]!
        // how long a program runs is not foreseen
        if (spec.jobs !== undefined) continue
        const short = shorter(spec)
        keep(`${id} ${name}`, short, await counted(short))
      }
    expect(figures).toBeGreaterThan(6)
  })

  test("nine of ten are within a factor of three", () => {
    expect(rows.length).toBeGreaterThan(35)
    expect(far(rows).length, far(rows).join("\n")).toBeLessThanOrEqual(0.1 * rows.length)
  })
})

/** Everything from the first cycle on, for a few microseconds: fewer where flits are moved one by one. */
function shorter(spec: RunSpec): RunSpec {
  const us = spec.engine.name === "packet" ? 4 : 1
  const measure = { ...spec.measure, warmup: `${us}us`, window: `${us}us`, limit: `${2 * us}us` }
  return { ...spec, measure, probes: [], traffic: spec.traffic.map((t) => ({ ...t, start: "0cycles" })) }
}

describe("what is to do", () => {
  test("a search is as many runs as its bisection will take", async () => {
    const folder = join(experimentsOf("saturation"))
    const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"))
    const loaded = await loadPlan(folder, { set: expected.set, seeds: [1] })
    if ("bad" in loaded) throw new Error(loaded.bad[0]!.says)
    const hops = expected.runs.reduce(
      (sum: number, r: { values: Record<string, number> }) => sum + r.values["flit-hops"]!,
      0,
    )
    const e = estimatePlan(loaded.ok, loaded.ok.runs)
    // the knee may fall into the neighbouring interval: one run more or less
    expect(Math.abs(e.runs - expected.runs.length)).toBeLessThanOrEqual(2)
    expect(near({ name: "search", ratio: e.flitHops / hops }), `${e.flitHops} predicted, ${hops} counted`).toBe(true)
    expect([e.todo, e.atOnce, e.known]).toEqual([e.runs, 1, 0])
    expect(basisOf(e)).toMatch(
      /^[\d.,]+ (million )?flit-hops, predicted from sample packets, at .* per second as measured here/,
    )
  })

  test("a thousand tiny runs share their threads: about 7 ms each and one start of a thread", () => {
    const p = planned({
      lacewing: 1,
      title: "tiny",
      network: grid("mesh", "2x2"),
      traffic: { pattern: "uniform" },
      measure: { warmup: "20cycles", window: "100cycles", limit: "1000cycles" },
      sweep: { "traffic.load": { from: 0.0005, to: 0.5, step: 0.0005 } },
    })
    const e = estimatePlan(p, p.runs)
    expect(e.todo).toBe(1000)
    // 1000 x 0.007 s + 0.25 s; the flit-hops take e.flitHops / e.rate besides. They took 10.5 s when they were run.
    expect(e.seconds - e.flitHops / e.rate).toBeCloseTo(7.25, 0)
    // 250 s while each run counted as the start of a thread
    expect(e.flitHops / e.rate).toBeLessThan(3 * 10.5 - 7.25)
  })

  test("known runs are not to do, and the seconds that they took count", () => {
    const sweep = {
      lacewing: 1,
      title: "t",
      network: grid("mesh", "4x4"),
      traffic: { pattern: "uniform" },
      sweep: { "traffic.load": [0.1, 0.1001, 0.1002] },
    }
    const p = planned(sweep)
    const e = estimatePlan(p, p.runs, { get: (r) => (r === p.runs[0] ? recordOf(r, 500) : undefined) })
    expect([e.runs, e.todo, e.known]).toEqual([3, 2, 1])
    // three runs that are alike: two of them take twice what one took
    expect(e.seconds / 1000).toBeCloseTo(1, 2)
    expect(basisOf(e)).toContain("at the speed of 1 stored run")
  })

  test("what parallel programs take is said not to be foreseen, unless runs of the experiment are known", () => {
    const jobs = { name: "a", workload: { name: "ring", ranks: 16, bytes: "1KiB", laps: 1000 } }
    const alone = planned({
      lacewing: 1,
      title: "t",
      network: grid("mesh", "4x4"),
      jobs,
      measure: { until: "jobs" },
      seeds: 2,
    })
    const e = estimatePlan(alone, alone.runs)
    expect([e.todo, e.unforeseen, e.flitHops, e.seconds, foreseen(e, e.seconds)]).toEqual([2, 2, 0, 0, null])
    expect(lengthOf(e, "about 0 s")).toBe(
      "the time cannot be predicted, because the behaviour of a parallel program is only known when it runs",
    )
    const traffic = { pattern: "uniform", load: 0.1 }
    const plain = planned({ lacewing: 1, title: "t", network: grid("mesh", "4x4"), traffic })
    const both = estimatePlan(alone, [...alone.runs, ...plain.runs])
    expect([both.todo, both.unforeseen, foreseen(both, 1)]).toEqual([3, 2, null])
    expect(both.flitHops).toBe(estimatePlan(plain, plain.runs).flitHops)
    expect(lengthOf(both, "about 1 s")).toMatch(
      /^about 1 s \(.* flit-hops, predicted from sample packets.*; without 2 of 3 runs, because the behaviour of a parallel program/,
    )
    const known = estimatePlan(alone, alone.runs, { get: (r) => (r === alone.runs[0] ? recordOf(r, 60) : undefined) })
    expect([known.unforeseen, known.todo]).toEqual([0, 1])
    // what the known run took, and the start of a thread
    expect(known.seconds).toBeCloseTo(60.25, 5)
  })

  test("a team of workers is for large networks that are busy", () => {
    const team = (sides: string, load: number) => {
      const { spec } = planned({
        lacewing: 1,
        title: "t",
        network: grid("mesh", sides),
        traffic: { pattern: "uniform", load },
      }).runs[0]!
      return planFor(spec, estimateRun(spec, root, true)).team
    }
    // flit-hops in a cycle: 64 x 0.3 x 6.3 = 121 are fewer than 200, 256 x 0.15 x 11.7 = 449 are more, 256 x 0.02 x
    // 11.7 = 60 are not
    expect([team("8x8", 0.3), team("16x16", 0.15), team("16x16", 0.02)]).toEqual([false, true, false])
  })

  test("a thousand loads of one network are some dozens of walks", () => {
    const { spec } = planned({
      lacewing: 1,
      title: "t",
      network: grid("mesh", "4x4"),
      traffic: { pattern: "uniform", load: 0.1 },
    }).runs[0]!
    const shape = shapeOf(spec, root)
    if ("bad" in shape) throw new Error(shape.bad[0]!.says)
    const ways = new Set(Array.from({ length: 1000 }, (_, i) => shape.ok.ways([(i + 1) / 1000])))
    // from 0.001 to 1 in steps of a tenth: ln 1000 / ln 1.1 = 72.5, both ends included
    expect(ways.size).toBeLessThanOrEqual(74)
  })
})

const recordOf = (r: Plan["runs"][number], seconds: number) => ({
  ...{ hash: r.hash, spec: r.spec, point: r.point, seed: r.seed },
  result: { why: "steady" as const, explains: "", fingerprint: "", values: {}, tables: {} },
  provenance: { version: "", node: "", host: "", started: "", seconds },
})
const experimentsOf = (name: string) => join(root, "experiments", name)

describe("columns, predicted over built", () => {
  const sum = (memory: readonly ArrayBufferLike[]) => memory.reduce((all, m) => all + m.byteLength, 0)
  test.each([
    ["mesh", grid("mesh", "8x8"), 1],
    ["torus of 1,600 routers", grid("torus", "40x40"), 1],
    ["the same in partitions", grid("torus", "40x40"), 2],
    ["dragonfly of 5,256 endpoints", { ...dragonfly("ugal-l"), topology: { name: "dragonfly", p: 6, a: 12, h: 6 } }, 1],
    ["tiled switches of 3,080 endpoints", stashingNetwork({ net: "full", stash: 1 }), 1],
  ])("%s", (name, network, workers) => {
    const { spec } = planned({ lacewing: 1, title: name, network, traffic: { pattern: "uniform", load: 0.1 } }).runs[0]!
    const ready = prepareFlit(spec, hostAt(root))
    if ("bad" in ready) throw new Error(ready.bad[0]!.says)
    const { compiled, plan: measure } = ready.ok
    const engine = clockedEngine(compiled, {
      ...partsFor(compiled, workers),
      horizon: measure.horizon,
      series: measure.interval,
    })
    const ratio = predictRun(spec, root)!.bytes / sum(engine.memory)
    expect(near({ name, ratio }), `${ratio}`).toBe(true)
  })

  test("the packet engine says its memory beforehand: that, and the tables of the graph", async () => {
    const loaded = await loadPlan(experimentsOf("packet-modes"), {})
    if ("bad" in loaded) throw new Error(loaded.bad[0]!.says)
    const { spec } = loaded.ok.runs[0]!
    const ready = preparePacket(spec, hostAt(root))
    if ("bad" in ready) throw new Error(ready.bad[0]!.says)
    const { network } = ready.ok.compiled
    const crew = new PacketWorkers(network, { sync: "sequential" }, () => () => undefined)
    const graph = Object.values(network.topology.graph).reduce(
      (all: number, c) => all + (ArrayBuffer.isView(c) ? c.byteLength : 0),
      0,
    )
    expect(predictRun(spec, root)!.bytes).toBe(crew.bytes + graph)
  })

  test("a million endpoints are predicted without their columns", async () => {
    const loaded = await loadPlan(experimentsOf("million"), {})
    if ("bad" in loaded) throw new Error(loaded.bad[0]!.says)
    const before = process.memoryUsage().arrayBuffers
    const p = predictRun(loaded.ok.runs[0]!.spec, root)!
    // 1,025,156 endpoints at a fifth of 12.5 GiB/s for 10 us send 6.72 million chunks of 4 KiB; 5.6 million of them
    // arrive, 3.95 routers on
    expect(near({ name: "million", ratio: p.pieceHops / (5.6e6 * 3.95) }), `${p.pieceHops} chunk-hops`).toBe(true)
    expect(p.hops).toBeCloseTo(3.95, 1)
    // gigabytes of columns, and a tenth of them at most was made to say so
    expect(p.bytes).toBeGreaterThan(2 ** 31)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(p.bytes / 10)
  })
})
