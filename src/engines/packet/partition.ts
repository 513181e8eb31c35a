// Partitions the routers of a network among workers. The goal is a long look-ahead (long links in the cut), a small cut
// and a good balance. compile/packet calls `partition` for parallel runs.
//
// Method: links are contracted by increasing latency, as long as enough pieces of fair size remain, so that only long
// links are cut. Pieces are then assigned to workers in numerical order, which keeps groups together. Finally, pieces
// move to another worker while that cuts fewer channels and preserves the balance. Limits: the result is not a global
// optimum. The method relies on topologies that give neighbouring routers nearby numbers.
import type { Graph } from "../../model/graph.ts"
import type { Router } from "../../model/ids.ts"

export interface Partition {
  readonly workers: number
  /** [router] -> worker */
  readonly owner: Uint8Array
  /** channels of each worker's routers */
  readonly weights: readonly number[]
  /** largest weight over the mean */
  readonly imbalance: number
  /** number of channels between routers of different workers, and their share of all */
  readonly cut: number
  readonly cutShare: number
}

/** `group`: [router] -> group; used where all links have the same latency. */
export function partition(graph: Graph, workers: number, group?: Int32Array): Partition {
  const piece = pieces(graph, workers, group)
  const order = [...new Set(piece)]
  // Two candidate orders: numerical, and with the second half interleaved with the first. The latter suits networks of
  // two halves whose links all lead to the other half.
  const half = Math.ceil(order.length / 2)
  const folded = order.map((_, i) => order[(i >> 1) + (i & 1) * half]).filter((p) => p !== undefined)
  const tries = [order, ...(folded.length === order.length ? [folded] : [])].map((line) => {
    const owner = dealOut(graph, piece, line, workers)
    improve(graph, piece, owner, workers)
    return quality(graph, owner, workers)
  })
  return tries.reduce((best, p) => (p.cut < best.cut ? p : best))
}

function weightOf(graph: Graph, r: Router): number {
  return graph.firstChan[r + 1] - graph.firstChan[r]
}

/** Returns [router] -> piece, named after its lowest router. */
function pieces(graph: Graph, workers: number, group: Int32Array | undefined): Int32Array {
  let piece: Int32Array = Int32Array.from({ length: graph.routers }, (_, r) => r)
  const lengths = [...new Set(graph.latency)].sort((a, b) => a - b)
  const byLatency = lengths.slice(0, -1).map((longest) => (c: number) => graph.latency[c] <= longest)
  const byGroup =
    group === undefined ? [] : [(c: number) => group[graph.routerOf[c]] === group[graph.routerOf[graph.far[c]]]]
  for (const joins of [...byLatency, ...byGroup]) {
    const next = contracted(graph, piece, joins)
    if (!fair(graph, next, workers)) break
    piece = next
  }
  return piece
}

/** Merges the pieces that the selected channels connect (union-find with path halving). */
function contracted(graph: Graph, piece: Int32Array, joins: (chan: number) => boolean): Int32Array {
  const root = piece.slice()
  const find = (r: number): number => {
    let x = r
    while (root[x] !== x) x = root[x] = root[root[x]]
    return x
  }
  for (let c = 0; c < graph.chans; c++) {
    if (graph.far[c] < 0 || !joins(c)) continue
    const a = find(graph.routerOf[c])
    const b = find(graph.routerOf[graph.far[c]])
    if (a !== b) root[Math.max(a, b)] = Math.min(a, b)
  }
  return root.map((_, r) => find(r))
}

/** Returns true if there are enough pieces and none exceeds a worker's fair share by more than a quarter. */
function fair(graph: Graph, piece: Int32Array, workers: number): boolean {
  const weight = new Map<number, number>()
  for (let r = 0; r < graph.routers; r++) weight.set(piece[r], (weight.get(piece[r]) ?? 0) + weightOf(graph, r))
  const share = graph.chans / workers
  if (weight.size < workers) return false
  const largest = Math.max(...weight.values())
  return (
    largest <= 1.25 * share && (weight.size >= 4 * workers || weight.size % workers === 0 || largest <= 0.3 * share)
  )
}

/** Assigns the pieces to workers along the given order, in equal shares of weight. */
function dealOut(graph: Graph, piece: Int32Array, order: readonly number[], workers: number): Uint8Array {
  const weight = new Map<number, number>()
  for (let r = 0; r < graph.routers; r++) weight.set(piece[r], (weight.get(piece[r]) ?? 0) + weightOf(graph, r))
  const side = new Map<number, number>()
  let given = 0
  for (const p of order) {
    // The middle of the piece decides, so that each worker gets its share of the order.
    side.set(p, Math.min(workers - 1, Math.floor(((given + weight.get(p)! / 2) * workers) / graph.chans)))
    given += weight.get(p)!
  }
  return Uint8Array.from(piece, (p) => side.get(p)!)
}

/** Moves pieces to the worker that most of their links lead to. Weights stay within 5 % of the mean. */
function improve(graph: Graph, piece: Int32Array, owner: Uint8Array, workers: number): void {
  const members = new Map<number, number[]>()
  for (let r = 0; r < graph.routers; r++) members.set(piece[r], [...(members.get(piece[r]) ?? []), r])
  const weights = new Float64Array(workers)
  for (let r = 0; r < graph.routers; r++) weights[owner[r]] += weightOf(graph, r)
  const most = (graph.chans / workers) * 1.05
  const links = new Int32Array(workers)
  for (let pass = 0; pass < 4; pass++) {
    let moved = 0
    for (const routers of members.values()) {
      links.fill(0)
      let weight = 0
      for (const r of routers) {
        weight += weightOf(graph, r)
        for (let c = graph.firstChan[r]; c < graph.firstChan[r + 1]; c++) {
          const far = graph.far[c]
          if (far >= 0 && piece[graph.routerOf[far]] !== piece[r]) links[owner[graph.routerOf[far]]]++
        }
      }
      const from = owner[routers[0]]
      let best = from
      for (let w = 0; w < workers; w++) if (links[w] > links[best] && weights[w] + weight <= most) best = w
      if (best === from || weights[from] - weight < (graph.chans / workers) * 0.95) continue
      for (const r of routers) owner[r] = best
      weights[from] -= weight
      weights[best] += weight
      moved++
    }
    if (moved === 0) return
  }
}

/** Returns the weights, the imbalance and the cut of an assignment. */
export function quality(graph: Graph, owner: Uint8Array, workers: number): Partition {
  const weights = new Array<number>(workers).fill(0)
  let cut = 0
  let links = 0
  for (let r = 0; r < graph.routers; r++) weights[owner[r]] += weightOf(graph, r)
  for (let c = 0; c < graph.chans; c++) {
    if (graph.far[c] < 0) continue
    links++
    if (owner[graph.routerOf[c]] !== owner[graph.routerOf[graph.far[c]]]) cut++
  }
  return {
    workers,
    owner,
    weights,
    imbalance: (Math.max(...weights) * workers) / graph.chans,
    cut,
    cutShare: links === 0 ? 0 : cut / links,
  }
}
