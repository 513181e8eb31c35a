// The four cases of congestion on 16 endpoints, in the words of "Contention-based Congestion Management in Large-Scale
// Networks": I no congestion, II congestion of the network, III of an endpoint, IV of both. Who is throttled is exactly
// who is to blame.
import { describe, expect, test } from "vitest"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import { combinedEngine, drained } from "../support/combined.ts"
import { cases, contention, incast, others, shifted } from "../support/contention.ts"
import type { Wish } from "../support/machine.ts"

const throttled = (engine: TransferEngine): unknown => engine.endTables()["throttled"]["end"]
const CYCLES = 12_000

describe("who is throttled by cbcm", () => {
  const blamed: Readonly<Record<string, readonly number[]>> = {
    I: [],
    II: [],
    "II, one router at its full rate": [],
    III: [0, 8, 12],
    "III with a neighbour of the destination": [0, 5, 8, 12],
    IV: [0, 1, 2, 3],
  }
  test.each(Object.entries(blamed))("case %s: %j", (name, sources) => {
    const engine = combinedEngine(contention({ name: "cbcm" }, cases[name]))
    engine.advance(CYCLES)
    expect(throttled(engine)).toEqual(sources)
    const { "ecn.marked": marked, "throttle.endpoints": ends, "throttle.sent": sent } = engine.extraValues()
    expect([ends, sent! >= sources.length]).toEqual([sources.length, true])
    // contention alone is everywhere: what tells the cases apart is the destination's decision
    expect(marked).toBeGreaterThan(0)
  })
  test("nobody innocent beside an incast from one router", () => {
    const engine = combinedEngine(contention({ name: "cbcm" }, [incast([0, 1, 2, 3], 4), others(0.4, [0, 1, 2, 3, 4])]))
    engine.advance(CYCLES)
    expect(throttled(engine)).toEqual([0, 1, 2, 3])
  })
})

describe("what a throttle does", () => {
  test(
    "the destination goes on at its full rate, each source at its quarter; " +
      "its packets leave on the VC behind all others",
    () => {
      const engine = combinedEngine(contention({ name: "cbcm" }, cases["IV"]))
      // what waits in the network comes first: its VCs go before that of the throttled
      engine.advance(CYCLES)
      const before = Array.from(engine.columns.endIn)
      const out = engine.columns.endOut.reduce((a, b) => a + b, 0)
      engine.advance(CYCLES + 4000)
      // 4000 cycles: a packet in 128 of them
      expect([0, 1, 2, 3].map((e) => Math.abs((engine.columns.endIn[e] - before[e]) / 32 - 31.25) <= 1)).toEqual([
        true,
        true,
        true,
        true,
      ])
      expect(engine.columns.endOut.reduce((a, b) => a + b, 0) - out).toBeGreaterThan(3900)
    },
  )
  test("when the load stops, every throttle ends, all lists and timers are empty", () => {
    const engine = combinedEngine(contention({ name: "cbcm" }, [incast([0, 1, 2, 3], 4), others(0.3, [0, 1, 2, 3, 4])]))
    engine.columns.control[CONTROL.quiet] = 6000
    engine.advance(6000)
    const { columns } = engine.loop.protocol!
    expect(columns["open"].some((n) => n > 0)).toBe(true)
    drained(engine, 500)
    engine.advance(engine.now + 40_000)
    for (const name of ["open", "list.open", "state"]) expect(columns[name].every((n) => n === 0)).toBe(true)
    expect(engine.standing()).toEqual({ underWay: 0, waiting: 0, onLinks: 0, timers: 0 })
    expect(engine.stat("delivered")).toBe(engine.stat("created"))
  })
})

describe("thresholds out of reach", () => {
  /** Every packet with its way and its time, and all latencies. */
  const told = (engine: TransferEngine): unknown => [
    [...engine.columns.trail],
    engine.stat("latency"),
    engine.stat("delivered"),
  ]
  const traffic = [incast([0, 8, 12], 4), others(0.4, [0, 8, 12, 4])]
  test.each([
    ["cbcm", { threshold: 1000 }],
    ["cbcm", { threshold: 1000, hot: "shared" }],
    ["ecn-delay", { threshold: 1 }],
    ["ideal", { to: [] }],
  ])("%s %j equals none, packet for packet", (name, more) => {
    const plain = combinedEngine(contention({ name: "none" }, traffic))
    plain.advance(3000)
    const vcs = name === "cbcm" && "hot" in more ? { switch: { vcs: 5 } } : {}
    const managed = combinedEngine(contention({ name, ...more }, traffic, vcs))
    managed.advance(3000)
    expect(told(managed)).toEqual(told(plain))
    expect(managed.extraValues()["ecn.marked"]).toBe(0)
  })
})

describe("the same bits", () => {
  test.each([
    ["cbcm", { epoch: "500cycles" }],
    ["cbcm", { epoch: "500cycles", estimator: "weighted", holders: true, hot: "shared" }],
    ["ecn-delay", { threshold: 0.3 }],
    ["ideal", { to: [4] }],
  ])("%s %j: 1, 2 and 4 workers, and a copy in the middle of it", (name, more) => {
    const traffic = [incast([0, 8, 12], 4), others(0.3, [0, 8, 12, 4])]
    const vcs = name === "cbcm" && "hot" in more ? { switch: { vcs: 5 } } : {}
    const wish = contention({ name, ...more }, traffic, vcs)
    const prints = [1, 2, 4].map((parts) => {
      let engine = combinedEngine(wish, parts)
      engine.advance(1500)
      if (parts === 2) {
        const copy = combinedEngine(wish, parts)
        copy.restore(engine.snapshot())
        engine = copy
      }
      engine.advance(3000)
      if (name !== "ideal") expect(engine.extraValues()["control.packets"]).toBeGreaterThan(2)
      return engine.fingerprint()
    })
    expect(new Set(prints).size).toBe(1)
  })
})

/** Flits that an endpoint takes in each cycle, from 3000 on, where all offer what their channel takes. */
function accepted(wish: Wish): number {
  const engine = combinedEngine(wish)
  engine.advance(3000)
  const before = engine.columns.endOut.reduce((a, b) => a + b, 0)
  engine.advance(9000)
  return (engine.columns.endOut.reduce((a, b) => a + b, 0) - before) / 6000 / engine.layout.graph.ends
}

describe("arithmetic of endpoint i to i + 4", () => {
  const load = (name: string): number => accepted(contention({ name: "none" }, [shifted(1)], { routing: { name } }))
  test("four endpoints on one channel: 0.25 on the shortest way", () =>
    expect(load("hyperx.minimal")).toBeCloseTo(0.25, 3))
  test("with detours more, at most 0.5", () => {
    const got = load("hyperx.ugal-l")
    expect(got).toBeGreaterThan(0.3)
    expect(got).toBeLessThanOrEqual(0.5)
  })
})

test("tornado on 8x8 routers of 8 endpoints: eight on each channel that is used, 1/8 on the shortest way", () => {
  const tornado = { flits: 32, message: { name: "fixed", size: "4packets" }, load: 1, pattern: { name: "tornado" } }
  const got = accepted(
    contention({ name: "none" }, [tornado], {
      topology: { name: "hyperx", sides: "8x8", p: 8 },
      routing: { name: "hyperx.minimal" },
    }),
  )
  expect(got).toBeCloseTo(1 / 8, 3)
})

test("drawn and weighted degrees: uniform traffic saturates within 2 % of each other", () => {
  const [random, weighted] = ["random", "weighted"].map((estimator) =>
    accepted(contention({ name: "cbcm", estimator }, [others(1)])),
  )
  expect(Math.abs(weighted! / random! - 1)).toBeLessThan(0.02)
})

test(
  "a copy of a run in which sources are throttled, packets wait for their " +
    "tokens and a hold time runs: the same bits",
  () => {
    const wish = contention({ name: "cbcm", epoch: "1000cycles", eps: 0.005 }, [
      incast([0, 8, 12], 4),
      others(0.3, [0, 8, 12, 4]),
    ])
    const engine = combinedEngine(wish)
    const { columns } = engine.loop.protocol!
    // until the throttles are there, which takes 100 cycles, in the 600 in which none is sent again
    while (columns["open"].every((n) => n === 0)) engine.advance(engine.now + 10)
    expect(columns["hold"].some((cycle) => cycle > engine.now)).toBe(true)
    const snapshot = engine.snapshot()
    const copies = [1, 2].map(() => {
      const copy = combinedEngine(wish)
      copy.restore(snapshot)
      return copy
    })
    for (const e of [engine, ...copies]) e.advance(6000)
    expect(copies.map((c) => c.fingerprint())).toEqual([engine.fingerprint(), engine.fingerprint()])
    expect(throttled(engine)).toEqual(expect.arrayContaining([0, 8, 12]))
  },
)
