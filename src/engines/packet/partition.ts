// Routers dealt out to workers along long links: links are contracted from the shortest class on, as long as enough pieces of a fair size are left,
// so that what is cut is long. Pieces then go to workers in the order of their numbers, which keeps groups together, and change sides while that
// cuts fewer channels and keeps the balance. Limits: no global optimum is sought; topologies number neighbours nearby, which this relies on.
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
  /** channels between routers that cross, and their share of all */
  readonly cut: number
  readonly cutShare: number
}

/** `group`: routers that belong together where all links are alike. */
export function partition(graph: Graph, workers: number, group?: Int32Array): Partition {
  const piece = pieces(graph, workers, group)
  const owner = dealOut(graph, piece, workers)
  improve(graph, piece, owner, workers)
  return quality(graph, owner, workers)
}

function weightOf(graph: Graph, r: Router): number {
  return graph.firstChan[r + 1]! - graph.firstChan[r]!
}

/** [router] -> its piece, named by its lowest router. */
function pieces(graph: Graph, workers: number, group: Int32Array | undefined): Int32Array {
  let piece: Int32Array = Int32Array.from({ length: graph.routers }, (_, r) => r)
  const lengths = [...new Set(graph.latency)].sort((a, b) => a - b)
  const byLatency = lengths.slice(0, -1).map((longest) => (c: number) => graph.latency[c]! <= longest)
  const byGroup = group === undefined ? [] : [(c: number) => group[graph.routerOf[c]!] === group[graph.routerOf[graph.far[c]!]!]]
  for (const joins of [...byLatency, ...byGroup]) {
    const next = contracted(graph, piece, joins)
    if (!fair(graph, next, workers)) break
    piece = next
  }
  return piece
}

function contracted(graph: Graph, piece: Int32Array, joins: (chan: number) => boolean): Int32Array {
  const root = piece.slice()
  const find = (r: number): number => {
    let x = r
    while (root[x] !== x) x = root[x] = root[root[x]!]!
    return x
  }
  for (let c = 0; c < graph.chans; c++) {
    if (graph.far[c]! < 0 || !joins(c)) continue
    const a = find(graph.routerOf[c]!)
    const b = find(graph.routerOf[graph.far[c]!]!)
    if (a !== b) root[Math.max(a, b)] = Math.min(a, b)
  }
  return root.map((_, r) => find(r))
}

/** Enough pieces, and none so large that one worker would have more than a quarter beyond its share. */
function fair(graph: Graph, piece: Int32Array, workers: number): boolean {
  const weight = new Map<number, number>()
  for (let r = 0; r < graph.routers; r++) weight.set(piece[r]!, (weight.get(piece[r]!) ?? 0) + weightOf(graph, r))
  const share = graph.chans / workers
  if (weight.size < workers) return false
  const largest = Math.max(...weight.values())
  return largest <= 1.25 * share && (weight.size >= 4 * workers || weight.size % workers === 0 || largest <= 0.3 * share)
}

function dealOut(graph: Graph, piece: Int32Array, workers: number): Uint8Array {
  const order = [...new Set(piece)]
  const weight = new Map<number, number>()
  for (let r = 0; r < graph.routers; r++) weight.set(piece[r]!, (weight.get(piece[r]!) ?? 0) + weightOf(graph, r))
  const side = new Map<number, number>()
  let given = 0
  for (const p of order) {
    // by the middle of the piece, so that each worker gets its share of the line
    side.set(p, Math.min(workers - 1, Math.floor(((given + weight.get(p)! / 2) * workers) / graph.chans)))
    given += weight.get(p)!
  }
  return Uint8Array.from(piece, (p) => side.get(p)!)
}

/** Moves pieces to the worker that most of their links lead to, while weights stay within a twentieth of the mean. */
function improve(graph: Graph, piece: Int32Array, owner: Uint8Array, workers: number): void {
  const members = new Map<number, number[]>()
  for (let r = 0; r < graph.routers; r++) members.set(piece[r]!, [...(members.get(piece[r]!) ?? []), r])
  const weights = new Float64Array(workers)
  for (let r = 0; r < graph.routers; r++) weights[owner[r]!]! += weightOf(graph, r)
  const most = (graph.chans / workers) * 1.05
  const links = new Int32Array(workers)
  for (let pass = 0; pass < 4; pass++) {
    let moved = 0
    for (const routers of members.values()) {
      links.fill(0)
      let weight = 0
      for (const r of routers) {
        weight += weightOf(graph, r)
        for (let c = graph.firstChan[r]!; c < graph.firstChan[r + 1]!; c++) {
          const far = graph.far[c]!
          if (far >= 0 && piece[graph.routerOf[far]!] !== piece[r]) links[owner[graph.routerOf[far]!]!]!++
        }
      }
      const from = owner[routers[0]!]!
      let best = from
      for (let w = 0; w < workers; w++) if (links[w]! > links[best]! && weights[w]! + weight <= most) best = w
      if (best === from || weights[from]! - weight < (graph.chans / workers) * 0.95) continue
      for (const r of routers) owner[r] = best
      weights[from]! -= weight
      weights[best]! += weight
      moved++
    }
    if (moved === 0) return
  }
}

export function quality(graph: Graph, owner: Uint8Array, workers: number): Partition {
  const weights = new Array<number>(workers).fill(0)
  let cut = 0
  let links = 0
  for (let r = 0; r < graph.routers; r++) weights[owner[r]!]! += weightOf(graph, r)
  for (let c = 0; c < graph.chans; c++) {
    if (graph.far[c]! < 0) continue
    links++
    if (owner[graph.routerOf[c]!] !== owner[graph.routerOf[graph.far[c]!]!]) cut++
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
