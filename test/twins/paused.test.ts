// A measurement that pauses after every few cycles, is written down as JSON and columns, and goes on in another
// machine, comes to the same result.
import { describe, expect, it } from "vitest"
import { clockedEngine, partsFor } from "../../src/compile/clocked/engine.ts"
import type { JsonValue, Saved } from "../../src/measure/saved.ts"
import type { RunSpec } from "../../src/model/experiment.ts"
import { differencesOf } from "../../src/reproduce/peers/matrix/modes.ts"
import { clockedRun, prepareFlit, resultOf } from "../../src/run/simulate.ts"
import { specOf } from "../support/machine.ts"
import { ringTable } from "../support/ring.ts"
import { small } from "../support/tiled.ts"

function prepared(spec: RunSpec) {
  const got = prepareFlit(spec, { read: (path) => (path === "ring.table" ? ringTable(6) : `no file ${path}`) })
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok
}

/** Numbers that differ from test to test and are the same every time. */
function dice(seed: number): (n: number) => number {
  let x = seed
  return (n) => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    return Math.floor((x / 2 ** 32) * n)
  }
}

function run(spec: RunSpec, workers: number, pauses?: { each: (n: number) => number; moves: number }) {
  const p = prepared(spec)
  const { compiled, plan } = p
  const make = () =>
    clockedRun(
      p,
      clockedEngine(compiled, { ...partsFor(compiled, workers), horizon: plan.horizon, series: plan.interval }),
      {
        audit: true,
      },
    )
  let one = make()
  const most = 400
  let moved = 0
  while (!one.step(pauses === undefined ? Number.POSITIVE_INFINITY : 1 + pauses.each(most))) {
    if (pauses === undefined || pauses.each(3) === 0 || moved === pauses.moves) continue
    moved++
    const { state, columns } = one.save()
    const text = JSON.stringify(state)
    // what is saved is a copy: the old machine goes on and spoils nothing
    one.step(500)
    const saved: Saved = { state: JSON.parse(text) as JsonValue, columns }
    one = make()
    one.resume(saved)
  }
  return { result: resultOf(one.port, compiled, one.result(), 0), moved }
}

const auto = { warmup: "auto", window: "auto" } as const
const mesh = (load: number, measure: Partial<RunSpec["measure"]>, more = {}) =>
  ({
    ...specOf({ traffic: [{ load, flits: 2 }], measure, ...more }),
    probes: [
      { name: "series" },
      { name: "occupancy" },
      { name: "blocked", cycles: "20cycles", router: 0 },
      { name: "events", rows: 300 },
    ],
  }) satisfies RunSpec

const cases: readonly [name: string, spec: RunSpec, why: string][] = [
  [
    "fixed window",
    mesh(0.3, { warmup: "1000cycles", window: "3000cycles", limit: "20kcycles", drain: "measured" }),
    "drained",
  ],
  ["steady", mesh(0.3, { ...auto, limit: "60kcycles", precision: 0.05 }), "steady"],
  ["saturated early", mesh(0.95, { ...auto, limit: "60kcycles", saturation: "early", precision: 0.05 }), "saturated"],
  ["the limit", mesh(0.9, { ...auto, limit: "9kcycles", saturation: "never" }), "saturated"],
  [
    "a deadlock",
    {
      // a ring, one way round, without a dateline: whatever the seed, a load that fills it stops it for good
      ...specOf({
        topology: { name: "torus", sides: [6] },
        routing: { name: "any.table", file: "ring.table" },
        switch: { vcs: 1, buffer: "4flits" },
        traffic: [{ load: 0.9, flits: 4 }],
        measure: { warmup: "1000cycles", window: "40kcycles", limit: "80kcycles" },
      }),
    },
    "deadlock",
  ],
  [
    "tiled, with a stash",
    {
      ...small({ load: 0.4, stash: 1, switch: { reliability: true } }),
      probes: [{ name: "occupancy" }, { name: "blocked", cycles: "100cycles", router: 0 }, { name: "events" }],
      measure: mesh(0, {
        warmup: "300cycles",
        window: "600cycles",
        limit: "20kcycles",
        drain: "all",
        series: "100cycles",
      }).measure,
    },
    "drained",
  ],
]

describe("paused after random numbers of cycles, taken over by other machines", () => {
  for (const [i, [name, spec, why]] of cases.entries())
    it(name, () => {
      // names of packets in the words of a deadlock depend on the number of workers, nothing else does
      const workers = 1 + (i % 2)
      const straight = run(spec, workers).result
      expect(straight.why).toBe(why)
      const paused = run(spec, workers, { each: dice(i + 1), moves: 2 })
      expect(paused.moved).toBe(2)
      expect(differencesOf(straight, paused.result)).toEqual([])
    })
})
