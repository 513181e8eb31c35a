import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Ask, PlainMatching } from "../../../test/support/plain-matching.ts"
import { type Matching, type MatchingName, makeMatching, matchings } from "./matching.ts"

function requested(m: Matching, requests: readonly Ask[], use = 0): number[][] {
  for (const [i, o, level = 0] of requests) m.request(level, i, o < 32 ? 1 << o : 0, o < 32 ? 0 : 1 << (o - 32))
  const n = m.match(use)
  return Array.from(m.pairs.subarray(0, n), (w) => [(w >> 8) & 255, w & 255, w >> 16]).sort((a, b) => a[0] - b[0])
}

function make(name: MatchingName, ports: number, iterations = 1, levels = 1): Matching {
  return makeMatching({ name, iterations, uses: 1, inputs: ports, outputs: ports, levels })
}

const all: readonly Ask[] = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
]

describe("vectors", () => {
  it("output-first: both outputs grant input 0, which takes output 0: one match, one grant is lost", () => {
    const m = make("output-first", 2)
    expect(requested(m, all)).toEqual([[0, 0, 0]])
    // Only the match moves pointers.
    expect([...m.columns.inNext, ...m.columns.outNext]).toEqual([1, 0, 1, 0])
  })
  it("input-first: both inputs choose output 0, one choice is lost", () => {
    const m = make("input-first", 2)
    expect(requested(m, all)).toEqual([[0, 0, 0]])
    expect([...m.columns.inNext, ...m.columns.outNext]).toEqual([1, 0, 1, 0])
  })
  it("iSLIP, 2 x 2, all ask all: one match, then desynchronized: two for good", () => {
    const m = make("islip", 2)
    expect(requested(m, all)).toEqual([[0, 0, 0]])
    for (let n = 0; n < 10; n++) expect(requested(m, all)).toHaveLength(2)
  })
  it("iSLIP: a second iteration fills what the first left, and moves no pointer", () => {
    const m = make("islip", 2, 2)
    expect(requested(m, all)).toEqual([
      [0, 0, 0],
      [1, 1, 0],
    ])
    expect([...m.columns.outNext]).toEqual([1, 0])
  })
  it("a more urgent level is chosen in both arbiters, wherever the pointers stand", () => {
    for (const name of ["input-first", "output-first"] as const) {
      // Low-priority requests: input 0 for output 0, input 1 for output 1. High priority: input 0 for output 1.
      const requests: Ask[] = [
        [0, 0, 1],
        [0, 1, 0],
        [1, 1, 1],
      ]
      expect(requested(make(name, 2, 1, 2), requests)).toEqual([[0, 1, 0]])
    }
  })
  it("ports 31, 32 and 63 are ports like others, and every port has its turn", () => {
    for (const name of matchings) {
      const m = make(name, 64)
      const won = Array.from(
        { length: 6 },
        () =>
          requested(
            m,
            [0, 31, 32, 63].map((i) => [i, 63]),
          )[0][0],
      )
      expect(won).toEqual([0, 31, 32, 63, 0, 31])
    }
  })
  it("uses have pointers of their own", () => {
    const m = makeMatching({ name: "input-first", iterations: 1, uses: 2, inputs: 3, outputs: 2, levels: 1 })
    expect(requested(m, all, 1)).toEqual([[0, 0, 0]])
    expect([...m.columns.inNext]).toEqual([0, 0, 0, 1, 0, 0])
    expect([...m.columns.outNext]).toEqual([0, 0, 1, 0])
  })
})

const cases = fc
  .record({
    name: fc.constantFrom(...matchings),
    iterations: fc.integer({ min: 1, max: 3 }),
    inputs: fc.constantFrom(1, 2, 5, 22, 32, 33, 64),
    outputs: fc.constantFrom(1, 3, 5, 22, 32, 40, 64),
    levels: fc.integer({ min: 1, max: 3 }),
  })
  .chain((spec) =>
    fc.record({
      spec: fc.constant({ ...spec, levels: spec.name === "islip" ? 1 : spec.levels }),
      rounds: fc.array(
        fc.array(fc.tuple(fc.nat(spec.inputs - 1), fc.nat(spec.outputs - 1), fc.nat(spec.levels - 1)), {
          maxLength: 40,
        }),
        {
          minLength: 1,
          maxLength: 6,
        },
      ),
    }),
  )

describe("any asks", () => {
  it("the plain twin finds the same pairs and moves the same pointers", () =>
    fc.assert(
      fc.property(cases, ({ spec, rounds }) => {
        const m = makeMatching({ ...spec, uses: 1 })
        const twin = new PlainMatching(spec)
        for (const round of rounds) {
          // One level for each pair: the highest priority.
          const requests = [
            ...new Map([...round].sort((a, b) => b[2] - a[2]).map((a) => [`${a[0]} ${a[1]}`, a])).values(),
          ].map(([i, o, level]): Ask => [i, o, spec.levels === 1 ? 0 : level])
          expect(requested(m, requests)).toEqual(twin.match(requests).sort((a, b) => a[0] - b[0]))
          expect([...m.columns.inNext]).toEqual(twin.inNext)
          expect([...m.columns.outNext]).toEqual(twin.outNext)
        }
      }),
      { numRuns: 300 },
    ))

  it(
    "no port twice, no pair that nobody asked for, and no arbiter of the " +
      "first side passes over a more urgent level",
    () =>
      fc.assert(
        fc.property(cases, ({ spec, rounds }) => {
          const m = makeMatching({ ...spec, iterations: 1, uses: 1 })
          for (const round of rounds) {
            const requests = round.map(([i, o, level]): [number, number, number] => [
              i,
              o,
              spec.levels === 1 ? 0 : level,
            ])
            const pairs = requested(m, requests)
            expect(new Set(pairs.map((p) => p[0])).size).toBe(pairs.length)
            expect(new Set(pairs.map((p) => p[1])).size).toBe(pairs.length)
            for (const [i, o, level] of pairs) {
              expect(requests).toContainEqual([i, o, level])
              const same = requests.filter((a) => (spec.name === "input-first" ? a[0] === i : a[1] === o))
              expect(Math.min(...same.map((a) => a[2]))).toBe(level)
            }
            // If there are requests, at least one is matched.
            expect(pairs.length > 0).toBe(requests.length > 0)
          }
        }),
        { numRuns: 200 },
      ),
  )
})
