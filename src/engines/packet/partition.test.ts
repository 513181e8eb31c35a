import { describe, expect, it } from "vitest"
import { GraphBuilder } from "../../model/graph.ts"
import { partition } from "./partition.ts"

/** Four groups of three routers in rings of short links, the groups in a ring of long ones. */
function groups() {
  const b = new GraphBuilder(12, 12, 4, { classes: ["end", "local", "global"], latencies: [1, 5, 50] })
  for (let r = 0; r < 12; r++) {
    b.attach(r, r, 0)
    const next = Math.floor(r / 3) * 3 + ((r + 1) % 3)
    b.link(r, 1, next, 2, 1)
    if (r % 3 === 0) b.link(r, 3, (r + 4) % 12, 3, 2)
  }
  return b.finish()
}

describe("partition", () => {
  it("cuts long links only, where they leave pieces enough", () => {
    const graph = groups()
    const p = partition(graph, 2)
    for (let c = 0; c < graph.chans; c++) {
      if (graph.far[c] < 0) continue
      if (p.owner[graph.routerOf[c]] !== p.owner[graph.routerOf[graph.far[c]]]) expect(graph.latency[c]).toBe(50)
    }
    // a ring of four groups cut into two halves: two links, both directions
    expect(p.cut).toBe(4)
    expect(p.imbalance).toBe(1)
  })

  it("deals out single routers where there are more workers than groups", () => {
    const p = partition(groups(), 6)
    expect(new Set(p.owner).size).toBe(6)
    expect(p.weights).toEqual([8, 8, 8, 8, 8, 8])
  })

  it("one worker cuts nothing", () => expect(partition(groups(), 1).cut).toBe(0))
})
