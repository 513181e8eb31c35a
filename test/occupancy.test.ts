// Flits in routers at the ends of intervals: they add up with what is on wires, whoever looks sees the same, and nobody
// who does not ask has anything.
import { describe, expect, test } from "vitest"
import { flitEngine } from "../src/compile/clocked/flits.ts"
import { compile } from "../src/compile/compile.ts"
import type { RunSpec } from "../src/model/experiment.ts"
import { stream } from "../src/reproduce/papers/stashing/network.ts"
import { prepare, simulate } from "../src/run/simulate.ts"
import { combined } from "./effects/scenes.ts"
import { specOf } from "./support/machine.ts"
import { sceneSpec } from "./support/scene.ts"
import { drain, engineOf, flitsOut, pair, small } from "./support/tiled.ts"

const sum = (column: ArrayLike<number>): number => Array.from(column).reduce((a, b) => a + b, 0)
const watched = (spec: RunSpec): RunSpec => ({ ...spec, probes: [{ name: "occupancy" }] })
const iq = specOf({
  traffic: [{ load: 0.45, flits: 3 }],
  switch: { vcs: 2, buffer: "4flits" },
  links: { link: "5cycles" },
})

function iqEngine(spec: RunSpec, parts = 1) {
  const c = compile(spec, { read: () => "" })
  if ("bad" in c) throw new Error(JSON.stringify(c.bad))
  const assign = Uint8Array.from({ length: 16 }, (_, r) => Math.floor((r * parts) / 16))
  return flitEngine(c.ok, { horizon: 10_000, series: 64, ...(parts > 1 ? { parts, assign } : {}) })
}

describe("input-queued", () => {
  test("what went in is in a router, on a wire, or out", () => {
    const engine = iqEngine(watched(iq))
    const { sampled: occupancy, endIn, endOut, flitCount } = engine.columns
    const { seriesLength } = engine.constants
    for (let i = 0; i < 20; i++) {
      engine.advance((i + 1) * 64)
      const held = Array.from({ length: 16 }, (_, r) => occupancy[r * seriesLength + i]!)
      expect(sum(held)).toBeGreaterThan(20)
      // a flit is out when it is granted its way to its endpoint
      expect(sum(held)).toBe(sum(endIn) - sum(endOut) - sum(flitCount))
    }
  })
  test("a run that is looked at ends in the same state, and one that is not has no column for it", () => {
    const [looked, plain] = [iqEngine(watched(iq)), iqEngine(iq)]
    looked.advance(1000)
    plain.advance(1000)
    expect(looked.fingerprint()).toBe(plain.fingerprint())
    expect(plain.columns.sampled.length).toBe(1)
  })
})

describe("tiled", () => {
  test("the same as all queues together, no more than is under way, and nothing in the end", () => {
    const engine = engineOf(watched(pair(20, {}, [stream("uniform", 0.9)])), 1)
    const { sampled: occupancy, endIn } = engine.columns
    const { seriesLength } = engine.constants
    const held = (i: number) => sum([0, 1].map((r) => occupancy[r * seriesLength + i]!))
    for (let i = 0; i < 3; i++) {
      engine.advance((i + 1) * 1024)
      let all = 0
      engine.queues((_, flits) => {
        all += flits
      })
      expect(held(i)).toBe(all)
      expect(held(i)).toBeGreaterThan(50)
      expect(held(i)).toBeLessThan(sum(endIn) - flitsOut(engine))
    }
    const end = Math.ceil((drain(engine, engine.now, 20_000) + 1) / 1024)
    engine.advance(end * 1024)
    expect(held(end - 1)).toBe(0)
  })
})

test("one, two and four workers, router by router and channel by channel", async () => {
  const measure = {
    ...iq.measure,
    warmup: "100cycles",
    window: "300cycles",
    limit: "400cycles",
    drain: "none",
    series: "50cycles",
  } as const
  for (const spec of [iq, small({ load: 0.7 }), sceneSpec(combined)]) {
    const probes = [{ name: "occupancy" }, { name: "channels", overTime: true }]
    const got = prepare({ ...watched(spec), measure, probes }, { read: () => "" })
    if ("bad" in got) throw new Error(JSON.stringify(got.bad))
    const runs = await Promise.all([1, 2, 4].map((workers) => simulate(got.ok, { workers, threads: false })))
    const channels = runs.map((r) => r.tables["channels.series"])
    // every flit that crossed a channel in the intervals that lie in the window: 100 to 400 of 8 intervals of 50
    const { time, chan, load } = channels[0]!
    const crossed = new Map<unknown, number>()
    time!.forEach((t, i) => {
      if (Number(t) > 100) crossed.set(chan![i], (crossed.get(chan![i]) ?? 0) + Number(load![i]) * 50)
    })
    const whole = runs[0]!.tables["channels"]!
    expect(whole["chan"]!.map((c) => crossed.get(c) ?? 0)).toEqual(
      whole["load"]!.map((l) => Math.round(Number(l) * 300)),
    )
    expect(channels[1]).toEqual(channels[0])
    expect(channels[2]).toEqual(channels[0])
    const [one, two, four] = runs.map((r) => r.tables["occupancy"])
    expect(new Set<unknown>(one?.["time"]).size).toBe(8)
    expect(new Set<unknown>(one?.["router"]).size).toBeGreaterThanOrEqual(
      Math.min(16, got.ok.compiled.network.topology.graph.routers),
    )
    expect(two).toEqual(one)
    expect(four).toEqual(one)
  }
})
