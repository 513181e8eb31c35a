// Hop counts by breadth-first search, one source at a time and kept, for graphs without a closed form.
import { type Graph, UNWIRED } from "../model/graph.ts"
import type { Router } from "../model/ids.ts"

export class Distances {
  private readonly graph: Graph
  private readonly rows: (Int32Array | undefined)[]

  constructor(graph: Graph) {
    this.graph = graph
    this.rows = new Array(graph.routers)
  }

  /** links on a shortest path, Infinity when there is none */
  hops(a: Router, b: Router): number {
    const row = this.from(a)
    return row[b]! === UNWIRED ? Number.POSITIVE_INFINITY : row[b]!
  }

  /** [router] -> links from `a`, -1 where there is no path */
  from(a: Router): Int32Array {
    const kept = this.rows[a]
    if (kept !== undefined) return kept
    const { routers, firstChan, far, routerOf } = this.graph
    const row = new Int32Array(routers).fill(-1)
    const queue = new Int32Array(routers)
    row[a] = 0
    queue[0] = a
    for (let head = 0, tail = 1; head < tail; head++) {
      const r = queue[head]!
      for (let c = firstChan[r]!; c < firstChan[r + 1]!; c++) {
        if (far[c]! < 0) continue
        const next = routerOf[far[c]!]!
        if (row[next] !== -1) continue
        row[next] = row[r]! + 1
        queue[tail++] = next
      }
    }
    this.rows[a] = row
    return row
  }
}
