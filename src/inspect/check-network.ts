// Static analysis of a routed network before cycle 0, printed by `lacewing check`: whether it is deadlock-free and why,
// the VCs that it needs, whether every packet arrives, the longest path, and the channel loads that bound its
// throughput. The proof itself is in src/proof; this file turns it into a report.

import { type Routed, subjectOf } from "../compile/subject.ts"
import { Draws } from "../core/rng.ts"
import { counted } from "../core/wording.ts"
import { lackingOf, setText } from "../experiment/conditions.ts"
import type { Chan } from "../model/ids.ts"
import type { Topology } from "../model/topology.ts"
import { type Loads, loads } from "../proof/loads.ts"
import { type Rank, ranksOf, tellRanks } from "../proof/order.ts"
import { type Proof, prove, type Walked } from "../proof/prove.ts"
import { type Subject, tellFault } from "../proof/subject.ts"
import { type LeastVcs, leastVcs } from "../proof/vcs.ts"
import type { Witness } from "../proof/witness.ts"

export interface CycleEdge {
  /** source and destination of a packet that can be blocked here */
  readonly from: number
  readonly to: number
  readonly holds: string
  readonly waitsFor: string
  /** its whole path, with the random draws and queue lengths that lead to it */
  readonly way: readonly string[]
}

export interface NetworkCheck {
  readonly deadlock: {
    readonly free: boolean
    readonly by: Proof["by"]
    readonly words: string
    /** settings that make it deadlock-free, if known */
    readonly cure?: string
    /** link classes and VCs in the order in which packets acquire them */
    readonly order?: readonly Rank[]
    readonly cycle?: readonly CycleEdge[]
    /** what was explored, and what represents what */
    readonly method: string
    readonly symmetry?: string
  }
  readonly vcs: {
    readonly given: number
    readonly declared: number
    /** smallest number found; null if none was */
    readonly least: number | null
    readonly words: string
    /** with one VC fewer: the cyclic dependency that arises */
    readonly fewer?: { readonly vcs: number; readonly words: string; readonly cycle?: readonly CycleEdge[] }
  }
  /** maximum of routers visited and links crossed; null if a packet may circulate for ever */
  readonly hopBound: { readonly routers: number | null; readonly links: number | null }
  readonly reachable: { readonly all: boolean; readonly faults: readonly string[] }
  readonly loads?: Loads & { readonly words: readonly string[] }
  /** the whole report in sentences */
  readonly words: readonly string[]
}

export interface CheckOptions {
  /** offered load of an experiment, all streams together: channel loads are also printed for it */
  readonly offered?: number
  /** leave out the least VCs and the loads */
  readonly brief?: boolean
  /** maximum number of routers that are explored */
  readonly most?: number
  readonly seed?: number
  read?(path: string): string
}

/**
 * Routers of the largest network that is explored: the tables need a kilobyte per router, and the time grows faster.
 */
export const mostWalked = 250_000
/** From this many routers on, the user gets a message that the check takes a while. */
export const manyWalked = 10_000

/** Analyses a network. */
export function checkNetwork(network: Routed, options: CheckOptions = {}): NetworkCheck {
  const declared = network.boundRouting.vcs
  if (network.topology.graph.routers > (options.most ?? mostWalked))
    return notWalked(network, declared, options.most ?? mostWalked)
  // With fewer VCs than declared, VC numbers are folded, so that the proof shows the cyclic dependency that results.
  const subject = { ...subjectOf(network), fold: network.vcsPerClass < declared }
  const proof = prove(subject)
  const least =
    options.brief === true ? undefined : leastVcs((vcs) => remade(network, vcs, options), network.vcsPerClass, proof)
  const hops = proof.hopBound
  const check = {
    deadlock: tellDeadlock(proof, network),
    vcs: tellVcs(network, declared, least, hops - 1),
    hopBound: Number.isFinite(hops) ? { routers: hops, links: hops - 1 } : { routers: null, links: null },
    reachable: { all: proof.faults.length === 0, faults: proof.faults.map((f) => tellFault(f, network.topology)) },
    ...(options.brief === true ? {} : { loads: tellLoads(loads(subject), network.topology, options.offered) }),
  }
  return { ...check, words: sentences(check) }
}

/** Returns the report of a network that is too large: it claims nothing. */
function notWalked({ topology, vcsPerClass: given }: Routed, declared: number, most: number): NetworkCheck {
  const count = (n: number) => n.toLocaleString("en")
  const words =
    `${count(topology.graph.routers)} routers are too many to explore (limit ` +
    `${count(most)}); check a smaller network of the same kind`
  return {
    deadlock: { free: false, by: "unproved", words, method: "nothing was explored" },
    vcs: { given, declared, least: null, words: `${given} given, ${declared} declared` },
    hopBound: { routers: null, links: null },
    reachable: { all: false, faults: ["was not checked"] },
    words: [`not proved free of deadlock: ${words}`, `VCs: ${given} given, ${declared} declared`],
  }
}

/** Returns the network with another number of VCs, for the search for the smallest one. */
function remade(network: Routed, vcs: number, options: CheckOptions): Subject {
  const routing = network.boundRouting.make({
    vcs,
    rng: new Draws((options.seed ?? 1) ^ 0x7075),
    ...(options.read === undefined ? {} : { read: options.read }),
  })
  return subjectOf({ ...network, routing, vcsPerClass: vcs })
}

/** Returns the part of the report about deadlock. */
function tellDeadlock(proof: Proof, network: Routed): NetworkCheck["deadlock"] {
  const { free, by, words, verdict, deps, walked } = proof
  const symmetry =
    walked.economy === "symmetry"
      ? `${walked.destinations} of ${walked.of} destinations, one per class, represent all; ` +
        `${walked.automorphisms} automorphisms were verified on the graph, and other ` +
        "destinations explored with fewer random draws agree"
      : undefined
  return {
    free,
    by,
    words,
    ...cureOf(proof, network),
    ...(verdict.free ? { order: ranksOf(deps, verdict.level) } : {}),
    ...(proof.cycle === undefined ? {} : { cycle: proof.cycle.map((w) => edgeOf(w, proof, network.topology)) }),
    method: tellMethod(walked),
    ...(symmetry === undefined ? {} : { symmetry }),
  }
}

/** For escape VCs whose condition is not met: returns the switch settings that meet it. */
export function cureOf(proof: Proof, { asks }: Routed): { readonly cure?: string } {
  const condition = asks?.switch.conditions?.escapes
  if (proof.by !== "cycle" || proof.escape === undefined || condition === undefined) return {}
  return { cure: setText(lackingOf(condition, asks!.switch, {})) }
}

/** How the exploration was reduced (src/proof). */
const economies: Record<Walked["economy"], string> = {
  none: "from every endpoint to every endpoint",
  sources: "from one endpoint of each router and one entry VC to every endpoint",
  routers: "from one endpoint of each router and one entry VC to one endpoint of each router",
  symmetry: "from one endpoint of each router and one entry VC to one destination of each class of routers",
}

function tellMethod(w: Walked): string {
  const spots = w.spots > 0 ? `; ${w.spots} random packets explored in full agree` : ""
  const draws = w.drawsSampled
    ? "each random draw over all its values, but not all combinations of draws"
    : "all random draws"
  const queues = w.queuesSampled
    ? "queues all empty, all full, and each one different from the rest"
    : "all combinations of empty and full queues"
  return `explored ${w.runs} routing decisions ${economies[w.economy]}: ${draws}, ${queues}${spots}`
}

/**
 * Returns one edge of a cyclic dependency: the channel that a packet holds, the one that it waits for, and its path.
 */
export function edgeOf(w: Witness, { deps }: Proof, topology: Topology): CycleEdge {
  const name = (hop: Witness["hops"][number]) => deps.tell(hop.chan * deps.vcs + hop.vc, (r) => topology.label(r))
  const way = w.hops.map((hop) => `${name(hop)}${tellChoices(hop.choices, topology)}`)
  return { from: w.from, to: w.to, holds: name(w.hops.at(-2)!), waitsFor: name(w.hops.at(-1)!), way }
}

/** Returns the draws and queue lengths of a hop: ` when it draws 2 of 7, port 3 long, port 4 empty`. */
export function tellChoices(choices: Witness["hops"][number]["choices"], topology: Topology): string {
  if (choices.length === 0) return ""
  const { graph } = topology
  const port = (c: Chan) => c - graph.firstChan[graph.routerOf[c]]
  const draws = choices.filter((c) => c.kind === "draw").map((c) => `${c.value} of ${c.of}`)
  const queues = choices
    .filter((c) => c.kind === "queue")
    .map((c) => `port ${port(c.chan)}${c.vc >= 0 ? ` VC ${c.vc}` : ""} ${c.value === 1 ? "long" : "empty"}`)
  return ` when ${[...(draws.length > 0 ? [`it draws ${draws.join(" and ")}`] : []), ...new Set(queues)].join(", ")}`
}

/** Returns the part of the report about VCs: given, declared, and the smallest number that is deadlock-free. */
function tellVcs(network: Routed, declared: number, found: LeastVcs | undefined, links: number): NetworkCheck["vcs"] {
  const given = network.vcsPerClass
  if (found === undefined) return { given, declared, least: null, words: `${given} given, ${declared} declared` }
  const { least, below } = found
  const tried =
    "tried " +
    `${found.tried.map((t) => `${counted(t.vcs, "VC")}: ${t.free ? "deadlock-free" : "can deadlock"}`).join(", ")}`
  const words =
    least === undefined
      ? "more VCs do not help; the routing itself would have to change " +
        `(${tried})${Number.isFinite(links) ? `; one VC per link of a path (${links}) is enough for the same paths` : ""}`
      : `${least} ${least === 1 ? "VC is" : "VCs are"} enough; ${declared} declared, ${given} given (${tried})`
  if (below === undefined) return { given, declared, least: least ?? null, words }
  const cycle = below.cycle?.map((w) => edgeOf(w, below, network.topology))
  const wrong = below.faults[0] === undefined ? below.words : tellFault(below.faults[0], network.topology)
  return {
    given,
    declared,
    least: least ?? null,
    words,
    fewer: { vcs: below.deps.vcs, words: wrong, ...(cycle === undefined ? {} : { cycle }) },
  }
}

/** Returns the part of the report about channel loads, with throughput bounds. */
function tellLoads(l: Loads, topology: Topology, offered: number | undefined): Loads & { words: string[] } {
  const name = (c: Chan) => {
    const { graph } = topology
    return c < 0
      ? "no channel"
      : `${topology.label(graph.routerOf[c])} -> ${topology.label(graph.routerOf[graph.far[c]])}`
  }
  const about = l.estimated ? "about " : ""
  const words = [
    `uniform traffic: the busiest channel (${name(l.uniform.channel)}) carries ` +
      `${about}${l.uniform.max.toFixed(3)} of an endpoint's rate, so the network accepts at most ` +
      `${percent(l.uniform.throughput)} while packets take the paths of an idle network`,
  ]
  for (const c of l.uniform.classes) {
    const vcs = c.vcs.length > 1 ? `; by VC ${c.vcs.map(percent).join(", ")}` : ""
    words.push(`  ${c.class} links: mean load ${c.mean.toFixed(3)}, maximum ${c.max.toFixed(3)}${vcs}`)
  }
  if (offered !== undefined && offered > 0)
    words.push(
      `  at the largest load of the experiment, ${Number(offered.toFixed(4))}, if it were uniform: ` +
        `${l.uniform.classes.map((c) => `${c.class} links mean ${(offered * c.mean).toFixed(3)}, maximum ${(offered * c.max).toFixed(3)}`).join("; ")}`,
    )
  if (l.worst !== undefined)
    words.push(
      `worst permutation found (greedy search, a worse one may exist): ${l.worst.load.toFixed(2)} ` +
        `over ${name(l.worst.channel)}, at most ${percent(l.worst.throughput)}`,
    )
  return { ...l, words }
}

function percent(x: number): string {
  return `${(100 * x).toFixed(1)} %`
}

/** Returns the whole report as lines of text. */
function sentences(c: Omit<NetworkCheck, "words">): string[] {
  const { deadlock, vcs, hopBound, reachable } = c
  const words: string[] = []
  if (deadlock.free) words.push(`free of deadlock: ${deadlock.words}`)
  else words.push(`not ${deadlock.by === "unproved" ? "proved free" : "free"} of deadlock: ${deadlock.words}`)
  if (deadlock.cure !== undefined) words.push(`  fix: ${deadlock.cure}`)
  if (deadlock.order !== undefined) words.push(`  by this order: ${tellRanks(deadlock.order)}`)
  for (const e of deadlock.cycle ?? [])
    words.push(`  a packet from endpoint ${e.from} to endpoint ${e.to} holds ${e.holds} and waits for ${e.waitsFor}`)
  words.push(`  ${deadlock.method}`)
  if (deadlock.symmetry !== undefined) words.push(`  by symmetry: ${deadlock.symmetry}`)
  words.push(`VCs: ${vcs.words}`)
  if (vcs.fewer !== undefined) words.push(`  with ${vcs.fewer.vcs}: ${vcs.fewer.words}`)
  for (const e of vcs.fewer?.cycle ?? [])
    words.push(`    ${e.from} -> ${e.to} holds ${e.holds}, waits for ${e.waitsFor}`)
  words.push(
    reachable.all ? "every endpoint reaches every other" : `Some packets do not arrive: ${reachable.faults.join("; ")}`,
  )
  words.push(
    hopBound.routers === null
      ? "no bound on hops: a packet may return to a router that it has visited"
      : `a packet visits at most ${hopBound.routers} routers (${hopBound.links} links)`,
  )
  words.push(...(c.loads?.words ?? []))
  return words
}
