// Sums of the papers and of the InfiniBand specification, message by message.
import { describe, expect, test } from "vitest"
import type { QosScheduler } from "../../src/model/scheduler.ts"
import age from "../../src/qos/age.ts"
import { drr } from "../../src/qos/drr.ts"
import { dtable } from "../../src/qos/dtable.ts"
import { roundRobin } from "../../src/qos/round-robin.ts"
import { scfq } from "../../src/qos/scfq.ts"
import { strict } from "../../src/qos/strict.ts"
import { vlArbitration } from "../../src/qos/vl-arbitration.ts"
import { wfq } from "../../src/qos/wfq.ts"
import { Output, site, table } from "./output.ts"

/** Sends `n` messages from queues that never run dry; queue q sends messages of sizes[q]. */
function backlogged(of: Output, sizes: readonly number[], n: number): number[] {
  for (const [q, size] of sizes.entries()) for (let i = 0; i < 3; i++) of.arrive(q, size)
  return Array.from({ length: n }, () => {
    const q = of.serve()
    of.arrive(q, sizes[q])
    return q
  })
}

/** Of the first row: bytes left of the entry that is served, and bytes saved of each queue, as fingerprints have them.
 *  */
function accumulated(s: QosScheduler): number {
  let found = 0
  s.digest!(0, (value, _, bytes) => {
    if (value === 2) found = bytes
  })
  return found
}
function deficits(s: QosScheduler): number[] {
  const found: number[] = []
  s.digest!(0, (value, queue, bytes) => {
    if (value === 4) found[queue] = bytes
  })
  return found
}

describe("dtable", () => {
  test("the example of the paper: weight 3, three messages of 2, nobody else", () => {
    const s = dtable(site(2), table("0:3,1:3"))
    const out = new Output(s, 2)
    for (let i = 0; i < 3; i++) out.arrive(0, 2)
    // round N: 3 - 2 = 1 left, which is too small for another message
    expect(out.serve()).toBe(0)
    expect(accumulated(s)).toBe(1 * 64)
    // round N + 1: entry 1 has nobody to serve, so entry 0 again: 3 + 1 = 4, two messages
    expect(out.serve()).toBe(0)
    expect(accumulated(s)).toBe(2 * 64)
    expect(out.serve()).toBe(0)
    expect(accumulated(s)).toBe(0)
    expect(out.serve()).toBe(-1)
    expect(deficits(s)).toEqual([0, 0])
  })
  test("what is left grows by weight and shrinks by messages: weight 5, size 3 leaves 2, 4, 1, 3", () => {
    const s = dtable(site(1), table("0:5"))
    const out = new Output(s, 1)
    for (let i = 0; i < 9; i++) out.arrive(0, 3)
    // 5 - 3 = 2; 2 + 5 - 3 = 4; 4 - 3 = 1; 1 + 5 - 3 = 3
    const rest = () => {
      out.serve()
      return accumulated(s) / 64
    }
    expect([rest(), rest(), rest(), rest()]).toEqual([2, 4, 1, 3])
  })
  test("weight is lost when the queue empties", () => {
    const s = dtable(site(1), table("0:5"))
    const out = new Output(s, 1)
    out.arrive(0, 3)
    expect(out.serve()).toBe(0)
    expect(out.serve()).toBe(-1)
    for (let i = 0; i < 3; i++) out.arrive(0, 3)
    // 5 and not 5 + 2: one message of 3, and 2 saved again
    expect(out.serve()).toBe(0)
    expect(accumulated(s)).toBe(2 * 64)
  })
  test("and when it lacks room downstream", () => {
    const s = dtable(site(2), table("0:5,1:5"))
    const out = new Output(s, 2)
    for (let i = 0; i < 4; i++) for (const q of [0, 1]) out.arrive(q, 3)
    expect([out.serve(), out.serve()]).toEqual([0, 1])
    expect(deficits(s)).toEqual([2 * 64, 0])
    // queue 0 has 2 saved and no room now
    expect(out.serve(0, 1)).toBe(1)
    expect(deficits(s)).toEqual([0, 0])
  })
  test("A 2 and B 6, messages of 2 and 3: a quarter and three quarters, exactly", () => {
    const sent = [0, 0]
    for (const q of backlogged(new Output(dtable(site(2), table("0:2,1:6")), 2), [2, 3], 3000)) sent[q] += [2, 3][q]
    // a round: one message of 2, two of 3
    expect(sent[0] / (sent[0] + sent[1])).toBe(0.25)
    expect(sent[1] / (sent[0] + sent[1])).toBe(0.75)
  })
  test("flits of other sizes: weights count 64 bytes", () => {
    // weight 2 is 128 bytes: 16 flits of 8 bytes, four messages of 4
    const order = backlogged(new Output(dtable(site(2, { unitBytes: 8 }), table("0:2,1:1")), 2), [4, 8], 10)
    expect(order).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
  })
  test("an entry of weight 0 is skipped, and a queue without an entry is never served", () => {
    const out = new Output(dtable(site(3), table("0:0,1:4,0:0")), 3)
    for (const q of [0, 1, 2]) out.arrive(q, 1)
    expect([out.serve(), out.serve()]).toEqual([1, -1])
  })
  test("all 64 entries are gone through in their order, and rows do not know each other", () => {
    const entries = Array.from({ length: 64 }, (_, e) => ({ queue: (e * 7) % 31, weight: 1 }))
    const s = dtable(site(31, { rows: 2 }), entries)
    const order = (row: number) => backlogged(new Output(s, 31, row), new Array<number>(31).fill(1), 130)
    const expected = Array.from({ length: 130 }, (_, i) => entries[i % 64].queue)
    expect(order(1)).toEqual(expected)
    expect(order(0)).toEqual(expected)
  })
})

describe("vl-arbitration", () => {
  const order = (high: string, low: string, limit: number, sizes: readonly number[], n: number) => {
    const s = vlArbitration(site(sizes.length), { high: table(high), low: table(low), limit })
    return backlogged(new Output(s, sizes.length), sizes, n)
  }
  test("L = 0: one packet of high priority, one of low", () => {
    expect(order("0:2", "1:4", 0, [1, 1], 6)).toEqual([0, 1, 0, 1, 0, 1])
  })
  test("L = 1: 4096 bytes, which are 64 packets of 64 bytes, before each packet of low priority", () => {
    const got = order("0:2", "1:4", 1, [1, 1], 195)
    expect(got.flatMap((q, i) => (q === 1 ? [i] : []))).toEqual([64, 129, 194])
  })
  test("L = 255: no limit, low priority starves", () => {
    expect(order("0:2", "1:4", 255, [1, 1], 1000).includes(1)).toBe(false)
  })
  test("low priority goes while high has nothing", () => {
    const s = vlArbitration(site(2), { high: table("0:2"), low: table("1:4"), limit: 255 })
    const out = new Output(s, 2)
    out.arrive(1, 1)
    out.arrive(1, 1)
    expect(out.serve()).toBe(1)
    out.arrive(0, 1)
    expect([out.serve(), out.serve(), out.serve()]).toEqual([0, 1, -1])
  })
  test("a packet of 256 bytes on weight 2 (128 bytes) goes once a visit; the overdraft is forgotten", () => {
    expect(order("0:2,1:2", "2:1", 255, [4, 4, 1], 6)).toEqual([0, 1, 0, 1, 0, 1])
    // weight 5: packets of 4 units start with 5 and with 1 left, then it is used up
    expect(order("0:5,1:1", "2:1", 255, [4, 4, 1], 6)).toEqual([0, 0, 1, 0, 0, 1])
  })
  test("sizes are rounded up to 64 bytes", () => {
    // flits of 8 bytes, packets of 9 flits: 72 bytes count 2; weight 3 lets two start
    const s = vlArbitration(site(2, { unitBytes: 8 }), { high: table("0:3,1:1"), low: [], limit: 0 })
    expect(backlogged(new Output(s, 2), [9, 9], 6)).toEqual([0, 0, 1, 0, 0, 1])
  })
})

describe("without tables", () => {
  test("round robin takes turns from the last that sent", () => {
    const out = new Output(roundRobin(site(31)), 31)
    for (const q of [30, 3, 0, 3]) out.arrive(q, 1)
    expect([0, 0, 0, 0, 0].map(() => out.serve())).toEqual([0, 3, 30, 3, -1])
  })
  test("strict: the lowest number, or the highest", () => {
    for (const [first, expected] of [
      ["lowest", [2, 5, 30]],
      ["highest", [30, 5, 2]],
    ] as const) {
      const out = new Output(strict({ first }), 31)
      for (const q of [5, 30, 2]) out.arrive(q, 1)
      expect([0, 0, 0].map(() => out.serve())).toEqual(expected)
    }
  })
  test("age: the oldest head, of equal ones the lowest number", () => {
    const out = new Output(age.make().build(site(3)), 3)
    out.arrive(0, 1, 9, 7)
    out.arrive(1, 1, 9, 4)
    out.arrive(2, 1, 9, 4)
    expect([0, 0, 0, 0].map(() => out.serve())).toEqual([1, 2, 0, -1])
  })
  test("drr: quanta 5 and 3, messages of 3: the first saves 2, then 1, then nothing", () => {
    // visits of 0: 5 sends one, 7 sends two, 6 sends two: rests 2, 1, 0; of 1: one each
    const order = backlogged(new Output(drr(site(2), [5, 3]), 2), [3, 3], 8)
    expect(order).toEqual([0, 1, 0, 0, 1, 0, 0, 1])
  })
  test("drr: what an empty queue had saved is lost, what a blocked one has is kept", () => {
    const s = drr(site(2), [5, 5])
    const out = new Output(s, 2)
    for (let i = 0; i < 3; i++) out.arrive(1, 3)
    out.arrive(0, 3)
    expect(out.serve()).toBe(0)
    expect(s.columns.deficit![0]).toBe(0)
    expect(out.serve()).toBe(1)
    expect(out.serve(0, 2)).toBe(-1)
    expect(s.columns.deficit![1]).toBe(2 * 64)
  })
  test("scfq: shares of a half, lengths 2 and 4 at V = 0 have the tags 4 and 8, the short one first", () => {
    const s = scfq(site(2), [1, 1])
    const out = new Output(s, 2)
    out.arrive(0, 4)
    out.arrive(1, 2)
    out.arrive(1, 100)
    expect(out.serve()).toBe(1)
    expect(s.columns.virtual![0]).toBe(4)
    expect(out.serve()).toBe(0)
    expect(s.columns.virtual![0]).toBe(8)
    // a new one of queue 0 begins at V = 8: 8 + 4 / 0.5 = 16, before 4 + 100 / 0.5 = 204
    out.arrive(0, 4)
    expect(out.serve()).toBe(0)
    expect(s.columns.virtual![0]).toBe(16)
  })
  test("wfq: the clock of the fluid runs at 1 / (shares that are backlogged there)", () => {
    const s = wfq(site(2), [1, 3])
    const out = new Output(s, 2)
    // shares 1/4 and 3/4. Queue 0 alone: V = 4 t, and 2 units end at V = 8, which is t = 2
    out.arrive(0, 2, 0)
    out.arrive(1, 3, 1)
    expect(s.columns.virtual![0]).toBe(4)
    // from t = 1 on both: queue 0 ends at V = 8 and queue 1 at 4 + 3 / 0.75 = 8, so V = 8 at t = 5, and then it stands
    expect([...s.columns.fluid!]).toEqual([8, 8])
    out.arrive(0, 1, 5)
    expect(s.columns.virtual![0]).toBe(8)
    out.arrive(1, 1, 100)
    expect(s.columns.virtual![0]).toBe(12)
  })
})
