// Channel loads and the throughput that they allow at best (Dally and Towles, "Principles and Practices of
// Interconnection Networks", 2004, section 3.3). If the busiest channel has load g when every endpoint sends one flit
// per cycle, at most 1 / g can be accepted. `lacewing check` reports these bounds.
//
// Uniform traffic: each endpoint sends to all others equally. Worst permutation: for the busiest channels of each link
// class, a permutation that brings as much traffic as possible over this one channel (B. Towles and W. J. Dally,
// "Worst-case traffic for oblivious routing functions", 2002). A greedy matching replaces the optimal one, so the
// result is a bad permutation and not necessarily the worst.
//
// Limits: paths are those of an idle network (flow.ts), so for adaptive routing these are the loads before any packet
// is diverted. In a large network one endpoint stands for all of its router. Draws are sampled when there are too many
// (`estimated`).
import { Draws } from "../core/rng.ts"
import type { Chan, End } from "../model/ids.ts"
import { economical } from "./exploration-limit.ts"
import { Flow } from "./flow.ts"
import type { Subject } from "./subject.ts"

const BUDGET = 2_000_000
const MOST_PAIRS = 30_000_000
/** Pairs of (router, endpoint) up to which every endpoint is a separate destination. */
const MOST_GOALS = 1_100_000
const TARGETS_PER_CLASS = 3

export interface ClassLoad {
  readonly class: string
  readonly mean: number
  readonly max: number
  /** share of the class's traffic on each VC */
  readonly vcs: readonly number[]
}

export interface Loads {
  readonly uniform: {
    readonly max: number
    readonly channel: Chan
    readonly throughput: number
    readonly classes: readonly ClassLoad[]
  }
  /** absent when the network is too large */
  readonly worst?: {
    readonly load: number
    readonly channel: Chan
    readonly throughput: number
    readonly pairs: readonly (readonly [End, End])[]
  }
  /** draws were sampled, or one endpoint stood for its router */
  readonly estimated: boolean
}

/** Routers with endpoints: their endpoints, and the router of each endpoint. */
interface Homes {
  readonly ends: readonly (readonly End[])[]
  readonly of: Int32Array
}

/** A destination that is computed, and the endpoints for which it stands. */
interface Goal {
  readonly dest: End
  readonly ends: readonly End[]
}

/** Returns the loads under uniform traffic and under a bad permutation. */
export function loads(subject: Subject): Loads {
  const { graph } = subject.topology
  const homes = homesOf(subject)
  const each = homes.ends.length * graph.ends <= MOST_GOALS
  // drawn at random, because a routing may use the number of an endpoint (for example modulo the width of a trunk)
  const pick = new Draws(0x90a1)
  const goals: Goal[] = each
    ? Array.from({ length: graph.ends }, (_, dest) => ({ dest, ends: [dest] }))
    : homes.ends.map((ends) => ({ dest: ends[pick.below(ends.length)], ends }))
  const pairs = homes.ends.length * goals.length
  const flow = new Flow(subject, economical, Math.max(2, Math.min(4096, Math.floor(BUDGET / pairs))))
  const load = new Float64Array(graph.chans * subject.vcs)
  for (const { dest, ends } of goals) {
    const scale = ends.length / (graph.ends - 1)
    flow.send(dest, sharing(subject, homes, scale), (c, v, l) => {
      load[c * subject.vcs + v] += l
    })
  }
  const uniform = summary(subject, load)
  const targets = busiest(subject, load)
  const worst =
    pairs * targets.length <= MOST_PAIRS && targets.length > 0
      ? worstPermutation(subject, flow, homes, goals, targets)
      : undefined
  return { uniform, ...(worst === undefined ? {} : { worst }), estimated: flow.sampled || !each }
}

/** Returns the traffic of a source state: that of all endpoints of its router, or the share of one endpoint on one
 *  rail. */
function sharing(subject: Subject, homes: Homes, scale: number): (from: End) => number {
  const { rails } = subject.topology.graph
  return rails > 1 ? () => scale / rails : (from) => homes.ends[homes.of[from]].length * scale
}

function homesOf(subject: Subject): Homes {
  const { ends: count, rails, home, routerOf, routers } = subject.topology.graph
  const index = new Int32Array(routers).fill(-1)
  const of = new Int32Array(count)
  const ends: End[][] = []
  for (let e = 0; e < count; e++) {
    const r = routerOf[home[e * rails]]
    if (index[r] < 0) index[r] = ends.push([]) - 1
    of[e] = index[r]
    ends[index[r]].push(e)
  }
  return { ends, of }
}

/** Returns the load of a channel over all VCs. */
function onChannel(load: Float64Array, vcs: number, c: Chan): number {
  let sum = 0
  for (let v = 0; v < vcs; v++) sum += load[c * vcs + v]
  return sum
}

/** Returns maximum and mean load by link class. */
function summary(subject: Subject, load: Float64Array): Loads["uniform"] {
  const { graph } = subject.topology
  const { vcs } = subject
  let max = 0
  let channel = -1
  const classes = graph.classes.map((name, k): ClassLoad | undefined => {
    let sum = 0
    let count = 0
    let top = 0
    const byVc = new Float64Array(vcs)
    for (let c = 0; c < graph.chans; c++) {
      if (graph.linkClass[c] !== k || graph.far[c] < 0) continue
      const l = onChannel(load, vcs, c)
      sum += l
      count++
      if (l > top) top = l
      if (l > max) {
        max = l
        channel = c
      }
      for (let v = 0; v < vcs; v++) byVc[v] += load[c * vcs + v]
    }
    return count === 0
      ? undefined
      : { class: name, mean: sum / count, max: top, vcs: [...byVc].map((l) => (sum > 0 ? l / sum : 0)) }
  })
  return { max, channel, throughput: Math.min(1, 1 / max), classes: classes.filter((c) => c !== undefined) }
}

/** Returns the busiest channels of each link class. */
function busiest(subject: Subject, load: Float64Array): Chan[] {
  const { graph } = subject.topology
  return graph.classes.flatMap((_, k) => {
    const chans: { c: Chan; l: number }[] = []
    for (let c = 0; c < graph.chans; c++)
      if (graph.linkClass[c] === k && graph.far[c] >= 0) chans.push({ c, l: onChannel(load, subject.vcs, c) })
    return chans
      .sort((a, b) => b.l - a.l || a.c - b.c)
      .slice(0, TARGETS_PER_CLASS)
      .map(({ c }) => c)
  })
}

/** Returns the worst of the permutations found for the target channels. */
function worstPermutation(
  subject: Subject,
  flow: Flow,
  homes: Homes,
  goals: readonly Goal[],
  targets: readonly Chan[],
): Loads["worst"] {
  const { rails, chans } = subject.topology.graph
  const [n, m, k] = [homes.ends.length, goals.length, targets.length]
  const index = new Int32Array(chans).fill(-1)
  targets.forEach((c, i) => {
    index[c] = i
  })
  // crosses[(target * n + source) * m + goal]: the part of this pair's packets that crosses the target
  const crosses = new Float32Array(k * n * m)
  for (let g = 0; g < m; g++) {
    flow.begin(goals[g].dest)
    const of = crossings(flow, index, k)
    for (let s = 0; s < flow.sources; s++) {
      const from = homes.of[flow.sourceOf(s)]
      const part = rails > 1 ? 1 / (rails * homes.ends[from].length) : 1
      for (let i = 0; i < k; i++) crosses[(i * n + from) * m + g] += part * of[s * k + i]
    }
  }
  let worst: Loads["worst"]
  for (let i = 0; i < k; i++) {
    const { total, pairs } = matching(homes, goals, crosses.subarray(i * n * m, (i + 1) * n * m))
    if (worst === undefined || total > worst.load)
      worst = { load: total, channel: targets[i], throughput: Math.min(1, 1 / total), pairs }
  }
  return worst
}

/** Returns [state * k + target] -> the share of the traffic in this state that crosses the target. It is computed
 *  backwards along the moves. */
function crossings(flow: Flow, index: Int32Array, k: number): Float64Array {
  const of = new Float64Array(flow.walker.count * k)
  const known = new Uint8Array(flow.walker.count)
  const visit = (s: number): void => {
    known[s] = 1
    for (let i = flow.first.data[s]; i < flow.first.data[s + 1]; i++) {
      const t = flow.to.data[i]
      if (t < 0) continue
      if (known[t] === 0) visit(t)
      const share = flow.share[i]
      for (let j = 0; j < k; j++) of[s * k + j] += share * of[t * k + j]
      const target = index[flow.chan.data[i]]
      if (target >= 0) of[s * k + target] += share
    }
  }
  for (let s = 0; s < flow.sources; s++) if (known[s] === 0) visit(s)
  return of
}

/** Returns pairs in decreasing order of weight, then of the fewest other partners. Each endpoint sends once and
 *  receives once. */
function matching(
  homes: Homes,
  goals: readonly Goal[],
  weight: Float32Array,
): { total: number; pairs: (readonly [End, End])[] } {
  const m = goals.length
  const heavy: number[] = []
  const goalsOf = new Int32Array(homes.ends.length)
  const sourcesOf = new Int32Array(m)
  for (let i = 0; i < weight.length; i++) {
    if (weight[i] === 0) continue
    heavy.push(i)
    goalsOf[Math.floor(i / m)]++
    sourcesOf[i % m]++
  }
  const partners = (i: number) => Math.min(goalsOf[Math.floor(i / m)], sourcesOf[i % m])
  heavy.sort((a, b) => weight[b] - weight[a] || partners(a) - partners(b) || a - b)
  const sent = new Int32Array(homes.ends.length)
  const received = new Int32Array(m)
  const pairs: (readonly [End, End])[] = []
  let total = 0
  for (const i of heavy) {
    const s = Math.floor(i / m)
    const g = i % m
    const from = homes.ends[s]
    const to = goals[g].ends
    while (sent[s] < from.length && received[g] < to.length) {
      pairs.push([from[sent[s]++], to[received[g]++]])
      total += weight[i]
    }
  }
  return { total, pairs }
}
