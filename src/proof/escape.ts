// Escape channels (Duato, A new theory of deadlock-free adaptive routing in wormhole networks, 1993), a sufficient condition: some VCs form
// a subset such that (1) a packet that waits always has a candidate in the subset, wherever and however it came, and (2) the extended
// dependency graph of the subset has no cycle: an edge from one of its channels to another that a packet may ask for next, at once or
// after any number of channels outside the subset. Then a waiting packet is served at the latest by the subset.
// (1) is meaningful because a packet waits for all its candidates at once: the cheapest that comes free is taken.
// (1) also asks of the switch that a packet which was given a VC never waits for it (Subject.atomic). A switch has that if it hands
// out a VC only while it is empty (tailCredit of the input-queued router), or only while it has space for the whole packet (cut-through
// with busyWhenFull: Duato, A necessary and sufficient condition for deadlock-free routing in cut-through and store-and-forward
// networks, 1996). Else a head that is given a VC with flits of others waits for that VC alone, behind packets that may go elsewhere.
// Limits: subsets are sets of VCs, the same on every channel; a routing whose escape is drawn otherwise is not recognised.
import type { End } from "../model/ids.ts"
import { edgesOf, judgeEdges, type Verdict } from "./deadlock.ts"
import type { Dependencies } from "./dependencies.ts"
import type { Automorphism } from "./symmetry.ts"
import type { Walker } from "./walk.ts"

/** With more VCs the subsets are too many to try. */
const MOST_VCS = 12

export interface Escape {
  /** VCs of the escape subset, as a mask */
  readonly mask: number
  readonly verdict: Extract<Verdict, { free: true }>
  readonly edges: number
}

/** Tries all subsets of VCs that meet (1), small ones first. */
export function findEscape(walker: Walker, dests: readonly End[], maps: readonly Automorphism[]): Escape | undefined {
  const { vcs } = walker.subject
  for (const mask of escapeSets(vcs, walker.choices)) {
    const found = judgeSubset(walker, dests, maps, mask)
    if (found !== undefined) return found
  }
  return undefined
}

/** Subsets of VCs, as masks, of which every choice of a waiting packet has one, small ones first. */
export function escapeSets(vcs: number, choices: ReadonlySet<number>): number[] {
  if (vcs > MOST_VCS) return []
  const fit: number[] = []
  for (let mask = 1; mask < 2 ** vcs - 1; mask++) {
    let all = true
    for (const choice of choices) if ((choice & mask) === 0) all = false
    if (all) fit.push(mask)
  }
  return fit.sort((a, b) => bitsIn(a) - bitsIn(b) || a - b)
}

function bitsIn(mask: number): number {
  let n = 0
  for (let m = mask; m !== 0; m &= m - 1) n++
  return n
}

function judgeSubset(walker: Walker, dests: readonly End[], maps: readonly Automorphism[], mask: number): Escape | undefined {
  const { vcs } = walker.subject
  const { nodes } = walker.deps
  const pairs = new Set<number>()
  for (const dest of dests) {
    walker.walkOne(dest)
    extend(walker, mask, pairs, nodes)
  }
  // a Set hands out what is added while it is walked: the closure under the symmetry
  for (const pair of pairs) {
    for (const m of maps) {
      const from = Math.floor(pair / nodes)
      const to = pair % nodes
      pairs.add((m.chan[Math.floor(from / vcs)]! * vcs + (from % vcs)) * nodes + m.chan[Math.floor(to / vcs)]! * vcs + (to % vcs))
    }
  }
  const from = new Int32Array(pairs.size)
  const to = new Int32Array(pairs.size)
  let n = 0
  for (const pair of pairs) {
    from[n] = Math.floor(pair / nodes)
    to[n++] = pair % nodes
  }
  const verdict = judgeEdges(edgesOf(nodes, from, to, n))
  return verdict.free ? { mask, verdict, edges: n } : undefined
}

/** From every state that holds an escape channel, through states that hold others, to the next escape channels. */
function extend(walker: Walker, mask: number, pairs: Set<number>, nodes: number): void {
  const { count } = walker
  const succ = walker.succ.data
  const at = walker.succAt.data
  const seen = new Int32Array(count).fill(-1)
  const queue = new Int32Array(count)
  for (let s = 0; s < count; s++) {
    const held = walker.nodeOf(s)
    if (held < 0 || ((mask >> walker.vcOf(s)) & 1) === 0) continue
    let n = 0
    queue[n++] = s
    for (let i = 0; i < n; i++) {
      const u = queue[i]!
      for (let j = at[u]!; j < at[u + 1]!; j++) {
        const t = succ[j]!
        if (seen[t] === s) continue
        seen[t] = s
        if (((mask >> walker.vcOf(t)) & 1) === 1) pairs.add(held * nodes + walker.nodeOf(t))
        else queue[n++] = t
      }
    }
  }
}

export function tellEscape(e: Escape, deps: Dependencies): string {
  const vcs = Array.from({ length: deps.vcs }, (_, v) => v).filter((v) => ((e.mask >> v) & 1) === 1)
  return `a waiting packet always has a candidate on VC ${vcs.join(" or ")}, and those VCs have no cycle of their own, detours over the other VCs included (Duato 1993)`
}
