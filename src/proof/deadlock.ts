// Decides whether a channel dependency graph has cycles. If not, the result is a level for each node that increases
// along every dependency (Dally and Seitz, 1987). Otherwise it is the strongly connected components (Tarjan,
// "Depth-first search and linear graph algorithms", 1972) and the shortest cycle found in them. The search for the
// shortest cycle is exact within the budget SEARCH (one breadth-first search from each node of a component); beyond it
// the best one found is reported.
import type { Dependencies } from "./dependencies.ts"

/** Maximum number of edges that the search for a short cycle visits. */
const SEARCH = 40_000_000

/** Successors of node n are to[at[n]] to to[at[n + 1] - 1]. */
export interface Edges {
  readonly nodes: number
  readonly at: Int32Array
  readonly to: Int32Array
}

export type Verdict =
  | {
      readonly free: true /** [node] -> number that grows along every edge */
      readonly level: Int32Array
      readonly levels: number
    }
  | {
      readonly free: false
      readonly cycle: readonly number[]
      readonly shortest: boolean
      readonly component: Int32Array
    }

/** Returns a list of edges sorted by source, by counting sort. */
export function edgesOf(nodes: number, from: Int32Array, to: Int32Array, n: number): Edges {
  const at = new Int32Array(nodes + 1)
  for (let i = 0; i < n; i++) at[from[i] + 1]++
  for (let v = 0; v < nodes; v++) at[v + 1] += at[v]
  const sorted = new Int32Array(n)
  const fill = at.slice(0, nodes)
  for (let i = 0; i < n; i++) sorted[fill[from[i]]++] = to[i]
  return { nodes, at, to: sorted }
}

/** Returns the verdict on a dependency graph. */
export function judge(deps: Dependencies): Verdict {
  return judgeEdges(edgesOf(deps.nodes, deps.from.data, deps.to.data, deps.edges))
}

export function judgeEdges(g: Edges): Verdict {
  const numbered = number(g)
  if (numbered !== undefined) return { free: true, ...numbered }
  const component = components(g)
  return { free: false, ...shortestCycle(g, component), component }
}

export function isAcyclic(g: Edges): boolean {
  return number(g) !== undefined
}

/** Returns the length of the longest path to each node from nodes without predecessors ("Topological sorting of large
 *  networks", A. B. Kahn, 1962), or undefined if there is a cycle. */
function number(g: Edges): { level: Int32Array; levels: number } | undefined {
  const { nodes, at, to } = g
  const before = new Int32Array(nodes)
  for (let i = 0; i < to.length; i++) before[to[i]]++
  const order = new Int32Array(nodes)
  const level = new Int32Array(nodes)
  let n = 0
  let levels = 1
  for (let v = 0; v < nodes; v++) if (before[v] === 0) order[n++] = v
  for (let i = 0; i < n; i++) {
    const v = order[i]
    const next = level[v] + 1
    for (let j = at[v]; j < at[v + 1]; j++) {
      const w = to[j]
      if (next > level[w]) level[w] = next
      if (next >= levels) levels = next + 1
      if (--before[w] === 0) order[n++] = w
    }
  }
  return n === nodes ? { level, levels } : undefined
}

/** Returns the component of each node, -1 if it lies on no cycle. The search is iterative, because paths in large
 *  networks are longer than the call stack. */
export function components(g: Edges): Int32Array {
  const { nodes, at, to } = g
  const component = new Int32Array(nodes).fill(-1)
  const index = new Int32Array(nodes)
  const low = new Int32Array(nodes)
  const next = new Int32Array(nodes)
  const path = new Int32Array(nodes)
  const open = new Int32Array(nodes)
  const isOpen = new Uint8Array(nodes)
  let opened = 0
  let counter = 0
  let found = 0
  for (let root = 0; root < nodes; root++) {
    if (index[root] !== 0) continue
    let depth = 0
    path[0] = root
    index[root] = low[root] = ++counter
    next[root] = at[root]
    open[opened++] = root
    isOpen[root] = 1
    while (depth >= 0) {
      const v = path[depth]
      if (next[v] < at[v + 1]) {
        const w = to[next[v]++]
        if (index[w] === 0) {
          index[w] = low[w] = ++counter
          next[w] = at[w]
          open[opened++] = w
          isOpen[w] = 1
          path[++depth] = w
        } else if (isOpen[w] === 1 && index[w] < low[v]) low[v] = index[w]
        continue
      }
      if (low[v] === index[v]) {
        const alone = open[opened - 1] === v && !pointsTo(g, v, v)
        for (;;) {
          const w = open[--opened]
          isOpen[w] = 0
          if (!alone) component[w] = found
          if (w === v) break
        }
        if (!alone) found++
      }
      if (--depth >= 0 && low[v] < low[path[depth]]) low[path[depth]] = low[v]
    }
  }
  return component
}

function pointsTo(g: Edges, v: number, w: number): boolean {
  for (let j = g.at[v]; j < g.at[v + 1]; j++) if (g.to[j] === w) return true
  return false
}

/** Returns the shortest cycle found, as a list of nodes. Each search stops as soon as it cannot beat the best one. */
function shortestCycle(g: Edges, component: Int32Array): { cycle: number[]; shortest: boolean } {
  const { nodes, at, to } = g
  const from = new Int32Array(nodes)
  const seen = new Int32Array(nodes).fill(-1)
  const depth = new Int32Array(nodes)
  const queue = new Int32Array(nodes)
  let best: number[] = []
  let looked = 0
  let shortest = true
  for (let start = 0; start < nodes; start++) {
    if (component[start] < 0) continue
    if (looked > SEARCH) {
      shortest = false
      break
    }
    let n = 0
    queue[n++] = start
    seen[start] = start
    depth[start] = 0
    let closed = -1
    for (let i = 0; i < n && closed < 0; i++) {
      const v = queue[i]
      // a cycle through v would be no shorter than the best
      if (best.length > 0 && depth[v] + 1 >= best.length) break
      for (let j = at[v]; j < at[v + 1]; j++) {
        const w = to[j]
        looked++
        if (w === start) {
          closed = v
          break
        }
        if (seen[w] === start || component[w] !== component[start]) continue
        seen[w] = start
        from[w] = v
        depth[w] = depth[v] + 1
        queue[n++] = w
      }
    }
    if (closed < 0) continue
    best = [closed]
    while (best[0] !== start) best.unshift(from[best[0]])
    if (best.length === 1) break
  }
  return { cycle: best, shortest }
}

/** Returns whether the levels really increase along every dependency. This check is independent of how they were
 *  found. */
export function increases(deps: Dependencies, level: Int32Array): boolean {
  for (let i = 0; i < deps.edges; i++) if (level[deps.from.data[i]] >= level[deps.to.data[i]]) return false
  return true
}
