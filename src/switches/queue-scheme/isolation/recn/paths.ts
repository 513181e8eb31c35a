// Paths through the network as lists of turns: determines the destinations that cross a congested point.
import type { Table } from "../../../../fabric/table.ts"
import type { Graph } from "../../../../model/graph.ts"

/** Returns whether packets from a router (network's number) to d take the `n` turns that start at index `at`. */
export type Crosses = (router: number, d: number, turns: ArrayLike<number>, at: number, n: number) => boolean

export function crossesOf({ firstChan, far, routerOf }: Graph, { ends: N, ports }: Table): Crosses {
  return (router, d, turns, at, n) => {
    let r = router
    for (let i = 0; i < n; i++) {
      const port = ports[r * N + d]
      if (port !== turns[at + i]) return false
      const next = far[firstChan[r] + port]
      if (next < 0) return i + 1 === n
      r = routerOf[next]
    }
    return true
  }
}
