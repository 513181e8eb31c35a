// All paths of a packet from one endpoint to another, for `lacewing route`: channels, VCs, the share of the traffic in
// an idle network, and the draws or queue lengths that lead to each hop. Paths are distinguished by their channels. VCs
// that a packet may choose between are listed together.

import { type Routed, subjectOf } from "../compile/subject.ts"
import { type Checked, complain } from "../core/complaint.ts"
import { counted } from "../core/wording.ts"
import type { Chan, End, Vc } from "../model/ids.ts"
import type { Topology } from "../model/topology.ts"
import { thorough } from "../proof/exploration-limit.ts"
import type { Choice } from "../proof/oracle.ts"
import { Walker } from "../proof/walk.ts"
import { tellChoices } from "./check-network.ts"

export interface PathHop {
  readonly router: string
  /** its number */
  readonly at: number
  readonly port: number
  /** where the channel leads: a router, or the endpoint */
  readonly to: string
  readonly vcs: readonly Vc[]
  /** one set of draws and queue lengths for which it is taken; empty: always */
  readonly why: string
}

export interface RoutePath {
  /** routers visited, and links between them */
  readonly routers: number
  readonly links: number
  /** share of the packets that take this path while all queues are empty */
  readonly idle: number
  readonly hops: readonly PathHop[]
}

export interface RouteReport {
  readonly from: End
  readonly to: End
  readonly paths: readonly RoutePath[]
  /** there are more paths than were followed */
  readonly more: boolean
}

/** A possible next step of a packet in state s: a channel and VC, the state after it (-1: arrived), and the reason. */
interface Move {
  readonly chan: Chan
  readonly vc: Vc
  readonly next: number
  readonly why: readonly Choice[]
  idle: number
}

/** Returns at most `most` paths, the most used first. */
export function routeReport(network: Routed, from: End, to: End, most = 200): Checked<RouteReport> {
  const { graph } = network.topology
  const bad = [
    ...outside("from", from, graph.ends),
    ...outside("to", to, graph.ends),
    ...(from === to ? [complain("to", `Endpoint ${to} is also the source.`, "choose another endpoint")] : []),
  ]
  if (bad.length > 0) return { bad }
  const walker = new Walker(subjectOf(network), thorough)
  const entries = Array.from({ length: graph.rails }, (_, rail) => graph.entry[from * graph.rails + rail])
  walker.walkOne(to, entries)
  // Packets start in equal shares in all states of the injection ports.
  const sources = new Map<number, number>()
  for (let s = 0; s < walker.count; s++) if (graph.near[walker.portOf(s)] < 0) sources.set(s, 0)
  for (const s of sources.keys()) sources.set(s, 1 / sources.size)
  const ways: RoutePath[] = []
  const moves = new Map<number, Move[]>()
  // Depth-first over channels. States with the same channel are merged, so VCs of one path are listed together.
  const follow = (here: ReadonlyMap<number, number>, hops: readonly PathHop[]): void => {
    for (const [chan, step] of byChannel(walker, here, moves)) {
      if (ways.length >= most) return
      const hop = tellHop(network.topology, chan, step.vcs, step.why)
      if (step.next.size > 0) follow(step.next, [...hops, hop])
      else ways.push({ routers: hops.length + 1, links: hops.length, idle: step.idle, hops: [...hops, hop] })
    }
  }
  follow(sources, [])
  const more = ways.length >= most
  return { ok: { from, to, paths: ways.sort((a, b) => b.idle - a.idle || a.routers - b.routers), more } }
}

function outside(path: string, e: End, ends: number) {
  return Number.isInteger(e) && e >= 0 && e < ends
    ? []
    : [complain(path, `There is no endpoint ${e}.`, `choose one of 0 to ${ends - 1}`)]
}

interface Step {
  readonly next: Map<number, number>
  readonly vcs: Set<Vc>
  why: readonly Choice[]
  idle: number
}

/** Returns the next channels of packets in these states, with their share of the idle traffic. */
function byChannel(walker: Walker, here: ReadonlyMap<number, number>, known: Map<number, Move[]>): Map<Chan, Step> {
  const steps = new Map<Chan, Step>()
  for (const [s, mass] of here) {
    const moves = known.get(s) ?? movesOf(walker, s)
    known.set(s, moves)
    for (const m of moves) {
      const step = steps.get(m.chan) ?? { next: new Map<number, number>(), vcs: new Set<Vc>(), why: m.why, idle: 0 }
      steps.set(m.chan, step)
      step.vcs.add(m.vc)
      step.idle += mass * m.idle
      if (m.why.length < step.why.length) step.why = m.why
      if (m.next >= 0) step.next.set(m.next, (step.next.get(m.next) ?? 0) + mass * m.idle)
    }
  }
  return steps
}

/**
 * Returns all results of the routing function for a packet in state s, for every draw and every state of the queues,
 * empty queues first. Only the run with empty queues contributes to the idle shares.
 */
function movesOf(walker: Walker, s: number): Move[] {
  const { oracle, out, graph } = walker
  const { vcs } = walker.subject
  const first = graph.firstChan[graph.routerOf[walker.portOf(s)]]
  const plan = walker.planOf(s)
  const moves = new Map<string, Move>()
  oracle.log = []
  oracle.open(plan)
  let idle = true
  let runs = 0
  const runsOf = new Map<Chan, Set<number>>()
  do {
    do {
      walker.run(s)
      runs++
      const why = oracle.log ?? []
      const chance = idle ? oracle.chance : 0
      // Only the cheapest candidates are used in an idle network, in equal shares.
      const least = Math.min(...out.cost.subarray(0, out.n))
      const cheapest = out.cost.subarray(0, out.n).reduce((n, cost) => n + (cost === least ? 1 : 0), 0)
      for (let i = 0; i < out.n; i++) {
        const chan = first + out.port[i]
        const there = graph.far[chan]
        runsOf.set(chan, (runsOf.get(chan) ?? new Set()).add(runs))
        const options = Array.from({ length: vcs }, (_, v) => v).filter(
          (v) => ((walker.legal(out.vcMask[i], s) >> v) & 1) === 1,
        )
        for (const vc of options) {
          const next = there < 0 ? -1 : walker.intern(there * vcs + vc, oracle.hopsNow + 1, s)
          const key = `${chan} ${vc} ${next}`
          const move = moves.get(key) ?? { chan, vc, next, why, idle: 0 }
          if (out.cost[i] === least) move.idle += chance / cheapest / options.length
          moves.set(key, move)
        }
      }
    } while (oracle.nextDraws())
    idle = false
  } while (oracle.nextQueues(plan, runs))
  oracle.log = undefined
  // A channel that every combination offers needs no reason.
  return [...moves.values()].map((m) => (runsOf.get(m.chan)!.size === runs ? { ...m, why: [] } : m))
}

function tellHop(topology: Topology, chan: Chan, vcs: ReadonlySet<Vc>, why: readonly Choice[]): PathHop {
  const { graph } = topology
  const at = graph.routerOf[chan]
  const far = graph.far[chan]
  return {
    router: topology.label(at),
    at,
    port: chan - graph.firstChan[at],
    to: far < 0 ? "endpoint" : topology.label(graph.routerOf[far]),
    vcs: [...vcs].sort((a, b) => a - b),
    why: tellChoices(why, topology).trim(),
  }
}

/** Returns the paths in the form that pictures need. */
export function pathsOf(report: RouteReport): { routers: number[]; share: number }[] {
  return report.paths.map((way) => ({ routers: way.hops.map((h) => h.at), share: way.idle }))
}

/** Returns the report as lines of text. */
export function tellRoute(report: RouteReport): string[] {
  const count = `${report.more ? "the first " : ""}${report.paths.length} ${report.paths.length === 1 ? "path" : "paths"}`
  const lines = [`endpoint ${report.from} to endpoint ${report.to}: ${count}`]
  for (const way of report.paths) {
    lines.push(
      `${counted(way.routers, "router")}, ${counted(way.links, "link")}, ` +
        `${(100 * way.idle).toFixed(1)} % of the traffic in an idle network`,
    )
    for (const hop of way.hops) {
      const vcs = hop.to === "endpoint" ? "" : `  VC ${hop.vcs.join(" or ")}`
      lines.push(`    ${hop.router} -> ${hop.to}  port ${hop.port}${vcs}${hop.why === "" ? "" : `  ${hop.why}`}`)
    }
  }
  return lines
}
