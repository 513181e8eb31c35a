import { expect, test } from "vitest"
import { GROUND, Ladder, vcsFor } from "./ladder.ts"

/** VC masks along a path written as l and g. */
function climb(ladder: Ladder, path: string): number[] {
  let rung = GROUND
  return Array.from(path, (kind) => {
    rung = ladder.climb(rung, kind === "g")
    return ladder.vcs(rung)
  })
}
const vc = (n: number) => 1 << n

test("algorithms.md 2.5, PAR6/2: L0 < L1 < G0 < L2 < L3 < G1 < L4 < L5 on six VCs, G0 as VC 2, G1 as VC 4", () => {
  const ladder = new Ladder("llgllgll", 6, "rising")
  expect(climb(ladder, "llgllgll")).toEqual([0, 1, 2, 2, 3, 4, 4, 5].map(vc))
  expect(climb(ladder, "lgl")).toEqual([0, 2, 2].map(vc))
  expect(climb(ladder, "gl")).toEqual([2, 2].map(vc))
  expect(climb(ladder, "l")).toEqual([vc(0)])
})

test("fewest VCs: as many as rungs of the more frequent kind", () => {
  expect(["lgl", "lglgl", "lgllgl", "llgllgl", "llgllgll"].map(vcsFor)).toEqual([2, 3, 4, 5, 6])
})

test("spare VCs are dealt evenly to the rungs of each kind", () => {
  // 4 VCs: two for each local rung, all four for the only global one
  expect(climb(new Ladder("lgl", 4), "lgl")).toEqual([0b0011, 0b1111, 0b1100])
})

test("the rungs of every legal path rise", () => {
  for (const rungs of ["lgl", "lglgl", "lgllgl", "llgllgl", "llgllgll"]) {
    const ladder = new Ladder(rungs, vcsFor(rungs))
    // every subsequence of the longest path is a legal path
    for (let pick = 1; pick < 1 << rungs.length; pick++) {
      const path = Array.from(rungs).filter((_, i) => (pick >> i) & 1)
      let rung = GROUND
      for (const kind of path) {
        const next = ladder.climb(rung, kind === "g")
        expect(next).toBeGreaterThan(rung)
        expect(rungs[next]).toBe(kind)
        rung = next
      }
    }
  }
})
