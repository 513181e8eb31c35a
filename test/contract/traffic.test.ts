// Every pattern, arrival process and size distribution of the library: answers in range, the same answer for the same
// draws, and few draws for each.
import { describe, expect, test } from "vitest"
import type { Checked } from "../../src/core/complaint.ts"
import { arrivalsContract, patternContract, sizesContract } from "../../src/inspect/contract/traffic.ts"
import { arrivals, patterns, sizes } from "../../src/library.ts"
import { site } from "../support/site.ts"

const ENDS = 64
const on = site(ENDS, {
  digits: { radix: 8, count: 2, ends: 1 },
  groups: 4,
  rate: 0.3,
  files: {
    "m.csv": "from,to,weight\n3,4,1\n3,9,2\n",
    "week.csv": "sec,usec,disk,op,bytes\n0,0,0,R,4096\n0,9,1,W,512\n",
  },
})

const given: Readonly<Record<string, Record<string, unknown>>> = {
  "pattern fixed": { pairs: [[0, 5]] },
  "pattern hotspot": { targets: ["0-3", 9], rates: [9, 1, 1, 1, 1], share: 0.7 },
  "pattern matrix": { file: "m.csv" },
  "pattern block-trace": { file: "week.csv", hosts: "0-3", disks: "8-15" },
  "pattern storage": { hosts: "0-3", disks: "8-15", requests: 50 },
  "pattern sinks": { sinks: "8-11", sources: "0-7" },
  "pattern to-set": { set: "8-15" },
  "arrivals on-off": { on: "3cycles", share: 0.4 },
  "sizes bimodal": { short: "1flit", long: "9flits" },
  "sizes fixed": { size: "4flits" },
  "sizes range": { min: "1flit", max: "8flits" },
  "sizes weighted": { sizes: ["1flit", "5flits"], weights: [1, 3] },
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
    expect(patternContract((at) => plugin.make(p, at), on, plugin.permutation)).toEqual([])
  })
})

describe.each(arrivals.map((a) => [a.name, a] as const))("arrivals %s", (_name, plugin) => {
  test("returns times that never decrease at the requested rate, with few draws, and stores no state except its integer", () => {
    const p = params(plugin)
    expect(plugin.check?.(p, on) ?? []).toEqual([])
    expect(arrivalsContract((at) => plugin.make(p, at), on, plugin.paced !== false)).toEqual([])
  })
})

describe.each(sizes.map((s) => [s.name, s] as const))("sizes %s", (_name, plugin) => {
  test("mean, largest and fixed are true, with few draws", () => {
    expect(sizesContract(plugin.make(params(plugin), on))).toEqual([])
  })
})
