// End-to-end reliability: whatever comes first, location or answer, positive or negative, the space of a copy is freed
// once; whatever goes wrong on the way, every packet is delivered once.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { stream } from "../../src/reproduce/papers/stashing/network.ts"
import { copies, drain, engineOf, pair, poolsOf, small } from "../support/tiled.ts"

// state of a tracking record (src/switches/tiled/stash.ts)
const LOCATED = 1
const ANSWERED = 2
const REFUSED = 4

const reliable = { stash: { end: 0.875 }, reliability: true, retries: 250 }
const answers = { name: "queue-pairs", ack: "1flit" }

/** Two switches, endpoints 0..3 send to 4..7 and back, over a link of 40 ns. */
function pairOf(params: Record<string, unknown>, load = 0.2, seed = 1) {
  const spec = pair(40, { ...reliable, ...params }, [
    stream("both", load, { pattern: { name: "fixed", to: [4, 5, 6, 7, 0, 1, 2, 3] } }),
  ])
  return { ...spec, seed, network: { ...spec.network, endpoint: answers } }
}

/** Nothing is held that need not be: all pools as at the beginning, one order to delete for each copy. */
function expectFreedOnce(engine: TransferEngine, pools: readonly number[]): void {
  const v = engine.sw.values(engine.now)
  expect(engine.audit()).toEqual([])
  expect(v["stash.deleted"]).toBe(v["stash.copied"])
  expect(poolsOf(engine)).toEqual(pools)
}

/** Every packet that was created has arrived, once: counters agree, and so does every flow's own count. */
function expectDeliveredOnce(engine: TransferEngine): void {
  const { columns: a, layout: l } = engine
  expect(engine.stat("delivered")).toBe(engine.stat("created"))
  const ends = l.graph.ends
  const inner = new Map(Array.from({ length: l.ends }, (_, e) => [l.outerEnd[e], e]))
  let sent = 0
  let wrong = 0
  for (let from = 0; from < ends; from++) {
    for (let to = 0; to < ends; to++) {
      const next = a.flowNext[inner.get(from)! * ends + to]
      sent += next
      if (a.flowBase[inner.get(to)! * ends + from] !== next) wrong++
    }
  }
  expect(wrong).toBe(0)
  expect(sent).toBe(engine.stat("created"))
  expect(engine.sw.values(engine.now)["stash.abandoned"]).toBe(0)
}

describe("four races", () => {
  /** Which states tracking records go through; then everything drains. */
  const states = (params: Record<string, unknown>) => {
    const engine = engineOf(pairOf(params), 1)
    const pools = poolsOf(engine)
    const seen = new Set<number>()
    for (let t = 20; t <= 3000; t += 5) {
      engine.advance(t)
      for (const c of copies(engine)) seen.add(c.state & (LOCATED | ANSWERED | REFUSED))
    }
    drain(engine, 3000, 200_000)
    expectFreedOnce(engine, pools)
    expect(engine.stat("delivered")).toBe(engine.stat("created"))
    return { seen, values: engine.sw.values(engine.now) }
  }
  const damaged = { errors: { link: 0.3 }, timeout: "20us" }

  test("location, then a positive answer: deleted on the answer", () => {
    const { seen } = states({ sideband: 5 })
    expect([seen.has(LOCATED), seen.has(LOCATED | ANSWERED), seen.has(ANSWERED)]).toEqual([true, true, false])
  })
  test("a positive answer, then the location: deleted on the location", () => {
    const { seen } = states({ sideband: 2000 })
    expect(seen.has(ANSWERED)).toBe(true)
  })
  test("location, then a negative answer: sent again on the answer, the copy stays", () => {
    const { seen, values } = states({ sideband: 5, ...damaged })
    expect([seen.has(LOCATED | REFUSED), seen.has(REFUSED)]).toEqual([true, false])
    expect(values["stash.repeated"]).toBeGreaterThan(10)
  })
  test("a negative answer, then the location: sent again on the location", () => {
    const { seen, values } = states({ sideband: 2000, ...damaged })
    expect(seen.has(REFUSED)).toBe(true)
    expect(values["stash.repeated"]).toBeGreaterThan(10)
  })
  test("any latency of the side band, any errors: freed once, delivered once", () => {
    fc.assert(
      fc.property(
        fc.record({
          sideband: fc.integer({ min: 1, max: 600 }),
          sidebandSpread: fc.integer({ min: 0, max: 1500 }),
          error: fc.double({ min: 0, max: 0.3, noNaN: true }),
          lost: fc.double({ min: 0, max: 1, noNaN: true }),
          load: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
          capacity: fc.constantFrom(1, 0.25, 0.05),
          seed: fc.integer({ min: 1, max: 1000 }),
        }),
        ({ sideband, sidebandSpread, error, lost, load, capacity, seed }) => {
          const params = {
            sideband,
            sidebandSpread,
            capacity,
            errors: { link: error, end: error / 4 },
            lost,
            timeout: "3us",
          }
          const engine = engineOf(pairOf(params, load, seed), 1)
          const pools = poolsOf(engine)
          engine.advance(700)
          expect(engine.audit()).toEqual([])
          drain(engine, 1500, 400_000)
          expectFreedOnce(engine, pools)
          expectDeliveredOnce(engine)
        },
      ),
      { numRuns: 60, seed: 6 },
    )
  })
})

describe("errors", () => {
  const noisy = {
    reliability: true,
    retries: 250,
    errors: { end: 0.001, local: 0.01, global: 0.01 },
    lost: 0.5,
    timeout: "8us",
    linkErrors: { local: 0.001, global: 0.001 },
  }
  test("some 10,000 packets on 110 endpoints, errors of all kinds: each is delivered once", () => {
    const engine = engineOf(small({ load: 0.4, stash: 1, switch: noisy }))
    const pools = poolsOf(engine)
    drain(engine, 6000, 400_000)
    const v = engine.sw.values(engine.now)
    expect(engine.stat("created")).toBeGreaterThan(9000)
    for (const name of ["errors.lost", "errors.damaged", "errors.relaunched", "stash.repeated", "stash.timeouts"])
      expect([name, v[name] > 10]).toEqual([name, true])
    expectDeliveredOnce(engine)
    expectFreedOnce(engine, pools)
  })
  test("few retries give up, say so, and give the space back", () => {
    const engine = engineOf(pairOf({ errors: { link: 0.8 }, timeout: "2us", retries: 2 }), 1)
    const pools = poolsOf(engine)
    drain(engine, 3000, 1_000_000)
    const given = engine.sw.values(engine.now)["stash.abandoned"]
    expect(given).toBeGreaterThan(5)
    // some had arrived, and only their answers were lost
    expect(engine.stat("abandoned")).toBeLessThanOrEqual(given)
    expect(engine.stat("created")).toBe(engine.stat("delivered") + engine.stat("abandoned"))
    expectFreedOnce(engine, pools)
  })
})

describe("ordered delivery", () => {
  /** Everybody to the next group: detours overtake the minimal way. Refusals for each packet with a reorder buffer of B
   *  packets. */
  const refusals = (reorder: number) => {
    const spec = small({
      load: 0.4,
      stash: 1,
      switch: { reliability: true, retries: 250 },
      routing: { bias: "0flits" },
      endpoint: { name: "queue-pairs", reorder },
    })
    const to = Array.from({ length: 110 }, (_, e) => (e + 10) % 110)
    const engine = engineOf({ ...spec, traffic: [stream("shift", 0.25, { pattern: { name: "fixed", to } })] })
    drain(engine, 3000, 300_000)
    expectDeliveredOnce(engine)
    return engine.extraValues()["flows.refused"] / engine.stat("created")
  }
  test("packets beyond the reorder buffer are refused and resent from the stash; a larger buffer refuses less", () => {
    const rates = [1, 4, 16, 127].map(refusals)
    expect(rates[0]).toBeGreaterThan(0.1)
    expect(rates[1]).toBeLessThan(rates[0])
    expect(rates[2]).toBeLessThan(rates[1])
    expect(rates[3]).toBe(0)
  })
})
