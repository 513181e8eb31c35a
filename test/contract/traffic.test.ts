// Every pattern, arrival process and size distribution of the library: answers in range, the same answer for the same draws, and few draws for each.
import { describe, expect, test } from "vitest"
import type { Checked } from "../../src/core/complaint.ts"
import { Draws } from "../../src/core/rng.ts"
import { arrivals, patterns, sizes } from "../../src/library.ts"
import type { Rng } from "../../src/model/traffic.ts"
import { site } from "../support/site.ts"

/** An engine gives each decision an address of its own in the stream of draws, with room for so many draws (sizes: half of it). */
const ROOM = 8
const ENDS = 64
const on = site(ENDS, {
  digits: { radix: 8, count: 2, ends: 1 },
  groups: 4,
  rate: 0.3,
  files: { "m.csv": "from,to,weight\n3,4,1\n3,9,2\n" },
})

const given: Readonly<Record<string, Record<string, unknown>>> = {
  "pattern fixed": { pairs: [[0, 5]] },
  "pattern hotspot": { targets: ["0-3", 9], rates: [9, 1, 1, 1, 1], share: 0.7 },
  "pattern matrix": { file: "m.csv" },
  "pattern to-set": { set: "8-15" },
  "arrivals on-off": { on: "3cycles", share: 0.4 },
  "sizes bimodal": { short: "1flit", long: "9flits" },
  "sizes fixed": { size: "4flits" },
  "sizes range": { min: "1flit", max: "8flits" },
  "sizes weighted": { sizes: ["1flit", "5flits"], weights: [1, 3] },
}

class Counting implements Rng {
  taken = 0
  private readonly draws: Draws
  constructor(seed: number) {
    this.draws = new Draws(seed)
  }
  below(n: number): number {
    this.taken++
    return this.draws.below(n)
  }
  unit(): number {
    this.taken++
    return this.draws.unit()
  }
  since(): number {
    const n = this.taken
    this.taken = 0
    return n
  }
}

type Made<P> = { kind: string; name: string; params: { parse(raw: unknown, path: string): Checked<P> } }

function params<P>(plugin: Made<P>): P {
  const got = plugin.params.parse(given[`${plugin.kind} ${plugin.name}`] ?? {}, "")
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok
}

describe.each(patterns.map((p) => [p.name, p] as const))("pattern %s", (_name, plugin) => {
  const p = params(plugin)
  test("has no complaint of 64 endpoints in 8 x 8 and 4 groups", () => {
    expect(plugin.check?.(p, on) ?? []).toEqual([])
  })
  test("answers endpoints, always or never for each, with few draws, and alike for the same draws", () => {
    const made = plugin.make(p, on)
    const twin = plugin.make(p, { ...on, rng: new Draws(1) })
    const again = plugin.make(p, { ...on, rng: new Draws(1) })
    const rng = new Counting(5)
    for (let e = 0; e < ENDS; e++) {
      let silent = 0
      for (let i = 0; i < 50; i++) {
        const d = made.dest(e, rng)
        if (d === -1) silent++
        else if (!(Number.isInteger(d) && d >= 0 && d < ENDS)) throw new Error(`endpoint ${e} sends to ${d}`)
        if (rng.since() > ROOM) throw new Error("too many draws")
      }
      expect([0, 50]).toContain(silent)
      expect(twin.dest(e, new Draws(9).at(e, 3))).toBe(again.dest(e, new Draws(9).at(e, 3)))
    }
  })
})

describe.each(arrivals.map((a) => [a.name, a] as const))("arrivals %s", (_name, plugin) => {
  test("answers whole cycles that never go back, with few draws, and keeps nothing but its int", () => {
    const p = params(plugin)
    expect(plugin.check?.(p, on) ?? []).toEqual([])
    const made = plugin.make(p, on)
    const other = plugin.make(p, on)
    const state = new Int32Array(3)
    const rng = new Counting(7)
    let last = made.first(1, rng)
    expect(last).toBeGreaterThanOrEqual(0)
    for (let i = 0; i < 2000; i++) {
      const address = new Draws(3).at(1, i * ROOM)
      const copy = state.slice()
      const next = made.next(1, last, address, state, 1)
      if (!(Number.isInteger(next) && next >= last)) throw new Error(`${next} after ${last}`)
      // another instance with a copy of the int goes on alike: snapshots hold the whole state
      expect(other.next(1, last, new Draws(3).at(1, i * ROOM), copy, 1)).toBe(next)
      expect(copy).toEqual(state)
      last = next
      made.next(1, last, rng, state.slice(), 1)
      if (rng.since() > ROOM) throw new Error("too many draws")
    }
    expect(state[0]).toBe(0)
    expect(state[2]).toBe(0)
  })
})

describe.each(sizes.map((s) => [s.name, s] as const))("sizes %s", (_name, plugin) => {
  test("mean, largest and fixed are true, with few draws", () => {
    const made = plugin.make(params(plugin), on)
    const rng = new Counting(11)
    let sum = 0
    let most = 0
    let squares = 0
    const n = 20_000
    for (let i = 0; i < n; i++) {
      const size = made.size(rng)
      if (!(Number.isInteger(size) && size >= 1 && size <= made.max)) throw new Error(`size ${size}`)
      if (made.fixed !== undefined && size !== made.fixed) throw new Error(`size ${size} instead of ${made.fixed}`)
      if (rng.since() > ROOM / 2) throw new Error("too many draws")
      sum += size
      squares += size * size
      most = Math.max(most, size)
    }
    const error = Math.sqrt((squares / n - (sum / n) ** 2) / n)
    expect(Math.abs(sum / n - made.mean)).toBeLessThanOrEqual(4 * error + 1e-9)
    expect(most).toBe(made.max)
  })
})
