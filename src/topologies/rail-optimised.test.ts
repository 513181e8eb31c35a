import { describe, expect, it } from "vitest"
import { made, refused } from "../../test/contract/topology-checks.ts"
import hammingmesh from "./hammingmesh.ts"
import railOptimised from "./rail-optimised.ts"

describe("rail-optimised", () => {
  const t = made(railOptimised, { islands: 128, gpus: 8, reach: 32, spines: 16, links: 1 })

  it("128 islands of 8 GPUs: 1,024 GPUs, 32 leaves of 32 ports down and 16 up", () => {
    expect(t.graph.ends).toBe(1024)
    // 1,024 routers of GPUs, 128 scale-up switches, 8 rails x 4 pods of leaves, 16 spines
    expect(t.graph.routers).toBe(1024 + 128 + 32 + 16)
    const leaf = t.leafOf(0)
    expect(t.graph.firstChan[leaf + 1] - t.graph.firstChan[leaf]).toBe(32 + 16)
  })
  it("distances: 2 links in an island, 2 on a rail of a pod, 4 over a spine", () => {
    expect(t.hops(0, 5)).toBe(2)
    expect(t.hops(0, 8)).toBe(2)
    // GPU 0 of island 0 to GPU 1 of island 1: scale-up, switch, interface, leaf, or over a spine
    expect(t.hops(0, 9)).toBe(4)
    // GPU 0 of island 32, in the next pod
    expect(t.hops(0, 32 * 8)).toBe(4)
  })
  it("rail-only: no spines, every rail one switch; pods need spines", () => {
    const only = made(railOptimised, { islands: 16, gpus: 4, spines: 0 })
    expect(only.graph.routers).toBe(64 + 16 + 4)
    expect(refused(railOptimised, { islands: 16, gpus: 4, spines: 0, reach: 8 })).toEqual([
      expect.stringContaining("spines"),
    ])
  })
})

describe("hammingmesh", () => {
  it("boards of 4 x 4, 3 x 2 boards: 96 accelerators, 8 switches of rows and 12 of columns", () => {
    const t = made(hammingmesh, { a: 4, b: 4, x: 3, y: 2 })
    expect([t.graph.ends, t.graph.routers]).toEqual([96, 96 + 8 + 12])
    // Each row of 3 boards has 3 x 3 links in boards and 6 to its switch; each column of 2 boards has 2 x 3 and 4.
    const links = (of: number) => t.graph.linkClass.filter((name, c) => name === of && t.graph.far[c] >= 0).length
    expect([links(1), links(2)]).toEqual([2 * (8 * 9 + 12 * 6), 2 * (8 * 6 + 12 * 4)])
  })
  it("distances: two links to the same edge of another board, three to its next accelerator", () => {
    const t = made(hammingmesh, { a: 4, b: 4, x: 3, y: 2 })
    expect([t.hops(0, 4), t.hops(0, 5), t.hops(0, 8), t.hops(1, 6)]).toEqual([2, 3, 2, 4])
    // to the far corner of its own board: 3 + 3 links on the mesh, or 2 over each switch
    expect(t.hops(0, 3 * 12 + 3)).toBe(4)
  })
})
