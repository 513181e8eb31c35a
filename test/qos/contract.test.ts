// The contract of schedulers (src/model/scheduler.ts), the same for all: state is columns, a row for each output, and
// what cannot send is not picked.
import { describe, expect, test } from "vitest"
import { plainScale } from "../../src/core/units.ts"
import { schedulers } from "../../src/library.ts"
import type { QosModel, QosScheduler } from "../../src/model/scheduler.ts"
import { dice, Output, site } from "./output.ts"

const n = 6
const params: Readonly<Record<string, unknown>> = {
  "round-robin": {},
  strict: {},
  age: {},
  "vl-arbitration": { high: "0:3,1:2,0:1", low: "2:4,3:1,4:9,5:2", limit: 1 },
  dtable: { table: "0:9,1:8,0:3,2:40,3:1,4:9,5:2" },
  drr: { quanta: [1, 2, 3, 4, 5, 6] },
  ets: { quanta: [1, 2, 3, 4, 5, 6], priority: [0, 0, 1, 1, 2], sl2vl: [0, 1, 2, 3, 4, 4] },
  scfq: { weights: [1, 2, 3, 4, 5, 6] },
  wfq: { weights: [1, 2, 3, 4, 5, 6] },
}

function model(name: string, given = params[name]): QosModel {
  const plugin = schedulers.find((s) => s.name === name)!
  const got = plugin.params.parse(given, "", plainScale)
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  expect(plugin.check?.(got.ok, undefined) ?? []).toEqual([])
  return plugin.make(got.ok, undefined)
}

/** Random turns of one row; answers what was sent. */
function turns(of: Output, die: (n: number) => number, from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    for (let m = die(3); m > 0; m--) of.arrive(die(n), 1 + die(9), from + i)
    return of.serve(from + i, die(1 << n) & die(1 << n))
  })
}

function bits(of: QosScheduler): string {
  return JSON.stringify(Object.values(of.columns).map((c) => [...c]))
}

test("all of the library are looked at", () => {
  expect(schedulers.map((s) => s.name).sort()).toEqual(Object.keys(params).sort())
})

describe.each(Object.keys(params))("%s", (name) => {
  test("serves every queue, and none that cannot send", () => {
    const out = new Output(model(name).build(site(n)), n)
    for (let q = 0; q < n; q++) out.arrive(q, 1)
    // queue 2 has no room
    const order = Array.from({ length: n }, () => out.serve(0, 1 << 2))
    expect(order.toSorted((a, b) => a - b)).toEqual([-1, 0, 1, 3, 4, 5])
    expect(out.serve()).toBe(2)
  })
  test("with nothing to send it says -1, and to be asked again changes nothing", () => {
    const s = model(name).build(site(n))
    const out = new Output(s, n)
    turns(out, dice(1), 0, 50)
    expect(out.serve(50, -1)).toBe(-1)
    const before = bits(s)
    expect(out.serve(50, -1)).toBe(-1)
    expect(bits(s)).toBe(before)
  })
  test("rows do not know each other", () => {
    const alone = model(name).build(site(n))
    const among = model(name).build(site(n, { rows: 3 }))
    const others = [0, 2].map((row) => new Output(among, n, row))
    const [a, b] = [new Output(alone, n), new Output(among, n, 1)]
    const die = { a: dice(7), b: dice(7), other: dice(8) }
    for (let i = 0; i < 200; i++) {
      for (const o of others) turns(o, die.other, i, 1)
      expect(turns(b, die.b, i, 1)).toEqual(turns(a, die.a, i, 1))
    }
    for (const [key, column] of Object.entries(alone.columns)) {
      expect(among.columns[key].length).toBe(3 * column.length)
      expect([...among.columns[key].subarray(column.length, 2 * column.length)]).toEqual([...column])
    }
  })
  test("all state is in the columns: copied into a new one, it goes on as before", () => {
    const first = model(name).build(site(n))
    const out = new Output(first, n)
    turns(out, dice(3), 0, 300)
    const second = model(name).build(site(n))
    for (const [key, column] of Object.entries(first.columns)) second.columns[key].set(column)
    const copy = new Output(second, n)
    for (const [q, all] of out.queues.entries()) copy.queues[q].push(...all)
    expect(turns(copy, dice(4), 300, 300)).toEqual(turns(out, dice(4), 300, 300))
  })
})

describe("tables that are refused", () => {
  const complaints = (name: string, given: unknown) => {
    const plugin = schedulers.find((s) => s.name === name)!
    const got = plugin.params.parse(given, "", plainScale)
    const bad = "bad" in got ? got.bad : (plugin.check?.(got.ok, undefined) ?? [])
    return bad.map((c) => `${c.path}: ${c.says}; ${c.fix}`)
  }
  test.each([
    ["dtable", { table: "0:256" }, "table.0: weight 256 does not fit the eight bits of an entry; write 0:255 at most"],
    ["dtable", { table: "31:1" }, "table.0: queue 31 is too large; choose a queue from 0 to 30"],
    ["dtable", { table: new Array(65).fill("0:1") }, "table: has 65 entries; keep 64 at most"],
    ["dtable", { table: [] }, "table: has 0 entries; give at least 1"],
    [
      "vl-arbitration",
      { low: "15:1" },
      "low.0: VL15 is for management and carries no data; choose a queue from 0 to 14",
    ],
    ["vl-arbitration", { low: "0:1", limit: 256 }, "limit: 256 is too large; choose a value at least 0, at most 255"],
    ["drr", { quanta: new Array(32).fill(1) }, "quanta: has 32 entries; give 31 at most"],
    ["scfq", { weights: [1, 0] }, "weights.1: 0 is too small; choose a value above 0, at most 1000000"],
  ])("%s %j", (name, given, says) => {
    expect(complaints(name, given)).toEqual([says])
  })
  test("an entry below the largest message of its queue", () => {
    // entry 1 gives 2 * 64 bytes to messages of 192
    const bad = model("dtable", { table: "0:3,0:2,1:1,2:0" }).check!([192, 64, 64])
    expect(bad.map((c) => `${c.path}: ${c.fix}`)).toEqual(["table.1: write 0:3"])
    expect(bad[0].says).toContain("entry 0:2 gives 128 bytes, and a message of queue 0 may have 192")
  })
  test("a queue without an entry, quantum or weight is named before cycle 0", () => {
    expect(model("dtable", { table: "0:3,2:0,5:1" }).serves).toBe(0b100001)
    expect(model("vl-arbitration", { high: "1:1", low: "3:1" }).serves).toBe(0b1010)
    expect(model("drr", { quanta: [1, 1] }).serves).toBe(0b11)
    expect(model("wfq", { weights: new Array(31).fill(1) }).serves).toBe(0x7fffffff)
    expect(model("round-robin").serves).toBeUndefined()
  })
})
