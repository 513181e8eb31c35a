// A directed graph that stays acyclic: edges are added one at a time and refused if they would close a cycle. A topological order is kept and
// repaired locally (A dynamic topological sort algorithm for directed acyclic graphs, D. J. Pearce and P. H. J. Kelly, 2006).

export class AcyclicGraph {
  private readonly order: Int32Array
  private readonly out: number[][]
  private readonly into: number[][]
  private readonly edges = new Map<number, number>()
  private readonly mark: Uint8Array
  private readonly n: number

  constructor(n: number) {
    this.n = n
    this.order = Int32Array.from({ length: n }, (_, i) => i)
    this.out = Array.from({ length: n }, () => [])
    this.into = Array.from({ length: n }, () => [])
    this.mark = new Uint8Array(n)
  }

  /** Adds the edge, or counts it once more; false, and nothing changed, if it would close a cycle. */
  add(from: number, to: number): boolean {
    const key = from * this.n + to
    const count = this.edges.get(key) ?? 0
    if (count === 0) {
      if (!this.fits(from, to)) return false
      this.out[from]!.push(to)
      this.into[to]!.push(from)
    }
    this.edges.set(key, count + 1)
    return true
  }

  /** Takes back one add(). */
  remove(from: number, to: number): void {
    const key = from * this.n + to
    const count = this.edges.get(key)! - 1
    if (count > 0) {
      this.edges.set(key, count)
      return
    }
    this.edges.delete(key)
    drop(this.out[from]!, to)
    drop(this.into[to]!, from)
  }

  /** Moves what lies after `to` behind what lies before `from`, where their places in the order are the wrong way round. */
  private fits(from: number, to: number): boolean {
    const { order } = this
    const low = order[to]!
    const high = order[from]!
    if (from === to) return false
    if (low > high) return true
    const after = this.reach(to, this.out, (v) => order[v]! <= high)
    const cycle = after.includes(from)
    const before = cycle ? [] : this.reach(from, this.into, (v) => order[v]! >= low)
    for (const v of after) this.mark[v] = 0
    for (const v of before) this.mark[v] = 0
    if (cycle) return false
    const byOrder = (a: number, b: number) => order[a]! - order[b]!
    const moved = [...before.sort(byOrder), ...after.sort(byOrder)]
    const places = moved.map((v) => order[v]!).sort((a, b) => a - b)
    for (let i = 0; i < moved.length; i++) order[moved[i]!] = places[i]!
    return true
  }

  private reach(start: number, next: readonly number[][], within: (v: number) => boolean): number[] {
    const found = [start]
    this.mark[start] = 1
    for (let i = 0; i < found.length; i++) {
      for (const v of next[found[i]!]!) {
        if (this.mark[v] === 1 || !within(v)) continue
        this.mark[v] = 1
        found.push(v)
      }
    }
    return found
  }
}

function drop(list: number[], value: number): void {
  list[list.indexOf(value)] = list[list.length - 1]!
  list.pop()
}
