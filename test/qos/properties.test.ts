// What schedulers promise at one output with room downstream, for random tables and sizes; and each beside its plain
// twin (twins.ts), arrivals and lack of room included.
import { describe, expect, test } from "vitest"
import { worstWaits } from "../../src/inspect/qos/waits.ts"
import type { QosScheduler, TableEntry } from "../../src/model/scheduler.ts"
import { age } from "../../src/qos/age.ts"
import { drr } from "../../src/qos/drr.ts"
import { dtable } from "../../src/qos/dtable.ts"
import { roundRobin } from "../../src/qos/round-robin.ts"
import { scfq } from "../../src/qos/scfq.ts"
import { strict } from "../../src/qos/strict.ts"
import { vlArbitration } from "../../src/qos/vl-arbitration.ts"
import { wfq } from "../../src/qos/wfq.ts"
import { dice, Output, site, table } from "./output.ts"
import * as twins from "./twins.ts"

/** A table of random length, owners and weights; each weight holds the largest message of its queue. */
function randomTable(die: (n: number) => number): { entries: TableEntry[]; largest: number[] } {
  const queues = 2 + die(7)
  const largest = Array.from({ length: queues }, () => 1 + die(32))
  const length = queues + die(65 - queues)
  const entries = Array.from({ length }, (_, e) => {
    const queue = e < queues ? e : die(queues)
    return { queue, weight: largest[queue] + die(64) }
  })
  // shuffled, so that the first entries of the queues are not all in front
  for (let e = length - 1; e > 0; e--) {
    const other = die(e + 1)
    const kept = entries[e]
    entries[e] = entries[other]
    entries[other] = kept
  }
  return { entries, largest }
}

/** Units that each queue sends while all have something at all times, until `units` are sent. */
function shares(of: QosScheduler, largest: readonly number[], units: number, die: (n: number) => number): number[] {
  const out = new Output(of, largest.length)
  const add = (q: number, now: number) => out.arrive(q, 1 + die(largest[q]), now)
  for (let i = 0; i < 3; i++) for (const q of largest.keys()) add(q, 0)
  const sent = largest.map(() => 0)
  let now = 0
  while (now < units) {
    const before = out.queues.map((all) => all[0].size)
    const q = out.serve(now)
    sent[q] += before[q]
    now += before[q]
    add(q, now)
  }
  return sent
}

/** Largest distance of the shares that were sent from those that weights promise, as a part of the promise. */
function deviation(sent: readonly number[], weights: readonly number[]): number {
  const all = sent.reduce((a, b) => a + b, 0)
  const sum = weights.reduce((a, b) => a + b, 0)
  return Math.max(...sent.map((s, q) => Math.abs(s / all / (weights[q] / sum) - 1)))
}

/** Units after which the rest of a message or two is below 1 % of what the smallest weight has sent. */
function longEnough(largest: readonly number[], weights: readonly number[]): number {
  const sum = weights.reduce((a, b) => a + b, 0)
  return Math.max(...weights.map((w) => (300 * Math.max(...largest) * sum) / w))
}

describe("long-run shares are those of the weights, within 1 %", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("dtable, random table %i", (seed) => {
    const die = dice(seed)
    const { entries, largest } = randomTable(die)
    const weights = largest.map((_, q) => entries.filter((e) => e.queue === q).reduce((s, e) => s + e.weight, 0))
    const round = weights.reduce((a, b) => a + b, 0)
    const sent = shares(dtable(site(largest.length), entries), largest, 200 * round, die)
    expect(deviation(sent, weights)).toBeLessThan(0.01)
  })
  test.each([1, 2, 3, 4])("drr, wfq and scfq, random weights %i", (seed) => {
    const die = dice(seed)
    const largest = Array.from({ length: 2 + die(6) }, () => 1 + die(16))
    const weights = largest.map(() => 1 + die(12))
    const n = largest.length
    for (const [name, make] of [
      ["drr", () => drr(site(n), weights)],
      ["wfq", () => wfq(site(n), weights)],
      ["scfq", () => scfq(site(n), weights)],
    ] as const)
      expect({
        name,
        within: deviation(shares(make(), largest, longEnough(largest, weights), die), weights) < 0.01,
      }).toEqual({
        name,
        within: true,
      })
  })
  test("equal turns are not enough for that: round robin fails with messages of 1 and 30", () => {
    const sent = shares(roundRobin(site(2)), [1, 30], 20000, dice(1))
    expect(deviation(sent, [1, 1])).toBeGreaterThan(0.5)
  })
})

describe("a queue with an entry waits one table round at most", () => {
  test("the bound, by hand: 0:4 1:10 0:4 2:8, largest 4, 10, 8 units", () => {
    // queue 0: behind entry 0 comes 10 of queue 1 and what it saved, 9; behind entry 2 comes 8 of queue 2 and 7:
    // max(19, 15) = 19 units queue 1: 4 + 8 + 4 and what both saved, 3 + 7 = 26; queue 2: 4 + 10 + 4 and 3 + 9 = 30
    const bound = worstWaits(table("0:4,1:10,0:4,2:8"), [4 * 64, 10 * 64, 8 * 64, 64], 64)
    expect([...bound].map((b) => b / 64)).toEqual([19, 26, 30, Number.POSITIVE_INFINITY])
  })
  test("and it is met: 1 unit that comes too late behind 0:1 1:2, messages of 2 and 1", () => {
    // queue 1 saved 1 at most: 2 + 1 = 3 units pass, in messages of 1 and 2
    const out = new Output(dtable(site(2), table("0:1,1:2")), 2)
    for (const size of [1, 2, 1, 2]) out.arrive(1, size)
    // 2: sends 1, saves 1 (the next needs 2)
    expect(out.serve()).toBe(1)
    // 1 + 2: sends 2; queue 0 arrives while it leaves and sees 1 more pass
    expect(out.serve()).toBe(1)
    out.arrive(0, 1)
    expect([out.serve(), out.serve()]).toEqual([1, 0])
    expect(worstWaits(table("0:1,1:2"), [64, 128], 64)[0]).toBe(3 * 64)
  })
  test.each([1, 2, 3, 4, 5, 6])("never exceeded under random arrivals, random table %i", (seed) => {
    const die = dice(100 + seed)
    const { entries, largest } = randomTable(die)
    const bound = worstWaits(
      entries,
      largest.map((l) => l * 64),
      64,
    )
    const out = new Output(dtable(site(largest.length), entries), largest.length)
    const waited = largest.map(() => 0)
    const longest = largest.map(() => 0)
    for (let turn = 0; turn < 20000; turn++) {
      // some queues are always full, others come and go
      for (const q of largest.keys())
        if (out.queues[q].length < 2 && (q % 2 === 0 || die(20) === 0)) out.arrive(q, 1 + die(largest[q]))
      const heads = out.queues.map((all) => all[0]?.size ?? 0)
      const served = out.serve()
      if (served < 0) continue
      for (const q of largest.keys()) {
        if (q === served || heads[q] === 0) waited[q] = 0
        else waited[q] += heads[served]
        longest[q] = Math.max(longest[q], waited[q])
      }
    }
    for (const q of largest.keys()) expect(longest[q]).toBeLessThanOrEqual(bound[q] / 64)
    // the bound is no excuse: somebody comes near it
    expect(Math.max(...longest.map((l, q) => l / (bound[q] / 64)))).toBeGreaterThan(0.5)
  })
})

/** Random arrivals, bursts and (where asked) lack of room; both must send the same. */
function together(
  of: QosScheduler,
  twin: twins.Twin,
  seed: number,
  o: { n: number; most: number; blocks: boolean },
): number {
  const die = dice(seed)
  const out = new Output(of, o.n)
  let now = 0
  let served = 0
  for (let turn = 0; turn < 4000; turn++) {
    // stretches of overload and of idleness
    if (die(3) < (turn % 500 < 250 ? 2 : 1)) {
      const q = die(o.n)
      const burst = 1 + die(3)
      for (let i = 0; i < burst; i++) {
        const size = 1 + die(o.most)
        out.arrive(q, size, now)
        twin.arrive(q, { size, createdAt: now, tag: 0 }, now)
      }
    }
    const blocked = o.blocks ? die(1 << o.n) & die(1 << o.n) : 0
    const heads = out.queues.map((all) => all[0]?.size ?? 0)
    const q = out.serve(now, blocked)
    const other = twin.serve((i) => (blocked & (1 << i)) === 0)
    // an expectation for each of many turns would take longer than the turns
    if (q !== other) expect({ turn, q }).toEqual({ turn, q: other })
    if (q >= 0) served++
    now += q < 0 ? 1 : heads[q]
  }
  return served
}

describe("beside a plain twin", () => {
  const n = 5
  const quarter = (die: (n: number) => number) =>
    Array.from({ length: 1 + die(64) }, () => ({ queue: die(n), weight: die(10) })).concat([
      { queue: die(n), weight: 3 },
    ])
  test.each([1, 2, 3])("tables, seed %i: small weights, weights of 0, queues without entry", (seed) => {
    const die = dice(seed)
    const entries = quarter(die).slice(-64)
    expect(
      together(dtable(site(n), entries), new twins.DTableTwin(n, entries), seed, { n, most: 12, blocks: true }),
    ).toBeGreaterThan(500)
    const [high, low] = [quarter(die).slice(-64), quarter(die).slice(-64)]
    for (const limit of [0, 1, 255]) {
      const twin = new twins.VlTwin(n, high, low, limit === 255 ? Number.POSITIVE_INFINITY : limit * 64)
      expect(
        together(vlArbitration(site(n), { high, low, limit }), twin, seed, { n, most: 12, blocks: true }),
      ).toBeGreaterThan(500)
    }
  })
  test.each([1, 2])("round robin, strict, age, drr, seed %i", (seed) => {
    const quanta = [3, 1, 7, 2, 5]
    for (const [of, twin] of [
      [roundRobin(site(n)), new twins.RoundRobinTwin(n)],
      [strict({ first: "lowest" }), new twins.StrictTwin(n)],
      [age(), new twins.AgeTwin(n)],
      [drr(site(n), quanta), new twins.DrrTwin(n, quanta)],
    ] as const)
      expect(together(of, twin, seed, { n, most: 12, blocks: true })).toBeGreaterThan(500)
  })
  test.each([1, 2])("scfq against tags given at arrival, seed %i", (seed) => {
    // shares that are powers of two: sums are exact
    const weights = [1, 1, 2, 4, 8]
    const share = weights.map((w) => w / 16)
    expect(
      together(scfq(site(n), weights), new twins.ScfqTwin(n, share), seed, { n, most: 8, blocks: false }),
    ).toBeGreaterThan(500)
  })
  test.each([1, 2])("wfq against a fluid that is drained, seed %i", (seed) => {
    const weights = [1, 2, 3, 4, 5]
    const s = wfq(site(n), weights)
    const twin = new twins.WfqTwin(
      n,
      weights.map((w) => w / 15),
    )
    const die = dice(seed)
    const out = new Output(s, n)
    let now = 0
    for (let turn = 0; turn < 3000; turn++) {
      if (die(3) < (turn % 500 < 250 ? 2 : 1)) {
        const q = die(n)
        const size = 1 + die(8)
        out.arrive(q, size, now)
        twin.arrive(q, { size, createdAt: now, tag: 0 }, now)
        expect(s.columns.virtual![0]).toBeCloseTo(twin.v, 6)
      }
      const tags = twin.tags()
      const heads = out.queues.map((all) => all[0]?.size ?? 0)
      const q = out.serve(now)
      if (q < 0) expect(Math.min(...tags)).toBe(Number.POSITIVE_INFINITY)
      // tags that are equal but for the last digits: either may go
      else expect(tags[q] - Math.min(...tags)).toBeLessThan(1e-6)
      twin.serve((i) => i === q)
      now += q < 0 ? 1 : heads[q]
    }
  })
})
