// "Free, by this order": the numbering of all (channel, VC) pairs, told by link class and VC.
import { edgesOf, judgeEdges } from "./deadlock.ts"
import type { Dependencies } from "./dependencies.ts"

export interface Rank {
  readonly class: string
  readonly vc: number
  /** levels that its channels have; from = to when one number serves the whole class */
  readonly from: number
  readonly to: number
}

/** One rank for each link class and VC that packets use, in increasing order. */
export function ranksOf(deps: Dependencies, level: Int32Array): Rank[] {
  const { graph, vcs } = deps
  const used = deps.entered.slice()
  for (let i = 0; i < deps.edges; i++) used[deps.from.data[i]!] = used[deps.to.data[i]!] = 1
  const ranks = new Map<number, { class: string; vc: number; from: number; to: number }>()
  for (let node = 0; node < deps.nodes; node++) {
    if (used[node] === 0) continue
    const kind = graph.linkClass[deps.chanOf(node)]!
    const key = kind * vcs + deps.vcOf(node)
    const l = level[node]!
    const rank = ranks.get(key) ?? { class: graph.classes[kind]!, vc: deps.vcOf(node), from: l, to: l }
    rank.from = Math.min(rank.from, l)
    rank.to = Math.max(rank.to, l)
    ranks.set(key, rank)
  }
  return [...ranks.values()].sort((a, b) => a.from - b.from || a.to - b.to)
}

/** Number of a node's link class and VC. */
export function rankOf(deps: Dependencies, node: number): number {
  return deps.graph.linkClass[deps.chanOf(node)]! * deps.vcs + deps.vcOf(node)
}

/** [rankOf] -> level, if link class and VC alone put all dependencies in order. */
export function classOrder(deps: Dependencies): Int32Array | undefined {
  const ranks = deps.graph.classes.length * deps.vcs
  const seen = new Set<number>()
  for (let i = 0; i < deps.edges; i++) seen.add(rankOf(deps, deps.from.data[i]!) * ranks + rankOf(deps, deps.to.data[i]!))
  const pairs = [...seen]
  const from = Int32Array.from(pairs, (p) => Math.floor(p / ranks))
  const to = Int32Array.from(pairs, (p) => p % ranks)
  const verdict = judgeEdges(edgesOf(ranks, from, to, pairs.length))
  return verdict.free ? verdict.level : undefined
}

export function tellRanks(ranks: readonly Rank[]): string {
  return ranks.map((r) => `${r.class} VC ${r.vc} (${r.from === r.to ? `level ${r.from}` : `levels ${r.from} to ${r.to}`})`).join(", ")
}
