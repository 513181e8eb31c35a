// Facts: rings that lose the oldest rows, one list for any number of partitions, rows that agree with the counters, and
// nothing where nobody asks.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { makeTracing } from "../src/engines/flit/trace.ts"
import type { TransferEngine } from "../src/engines/flit/transfers/engine.ts"
import { ROW, TRACE_RING } from "../src/fabric/trace-rings.ts"
import type { RunResult, RunSpec } from "../src/model/experiment.ts"
import { TRACE, type TraceEventName, traceEventNames } from "../src/model/trace-events.ts"
import { eventsOf } from "../src/run/clocked/events.ts"
import { prepare, simulate } from "../src/run/simulate.ts"
import { changed, combined, tiled } from "./effects/scenes.ts"
import { specOf } from "./support/machine.ts"
import { emptied, plainEngine } from "./support/plain-machine.ts"
import { resend } from "./support/resend-protocol.ts"
import { sceneSpec } from "./support/scene.ts"

const sum = (column: ArrayLike<number>): number => Array.from(column).reduce((a, b) => a + b, 0)

type Row = readonly [written: number, cycle: number, kind: number, a: number, b: number, c: number]

/** Rows written by `parts` partitions, each its own in order of time. */
function written(rows: readonly Row[], of: readonly number[], parts: number, capacity: number, kinds = -1) {
  const columns = {
    traceRows: new Int32Array(parts * capacity * ROW.size),
    traceRings: new Int32Array(parts * TRACE_RING.size),
  }
  const constants = { watch: { counters: [], traceRows: capacity, kinds } }
  const facts = makeTracing({ constants, columns })
  rows.forEach(([t, cycle, kind, a, b, c], i) => {
    facts.enter(of[i]! % parts)
    facts.tick(t)
    facts.traceEventAt(cycle, kind, a, b, c)
  })
  return eventsOf({ columns, constants, parts })
}

/** The last whole cycles with at most `capacity` rows, in order. */
function plain(rows: readonly Row[], capacity: number) {
  let from = 0
  while (rows.filter((r) => r[0] >= from).length > capacity) from++
  const kept = rows.filter((r) => r[0] >= from).map((r) => r.slice(1))
  kept.sort((x, y) => x.map((v, i) => v - y[i]!).find((d) => d !== 0) ?? 0)
  return {
    from,
    ...Object.fromEntries(
      ["cycle", "kind", "a", "b", "c"].map((name, i) => [name, Int32Array.from(kept, (r) => r[i]!)]),
    ),
  }
}

describe("rings", () => {
  const row = fc.tuple(fc.nat(12), fc.nat(3), fc.nat(5), fc.nat(3), fc.nat(3), fc.integer({ min: -2, max: 2 }))
  test("the last whole cycles that fit, whoever wrote them", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(row, fc.nat(3)), { maxLength: 60 }),
        fc.integer({ min: 1, max: 70 }),
        (drawn, capacity) => {
          const all = drawn
            .map(([[t, ahead, ...rest], part]): { row: Row; part: number } => ({ row: [t, t + ahead, ...rest], part }))
            .sort((x, y) => x.row[0] - y.row[0])
          const rows = all.map((x) => x.row)
          const of = all.map((x) => x.part)
          for (const parts of [1, 2, 4]) expect(written(rows, of, parts, capacity)).toEqual(plain(rows, capacity))
        },
      ),
      { numRuns: 200 },
    )
  })
  test("kinds that nobody asks for take no room", () => {
    const rows = [0, 1, 2, 3].map((t): Row => [t, t, t % 2, 7, 8, 9])
    const { cycle, from } = written(rows, [0, 0, 0, 0], 1, 2, 1 << 1)
    expect([...cycle, from]).toEqual([1, 3, 0])
  })
})

async function run(spec: RunSpec, workers = 1): Promise<RunResult> {
  const got = prepare(spec, { read: () => "" })
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return simulate(got.ok, { workers, threads: false })
}

function rowsOf({ tables }: RunResult, event: TraceEventName): number[][] {
  const t = tables["events"]!
  return t["cycle"]!.flatMap((cycle, i) =>
    t["event"]![i] === event ? [[cycle, t["a"]![i], t["b"]![i], t["c"]![i]].map(Number)] : [],
  )
}

describe("input-queued", () => {
  const measure = { warmup: "0cycles", window: "300cycles", limit: "2000cycles", drain: "all" } as const
  const wish = { traffic: [{ load: 0.4, flits: 3 }], measure }
  test("every packet leaves once and arrives once, as long after as the network latency says", async () => {
    const result = await run(specOf({ ...wish, probes: [{ name: "events", rows: 20_000 }] }))
    const left = new Map(rowsOf(result, "injected").map(([cycle, a, b, key]) => [`${a} ${b} ${key}`, cycle!]))
    const arrived = rowsOf(result, "delivered")
    expect(arrived.length).toBe(result.values["packets"])
    expect(left.size).toBe(arrived.length)
    const took = arrived.reduce((sum, [cycle, a, b, key]) => sum + cycle! - left.get(`${a} ${b} ${key}`)!, 0)
    expect(took / arrived.length).toBeCloseTo(result.values["network.mean"]!, 9)
    expect(result.values["events.from"]).toBe(0)
  })
  test("200 rows: the same last cycles with 1, 2 and 4 workers, and the state of a run without", async () => {
    const spec = specOf({ ...wish, probes: [{ name: "events", rows: 200 }] })
    const [one, two, four] = [await run(spec, 1), await run(spec, 2), await run(spec, 4)]
    expect(one.values["events.from"]).toBeGreaterThan(250)
    expect(one.tables["events"]!["cycle"]!.length).toBeGreaterThan(180)
    expect([two.tables, two.values["events.from"]]).toEqual([one.tables, one.values["events.from"]])
    expect([four.tables, four.values["events.from"]]).toEqual([one.tables, one.values["events.from"]])
    expect((await run({ ...spec, probes: [] })).fingerprint).toBe(one.fingerprint)
  })
})

test("tiled: as many marks, losses and acknowledgements as the switches count", async () => {
  const spec = sceneSpec(changed(tiled, { probes: [{ name: "events", rows: 65_536 }] }))
  const [one, two] = [await run(spec, 1), await run(spec, 2)]
  const count = (name: TraceEventName) => rowsOf(one, name).length
  expect(count("marked")).toBe(one.values["ecn.marked"])
  expect(count("dropped")).toBe(one.values["errors.lost"])
  // all kinds but those of CAM lines, which it does not have
  for (const name of traceEventNames) expect(count(name) > 0).toBe(!name.startsWith("line"))
  expect(count("received")).toBeLessThanOrEqual(count("sent"))
  expect(two.tables).toEqual(one.tables)
})

test("combined: what arrives has left before, with 1, 2 and 4 workers", async () => {
  const spec = sceneSpec(changed(combined, { probes: [{ name: "events", rows: 65_536 }] }))
  const [one, two, four] = [await run(spec, 1), await run(spec, 2), await run(spec, 4)]
  const left = new Map(rowsOf(one, "injected").map(([cycle, a, b, key]) => [`${a} ${b} ${key}`, cycle!]))
  const arrived = rowsOf(one, "delivered")
  expect(arrived.length).toBeGreaterThan(500)
  expect(arrived.filter(([cycle, a, b, key]) => !(left.get(`${a} ${b} ${key}`)! < cycle!))).toEqual([])
  expect(two.tables).toEqual(one.tables)
  expect(four.tables).toEqual(one.tables)
})

describe("drops and control packets", () => {
  function machine(parts: number, asks = true): TransferEngine {
    return plainEngine({
      topology: { name: "mesh", k: 3, n: 2 },
      vcs: 2,
      plain: { drops: 3, makes: 4 },
      congestion: resend({ delay: 40 }),
      traffic: [{ flits: 4, load: 0.3 }],
      links: { link: "4cycles", end: "2cycles" },
      probes: asks ? [{ name: "events", rows: 20_000 }] : [],
      parts,
    })
  }
  test("one dropped packet, one answer; all that is sent is received; the same from 1, 2 and 4 partitions", () => {
    const [one, two, four] = [1, 2, 4].map((parts) => {
      const engine = machine(parts)
      emptied(engine, 300)
      const events = eventsOf(engine)
      const rows = (name: TraceEventName) =>
        Array.from(events.kind, (k, i) => ({ k, row: [events.a[i], events.b[i], events.c[i]].join(" ") }))
          .filter((e) => e.k === TRACE[name])
          .map((e) => e.row)
          .sort()
      expect(rows("delivered").length).toBe(engine.stat("delivered"))
      const dropped = sum(engine.columns.dropped)
      expect(dropped).toBeGreaterThan(50)
      expect(rows("dropped").length).toBe(dropped)
      expect(rows("injected").length).toBe(engine.stat("created") + dropped)
      expect(rows("received")).toEqual(rows("sent"))
      // a confirmation for each packet, an answer for each drop, and what routers made
      const made = sum(engine.sw.columns["made"]!)
      expect(rows("sent").length).toBe(engine.stat("created") + dropped + made)
      return events
    })
    expect(two).toEqual(one)
    expect(four).toEqual(one)
  })
  test("nobody asks: no rows, and the same state", () => {
    const [asked, plain] = [machine(1), machine(1, false)]
    asked.advance(300)
    plain.advance(300)
    expect(plain.columns.traceRows.length).toBe(1)
    expect(plain.fingerprint()).toBe(asked.fingerprint())
  })
})
