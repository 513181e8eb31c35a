// Packets that are given up: their flow goes on, windows and numbers pass the hole, the loss is counted once, and
// nothing stays behind.
import { describe, expect, test } from "vitest"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import type { Named, RunSpec } from "../../src/model/experiment.ts"
import { stream } from "../../src/reproduce/papers/stashing/network.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"
import { drain, engineOf, flitsOut, pair, poolsOf, small } from "../support/tiled.ts"

/** Two switches, endpoints 0..3 send to 4..7 and back; one packet in three is damaged, two repetitions: 0.3^3 = 2.7 %
 *  never arrive. */
function lossy(
  params: Record<string, unknown> = {},
  congestion: Named = { name: "none" },
  endpoint: Record<string, unknown> = {},
): RunSpec {
  const spec = pair(
    40,
    { stash: { end: 0.875 }, reliability: true, retries: 2, errors: { link: 0.3 }, timeout: "5us", ...params },
    [stream("both", 0.08, { pattern: { name: "fixed", to: [4, 5, 6, 7, 0, 1, 2, 3] } })],
  )
  return {
    ...spec,
    network: { ...spec.network, congestion, endpoint: { name: "queue-pairs", ack: "1flit", ...endpoint } },
  }
}

/** Every packet that was created has arrived or is counted as abandoned, every flow is complete, and no copy and no
 *  window is left open. */
function expectSettled(engine: TransferEngine, pools: readonly number[]): void {
  const { columns: a, layout: l } = engine
  const ends = l.graph.ends
  expect(engine.stat("delivered") + engine.stat("abandoned")).toBe(engine.stat("created"))
  expect(engine.inFlight()).toBe(0)
  let behind = 0
  for (let from = 0; from < ends; from++)
    for (let to = 0; to < ends; to++) if (a.flowBase[to * ends + from] !== a.flowNext[from * ends + to]) behind++
  expect(behind).toBe(0)
  expect(engine.audit()).toEqual([])
  expect(poolsOf(engine)).toEqual(pools)
}

describe("a flow after an abandoned packet", () => {
  test("goes on at its rate, and the loss is the share that three damaged transmissions leave", () => {
    const engine = engineOf(lossy(), 1)
    const pools = poolsOf(engine)
    // a flow creates a packet in 300 cycles; behind its first hole, after some 37 packets, it would have had numbers
    // for 128 more: 50,000 cycles
    engine.advance(60_000)
    const before = flitsOut(engine)
    engine.advance(90_000)
    // 8 endpoints offer 0.08 flits a cycle
    const rate = (flitsOut(engine) - before) / 30_000 / 8
    expect(Math.abs(rate / (0.08 * (1 - 0.027)) - 1)).toBeLessThan(0.1)
    drain(engine, 90_000, 400_000)
    expectSettled(engine, pools)
    const lost = engine.stat("abandoned")
    const share = lost / engine.stat("created")
    expect(share).toBeGreaterThan(0.017)
    expect(share).toBeLessThan(0.037)
    // its source gave up more: of some of them only the answers were damaged
    expect(engine.extraValues()["abandoned"]).toBe(lost)
    expect(engine.sw.values(engine.now)["stash.abandoned"]).toBeGreaterThanOrEqual(lost)
  })
  test("lost without a trace, found by the timer: the same", () => {
    const engine = engineOf(lossy({ lost: 1, timeout: "1us" }), 1)
    const pools = poolsOf(engine)
    engine.advance(60_000)
    const before = engine.stat("delivered")
    engine.advance(70_000)
    // of 8 x 10,000 / 300 = 267 that are created
    expect(engine.stat("delivered") - before).toBeGreaterThan(220)
    drain(engine, 70_000, 400_000)
    expectSettled(engine, pools)
    expect(engine.stat("abandoned")).toBeGreaterThan(20)
  })
  test("windows: nothing of an abandoned packet stays outstanding", () => {
    const engine = engineOf(lossy({}, { name: "ecn-window", window: "240flits", least: "24flits" }), 1)
    const pools = poolsOf(engine)
    drain(engine, 30_000, 400_000)
    // the last acknowledgements are on their way to their endpoints
    engine.advance(engine.now + 500)
    expectSettled(engine, pools)
    expect(engine.stat("abandoned")).toBeGreaterThan(10)
    expect(engine.loop.protocol!.columns["outstanding"].every((flits) => flits === 0)).toBe(true)
  })
  test("in order: a reorder buffer passes the hole too", () => {
    const engine = engineOf(lossy({}, { name: "none" }, { reorder: 4 }), 1)
    const pools = poolsOf(engine)
    drain(engine, 20_000, 600_000)
    expectSettled(engine, pools)
    expect(engine.stat("abandoned")).toBeGreaterThan(10)
  })
})

describe("waiting for a turn", () => {
  test("is no failure: with the default of 8 retries and no errors, a buffer of 2 abandons nothing", () => {
    const spec = small({
      load: 0.4,
      stash: 1,
      switch: { reliability: true },
      routing: { bias: "0flits" },
      endpoint: { name: "queue-pairs", reorder: 2 },
    })
    const to = Array.from({ length: 110 }, (_, e) => (e + 10) % 110)
    const engine = engineOf({ ...spec, traffic: [stream("shift", 0.3, { pattern: { name: "fixed", to } })] })
    const pools = poolsOf(engine)
    drain(engine, 2500, 300_000)
    const v = engine.extraValues()
    expect(v["flows.refused"]).toBeGreaterThan(engine.stat("created"))
    expect([v["stash.abandoned"], v["abandoned"]]).toEqual([0, 0])
    expect(engine.stat("delivered")).toBe(engine.stat("created"))
    expect(poolsOf(engine)).toEqual(pools)
  })
})

describe("what a run says", () => {
  const result = async (spec: RunSpec, measure: Partial<RunSpec["measure"]>) => {
    const got = prepare(
      {
        ...spec,
        measure: { ...spec.measure, warmup: "0us", window: "10us", limit: "400us", drain: "all", ...measure },
      },
      { read: () => "" },
    )
    if ("bad" in got) throw new Error(got.bad[0].says)
    return simulate(got.ok)
  }
  test("drain: all leaves no copy in the stash, and says how many packets were abandoned", async () => {
    const { values, explains, why } = await result(lossy(), { drain: "all" })
    expect(why).toBe("drained")
    expect(values["stash.deleted"]).toBe(values["stash.copied"])
    expect(values["stash.pool.utilisation"]).toBe(0)
    expect(values["abandoned"]).toBeGreaterThan(5)
    expect(explains).toContain(`${values["abandoned"]} packets were abandoned`)
  })
  test("drain: measured ends although measured packets never arrive", async () => {
    const { values, why } = await result(lossy(), { drain: "measured" })
    expect(why).toBe("drained")
    expect(values["abandoned"]).toBeGreaterThan(5)
  })
  test("without a loss nothing is said of it", async () => {
    const { values, explains } = await result(lossy({ errors: {}, retries: 8 }), { drain: "all" })
    expect(values["abandoned"]).toBe(0)
    expect(explains).not.toContain("abandoned")
  })
})

describe("copies and absorption together", () => {
  /** Three switches in a row: what both outer ones send to one sink of the inner one comes over two inputs, which are
   *  congested. */
  const both = () => {
    const hot = stream("hot", 1, { pattern: { name: "to-set", set: [2] }, from: [0, 1, 4, 5] })
    const spec = pair(40, { stash: { end: 0.875 }, reliability: true, absorb: true }, [hot])
    const network = {
      ...spec.network,
      topology: { name: "mesh", sides: "3", p: 2 },
      endpoint: { name: "queue-pairs" },
      congestion: { name: "ecn-window" },
    }
    return engineOf({ ...spec, network }, 1)
  }
  test("an absorbed original gives its room back, and so does its copy", () => {
    const engine = both()
    const pools = poolsOf(engine)
    engine.advance(6000)
    expect(engine.audit()).toEqual([])
    drain(engine, 6000, 60_000)
    expect(engine.sw.values(engine.now)["stash.absorbed"]).toBeGreaterThan(20)
    expect(engine.stat("delivered")).toBe(engine.stat("created"))
    expect(engine.audit()).toEqual([])
    expect(poolsOf(engine)).toEqual(pools)
  })
  test("the audit counts what lies in a pool: three counters that leak alike do not deceive it", () => {
    const engine = both()
    engine.advance(3000)
    expect(engine.audit()).toEqual([])
    const column = (name: string) => {
      const found = engine.sw.columns[name]
      if (found instanceof Int32Array) return found
      throw new Error(`no column ${name}`)
    }
    const port = poolsOf(engine).findIndex((free) => free > 0)
    column("poolFree")[port] -= 24
    column("columnFree")[Math.floor(port / 2)] -= 24
    column("routerStash")[0] += 24
    // of the port, of its column, of its switch
    expect(engine.audit()).toHaveLength(3)
  })
})

describe("fingerprints", () => {
  test("are those of one partition in any cycle, with packets and credits in the outboxes too", () => {
    const spec = small({ load: 0.4, stash: 0.5, switch: { reliability: true } })
    const cuts = [1, 2, 0].map((parts) => engineOf(spec, parts))
    // windows are 500 cycles of the global links
    for (const t of [130, 777, 1250]) {
      const prints = cuts.map((engine) => {
        engine.advance(t)
        return engine.fingerprint()
      })
      expect([t, new Set(prints).size]).toEqual([t, 1])
    }
  })
})
