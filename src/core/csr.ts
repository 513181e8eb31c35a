// Graphs as compressed rows (first[v]..first[v+1] are the places of v's neighbours in `to`), and breadth-first
// distances over them.

export interface Csr {
  readonly first: Int32Array
  readonly to: Int32Array
}

/** Rows from two columns of pairs; `both` adds each pair the other way round as well. */
export function csr(n: number, from: ArrayLike<number>, to: ArrayLike<number>, both = false): Csr {
  const first = new Int32Array(n + 1)
  for (let i = 0; i < from.length; i++) {
    first[from[i] + 1]++
    if (both) first[to[i] + 1]++
  }
  for (let v = 0; v < n; v++) first[v + 1] += first[v]
  const next = first.slice(0, n)
  const out = new Int32Array(first[n])
  for (let i = 0; i < from.length; i++) {
    out[next[from[i]]++] = to[i]
    if (both) out[next[to[i]]++] = from[i]
  }
  return { first, to: out }
}

export const FAR = 0xffff

/**
 * Fills `dist` with the number of links from `source` (FAR = not reached) and `queue` with the vertices in that order.
 * Returns the number of vertices reached.
 */
export function bfs({ first, to }: Csr, source: number, dist: Uint16Array, queue: Int32Array): number {
  dist.fill(FAR)
  dist[source] = 0
  queue[0] = source
  let n = 1
  for (let i = 0; i < n; i++) {
    const v = queue[i]
    const d = dist[v] + 1
    for (let k = first[v], end = first[v + 1]; k < end; k++) {
      const w = to[k]
      if (dist[w] === FAR) {
        dist[w] = d
        queue[n++] = w
      }
    }
  }
  return n
}

/** [vertex] -> number of its connected component, and how many there are (undirected graphs). */
export function components(g: Csr): { of: Int32Array; count: number } {
  const n = g.first.length - 1
  const of = new Int32Array(n).fill(-1)
  const stack = new Int32Array(n)
  let count = 0
  for (let root = 0; root < n; root++) {
    if (of[root] !== -1) continue
    of[root] = count
    stack[0] = root
    for (let top = 1; top > 0; ) {
      const v = stack[--top]
      for (let k = g.first[v]; k < g.first[v + 1]; k++) {
        const w = g.to[k]
        if (of[w] === -1) {
          of[w] = count
          stack[top++] = w
        }
      }
    }
    count++
  }
  return { of, count }
}

/**
 * Returns distances of single pairs. A row is computed when it is first needed and cached while all rows fit into
 * `capacity` bytes.
 */
export class Distances {
  private readonly g: Csr
  private readonly n: number
  private readonly queue: Int32Array
  private readonly rows = new Map<number, Uint16Array>()
  private readonly most: number
  constructor(g: Csr, capacity = 64 * 2 ** 20) {
    this.g = g
    this.n = g.first.length - 1
    this.queue = new Int32Array(this.n)
    this.most = Math.max(1, Math.floor(capacity / (2 * this.n)))
  }
  row(from: number): Uint16Array {
    let row = this.rows.get(from)
    if (row === undefined) {
      if (this.rows.size >= this.most) this.rows.clear()
      row = new Uint16Array(this.n)
      bfs(this.g, from, row, this.queue)
      this.rows.set(from, row)
    }
    return row
  }
  /** Infinity where there is no path. */
  between(a: number, b: number): number {
    const d = this.row(a)[b]
    return d === FAR ? Number.POSITIVE_INFINITY : d
  }
}
