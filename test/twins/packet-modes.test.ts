// The mode matrix: every experiment of the packet engine, every synchronisation, 1 to 8 workers: one result. From the
// sources all workers share a thread, so their number does not depend on the machine; from dist/ each has its own. Each
// experiment and synchronisation has four of the eight numbers (LACEWING_WHOLE=1: all).
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { check } from "../../src/api.ts"
import { compilePacket } from "../../src/compile/packet/compile.ts"
import { Draws } from "../../src/core/rng.ts"
import { hashOf, RECORD } from "../../src/engines/packet/delivery-records.ts"
import { hostAt } from "../../src/experiment/disk/host.ts"
import type { RunResult, RunSpec } from "../../src/model/experiment.ts"
import { type Mode, PacketWorkers, type WorkersOptions } from "../../src/run/packet/run.ts"
import * as lab from "../../src/run/simulate.ts"
import { built, root } from "../support/build.ts"
import { sampled } from "../support/sample.ts"

const folder = join(root, "experiments")
const names = readdirSync(folder).filter((name) => {
  if (!readdirSync(join(folder, name)).includes("experiment.yaml")) return false
  const text = readFileSync(join(folder, name, "experiment.yaml"), "utf8")
  // jobs without traffic draw nothing (packet-jobs.test.ts has jobs)
  return /^engine:.*\bpacket\b/m.test(text) && /^traffic:/m.test(text)
})
const short = ["measure.warmup=2us", "measure.window=4us"]
const protocols: readonly (readonly [name: string, engine: Readonly<Record<string, unknown>>])[] = [
  ["sequential", { sync: "sequential" }],
  ["conservative, windows", { sync: "conservative", protocol: "windows" }],
  ["conservative, null messages", { sync: "conservative", protocol: "null-messages" }],
  // the bound of the experiment, and one so wide that workers must err
  ["optimistic", { sync: "optimistic" }],
  ["optimistic, far ahead", { sync: "optimistic", optimism: "1200ns", interval: 500 }],
]

/** Its runs, as small as its expected.json makes them, and shorter. */
async function specsOf(name: string): Promise<RunSpec[]> {
  const { set } = JSON.parse(readFileSync(join(folder, name, "expected.json"), "utf8")) as { set: string[] }
  const got = await check(join(folder, name), { set: [...set, ...short] })
  if ("bad" in got) throw new Error(got.bad[0].says)
  return got.ok.runs.map((run) => run.spec)
}

async function simulated(
  of: typeof lab,
  spec: RunSpec,
  engine: Readonly<Record<string, unknown>>,
  workers: number,
): Promise<RunResult> {
  const prepared = of.prepare({ ...spec, engine: { ...spec.engine, ...engine } }, hostAt(folder))
  if ("bad" in prepared) throw new Error(prepared.bad[0].says)
  return of.simulate(prepared.ok, { workers })
}

const known = new Map<string, Promise<RunResult>>()
/** In one thread, event by event: the truth. Each run of it is made once. */
function alone(spec: RunSpec): Promise<RunResult> {
  const key = JSON.stringify(spec)
  const found = known.get(key) ?? simulated(lab, spec, { sync: "sequential" }, 1)
  known.set(key, found)
  return found
}

/** All that must not depend on how it was run. */
function outcome({ values, ...rest }: RunResult): object {
  const counted = Object.entries(values).filter(([key]) => !key.startsWith("engine.") && key !== "seconds")
  return { ...rest, values: Object.fromEntries(counted) }
}

function used(r: RunResult): void {
  expect(r.values["engine.rollbacks"]).toBeGreaterThan(0)
  expect(r.values["engine.anti-messages"]).toBeGreaterThan(0)
}

describe("the mode matrix", () => {
  it("has experiments", () => expect(names).toContain("packet-modes"))

  for (const [row, name] of names.entries()) {
    it(`${name}: one altered draw is another fingerprint`, async () => {
      for (const spec of await specsOf(name)) {
        const one = await alone(spec)
        const other = await alone({ ...spec, seed: spec.seed + 1 })
        expect(one.values["packets"]).toBeGreaterThan(100)
        expect(other.fingerprint).not.toBe(one.fingerprint)
      }
    })
    for (const [column, [sync, engine]] of protocols.entries()) {
      // the truth is one of the eight; without a synchronisation they are never more than one, however many are asked
      // for
      const numbers = sync === "sequential" ? [2, 8] : sampled([1, 2, 3, 4, 5, 6, 7, 8], 2, row + column)
      it(`${name}: ${sync} on ${numbers.join(", ")} workers`, async () => {
        for (const spec of await specsOf(name)) {
          const truth = outcome(await alone(spec))
          for (const workers of numbers) {
            const got = await simulated(lab, spec, engine, workers)
            expect(outcome(got)).toEqual(truth)
            if (sync !== "sequential" && workers > 1) expect(got.values["engine.workers"]).toBe(workers)
            // minimal routing reads no credits: within the look-ahead of data (395 ns) it cannot err
            const errs = name === "packet-modes" || engine["optimism"] !== undefined
            if (engine["sync"] === "optimistic" && workers > 1 && errs) used(got)
          }
        }
      })
    }
  }
})

describe("workers on threads of their own", () => {
  let threaded: typeof lab
  beforeAll(async () => {
    threaded = await import(pathToFileURL(join(built(), "app/simulate.js")).href)
  })

  for (const [sync, engine] of protocols.slice(1)) {
    it(`packet-modes: ${sync} on 2 and 3 threads`, async () => {
      const [spec] = await specsOf("packet-modes")
      const truth = outcome(await alone(spec!))
      for (const workers of [2, 3]) {
        const got = await simulated(threaded, spec!, engine, workers)
        expect(outcome(got)).toEqual(truth)
        if (sync === "optimistic, far ahead") used(got)
      }
    })
  }
})

describe("messages of several chunks on several rails", () => {
  /** Two planes: chunks of one message end at routers of different workers. */
  async function railsOf(): Promise<RunSpec> {
    const [spec] = await specsOf("packet-modes")
    const { network, traffic, measure } = spec!
    return {
      ...spec!,
      network: {
        ...network,
        topology: { name: "fitfly", q: 5, p: 2, rails: 2 },
        endpoint: { name: "rails", select: "congestion" },
      },
      traffic: traffic.map((t) => ({ ...t, load: 0.3, message: { name: "fixed", size: "20packets" } })),
      measure: { ...measure, warmup: "0us", window: "60us" },
    }
  }

  it("are complete with their last chunk, whoever takes it", async () => {
    const spec = await railsOf()
    const truth = await alone(spec)
    expect(truth.values["messages"]).toBeGreaterThan(100)
    expect(truth.values["message.mean"]).toBeGreaterThan(truth.values["latency.mean"])
    for (const [, engine] of protocols.slice(1))
      for (const workers of [2, 3, 5])
        expect(outcome(await simulated(lab, spec, engine, workers))).toEqual(outcome(truth))
  })

  it("on threads too", async () => {
    const threaded: typeof lab = await import(pathToFileURL(join(built(), "app/simulate.js")).href)
    const spec = await railsOf()
    const truth = outcome(await alone(spec))
    expect(outcome(await simulated(threaded, spec, { sync: "conservative" }, 3))).toEqual(truth)
  })
})

describe("rollback storms", () => {
  const until = 3_000_000
  interface Told {
    hash: number
    count: number
    rolledBack: number
  }

  async function deliveries(mode: Mode, o: WorkersOptions = {}, records?: number): Promise<Told> {
    const [spec] = await specsOf("packet-modes")
    const compiled = compilePacket(spec!, hostAt(folder))
    if ("bad" in compiled) throw new Error(compiled.bad[0].says)
    const told = { hash: 0, count: 0 }
    const take = (rows: Int32Array, n: number) => {
      for (let i = 0; i < n; i++) told.hash = (told.hash + hashOf(rows, i * RECORD.words)) | 0
      told.count += n
    }
    const run = new PacketWorkers(
      { ...compiled.ok.network, ...(records !== undefined ? { records } : {}) },
      mode,
      () => take,
      o,
    )
    run.advance(until)
    return { ...told, rolledBack: run.stats().rolledBack }
  }

  it("change nothing: workers stopped at random, any bound, tiny intervals, logs, rings and pools", async () => {
    const truth = await deliveries({ sync: "sequential" })
    expect(truth.count).toBeGreaterThan(400)
    let undone = 0
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          workers: fc.integer({ min: 2, max: 8 }),
          window: fc.integer({ min: 1_000, max: 3_000_000 }),
          interval: fc.constantFrom(1, 3, 50, 2000),
          batch: fc.integer({ min: 1, max: 40 }),
          ringWords: fc.constantFrom(64, 256, 4096),
          logWords: fc.constantFrom(64, 1024),
          records: fc.constantFrom(1500, 2500, undefined),
          seed: fc.integer(),
        }),
        async ({ workers, window, interval, batch, ringWords, logWords, records, seed }) => {
          const rng = new Draws(seed)
          // now and then one worker is left standing for a while: what it sends comes late
          let lame = 0
          let rest = 0
          const pick = (n: number) => {
            if (rest-- <= 0) {
              lame = rng.below(n)
              rest = rng.below(200)
            }
            const i = rng.below(n)
            return i === lame && n > 1 && rng.below(8) > 0 ? (i + 1) % n : i
          }
          const mode: Mode = { sync: "optimistic", workers, optimism: { window, interval, batch } }
          const got = await deliveries(mode, { pick, ringWords, logWords }, records)
          undone += got.rolledBack
          expect([got.hash, got.count]).toEqual([truth.hash, truth.count])
        },
      ),
      { numRuns: 15, seed: 7 },
    )
    expect(undone).toBeGreaterThan(1000)
  })
})
