// Presents a proof by order: the levels of all (channel, VC) pairs, summarised by link class and VC. If link class and
// VC alone give the order, the proof is independent of the network size.
import { edgesOf, judgeEdges } from "./deadlock.ts"
import type { Dependencies } from "./dependencies.ts"

export interface Rank {
  readonly class: string
  readonly vc: number
  /** range of levels of its channels; from = to when one level serves the whole class */
  readonly from: number
  readonly to: number
}

/** Returns one rank for each link class and VC that packets use, in increasing order. */
export function ranksOf(deps: Dependencies, level: Int32Array): Rank[] {
  const { graph, vcs } = deps
  const used = deps.entered.slice()
  for (let i = 0; i < deps.edges; i++) used[deps.from.data[i]] = used[deps.to.data[i]] = 1
  const ranks = new Map<number, { class: string; vc: number; from: number; to: number }>()
  for (let node = 0; node < deps.nodes; node++) {
    if (used[node] === 0) continue
    const kind = graph.linkClass[deps.chanOf(node)]
    const key = kind * vcs + deps.vcOf(node)
    const l = level[node]
    const rank = ranks.get(key) ?? { class: graph.classes[kind], vc: deps.vcOf(node), from: l, to: l }
    rank.from = Math.min(rank.from, l)
    rank.to = Math.max(rank.to, l)
    ranks.set(key, rank)
  }
  return [...ranks.values()].sort((a, b) => a.from - b.from || a.to - b.to)
}

/** Returns a number for the link class and VC of a node. */
export function rankOf(deps: Dependencies, node: number): number {
  return deps.graph.linkClass[deps.chanOf(node)] * deps.vcs + deps.vcOf(node)
}

/** Returns [rankOf] -> level if link class and VC alone put all dependencies in order, otherwise undefined. The spot
 *  checks of prove.ts accept a new dependency if it keeps this order. */
export function classOrder(deps: Dependencies): Int32Array | undefined {
  const ranks = deps.graph.classes.length * deps.vcs
  const seen = new Set<number>()
  for (let i = 0; i < deps.edges; i++) seen.add(rankOf(deps, deps.from.data[i]) * ranks + rankOf(deps, deps.to.data[i]))
  const pairs = [...seen]
  const from = Int32Array.from(pairs, (p) => Math.floor(p / ranks))
  const to = Int32Array.from(pairs, (p) => p % ranks)
  const verdict = judgeEdges(edgesOf(ranks, from, to, pairs.length))
  return verdict.free ? verdict.level : undefined
}

/** Returns the ranks as text. */
export function tellRanks(ranks: readonly Rank[]): string {
  return ranks
    .map((r) => `${r.class} VC ${r.vc} (${r.from === r.to ? `level ${r.from}` : `levels ${r.from} to ${r.to}`})`)
    .join(", ")
}
