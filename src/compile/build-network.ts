// Builds a network from its specification: its parts, in the order of their dependencies, and the rules between them.
// The compilers of all engines call `compileNetwork`.
import { canonical } from "../core/canonical.ts"
import { broken, type Checked, type Complaint } from "../core/complaint.ts"
import { Draws } from "../core/rng.ts"
import { quantity, type Scale } from "../core/units.ts"
import { type BoundRouting, bind, bindRouting, bindTopology } from "../experiment/bind.ts"
import {
  congestionsFor,
  endpointsFor,
  routingsFor,
  schedulersFor,
  switchesFor,
  topologiesFor,
} from "../experiment/outside/known.ts"
import type { AnySwitchModel } from "../library.ts"
import * as library from "../library.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { NetworkSpec, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import type { QosModel } from "../model/scheduler.ts"
import type { Topology } from "../model/topology.ts"
import { divideVcs } from "../model/vc-plan.ts"
import { buildTopology, scaleOf } from "./build-topology.ts"
import { undeclared } from "./declared.ts"
import { undeclaredEndpoint } from "./declared-endpoint.ts"
import { guarded } from "./guarded.ts"
import type { Network } from "./network.ts"
import { isChunk, isRails } from "./packet/models.ts"
import { type Asks, refusals } from "./requirements.ts"
import { carried } from "./rules/carried.ts"
import { partsRules } from "./rules/parts.ts"
import { routingRules } from "./rules/routing.ts"
import { routingVcs, vcRules } from "./rules/vcs.ts"

/** Returns the number of traffic classes; each has separate VCs. */
export function classesOf(spec: RunSpec): number {
  const apart = spec.network.endpoint["replyClass"] !== "same"
  return spec.traffic.reduce((most, t) => Math.max(most, t.class + (apart && repliesOf(t.reply) ? 2 : 1)), 1)
}

function repliesOf(raw: string): boolean {
  const q = quantity(raw, "flits")
  return typeof q === "number" && q > 0
}

/** `anyVcs`: accepts fewer VCs than the routing declares, for the proof that shows the consequences. */
export function compileNetwork(
  spec: NetworkSpec,
  classes: number,
  seed: number,
  host: Host,
  anyVcs = false,
): Checked<Network> {
  return guarded(() => network(spec, classes, seed, host, anyVcs))
}

/** The parts of a network before its VCs are divided and its routing is built. */
interface Parts {
  readonly scale: Scale
  readonly topology: Topology
  readonly routing: BoundRouting
  /** the switch knows classes of traffic */
  readonly knowsClasses: boolean
  readonly switch: AnySwitchModel
  readonly endpoint: Network["endpoint"]
  readonly congestion: CongestionModel
  readonly qos: QosModel
  readonly asks: Asks
}

/**
 * Builds the parts in the order of their dependencies. Complaints about independent parts are collected, so that a user
 * sees them together.
 */
function partsOf(spec: NetworkSpec, seed: number, host: Host): Checked<Parts> {
  const bad: Complaint[] = []
  const scale = scaleOf(spec, bad)
  const keep = <T>(c: Checked<T>): T | undefined => {
    if ("ok" in c) return c.ok
    bad.push(...c.bad)
    return undefined
  }
  const topologies = keep(bindTopology(topologiesFor(host), spec.topology, "network.topology", scale))
  const routing = keep(bindRouting(routingsFor(host), spec.routing, "network.routing", scale))
  const swit = keep(bind(switchesFor(host), spec.switch, "network.switch", scale))
  const endp = keep(bind(endpointsFor(host), spec.endpoint, "network.endpoint", scale))
  const cong = keep(bind(congestionsFor(host), spec.congestion ?? { name: "none" }, "network.congestion", scale))
  const plain = library.schedulers[0]
  const qos = keep(bind(schedulersFor(host), spec.qos ?? { name: plain.name }, "network.qos", scale))
  const topology = topologies === undefined ? undefined : keep(buildTopology(topologies, seed, host, spec, scale))
  let sw: AnySwitchModel | undefined
  if (swit !== undefined && topology !== undefined) {
    const site = { topology, asked: cong?.needs ?? [] }
    bad.push(...swit.check(site))
    if (bad.length === 0) sw = swit.make(site)
  }
  bad.push(...(cong?.check(undefined) ?? []), ...(qos?.check(undefined) ?? []))
  if (bad.length > 0 || !topology || !routing || !swit || !sw || !endp || !cong || !qos) return { bad }
  bad.push(...endp.check(undefined))
  if (bad.length > 0) return { bad }
  const endpoint = endp.make(undefined)
  const asks: Asks = {
    switch: swit,
    endpoint: endp,
    asking: { routing, endpoint: endp, congestion: cong, qos: spec.qos === undefined ? undefined : qos },
  }
  const knowsClasses = swit.can?.some((a) => a === "classes" || a === "replies") === true
  const parts = { scale, topology, routing, knowsClasses, switch: sw, endpoint, qos: qos.make(undefined), asks }
  // The packet engine has no congestion management and complains later.
  if (isChunk(sw) || isRails(endpoint)) return { ok: { ...parts, congestion: {} } }
  const congestion = cong.make(undefined)
  bad.push(...undeclared(congestion, cong), ...undeclaredEndpoint(endpoint, endp), ...refusals(asks, []))
  if (bad.length === 0 && sw.moves === "packets") {
    const { layout, extensions = {} } = sw
    bad.push(...broken(partsRules, { layout, extensions, endpoint, congestion, name: cong.name }))
  }
  return bad.length > 0 ? { bad } : { ok: { ...parts, congestion } }
}

/** Divides the VCs, builds the routing, and tests the rules about both. Later rules rely on earlier ones. */
function network(spec: NetworkSpec, asked: number, seed: number, host: Host, anyVcs: boolean): Checked<Network> {
  const parts = partsOf(spec, seed, host)
  if ("bad" in parts) return parts
  const { routing: routings, knowsClasses, ...made } = parts.ok
  const { topology, switch: sw, asks } = made
  const { name } = asks.asking.congestion
  const on = routings.on(topology)
  if ("bad" in on) return on
  const boundRouting = on.ok
  // Classes that the switch does not support are rejected as such, not because there are too few VCs.
  const classes = knowsClasses || sw.moves !== "packets" ? asked : 1
  const { direct = boundRouting.vcs, vcs: needs } = boundRouting
  const divided = divideVcs(made.congestion.classes ?? [], { vcs: sw.vcs, classes, needs, direct })
  const congestion =
    made.congestion.classes === undefined ? made.congestion : { ...made.congestion, classes: divided.own }
  const vcsPerClass = divided.perClass
  const crowded = [
    ...broken(vcRules, { switch: sw, congestion, name, topology, classes, needs: boundRouting.vcs }),
    ...(sw.moves === "packets" ? broken(sw.rules?.congestion ?? [], { congestion, name }) : []),
  ]
  if (crowded.length > 0) return { bad: crowded }
  if (!(anyVcs && vcsPerClass > 0)) {
    const short = broken([routingVcs], { bound: boundRouting, classes, vcs: sw.vcs, vcsPerClass })
    if (short.length > 0) return { bad: short }
  }
  const site = { vcs: vcsPerClass, rng: new Draws(seed ^ 0x7075), read: host.read }
  const unfit = boundRouting.check(site)
  if (unfit.length > 0) return { bad: unfit }
  const routed = { topology, routing: boundRouting.make(site), boundRouting, vcsPerClass, switch: sw }
  const wrong = broken(routingRules, { ...routed, congestion, name })
  if (wrong.length > 0) return { bad: wrong }
  const { topology: wiring, routing: ways, links, layout } = spec
  const key = canonical({ wiring, ways, vcsPerClass, seed, links, layout, plugins: host.outside?.hashes ?? [] })
  const beyond = broken([carried], { ...routed, classes, key })
  return beyond.length > 0 ? { bad: beyond } : { ok: { ...made, ...routed, congestion, classes } }
}
