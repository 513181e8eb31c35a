// The guarantees of VL arbitration with both tables, against the scheduler itself: no random or adversarial order of
// arrivals makes a head packet wait longer than the bound, and the bound is reached.
import { describe, expect, test } from "vitest"
import { classRules } from "../../src/inspect/qos/class-rules.ts"
import { vlGuarantees } from "../../src/inspect/qos/vl-bounds.ts"
import type { QosScheduler, TableEntry } from "../../src/model/scheduler.ts"
import etsScheduler from "../../src/qos/ets.ts"
import { vlArbitration } from "../../src/qos/vl-arbitration.ts"
import { dice, Output, site, table } from "./output.ts"

interface Case {
  readonly high: readonly TableEntry[]
  readonly low: readonly TableEntry[]
  readonly limit: number
  /** [VL] -> units of 64 bytes of its packets */
  readonly sizes: readonly (readonly number[])[]
  /** another scheduler than that of the tables */
  readonly build?: () => QosScheduler
}

const packetsOf = ({ sizes }: Case) =>
  new Map(sizes.map((s, vl) => [vl, { least: 64 * Math.min(...s), most: 64 * Math.max(...s) }]))

/**
 * Bytes that others send before a packet of `vl` that arrives while all others are backlogged. Each round the VL is
 * idle for a random number of packets, and other VLs pause at random if `pauses`.
 */
function longestWait(c: Case, vl: number, seed: number, rounds: number, pauses: boolean): number {
  const roll = dice(seed)
  const n = c.sizes.length
  const out = new Output(c.build?.() ?? vlArbitration(site(n), c), n)
  const fill = (q: number) => {
    const all = c.sizes[q]
    while (out.queues[q].length < 2) out.arrive(q, all[roll(all.length)])
  }
  let most = 0
  for (let round = 0; round < rounds; round++) {
    for (let idle = roll(200); idle > 0; idle--) {
      for (let q = 0; q < n; q++) if (q !== vl) fill(q)
      const size = (q: number) => out.queues[q][0]?.size ?? 0
      const before = Array.from({ length: n }, (_, q) => size(q))
      const q = out.serve(0, pauses ? roll(1 << n) & ~(1 << vl) : 0)
      if (idle > 1 || q < 0) continue
      // some packets arrive while this one is on the link, and each is the head once
      let waited = before[q]
      for (let burst = 1 + roll(14); burst > 0; burst--) out.arrive(vl, c.sizes[vl][0])
      while (out.queues[vl].length > 0) {
        for (let o = 0; o < n; o++) if (o !== vl) fill(o)
        const sizes = out.queues.map((all) => all[0]?.size ?? 0)
        const next = out.serve(0, pauses && roll(8) === 0 ? roll(1 << n) & ~(1 << vl) : 0)
        if (next === vl) {
          most = Math.max(most, 64 * waited)
          waited = 0
        } else waited += sizes[next]
        if (waited > 1e6) return Number.POSITIVE_INFINITY
      }
    }
  }
  return most
}

/** Part of the link that each VL gets while all are backlogged. */
function shares(c: Case, packets: number): number[] {
  const n = c.sizes.length
  const out = new Output(vlArbitration(site(n), c), n)
  const roll = dice(3)
  const got = new Array<number>(n).fill(0)
  for (let i = 0; i < packets; i++) {
    for (let q = 0; q < n; q++) while (out.queues[q].length < 2) out.arrive(q, c.sizes[q][roll(c.sizes[q].length)])
    const sizes = out.queues.map((all) => all[0].size)
    const q = out.serve()
    if (q >= 0) got[q] += sizes[q]
  }
  const all = Math.max(
    1,
    got.reduce((a, b) => a + b, 0),
  )
  return got.map((x) => x / all)
}

// qos_ca_ of a file of an administrator: four VLs with packets of 1 KiB
const wait: Case = {
  high: table("0:64,1:128"),
  low: table("2:16,3:192"),
  limit: 4,
  sizes: [[16], [16], [16], [16]],
}

describe("two tables with packets of 1 KiB", () => {
  const [vl0, vl1, vl2, vl3] = vlGuarantees(wait, packetsOf(wait))
  test("the low table waits for the high one before each of its packets", () => {
    // 12 packets of VL 3 (192 credits of 64 bytes) before that of VL 2, and 16 KiB of high priority before each
    expect(vl2.waitBytes).toBe(13 * 16384 + 12 * 1024)
    // one packet of VL 2: 16 KiB before it and before the next of VL 3
    expect(vl3.waitBytes).toBe(2 * 16384 + 1024)
  })
  test("the high table waits for its other VL and for packets of low priority", () => {
    // 128 credits of VL 1 are 8 KiB, less than the limit: one opportunity
    expect(vl0.waitBytes).toBe(8192 + 1024)
    expect(vl1.waitBytes).toBe(4096 + 1024)
  })
  test("shares: one packet of low priority for 16 KiB of high priority", () => {
    // the low table gets 1/17, of which VL 2 gets 1 packet of 13
    expect(vl2.share).toBeCloseTo(1 / 17 / 13, 12)
    expect(vl3.share).toBeCloseTo(12 / 17 / 13, 12)
    expect(vl0.share).toBeCloseTo(((16 / 17) * 1) / 3, 12)
    expect(vl1.share).toBeCloseTo(((16 / 17) * 2) / 3, 12)
    shares(wait, 17 * 13 * 48).forEach((part, vl) => {
      expect(part).toBeCloseTo([vl0, vl1, vl2, vl3][vl].share, 3)
    })
  })
  test("the bound is reached", () => {
    expect(longestWait(wait, 2, 1, 400, false)).toBe(vl2.waitBytes)
    expect(longestWait(wait, 3, 1, 400, false)).toBe(vl3.waitBytes)
    expect(longestWait(wait, 0, 1, 400, false)).toBe(vl0.waitBytes)
  })
})

test("no limit: the low table may starve", () => {
  const c = { ...wait, limit: 255 }
  const [vl0, , vl2] = vlGuarantees(c, packetsOf(c))
  expect(vl2).toMatchObject({ share: 0, waitBytes: Number.POSITIVE_INFINITY })
  // a packet of low priority that is on the link already, while no VL of high priority could send
  expect(vl0.waitBytes).toBe(8192 + 1024)
})

test("a VL without an entry never sends", () => {
  expect(vlGuarantees({ high: [], low: table("0:4"), limit: 0 }, new Map([[1, { least: 64, most: 64 }]]))).toEqual([
    { vl: 1, share: 0, waitBytes: Number.POSITIVE_INFINITY },
  ])
})

/** Random tables, limits and packet lengths. */
function drawn(seed: number): Case {
  const roll = dice(seed)
  const n = 2 + roll(4)
  const entries = (from: number, count: number) =>
    Array.from({ length: count }, () => ({ queue: from + roll(n), weight: roll(6) * roll(4) })).map((e) => ({
      ...e,
      queue: e.queue % n,
    }))
  const sizes = Array.from({ length: n }, () => (roll(2) === 0 ? [1 + roll(8)] : [1 + roll(3), 4 + roll(6)]))
  return { high: entries(0, roll(5)), low: entries(0, 1 + roll(6)), limit: [0, 0, 1, 1, 2, 255][roll(6)], sizes }
}

test("no order of arrivals exceeds the bound, and all backlogged VLs get their share", () => {
  let tight = 0
  let bounded = 0
  for (let seed = 0; seed < 30; seed++) {
    const c = drawn(seed)
    const found = vlGuarantees(c, packetsOf(c))
    const got = shares(c, 6000)
    for (const { vl, share, waitBytes } of found) {
      expect({ seed, vl, enough: got[vl] >= share - 0.01 }).toEqual({ seed, vl, enough: true })
      if (waitBytes === Number.POSITIVE_INFINITY) continue
      const steady = longestWait(c, vl, seed, 25, false)
      const paused = longestWait(c, vl, seed, 25, true)
      expect({ seed, vl, within: Math.max(steady, paused) <= waitBytes }).toEqual({ seed, vl, within: true })
      bounded++
      if (steady >= 0.8 * waitBytes) tight++
    }
  }
  // the bound is no exaggeration: random arrivals come close to most of them
  expect(bounded).toBeGreaterThan(50)
  expect(tight / bounded).toBeGreaterThan(0.4)
})

test("levels that share a VL share its entries", () => {
  // levels 0 and 2 on VL 0, level 1 on VL 1; equal weights: each VL gets half, levels 0 and 2 a quarter each
  const p = { high: [], low: table("0:8,1:8"), limit: 0, sl2vl: [0, 1, 0] }
  const out = new Output(vlArbitration(site(3), p), 3)
  const got = [0, 0, 0]
  for (let i = 0; i < 400; i++) {
    for (let q = 0; q < 3; q++) if (out.queues[q].length < 2) out.arrive(q, 4)
    got[out.serve()]++
  }
  expect(got).toEqual([100, 200, 100])
})

test("traffic classes: no order of arrivals makes a packet wait longer than the bound", () => {
  for (let seed = 1; seed <= 12; seed++) {
    const roll = dice(seed)
    const n = 2 + roll(4)
    const classes = Array.from({ length: n }, (_, vl) => ({
      name: `${vl}`,
      vl,
      priority: roll(2),
      share: (1 + roll(40)) / 100,
    }))
    const rules = classRules(classes)
    const sizes = classes.map(() => [1 + roll(64)])
    const packets = new Map(sizes.map(([s], vl) => [vl, { least: 64 * s!, most: 64 * s! }]))
    const { quanta, priority } = rules.scheduler({ vls: classes.map((c) => c.vl), sl2vl: "" })
    const params = { quanta, priority, sl2vl: [] } as Parameters<typeof etsScheduler.make>[0]
    for (const bound of rules.guarantees(packets)) {
      const build = () => etsScheduler.make(params).build(site(n))
      const waited = longestWait({ high: [], low: [], limit: 0, sizes, build }, bound.vl, seed, 20, false)
      expect(waited, `seed ${seed}, VL ${bound.vl}`).toBeLessThanOrEqual(bound.waitBytes)
    }
  }
  // Quanta of 20 and 60 credits and packets of 16: a packet of the first one waits for one visit of the other, which
  // sends 60 credits and up to 15 that it has saved.
  const two = [20, 60].map((percent, vl) => ({ name: `${vl}`, vl, priority: 0, share: percent / 100 }))
  const [a] = classRules(two).guarantees(new Map([0, 1].map((vl) => [vl, { least: 1024, most: 1024 }])))
  expect(a).toEqual({ vl: 0, share: 1 / 4, waitBytes: 64 * 75 })
})
