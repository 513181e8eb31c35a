import { expect, test } from "vitest"
import { chiSquare, limit } from "../../test/support/chi-square.ts"
import { site } from "../../test/support/site.ts"
import { Draws } from "../core/rng.ts"
import { sizes } from "../library.ts"
import type { Sizes } from "../model/traffic.ts"

function plugin(name: string) {
  const found = sizes.find((p) => p.name === name)
  if (found === undefined) throw new Error(`no sizes ${name}`)
  return found
}

function complaints(name: string, raw: Record<string, unknown>): string[] {
  const got = plugin(name).params.parse(raw, "")
  const bad = "bad" in got ? got.bad : (plugin(name).check?.(got.ok, site(2)) ?? [])
  return bad.map((c) => `${c.path}: ${c.says}. ${c.fix}`)
}

function make(name: string, raw: Record<string, unknown>): Sizes {
  expect(complaints(name, raw)).toEqual([])
  const got = plugin(name).params.parse(raw, "")
  if ("bad" in got) throw new Error("parsed above")
  return plugin(name).make(got.ok, site(2))
}

function bins(s: Sizes, n: number): number[] {
  const count = new Array<number>(s.max + 1).fill(0)
  const rng = new Draws(3)
  for (let i = 0; i < n; i++) count[s.size(rng)]++
  return count
}

test("fixed takes flits, packets and bytes (8 to a flit, rounded up)", () => {
  expect(make("fixed", { size: "5flits" })).toMatchObject({ mean: 5, max: 5, fixed: 5 })
  expect(make("fixed", { size: "2packets" })).toMatchObject({ mean: 2, fixed: 2 })
  expect(make("fixed", { size: "65B" })).toMatchObject({ mean: 9, fixed: 9 })
  expect(make("fixed", { size: "1flit" }).size(new Draws(1))).toBe(1)
})

test("range: 2 to 5, each a quarter", () => {
  const s = make("range", { min: "2flits", max: "5flits" })
  expect(s).toMatchObject({ mean: 3.5, max: 5 })
  expect(s.fixed).toBeUndefined()
  expect(chiSquare(bins(s, 4000), [0, 0, 1000, 1000, 1000, 1000])).toBeLessThan(limit(3))
  expect(make("range", { min: "3flits", max: "3flits" }).fixed).toBe(3)
})

test("weighted: 1, 4 and 16 flits in the proportions 5 : 3 : 2; a weight of 0 is never drawn", () => {
  const s = make("weighted", { sizes: ["1flit", "4flits", "16flits", "99flits"], weights: [5, 3, 2, 0] })
  expect(s.mean).toBeCloseTo(0.5 * 1 + 0.3 * 4 + 0.2 * 16, 12)
  expect(s.max).toBe(16)
  const count = bins(s, 10000)
  expect(chiSquare([count[1], count[4], count[16]], [5000, 3000, 2000])).toBeLessThan(limit(2))
  expect(count[1] + count[4] + count[16]).toBe(10000)
})

test("bimodal: 70 % short", () => {
  const s = make("bimodal", { short: "1flit", long: "9flits", share: "70%" })
  expect(s.mean).toBeCloseTo(0.7 + 0.3 * 9, 12)
  const count = bins(s, 10000)
  expect(chiSquare([count[1], count[9]], [7000, 3000])).toBeLessThan(limit(1))
  expect(make("bimodal", { short: "1flit", long: "9flits", share: 1 })).toMatchObject({ fixed: 1, max: 1 })
})

test.each([
  ["fixed", {}, "size: is missing. add size: size of each"],
  ["fixed", { size: 5 }, "size: 5 has no unit. write a value in flits, packets, B, kB or KiB, for example 5flits"],
  ["fixed", { size: "0flits" }, "size: 0flits is not a size. choose a value of at least 1"],
  ["fixed", { size: "2.5flits" }, "size: 2.5flits is not whole. write 3flits"],
  [
    "fixed",
    { size: "5ns" },
    'size: "ns" is not a unit of size. write a value in flits, packets, B, kB or KiB, for example 5flits',
  ],
  ["range", { min: "5flits", max: "2flits" }, "min: 5 is above the largest size, 2. exchange them"],
  [
    "weighted",
    { sizes: ["1flit"], weights: [1, 2] },
    "weights: has 2 entries for 1 sizes. give one weight for each size",
  ],
  ["weighted", { sizes: ["1flit"], weights: [0] }, "weights: are all 0. give at least one size a weight above 0"],
  ["bimodal", { short: "5flits", long: "2flits" }, "short: 5 is above long, 2. exchange them"],
])("complaint of %s %o", (name, raw, expected) => {
  expect(complaints(name, raw)).toEqual([expected])
})
