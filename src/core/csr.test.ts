import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bfs, components, csr, Distances, FAR } from "./csr.ts"

describe("csr", () => {
  it("keeps the order of the pairs within a row", () => {
    const g = csr(4, [0, 2, 0], [3, 1, 1], true)
    expect([...g.first]).toEqual([0, 2, 4, 5, 6])
    expect([...g.to]).toEqual([3, 1, 2, 0, 1, 0])
  })
  it("breadth first on a path of 4 and one alone", () => {
    const g = csr(5, [0, 1, 2], [1, 2, 3], true)
    const dist = new Uint16Array(5)
    expect(bfs(g, 0, dist, new Int32Array(5))).toBe(4)
    expect([...dist]).toEqual([0, 1, 2, 3, FAR])
    expect(components(g)).toEqual({ of: Int32Array.of(0, 0, 0, 0, 1), count: 2 })
    expect(new Distances(g).between(3, 1)).toBe(2)
    expect(new Distances(g).between(3, 4)).toBe(Number.POSITIVE_INFINITY)
  })
  it("agrees with Floyd-Warshall on random graphs, also when only one row fits", () => {
    const pair = fc.tuple(fc.nat(9), fc.nat(9))
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 25 }), (pairs) => {
        const d = Array.from({ length: 10 }, (_, i) =>
          Array.from({ length: 10 }, (_, j) => (i === j ? 0 : Number.POSITIVE_INFINITY)),
        )
        for (const [a, b] of pairs) if (a !== b) d[a][b] = d[b][a] = 1
        for (let k = 0; k < 10; k++)
          for (let i = 0; i < 10; i++) for (let j = 0; j < 10; j++) d[i][j] = Math.min(d[i][j], d[i][k] + d[k][j])
        const g = csr(
          10,
          pairs.map((p) => p[0]),
          pairs.map((p) => p[1]),
          true,
        )
        const few = new Distances(g, 20)
        for (let i = 0; i < 10; i++) for (let j = 0; j < 10; j++) expect(few.between(i, j)).toBe(d[i][j])
      }),
    )
  })
})
