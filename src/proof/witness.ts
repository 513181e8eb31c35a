// Finds a concrete packet for a dependency: its source, its destination, each hop, and the draws and queue states that
// led to it. Error messages show these packets, so that a user can check a cycle by hand.
import type { Chan, End, Router, Vc } from "../model/ids.ts"
import type { Choice } from "./oracle.ts"
import type { Walker } from "./walk.ts"

export interface Hop {
  readonly at: Router
  readonly chan: Chan
  readonly vc: Vc
  /** what had to be drawn and read at `at` for this hop */
  readonly choices: readonly Choice[]
}

export interface Witness {
  readonly from: End
  readonly to: End
  /** the path from its source; the last but one hop is the channel it holds, the last one the channel it waits for */
  readonly hops: readonly Hop[]
}

/** Returns a packet for destination `dest` that holds node `held` and requests node `wanted`, or undefined. */
export function witness(walker: Walker, dest: End, held: number, wanted: number): Witness | undefined {
  walker.walkOne(dest)
  const { vcs } = walker.subject
  for (let s = 0; s < walker.count; s++) {
    if (walker.nodeOf(s) !== held) continue
    const last = hopTo(walker, s, wanted, -1)
    if (last === undefined) continue
    const way = walker.pathTo(s)
    const hops: Hop[] = []
    for (let i = 0; i + 1 < way.length; i++) {
      const hop = hopTo(walker, way[i], walker.nodeOf(way[i + 1]), way[i + 1])
      if (hop === undefined)
        throw new Error(
          "a state was reached that its predecessor does not lead to: the routing is not a function of the packet",
        )
      hops.push(hop)
    }
    return { from: walker.sourceOf(s), to: dest, hops: [...hops, { ...last, vc: wanted % vcs }] }
  }
  return undefined
}

/** Replays the decision in state s until it leads to the node (and to state t, unless -1). Returns the hop with its
 *  draws and queue readings. */
function hopTo(walker: Walker, s: number, node: number, t: number): Hop | undefined {
  const { oracle, out, graph } = walker
  const { vcs } = walker.subject
  const chan = Math.floor(node / vcs)
  const vc = node % vcs
  const at = graph.routerOf[walker.portOf(s)]
  oracle.log = []
  try {
    const leads = () => {
      for (let i = 0; i < out.n; i++) {
        if (graph.firstChan[at] + out.port[i] !== chan || ((walker.legal(out.vcMask[i], s) >> vc) & 1) === 0) continue
        if (t < 0 || walker.intern(graph.far[chan] * vcs + vc, oracle.hopsNow + 1, s) === t) return true
      }
      return false
    }
    return walker.seek(s, leads) ? { at, chan, vc, choices: oracle.log } : undefined
  } finally {
    oracle.log = undefined
  }
}
