import fc from "fast-check"
import { expect, test } from "vitest"
import { AcyclicGraph } from "./order.ts"

const VERTICES = 8

/** Depth-first search for a way from one vertex to another. */
function leads(edges: ReadonlySet<number>, from: number, to: number): boolean {
  const seen = new Set([from])
  for (const v of seen) {
    if (v === to) return true
    for (let w = 0; w < VERTICES; w++) if (edges.has(v * VERTICES + w)) seen.add(w)
  }
  return false
}

test("accepts a path exactly when it closes no cycle with those accepted before", () => {
  const path = fc.array(fc.integer({ min: 0, max: VERTICES - 1 }), { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(path, { maxLength: 40 }), (paths) => {
      const graph = new AcyclicGraph(VERTICES)
      let edges = new Set<number>()
      for (const p of paths) {
        const with_ = new Set(edges)
        let closes = false
        for (let i = 1; i < p.length; i++) {
          if (leads(with_, p[i], p[i - 1])) closes = true
          with_.add(p[i - 1] * VERTICES + p[i])
        }
        expect(graph.addPath(p)).toBe(!closes)
        if (!closes) edges = with_
      }
    }),
    { numRuns: 300 },
  )
})
