// Proves that a routing function is free of deadlock, or finds a cycle. The check of every experiment calls it. The
// steps are: choose how much to walk, walk, close under the symmetry, check at random, judge.
//
// While all of it costs at most BUDGET decisions the walk is complete: every endpoint as source and as destination,
// every entry VC, every draw. Above that it economises, one step after the other and no further than needed:
//   1. one endpoint stands for all sources of its router, one entry VC for all, equal draws are made together
//     (oracle.ts);
//   2. one endpoint stands for all destinations of its router;
//   3. one destination stands for each class that the verified automorphisms of the graph map onto one another
//     (symmetry.ts). Others are walked, too, as many as LIGHT_RUNS allows, but with only a few draws of each decision,
//     so that an asymmetric routing shows.
// All of them reuse decisions of packets that came by another port (decisions.ts); that is the first economy to be
// given up.
//
// None of these is taken on trust. SPOTS random packets are walked in full, with their own source, destination and
// entry VCs. Each dependency that they make must be in the graph. (Where link class and VC alone order the graph, it is
// enough that they keep that order: a missed dependency could not close a cycle without breaking it.) If one is
// missing, the last economy is taken back and the walk is repeated.
//
// The images under the automorphisms are written down only where they decide. If link class and VC alone order the
// dependencies that were found, they order their images as well, because an automorphism keeps link classes and VCs. A
// network with too many images (CLOSED) is then judged by that order.
//
// The verdict names the economies that were used. Without any it is a proof of the routing function as it is; with them
// it also rests on the spot checks. When a walk that the spot checks require would cost more than LIMIT decisions, the
// network is not called free: by = "unproved". A cycle needs a packet for each of its edges instead of spot checks. A
// hasty proof ends as soon as it finds a cycle that neither escape channels nor bubbles could excuse.
import { Draws } from "../core/rng.ts"
import type { End } from "../model/ids.ts"
import { type Bubble, findBubble, tellBubble } from "./bubble.ts"
import { edgesOf, increases, isAcyclic, judge, type Verdict } from "./deadlock.ts"
import type { Dependencies } from "./dependencies.ts"
import { type Escape, escapeSets, findEscape, tellEscape } from "./escape.ts"
import { type ExplorationLimit, economical, light, thorough } from "./exploration-limit.ts"
import { classOrder, rankOf } from "./order.ts"
import { spaced } from "./spaced.ts"
import type { Fault, Subject } from "./subject.ts"
import { type Automorphism, automorphisms, classesOf, close } from "./symmetry.ts"
import { Walker } from "./walk.ts"
import { type Witness, witness } from "./witness.ts"

const BUDGET = 12_000_000
const LIMIT = 400_000_000
const SPOTS = 48
/** Decisions after which no further spot check, or destination of the light walk, is started. */
const SPOT_RUNS = 2_000_000
const LIGHT_RUNS = 4_000_000
/** Dependencies, with all images, up to which they are written down. */
const CLOSED = 20_000_000

export type Economy = "none" | "sources" | "routers" | "symmetry"

export interface Proof {
  readonly free: boolean
  /** how it is known: an order of all dependencies, escape channels, bubbles; or a cycle; or not known */
  readonly by: "order" | "escape" | "bubble" | "cycle" | "unproved"
  readonly words: string
  readonly verdict: Verdict
  /** with a cycle: the escape channels that would make it free if a VC were assigned only while it is empty (Duato's
   *  condition) */
  readonly escape?: Escape
  readonly bubble?: Bubble
  /** the packets of the cycle: each holds a (channel, VC) pair and waits for the one that the next holds */
  readonly cycle?: readonly Witness[]
  readonly deps: Dependencies
  readonly faults: readonly Fault[]
  readonly hopBound: number
  readonly walked: Walked
}

/** The extent of the walk. */
export interface Walked {
  readonly economy: Economy
  readonly destinations: number
  /** endpoints for which they stand */
  readonly of: number
  readonly automorphisms: number
  /** the order of link classes and VCs stands for the images of the dependencies, which were not written down */
  readonly imagined: boolean
  readonly spots: number
  readonly runs: number
  readonly drawsSampled: boolean
  readonly queuesSampled: boolean
}

export interface ProveOptions {
  /** maximum number of decisions of a complete walk */
  readonly budget?: number
  /** end as soon as a cycle is certain; hop bound and faults then cover only the part that was walked */
  readonly hasty?: boolean
  /** number of decisions beyond which the result is "unproved". Spot checks and the light walk have separate limits. */
  readonly limit?: number
  /** number of dependencies, with all images, up to which the images are written down */
  readonly closed?: number
}

interface Plan {
  readonly economy: Economy
  /** decisions that it will cost, roughly */
  readonly cost: number
  readonly effort: ExplorationLimit
  readonly dests: readonly End[]
  readonly maps: readonly Automorphism[]
}

/** Returns the proof. Plans are tried from the most economical one that fits the budget to the most thorough one. */
export function prove(subject: Subject, options: ProveOptions = {}): Proof {
  const limit = options.limit ?? LIMIT
  const plans = plansFor(subject, options.budget ?? BUDGET)
  if (plans[0].cost > limit) return unproved(plans[0], nothing(subject))
  let alike: ExplorationLimit["alike"] = "ports"
  for (let i = 0; ; ) {
    const next = plans[i]
    const plan = next.effort.alike === "none" ? next : { ...next, effort: { ...next.effort, alike } }
    const walker = new Walker(subject, plan.effort)
    const destinations = walker.walkAll(
      plan.dests,
      (walked) => options.hasty === true && (walked & (walked - 1)) === 0 && isHopeless(walker),
    )
    const { ends } = subject.topology.graph
    const images = walker.deps.edges * (ends / plan.dests.length)
    const imagined =
      plan.maps.length > 0 && images > (options.closed ?? CLOSED) && classOrder(walker.deps) !== undefined
    if (!imagined) close(walker.deps, plan.maps)
    const closed = walker.deps.edges
    const supplement = plan.maps.length > 0 ? new Walker(subject, light, walker) : undefined
    supplement?.walkAll(spaced(firstOfRouter(subject)), () => supplement.runs > Math.min(limit, LIGHT_RUNS))
    const order = imagined ? classOrder(walker.deps) : undefined
    if (imagined && order === undefined) close(walker.deps, plan.maps)
    const verdict = order === undefined ? judge(walker.deps) : verdictOf(walker.deps, order)
    const walked: Walked = {
      economy: plan.economy,
      destinations,
      of: ends,
      automorphisms: plan.maps.length,
      imagined: order !== undefined,
      spots: 0,
      runs: walker.runs + (supplement?.runs ?? 0),
      drawsSampled: walker.drawsSampled,
      queuesSampled: walker.queuesSampled,
    }
    const found: Found = {
      verdict,
      deps: walker.deps,
      faults: [...walker.faults, ...(supplement?.faults ?? [])],
      hopBound: Math.max(walker.hopBound, supplement?.hopBound ?? 0),
      walked,
    }
    const same =
      supplement === undefined || (supplement.seesAs(walker) && (verdict.free || closed === walker.deps.edges))
    if (same) {
      const proof = conclude(walker, plan, found)
      if (plan.economy === "none" || isReal(proof)) return proof
      const spots = proof.free ? spotCheck(subject, walker.deps, Math.min(limit, SPOT_RUNS)) : -1
      if (spots >= 0) return { ...proof, walked: { ...walked, spots } }
    }
    if (alike === "ports" && walker.tookOver) {
      alike = "trunk"
      continue
    }
    i++
    if (plans[i].cost > limit) return unproved(plans[i], found)
  }
}

/** A cycle with a packet for each edge: images of dependencies that are no dependencies have none. */
function isReal({ cycle, verdict }: Proof): boolean {
  return cycle !== undefined && !verdict.free && cycle.length === verdict.cycle.length
}

type Found = Pick<Proof, "verdict" | "deps" | "faults" | "hopBound" | "walked">

function unproved(next: Plan, found: Found): Proof {
  const cost = `${Math.round(next.cost / 1e6)} million decisions`
  const words =
    "no cycle was found, but not every packet was explored: the simplifications do not hold for this " +
    `network, and a complete exploration would cost about ${cost}`
  return { free: false, by: "unproved", words, ...found }
}

/** Before anything was walked. */
function nothing(subject: Subject): Found {
  const walker = new Walker(subject, economical)
  const walked: Walked = {
    economy: "symmetry",
    destinations: 0,
    of: subject.topology.graph.ends,
    automorphisms: 0,
    imagined: false,
    spots: 0,
    runs: 0,
    drawsSampled: false,
    queuesSampled: false,
  }
  return { verdict: judge(walker.deps), deps: walker.deps, faults: [], hopBound: 0, walked }
}

/** Returns the verdict of an order of link classes and VCs: the level of each node is that of its class and VC. */
function verdictOf(deps: Dependencies, order: Int32Array): Verdict {
  const level = Int32Array.from({ length: deps.nodes }, (_, node) => order[rankOf(deps, node)])
  return { free: true, level, levels: 1 + order.reduce((a, b) => Math.max(a, b), 0) }
}

/** A cycle that neither escape channels nor bubbles can break, whatever the rest of the walk finds. */
function isHopeless(walker: Walker): boolean {
  const { deps, choices, subject } = walker
  if (subject.routing.room !== undefined || (subject.atomic !== false && escapeSets(subject.vcs, choices).length > 0))
    return false
  return !isAcyclic(edgesOf(deps.nodes, deps.from.data, deps.to.data, deps.edges))
}

/** The cheapest walk that the budget allows first, then the ones to fall back on, each with one economy less. */
function plansFor(subject: Subject, budget: number): Plan[] {
  const { graph } = subject.topology
  const { ends, rails } = graph
  const all = Array.from({ length: ends }, (_, e) => e)
  const probe = new Walker(subject, economical)
  if (ends > 0) probe.walkOne(0)
  const each = probe.runs
  const entering = new Walker(subject, thorough)
  if (ends > 0) entering.walkOne(0, [graph.entry[(ends - 1) * rails]])
  const full: Plan = {
    economy: "none",
    effort: thorough,
    dests: all,
    maps: [],
    cost: ends * (each + entering.runs * ends * rails),
  }
  if (full.cost <= budget) return [full]
  const plans: Plan[] = [full, { economy: "sources", effort: economical, dests: all, maps: [], cost: ends * each }]
  if (ends * each > budget) {
    const dests = firstOfRouter(subject)
    plans.push({ economy: "routers", effort: economical, dests, maps: [], cost: dests.length * each })
    for (const step of dests.length * each > budget ? ([2, 1] as const) : []) {
      const maps = automorphisms(graph, step)
      const classes = new Set(classesOf(ends, maps))
      const some = dests.filter((e) => classes.has(e))
      if (maps.length > 0)
        plans.push({ economy: "symmetry", effort: economical, dests: some, maps, cost: some.length * each })
    }
  }
  return plans.reverse()
}

function firstOfRouter(subject: Subject): End[] {
  const { ends, rails, home, routerOf } = subject.topology.graph
  const seen = new Set<number>()
  const firsts: End[] = []
  for (let e = 0; e < ends; e++) {
    const router = routerOf[home[e * rails]]
    if (seen.has(router)) continue
    seen.add(router)
    firsts.push(e)
  }
  return firsts
}

/** Walks random packets in full; how many, if all stay within the graph (or, where link class and VC alone order it,
 *  within that order), else -1. */
function spotCheck(subject: Subject, deps: Dependencies, most: number): number {
  const { graph } = subject.topology
  const walker = new Walker(subject, { ...thorough, exact: 4, samples: 8 })
  const draws = new Draws(0x5107)
  const order = classOrder(deps)
  let known = 0
  let i = 0
  for (; i < SPOTS && walker.runs < most; i++) {
    const dest = draws.below(graph.ends)
    walker.walkOne(dest, [graph.entry[draws.below(graph.ends * graph.rails)]])
    if (walker.deps.edges < known) known = 0
    for (; known < walker.deps.edges; known++) {
      const from = walker.deps.from.data[known]
      const to = walker.deps.to.data[known]
      if (order === undefined ? !deps.has(from, to) : order[rankOf(deps, from)] >= order[rankOf(deps, to)]) return -1
    }
  }
  return i
}

function conclude(walker: Walker, plan: Plan, found: Found): Proof {
  const { verdict, deps } = found
  if (verdict.free) {
    if (!increases(deps, verdict.level))
      throw new Error("the numbering of a dependency graph without cycles does not grow along an edge")
    const words =
      "every packet takes its (channel, VC) pairs in increasing order: " +
      `${verdict.levels} levels, ${deps.edges} dependencies${found.walked.imagined ? " and their images" : ""}`
    return { free: true, by: "order", words, ...found }
  }
  const bound = walker.subject.atomic === false
  const subset = findEscape(walker, plan.dests, plan.maps)
  if (subset !== undefined && !bound)
    return { free: true, by: "escape", words: tellEscape(subset, deps), escape: subset, ...found }
  const rings = findBubble(walker, plan.dests, verdict.component)
  if (rings !== undefined) return { free: true, by: "bubble", words: tellBubble(rings), bubble: rings, ...found }
  const words =
    `${verdict.cycle.length} packets can wait for one another in a ` +
    `cycle${verdict.shortest ? "" : " (the smallest found, not the smallest of all)"}`
  const conditional = subset === undefined ? {} : { escape: subset }
  return { free: false, by: "cycle", words, ...found, ...conditional, cycle: packetsOf(walker, deps, verdict.cycle) }
}

/** A packet for each edge of the cycle. */
function packetsOf({ subject, effort }: Walker, deps: Dependencies, cycle: readonly number[]): Witness[] {
  const walker = new Walker(subject, effort)
  const packets: Witness[] = []
  for (let i = 0; i < cycle.length; i++) {
    const held = cycle[i]
    const wanted = cycle[(i + 1) % cycle.length]
    for (let e = 0; e < deps.edges; e++) {
      if (deps.from.data[e] !== held || deps.to.data[e] !== wanted) continue
      const found = witness(walker, deps.dest.data[e], held, wanted)
      if (found !== undefined) packets.push(found)
      break
    }
  }
  return packets
}
