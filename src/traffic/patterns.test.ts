import { describe, expect, test } from "vitest"
import { chiSquare, limit } from "../../test/support/chi-square.ts"
import { site } from "../../test/support/site.ts"
import { Draws } from "../core/rng.ts"
import { patterns } from "../library.ts"
import type { PatternSite } from "../model/plugin.ts"
import type { TrafficPattern } from "../model/traffic.ts"

function named(name: string) {
  const found = patterns.find((p) => p.name === name || p.aliases?.includes(name))
  if (found === undefined) throw new Error(`no pattern ${name}`)
  return found
}

function complaints(name: string, raw: Record<string, unknown>, on: PatternSite): string[] {
  const plugin = named(name)
  const got = plugin.params.parse(raw, "")
  const bad = "bad" in got ? got.bad : (plugin.check?.(got.ok, on) ?? [])
  return bad.map((c) => `${c.path}: ${c.says}. ${c.fix}`)
}

function make(name: string, on: PatternSite, raw: Record<string, unknown> = {}): TrafficPattern {
  expect(complaints(name, raw, on)).toEqual([])
  const plugin = named(name)
  const got = plugin.params.parse(raw, "")
  if ("bad" in got) throw new Error("parsed above")
  return plugin.make(got.ok, on)
}

function all(pattern: TrafficPattern, ends: number): number[] {
  return Array.from({ length: ends }, (_, e) => pattern.dest(e, new Draws(1)))
}

/** how often `from` sends to each endpoint, out of n packets */
function seen(pattern: TrafficPattern, from: number, ends: number, n: number): Int32Array {
  const rng = new Draws(77).at(from, 0)
  const bins = new Int32Array(ends)
  for (let i = 0; i < n; i++) {
    const d = pattern.dest(from, rng)
    if (d < 0 || d >= ends) throw new Error(`destination ${d}`)
    bins[d]++
  }
  return bins
}

describe("permutations", () => {
  test.each([
    // [8 endpoints: destinations of 0..7]
    ["bit-complement", [7, 6, 5, 4, 3, 2, 1, 0]],
    ["bit-reverse", [0, 4, 2, 6, 1, 5, 3, 7]],
    ["shuffle", [0, 2, 4, 6, 1, 3, 5, 7]],
  ])("%s of 8", (name, expected) => {
    expect(all(make(name, site(8)), 8)).toEqual(expected)
  })

  test("transpose of 16: (high, low) becomes (low, high)", () => {
    expect(all(make("transpose", site(16)), 16)).toEqual([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15])
  })

  test("transpose leaves 8 of 64 endpoints on themselves; without self they are silent", () => {
    const to = all(make("transpose", site(64)), 64)
    expect(to.filter((d, e) => d === e)).toHaveLength(8)
    expect(all(make("transpose", site(64), { self: false }), 64).filter((d) => d === -1)).toHaveLength(8)
  })

  test("tornado on an 8x8 torus: each digit + ceil(8/2) - 1 = 3", () => {
    const to = all(make("tornado", site(64, { digits: { radix: 8, count: 2, ends: 1 } })), 64)
    for (let x = 0; x < 8; x++)
      for (let y = 0; y < 8; y++) expect(to[x + 8 * y]).toBe(((x + 3) % 8) + 8 * ((y + 3) % 8))
  })

  test("tornado({8,3,1}) on 512 and tornado({4,2,1}) on 16, whatever digits the topology has", () => {
    const flat = site(512, { digits: { radix: 8, count: 2, ends: 8 } })
    expect(make("tornado", flat, { digits: [8, 3, 1] }).dest(0, new Draws(1))).toBe(3 + 8 * 3 + 64 * 3)
    expect(make("tornado", flat, { radix: 8, count: 3 }).dest(511, new Draws(1))).toBe(2 + 8 * 2 + 64 * 2)
    expect(make("tornado", site(16), { digits: "4,2,1" }).dest(5, new Draws(1))).toBe(2 + 4 * 2) // (1,1) + 1 each
    expect(make("tornado", site(16), { digits: [2, 2, 2] }).dest(5, new Draws(1))).toBe(2 + 4 * 2) // radix k * xr
  })

  test("odd radix: ceil(5/2) - 1 = 2; endpoints of one router keep their place", () => {
    expect(all(make("tornado", site(5), { radix: 5 }), 5)).toEqual([2, 3, 4, 0, 1])
    const two = all(make("tornado", site(10, { digits: { radix: 5, count: 1, ends: 2 } })), 10)
    expect(two).toEqual([4, 5, 6, 7, 8, 9, 0, 1, 2, 3])
  })

  test("neighbour on 3x3: + 1 in both digits", () => {
    expect(all(make("neighbor", site(9, { digits: { radix: 3, count: 2, ends: 1 } })), 9)).toEqual([
      4, 5, 3, 7, 8, 6, 1, 2, 0,
    ])
  })

  test("random-permutation has no fixed point, depends only on the seed and draws derangements evenly", () => {
    const count = new Map<string, number>()
    for (let seed = 0; seed < 9000; seed++) {
      const key = all(make("randperm", site(4, { seed })), 4).join("")
      count.set(key, (count.get(key) ?? 0) + 1)
    }
    expect(count.size).toBe(9) // !4
    expect(chiSquare([...count.values()], new Array<number>(9).fill(1000))).toBeLessThan(limit(8))
    expect(all(make("randperm", site(100, { seed: 5 })), 100)).toEqual(
      all(make("randperm", site(100, { seed: 5 })), 100),
    )
  })

  test.each(["bit-complement", "bit-reverse", "shuffle", "transpose", "tornado", "neighbour", "random-permutation"])(
    "%s is one",
    (name) => {
      for (const ends of [4, 16, 64, 1024]) {
        const to = all(make(name, site(ends, { digits: { radix: 2, count: Math.log2(ends), ends: 1 } })), ends)
        expect(new Set(to).size).toBe(ends)
        expect(Math.min(...to)).toBe(0)
        expect(Math.max(...to)).toBe(ends - 1)
      }
    },
  )
})

describe("random patterns, by chi-square", () => {
  test("uniform leaves the source out, or not", () => {
    for (const from of [0, 4, 9]) {
      const bins = seen(make("uniform", site(10)), from, 10, 9000)
      expect(
        chiSquare(
          bins,
          Array.from({ length: 10 }, (_, i) => (i === from ? 0 : 1000)),
        ),
      ).toBeLessThan(limit(8))
      expect(
        chiSquare(seen(make("uniform", site(10), { self: true }), from, 10, 10000), new Array<number>(10).fill(1000)),
      ).toBeLessThan(limit(9))
    }
  })

  test("diagonal: 2/3 to itself, 1/3 to the next, round the end", () => {
    expect(chiSquare(seen(make("diagonal", site(4)), 3, 4, 9000), [3000, 0, 0, 6000])).toBeLessThan(limit(1))
  })

  test("asymmetric: the same number in either half", () => {
    expect(chiSquare(seen(make("asymmetric", site(8)), 5, 8, 4000), [0, 2000, 0, 0, 0, 2000, 0, 0])).toBeLessThan(
      limit(1),
    )
  })

  test("hotspot: rates 3 to 1, a uniform rest, and never to itself unless asked", () => {
    const p = make("hotspot", site(6), { targets: [1, 4], rates: [3, 1], share: "60%" })
    // 0.6 * (3/4, 1/4) + 0.4 / 5 others of endpoint 0
    expect(chiSquare(seen(p, 0, 6, 10000), [0, 4500 + 800, 800, 800, 1500 + 800, 800])).toBeLessThan(limit(4))
    // endpoint 1: the 0.6 all to 4
    expect(chiSquare(seen(p, 1, 6, 10000), [800, 0, 800, 800, 6000 + 800, 800])).toBeLessThan(limit(4))
    // three targets, the middle one sending: 3 : 1 between the others
    const three = make("hotspot", site(6), { targets: [5, 2, 0], rates: [3, 9, 1] })
    expect(chiSquare(seen(three, 2, 6, 8000), [2000, 0, 0, 0, 0, 6000])).toBeLessThan(limit(1))
    // the only hot endpoint spreads all it sends
    expect(
      chiSquare(seen(make("hotspot", site(3), { targets: 1, share: 0.5 }), 1, 3, 8000), [4000, 0, 4000]),
    ).toBeLessThan(limit(1))
    expect(all(make("hotspot", site(4), { targets: 0 }), 4)).toEqual([-1, 0, 0, 0])
    expect(all(make("hotspot", site(4), { targets: [0], self: true }), 4)).toEqual([0, 0, 0, 0])
  })

  test("to-set: uniform over the set, the source left out", () => {
    const p = make("to-set", site(10), { set: ["2-4", 9] })
    expect(chiSquare(seen(p, 0, 10, 4000), [0, 0, 1000, 1000, 1000, 0, 0, 0, 0, 1000])).toBeLessThan(limit(3))
    expect(chiSquare(seen(p, 3, 10, 3000), [0, 0, 1000, 0, 1000, 0, 0, 0, 0, 1000])).toBeLessThan(limit(2))
    expect(make("to-set", site(4), { set: 2 }).dest(2, new Draws(1))).toBe(-1)
  })

  test("sinks: each source has its own sink and the next ones, all of them by default; nobody else sends", () => {
    const [sinks, sources] = [
      [9, 3],
      [0, 1, 4, 5],
    ]
    // two sources for each sink, in order
    expect(all(make("sinks", site(10), { sinks, sources, each: 1 }), 10)).toEqual([9, 9, -1, -1, 3, 3, -1, -1, -1, -1])
    expect(
      chiSquare(seen(make("sinks", site(10), { sinks, sources }), 4, 10, 4000), [0, 0, 0, 2000, 0, 0, 0, 0, 0, 2000]),
    ).toBeLessThan(limit(1))
    // the last sink's next is the first
    const three = make("sinks", site(10), { sinks: [7, 8, 9], sources: [0, 1, 2], each: 2 })
    expect(chiSquare(seen(three, 2, 10, 4000), [0, 0, 0, 0, 0, 0, 0, 2000, 0, 2000])).toBeLessThan(limit(1))
  })

  test("incast: streams with equal numbers share the roles that the seed draws", () => {
    const on = (seed: number) => site(20, { seed })
    const first = (p: TrafficPattern) => all(p, 20).flatMap((d, e) => (d < 0 ? [] : [e]))
    // 3 senders, 2 receivers, a partner of each: 13 of 20 are left
    const p = { senders: 3, receivers: 2 }
    const [hot, partners, others] = ["hot", "partners", "others"].map((role) => make("incast", on(1), { ...p, role }))
    const [s, q, o] = [first(hot), first(partners), first(others)]
    expect([s.length, q.length, o.length]).toEqual([3, 2, 13])
    const receivers = q.map((e) => partners.dest(e, new Draws(1)))
    expect(new Set([...s, ...q, ...o, ...receivers]).size).toBe(20)
    // each sender draws both receivers; an other endpoint draws the 12 others
    const share = Array.from({ length: 20 }, (_, e) => (receivers.includes(e) ? 1000 : 0))
    expect(chiSquare(seen(hot, s[0], 20, 2000), share)).toBeLessThan(limit(1))
    const uniform = Array.from({ length: 20 }, (_, e) => (o.includes(e) && e !== o[0] ? 500 : 0))
    expect(chiSquare(seen(others, o[0], 20, 6000), uniform)).toBeLessThan(limit(11))
    // another seed, other roles; given receivers stay
    expect(first(make("incast", on(2), p))).not.toEqual(s)
    const fixed = make("incast", on(2), { senders: 3, to: [4] })
    expect(first(fixed).map((e) => fixed.dest(e, new Draws(1)))).toEqual([4, 4, 4])
  })

  test("group-adversarial: uniform over the next group, the last wraps to the first", () => {
    const on = site(12, { groups: 3 })
    expect(
      chiSquare(seen(make("bad-dragon", on), 1, 12, 4000), [0, 0, 0, 0, 1000, 1000, 1000, 1000, 0, 0, 0, 0]),
    ).toBeLessThan(limit(3))
    expect(
      chiSquare(seen(make("bad-dragon", on), 11, 12, 4000), [1000, 1000, 1000, 1000, 0, 0, 0, 0, 0, 0, 0, 0]),
    ).toBeLessThan(limit(3))
    expect(
      chiSquare(
        seen(make("group-adversarial", on, { offset: 2 }), 0, 12, 4000),
        [0, 0, 0, 0, 0, 0, 0, 0, 1000, 1000, 1000, 1000],
      ),
    ).toBeLessThan(limit(3))
    const sized = make("group-adversarial", site(12), { size: 6 })
    expect(chiSquare(seen(sized, 7, 12, 6000), [1000, 1000, 1000, 1000, 1000, 1000, 0, 0, 0, 0, 0, 0])).toBeLessThan(
      limit(5),
    )
  })

  test("matrix: rows of weights, an empty row is silent; the listed form says the same", () => {
    const files = {
      "dense.csv": "0,1,3\n0,0,0\n# a remark\n2; 2; 0\n",
      "list.csv": "from,to,weight\n0,2,3\n2,0,1\n2,1,1\n0,1,1\n",
    }
    for (const file of Object.keys(files)) {
      const p = make("matrix", site(3, { files }), { file })
      expect(chiSquare(seen(p, 0, 3, 8000), [0, 2000, 6000])).toBeLessThan(limit(1))
      expect(p.dest(1, new Draws(1))).toBe(-1)
      expect(chiSquare(seen(p, 2, 3, 8000), [4000, 4000, 0])).toBeLessThan(limit(1))
    }
  })
})

test("fixed: by list and by pairs", () => {
  expect(all(make("fixed", site(4), { to: [1, -1, 3] }), 4)).toEqual([1, -1, 3, -1])
  expect(all(make("fixed", site(4), { pairs: [[2, 0], "1,3"] }), 4)).toEqual([-1, 3, 0, -1])
})

describe("complaints", () => {
  const files = { "short.csv": "1,2\n3,4\n", "bad.csv": "0,1,x\n0,-1,0\n1,1,1\n", "far.csv": "from,to,weight\n0,7,1\n" }
  test.each([
    [
      "bit-complement",
      {},
      site(72),
      'name: "bit-complement" serves a power of two of endpoints; this network has ' +
        "72. build it with 64, or choose another pattern",
    ],
    [
      "bit-reverse",
      {},
      site(100),
      'name: "bit-reverse" serves a power of two of endpoints; this network has ' +
        "100. build it with 128, or choose another pattern",
    ],
    [
      "transpose",
      {},
      site(128),
      'name: "transpose" serves an even power of two of endpoints; this network has ' +
        "128. build it with 64, or choose another pattern",
    ],
    [
      "shuffle",
      {},
      site(1),
      'name: "shuffle" serves a power of two of endpoints; this network has ' +
        "1. build it with 2, or choose another pattern",
    ],
    [
      "tornado",
      {},
      site(12),
      "radix: a plain network has no digits of one radix. give radix and count so " +
        "that radix^count is 12, for example radix: 12, count: 1",
    ],
    [
      "tornado",
      { radix: 8, count: 2 },
      site(72),
      "radix: 2 digits of radix 8 number 64 endpoints; this network has 72. give radix and " +
        "count so that radix^count is 72, for example radix: 72, count: 1",
    ],
    ["tornado", { digits: [8] }, site(64), "digits: has 1 entries. write [k, n] or [k, n, xr], for example [8, 2, 1]"],
    [
      "tornado",
      { digits: [8, 2], radix: 8 },
      site(64),
      "digits: cannot be combined with radix or count, which have the same meaning. keep one of them",
    ],
    [
      "asymmetric",
      {},
      site(7),
      'name: "asymmetric" needs an even number of endpoints, but this network has 7. build it with 8',
    ],
    [
      "uniform",
      {},
      site(1),
      "self: the only endpoint has no other to send to. build at least 2 endpoints, or set self: true",
    ],
    ["hotspot", { targets: [3, 8, 9] }, site(8), "targets: this network has no endpoint 8, 9. choose from 0 to 7"],
    [
      "hotspot",
      { targets: "1-3", rates: [1, 2] },
      site(8),
      "rates: has 2 entries for 3 targets. give one rate for each target",
    ],
    ["hotspot", { targets: "5-3" }, site(8), 'targets: the range 5-3 runs backwards. write "3-5"'],
    ["to-set", { set: [1, "0-2"] }, site(8), "set: names an endpoint twice. name each endpoint once"],
    [
      "to-set",
      { set: [1, "one"] },
      site(8),
      'set.1: expected an endpoint or a range of them, found the text "one". write 5 or "8-15"',
    ],
    [
      "sinks",
      { sinks: [1, 2], sources: [0, 2] },
      site(8),
      "sources: endpoint 2 is also a sink. take it out of one of the lists",
    ],
    [
      "sinks",
      { sinks: [1, 2], sources: [0, 3], each: 3 },
      site(8),
      "each: is 3, but there are 2 sinks. give at most 2",
    ],
    [
      "incast",
      { senders: 4, receivers: 2 },
      site(9),
      "senders: 4 senders, 2 receivers, a partner of each and 2 others are 10 endpoints, but there are 9. choose " +
        "smaller numbers, or a larger network",
    ],
    [
      "incast",
      { receivers: 2, to: [1] },
      site(9),
      "receivers: is set, but `to` names the receivers. remove one of the two",
    ],
    [
      "group-adversarial",
      {},
      site(8),
      "size: a plain network has no groups. give the endpoints of a group as size, or choose another pattern",
    ],
    ["group-adversarial", { size: 3 }, site(8), "size: groups of 3 do not divide 8 endpoints. choose a divisor of 8"],
    [
      "group-adversarial",
      { offset: 4 },
      site(8, { groups: 2 }),
      "offset: 4 leads back to the own group (there are 2). choose 1 to 1",
    ],
    ["fixed", {}, site(4), ": needs either `to` or `pairs`. give one of them"],
    [
      "fixed",
      {
        pairs: [
          [0, 1],
          [0, 2],
        ],
      },
      site(4),
      "pairs.1: endpoint 0 has a destination already. give one pair for each sender",
    ],
    [
      "matrix",
      { file: "none.csv" },
      site(2, { files }),
      "file: none.csv cannot be read: no such file. check the path; it is relative to the experiment",
    ],
    [
      "matrix",
      { file: "short.csv" },
      site(3, { files }),
      'file: has 2 rows; this network has 3 endpoints. give a row for each, or rows under the heading "from,to,weight"',
    ],
    ["matrix", { file: "bad.csv" }, site(3, { files }), 'file: line 1: "x" is not a weight. write a number, 0 or more'],
    [
      "matrix",
      { file: "far.csv" },
      site(3, { files }),
      "file: line 2: no endpoint pair 0, 7 in a network of 3. use endpoints 0 to 2",
    ],
  ])("%s %o", (name, raw, on, expected) => {
    expect(complaints(name, raw, on)[0]).toBe(expected)
  })
})
