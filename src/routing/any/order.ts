// A directed graph that stays acyclic: edges are added one at a time and refused if they would close a cycle.
// any.layered uses one for each layer of VCs. A topological order is maintained and repaired locally: "A dynamic
// topological sort algorithm for directed acyclic graphs", D. J. Pearce and P. H. J. Kelly, 2006.
export class AcyclicGraph {
  private readonly order: Int32Array
  private readonly out: number[][]
  private readonly into: number[][]
  private readonly edges = new Map<number, number>()
  private readonly refused = new Set<number>()
  private readonly mark: Uint8Array
  private readonly n: number

  constructor(n: number) {
    this.n = n
    this.order = Int32Array.from({ length: n }, (_, i) => i)
    this.out = Array.from({ length: n }, () => [])
    this.into = Array.from({ length: n }, () => [])
    this.mark = new Uint8Array(n)
  }

  /** Adds all edges of a path of vertices, or none. Returns false if one of them would close a cycle. */
  addPath(path: readonly number[]): boolean {
    const { n, refused } = this
    for (let i = 1; i < path.length; i++) if (refused.has(path[i - 1] * n + path[i])) return false
    let fresh = false
    for (let i = 1; i < path.length; i++) {
      const key = path[i - 1] * n + path[i]
      const isNew = !this.edges.has(key)
      if (this.add(path[i - 1], path[i])) {
        fresh ||= isNew
        continue
      }
      // Edges are removed only within one path. An edge that closes a cycle without the new edges of this path will
      // therefore always close one, and later paths are refused at once.
      if (!fresh) refused.add(key)
      while (--i > 0) this.remove(path[i - 1], path[i])
      return false
    }
    return true
  }

  /** Adds one edge, which is counted because several paths may share it. Returns false if it would close a cycle. */
  private add(from: number, to: number): boolean {
    const key = from * this.n + to
    const count = this.edges.get(key) ?? 0
    if (count === 0) {
      if (!this.fits(from, to)) return false
      this.out[from].push(to)
      this.into[to].push(from)
    }
    this.edges.set(key, count + 1)
    return true
  }

  /** Undoes one add(). */
  private remove(from: number, to: number): void {
    const key = from * this.n + to
    const count = this.edges.get(key)! - 1
    if (count > 0) {
      this.edges.set(key, count)
      return
    }
    this.edges.delete(key)
    drop(this.out[from], to)
    drop(this.into[to], from)
  }

  /** Repairs the order for a new edge from -> to, where `to` stands before `from`: the vertices reachable from `to`
   *  move behind those that reach `from`. Only positions between the two change. Returns false for a cycle. */
  private fits(from: number, to: number): boolean {
    const { order, mark } = this
    const low = order[to]
    const high = order[from]
    if (from === to) return false
    if (low > high) return true
    const after = this.reach(to, this.out, low, high, from)
    const cycle = mark[from] === 1
    const before = cycle ? [] : this.reach(from, this.into, low, high, -1)
    for (const v of after) mark[v] = 0
    for (const v of before) mark[v] = 0
    if (cycle) return false
    const byOrder = (a: number, b: number) => order[a] - order[b]
    const moved = [...before.sort(byOrder), ...after.sort(byOrder)]
    const places = moved.map((v) => order[v]).sort((a, b) => a - b)
    for (let i = 0; i < moved.length; i++) order[moved[i]] = places[i]
    return true
  }

  /** Returns the vertices within positions low to high that can be reached from `start`, and leaves them marked. It
   *  stops at `goal`, which proves a cycle. */
  private reach(start: number, next: readonly number[][], low: number, high: number, goal: number): number[] {
    const { order, mark } = this
    const found = [start]
    mark[start] = 1
    for (let i = 0; i < found.length; i++) {
      for (const v of next[found[i]]) {
        if (mark[v] === 1 || order[v] < low || order[v] > high) continue
        mark[v] = 1
        found.push(v)
        if (v === goal) return found
      }
    }
    return found
  }
}

function drop(list: number[], value: number): void {
  list[list.indexOf(value)] = list[list.length - 1]
  list.pop()
}
