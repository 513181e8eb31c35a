// Invariants of a graph of routers, computed the plain way: what published graphs are compared by.
import { bfs, type Csr, csr, FAR } from "../../src/core/csr.ts"
import type { Graph } from "../../src/model/graph.ts"

export interface Invariants {
  routers: number
  links: number
  linksCountingParallel: number
  degree: Record<string, number>
  degreeCountingParallel: Record<string, number>
  connected: boolean
  diameter: number
  orderedPairsByDistance: Record<string, number>
  meanDistance: number
  girth: number
  triangles: number
  fourCycles: number
}

export function invariants(graph: Graph): Invariants {
  const { simple, parallel } = links(graph)
  const n = graph.routers
  const dist = new Uint16Array(n)
  const queue = new Int32Array(n)
  const pairs: Record<string, number> = {}
  let sum = 0
  let reachedAll = true
  for (let r = 0; r < n; r++) {
    if (bfs(simple, r, dist, queue) < n) reachedAll = false
    for (let s = 0; s < n; s++) {
      if (s === r || dist[s] === FAR) continue
      pairs[dist[s]] = (pairs[dist[s]] ?? 0) + 1
      sum += dist[s]
    }
  }
  const { triangles, fourCycles } = shortCycles(simple)
  return {
    routers: n,
    links: simple.to.length / 2,
    linksCountingParallel: parallel.to.length / 2,
    degree: degrees(simple),
    degreeCountingParallel: degrees(parallel),
    connected: reachedAll,
    diameter: Math.max(...Object.keys(pairs).map(Number)),
    orderedPairsByDistance: pairs,
    meanDistance: sum / (n * (n - 1)),
    girth: girth(simple),
    triangles,
    fourCycles,
  }
}

/** The router graph with and without its parallel links. */
export function links(graph: Graph): { simple: Csr; parallel: Csr } {
  const [a, b]: [number[], number[]] = [[], []]
  const [u, v]: [number[], number[]] = [[], []]
  for (let r = 0; r < graph.routers; r++) {
    const near = new Set<number>()
    for (let c = graph.firstChan[r]; c < graph.firstChan[r + 1]; c++) {
      if (graph.far[c] < 0) continue
      const to = graph.routerOf[graph.far[c]]
      near.add(to)
      u.push(r)
      v.push(to)
    }
    for (const to of near) {
      a.push(r)
      b.push(to)
    }
  }
  return { simple: csr(graph.routers, a, b), parallel: csr(graph.routers, u, v) }
}

function degrees({ first }: Csr): Record<string, number> {
  const out: Record<string, number> = {}
  for (let r = 0; r + 1 < first.length; r++) {
    const d = first[r + 1] - first[r]
    out[d] = (out[d] ?? 0) + 1
  }
  return out
}

/** Paths of two links between each pair: adjacent pairs close triangles, any two paths close a 4-cycle. */
function shortCycles({ first, to }: Csr): { triangles: number; fourCycles: number } {
  const n = first.length - 1
  const paths = new Int32Array(n)
  let triangles = 0
  let fourCycles = 0
  for (let r = 0; r < n; r++) {
    paths.fill(0)
    for (let k = first[r]; k < first[r + 1]; k++) for (let l = first[to[k]]; l < first[to[k] + 1]; l++) paths[to[l]]++
    for (let k = first[r]; k < first[r + 1]; k++) triangles += paths[to[k]]
    for (let s = 0; s < n; s++) if (s !== r) fourCycles += (paths[s] * (paths[s] - 1)) / 2
  }
  return { triangles: triangles / 6, fourCycles: fourCycles / 4 }
}

/** Shortest cycle: a link between two vertices of a breadth-first search that is not in its tree closes one. */
function girth({ first, to }: Csr): number {
  const n = first.length - 1
  let best = Number.POSITIVE_INFINITY
  for (let root = 0; root < n; root++) {
    const dist = new Int32Array(n).fill(-1)
    const parent = new Int32Array(n).fill(-1)
    const queue = [root]
    dist[root] = 0
    for (let i = 0; i < queue.length; i++) {
      const v = queue[i]
      if (2 * dist[v] + 1 >= best) break
      for (let k = first[v]; k < first[v + 1]; k++) {
        const w = to[k]
        if (dist[w] === -1) {
          dist[w] = dist[v] + 1
          parent[w] = v
          queue.push(w)
        } else if (parent[v] !== w) best = Math.min(best, dist[v] + dist[w] + 1)
      }
    }
  }
  return best
}

/** Eigenvalues of the adjacency matrix, descending: Householder reflections to three diagonals, then bisection on the
 *  signs of Sturm's sequence. */
export function spectrum({ first, to }: Csr): number[] {
  const n = first.length - 1
  const a = new Float64Array(n * n)
  for (let r = 0; r < n; r++) for (let k = first[r]; k < first[r + 1]; k++) a[r * n + to[k]] = 1
  const { diagonal, beside } = threeDiagonals(a, n)
  const bound = Math.max(...Array.from(first.subarray(1), (end, r) => end - first[r])) + 1
  /** how many eigenvalues are below x */
  const below = (x: number): number => {
    let count = 0
    let d = 1
    for (let i = 0; i < n; i++) {
      d = diagonal[i] - x - (i > 0 ? beside[i] ** 2 / d : 0)
      if (d === 0) d = 1e-300
      if (d < 0) count++
    }
    return count
  }
  return Array.from({ length: n }, (_, i) => {
    let [low, high] = [-bound, bound]
    while (high - low > 1e-9) {
      const mid = (low + high) / 2
      if (below(mid) >= n - i) high = mid
      else low = mid
    }
    return (low + high) / 2
  })
}

function threeDiagonals(a: Float64Array, n: number): { diagonal: Float64Array; beside: Float64Array } {
  const v = new Float64Array(n)
  const w = new Float64Array(n)
  const diagonal = new Float64Array(n)
  const beside = new Float64Array(n)
  for (let k = 0; k < n; k++) {
    diagonal[k] = a[k * n + k]
    if (k + 1 >= n) break
    let norm = 0
    for (let i = k + 1; i < n; i++) norm += a[i * n + k] ** 2
    norm = Math.sqrt(norm)
    const lead = a[(k + 1) * n + k]
    const alpha = lead > 0 ? -norm : norm
    beside[k + 1] = alpha
    const scale = 2 * (norm * norm - lead * alpha)
    if (scale < 1e-20) continue
    // reflect rows and columns k+1.. in the plane across v: A - 2 (v w' + w v') / |v|²
    for (let i = k + 1; i < n; i++) v[i] = a[i * n + k] - (i === k + 1 ? alpha : 0)
    let dot = 0
    for (let i = k + 1; i < n; i++) {
      let sum = 0
      for (let j = k + 1; j < n; j++) sum += a[i * n + j] * v[j]
      w[i] = (2 * sum) / scale
      dot += w[i] * v[i]
    }
    for (let i = k + 1; i < n; i++) w[i] -= (dot / scale) * v[i]
    for (let i = k + 1; i < n; i++) for (let j = k + 1; j < n; j++) a[i * n + j] -= v[i] * w[j] + w[i] * v[j]
  }
  return { diagonal, beside }
}
