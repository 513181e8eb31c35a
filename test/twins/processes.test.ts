// Every engine, switch and mode, left after random numbers of steps and gone on from by a new process, again and again:
// fingerprint, values and tables are those of a run that was never left. All configurations share the processes, of
// which there are one for each leg and one for the straight runs.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { plainMeasure, plainStream } from "../../src/compile/plain-run.ts"
import { Draws } from "../../src/core/rng.ts"
import type { RunResult, RunSpec } from "../../src/model/experiment.ts"
import { differencesOf } from "../../src/reproduce/peers/matrix/modes.ts"
import { built, root } from "../support/build.ts"
import { specOf } from "../support/machine.ts"
import { small } from "../support/tiled.ts"

interface Options {
  readonly workers: number
  readonly threads: boolean
  readonly audit?: boolean
}
interface Leg {
  readonly name: string
  readonly spec: RunSpec
  readonly options: Options
  readonly budgets?: readonly number[]
}
type Answer = Readonly<Record<string, { readonly from: boolean; readonly result?: RunResult }>>

const window = { warmup: "300cycles", window: "600cycles", limit: "12kcycles", drain: "measured" } as const
const inputQueued: RunSpec = {
  ...specOf({ traffic: [{ load: 0.3, flits: 3 }], measure: window }),
  probes: [{ name: "series" }],
}
const steady = specOf({
  traffic: [{ load: 0.3 }],
  measure: { warmup: "auto", window: "auto", limit: "20kcycles", precision: 0.05 },
})
const tiledWindow = plainMeasure({ warmup: "150cycles", window: "200cycles", limit: "20kcycles", drain: "all" })
const tiled: RunSpec = { ...small({ load: 0.3 }), measure: tiledWindow }
const stash: RunSpec = { ...small({ load: 0.3, stash: 1, switch: { reliability: true } }), measure: tiledWindow }
const ecn: RunSpec = {
  ...small({
    load: 0.6,
    stash: 0.1,
    switch: { absorb: true },
    congestion: { name: "ecn-window", window: "200flits", base: "vc" },
  }),
  measure: { ...tiledWindow, drain: "measured", limit: "1kcycles" },
}
const chunk: RunSpec = {
  network: {
    topology: { name: "torus", sides: "3x3" },
    routing: { name: "torus.dimension-order" },
    switch: {
      name: "chunk",
      vcs: 8,
      chunk: "2KiB",
      buffer: "8KiB",
      bandwidth: "25GiB/s",
      delay: "90ns",
      credit: "5ns",
    },
    endpoint: { name: "rails" },
    links: {},
    cycle: "1ns",
    flit: "64B",
  },
  engine: { name: "packet" },
  traffic: [
    plainStream({
      name: "s",
      arrivals: { name: "poisson" },
      packet: { name: "range", min: "64B", max: "3KiB" },
      load: 0.4,
    }),
  ],
  measure: plainMeasure({ warmup: "auto", window: "auto", limit: "4us", drain: "measured", saturation: "early" }),
  probes: [{ name: "series" }, { name: "latency" }],
  seed: 1,
}

const alone: Options = { workers: 1, threads: false, audit: true }
const turns: Options = { workers: 3, threads: false }
const threads: Options = { workers: 2, threads: true }
const worded = new Map([
  [alone, "one worker"],
  [turns, "three workers in one thread"],
  [threads, "two threads"],
])
const clocked: readonly (readonly [string, RunSpec, readonly Options[]])[] = [
  ["input-queued", inputQueued, [alone, threads]],
  ["input-queued, automatic window", steady, [turns]],
  ["tiled", tiled, [turns]],
  ["tiled with a stash", stash, [alone, threads]],
  ["tiled with ecn-window", ecn, [alone, turns]],
]
const syncs: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly Options[]])[] = [
  ["sequential", { sync: "sequential" }, [alone]],
  ["windows", { sync: "conservative", protocol: "windows" }, [turns, threads]],
  ["null messages", { sync: "conservative", protocol: "null-messages" }, [turns]],
  ["optimistic", { sync: "optimistic", optimism: "1500ns", interval: 200 }, [turns, threads]],
]
const legs: readonly Leg[] = [
  ...clocked.flatMap(([label, spec, all]) =>
    all.map((options): Leg => ({ name: `${label}, ${worded.get(options)}`, spec, options })),
  ),
  ...syncs.flatMap(([label, engine, all]) =>
    all.map(
      (options): Leg => ({
        name: `chunk, ${label}, ${worded.get(options)}`,
        spec: { ...chunk, engine: { name: "packet", ...engine } },
        options,
      }),
    ),
  ),
]
/** processes that leave what they do; one more brings it to its end */
const LEAVES = 2
/** cycles of a step: of packets, steps end at common times, which are far apart */
const mostOf = ({ spec }: Leg) => (spec.engine.name === "packet" ? 1 : 60)

const folder = mkdtempSync(join(tmpdir(), "lacewing-processes-"))
let straight: Answer
const rounds: Answer[] = []

function answered(order: object): Promise<Answer> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(root, "test/support/goes-on.mjs")])
    let [out, err] = ["", ""]
    child.stdout.on("data", (data) => (out += data))
    child.stderr.on("data", (data) => (err += data))
    child.on("close", (code) => (code === 0 ? done(JSON.parse(out) as Answer) : fail(new Error(err))))
    child.stdin.end(JSON.stringify(order))
  })
}

beforeAll(async () => {
  built()
  straight = await answered({ folder: join(folder, "none"), legs })
  const rng = new Draws(20)
  for (let i = 0; i < LEAVES; i++) {
    const budgets = (leg: Leg) => Array.from({ length: 1 + rng.below(4) }, () => 1 + rng.below(mostOf(leg)))
    rounds.push(await answered({ folder, legs: legs.map((leg) => ({ ...leg, budgets: budgets(leg) })) }))
  }
  rounds.push(await answered({ folder, legs }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe(`left by ${LEAVES} processes after random steps, ended by another one`, () => {
  test.each(legs.map((leg) => leg.name))("%s", (name) => {
    expect(rounds.map((round) => round[name].from)).toEqual([false, ...Array(LEAVES).fill(true)])
    expect(rounds.map((round) => round[name].result !== undefined)).toEqual([...Array(LEAVES).fill(false), true])
    const [once, often] = [straight[name].result!, rounds.at(-1)![name].result!]
    expect(Object.keys(once.values).length).toBeGreaterThan(10)
    expect(differencesOf(once, often)).toEqual([])
  })
  test("all ways of one configuration agree, too", () => {
    const bits = (name: string) => rounds.at(-1)![name].result!.fingerprint
    for (const spec of [inputQueued, stash, ecn]) {
      const ways = legs.filter((leg) => leg.spec === spec)
      expect([ways.length, new Set(ways.map((leg) => bits(leg.name))).size]).toEqual([2, 1])
    }
    const packets = legs.filter((leg) => leg.spec.engine.name === "packet").map((leg) => bits(leg.name))
    expect([packets.length, new Set(packets).size]).toEqual([6, 1])
  })
})
