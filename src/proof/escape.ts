// Escape channels, a sufficient condition for adaptive routing: "A new theory of deadlock-free adaptive routing in
// wormhole networks", J. Duato, 1993. Some VCs form a subset such that:
//   1. a waiting packet always has a candidate in the subset, wherever it is and however it came;
//   2. the extended dependency graph of the subset has no cycle. It has an edge from one channel of the subset to
//     another that a packet may request next, directly or after any number of channels outside the subset.
// Then the subset serves every waiting packet eventually.
//
// Condition 1 is meaningful because a packet waits for all its candidates at once and takes the cheapest one that
// becomes free. It also requires that a packet never waits for a VC after that VC was assigned to it (Subject.atomic).
// A switch guarantees this if it assigns a VC only while it is empty (tailCredit of the input-queued switch), or only
// while it has space for the whole packet (cut-through with busyWhenFull; J. Duato, "A necessary and sufficient
// condition for deadlock-free routing in cut-through and store-and-forward networks", 1996). Otherwise a head flit
// waits for one VC behind packets that may go elsewhere.
//
// Limits: subsets are sets of VCs, the same on every channel. A routing with other escape channels is not recognised.
import type { End } from "../model/ids.ts"
import { edgesOf, judgeEdges, type Verdict } from "./deadlock.ts"
import type { Dependencies } from "./dependencies.ts"
import type { Automorphism } from "./symmetry.ts"
import type { Walker } from "./walk.ts"

/** Maximum number of VCs: with more of them there are too many subsets to try. */
const MOST_VCS = 12

export interface Escape {
  /** VCs of the escape subset, as a mask */
  readonly mask: number
  readonly verdict: Extract<Verdict, { free: true }>
  readonly edges: number
}

/** Tries all subsets of VCs that meet condition 1, small ones first. Returns the first one that also meets
 *  condition 2. */
export function findEscape(walker: Walker, dests: readonly End[], maps: readonly Automorphism[]): Escape | undefined {
  const { vcs } = walker.subject
  for (const mask of escapeSets(vcs, walker.choices)) {
    const found = judgeSubset(walker, dests, maps, mask)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the subsets of VCs, as masks, that contain a VC of every choice of a waiting packet, small ones first. */
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

/** Returns the proof for one subset, or undefined if its extended dependency graph has a cycle. */
function judgeSubset(
  walker: Walker,
  dests: readonly End[],
  maps: readonly Automorphism[],
  mask: number,
): Escape | undefined {
  const { vcs } = walker.subject
  const { nodes } = walker.deps
  const pairs = new Set<number>()
  for (const dest of dests) {
    walker.walkOne(dest)
    extend(walker, mask, pairs, nodes)
  }
  // Closure under the symmetry: a Set also visits the elements that are added during the iteration.
  for (const pair of pairs) {
    for (const m of maps) {
      const from = Math.floor(pair / nodes)
      const to = pair % nodes
      pairs.add(
        (m.chan[Math.floor(from / vcs)] * vcs + (from % vcs)) * nodes + m.chan[Math.floor(to / vcs)] * vcs + (to % vcs),
      )
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

/** Adds the extended dependencies of one destination: from every state that holds an escape channel, through states
 *  that hold others, to the next escape channels. */
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
      const u = queue[i]
      for (let j = at[u]; j < at[u + 1]; j++) {
        const t = succ[j]
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
  return (
    `a waiting packet always has a candidate on VC ${vcs.join(" or ")}, and those VCs have no ` +
    "cyclic dependency, indirect dependencies over the other VCs included (Duato 1993)"
  )
}
