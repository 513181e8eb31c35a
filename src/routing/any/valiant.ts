// Valiant's algorithm composed of two routings: "A scheme for fast parallel communication", L. G. Valiant, 1982. The
// first leg leads to the router of a random endpoint, the second one from there to the destination.
//
// Each leg has its own VCs, those of the first leg below those of the second. A packet only moves from the lower to the
// upper VCs. If both legs are free of deadlock, the whole routing is, too. A packet that meets the router of its
// destination on the first leg is ejected there.
import { type Complaint, complain, nearest } from "../../core/complaint.ts"
import { choice, schema } from "../../core/schema.ts"
import type { Graph } from "../../model/graph.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin, Site } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Topology } from "../../model/topology.ts"
import { allVcs } from "../vcs.ts"
import { Homes } from "./distances.ts"
import { countsHops, type Leg, LegView, legs } from "./legs.ts"

type Params = { first: string; second: string }

/** Scratch slots: the intermediate endpoint + 1 (0 = on the second leg); the source of the current leg; hops of the
 *  current leg; then the slots of the leg itself. */
const VIA = 0
const LAST = 1
const COUNT = 2
const OWN = 3

export class Composed implements RoutingFunction {
  private readonly graph: Graph
  private readonly first: RoutingFunction
  private readonly second: RoutingFunction
  private readonly firstVcs: number
  private readonly all: number
  private readonly slots: number
  private readonly counts: boolean
  private readonly homes: Homes
  private readonly view = new LegView(OWN)

  constructor(on: Site, first: Leg, second: Leg) {
    const { graph } = on.topology
    const [one, two] = [needed(first, on.topology), needed(second, on.topology)]
    this.graph = graph
    this.homes = new Homes(graph)
    // VCs are divided in proportion to the needs of the legs, but the first leg never takes the last VC
    this.firstVcs = Math.max(Math.min(one, on.vcs - 1), Math.floor((on.vcs * one) / (one + two)))
    this.first = built(first, { ...on, vcs: this.firstVcs })
    this.second = built(second, { ...on, vcs: Math.max(1, on.vcs - this.firstVcs) })
    this.all = allVcs(on.vcs)
    this.slots = Math.max(first.scratch ?? 0, second.scratch ?? 0)
    this.counts = countsHops.includes(first) || countsHops.includes(second)
  }

  inject(p: Packet, at: Router, net: NetView): void {
    const { graph } = this
    const via = net.draw(p, graph.ends)
    net.set(p, VIA, via + 1)
    net.set(p, LAST, net.src(p))
    this.begin(p, net)
    if (graph.routerOf[this.homes.of(via, at)] !== at)
      this.first.inject?.(p, at, this.view.of(net, net.src(p), via, 0, 0))
  }

  route(p: Packet, at: Router, inPort: Port, inVc: Vc, net: NetView, out: Candidates): void {
    const { graph, firstVcs, homes } = this
    const { routerOf, firstChan } = graph
    const dst = net.dst(p)
    const exit = homes.of(dst, at)
    if (routerOf[exit] === at) {
      out.add(exit - firstChan[at], this.all, 0)
      return
    }
    const via = net.get(p, VIA) - 1
    const hops = net.get(p, COUNT)
    if (this.counts) net.set(p, COUNT, hops + 1)
    if (via >= 0 && routerOf[homes.of(via, at)] !== at) {
      this.first.route(p, at, inPort, inVc, this.view.of(net, net.get(p, LAST), via, hops, 0), out)
      return
    }
    let port = inPort
    let count = hops
    if (via >= 0) {
      net.set(p, VIA, 0)
      net.set(p, LAST, via)
      this.begin(p, net)
      if (this.counts) net.set(p, COUNT, 1)
      count = 0
      // as if it came from the endpoint
      port = homes.entry(via, at) - firstChan[at]
      this.second.inject?.(p, at, this.view.of(net, via, dst, 0, firstVcs))
    }
    this.second.route(
      p,
      at,
      port,
      Math.max(0, inVc - firstVcs),
      this.view.of(net, net.get(p, LAST), dst, count, firstVcs),
      out,
    )
    out.vcMask[out.n - 1] <<= firstVcs
  }

  /** Clears the hop counter and the slots of the leg. */
  private begin(p: Packet, net: NetView): void {
    net.set(p, COUNT, 0)
    for (let i = 0; i < this.slots; i++) net.set(p, OWN + i, 0)
  }
}

function named(name: string): Leg | undefined {
  return legs.find((l) => l.name === name)
}

/** Returns the default parameters of a leg: every parameter of a leg has a default. */
function defaults(leg: Leg): unknown {
  const got = leg.params.parse({}, "")
  if ("bad" in got) throw new Error(`${leg.name} has parameters without defaults`)
  return got.ok
}

// The list of legs does not know the topology of each: fits() has compared the names before these are called.
function needed(leg: Leg, topology: Topology): number {
  return leg.vcs(defaults(leg), topology)
}
function built(leg: Leg, on: Site): RoutingFunction {
  return leg.make(defaults(leg), on)
}

/** Returns errors for a name that is not a leg, or not one for this topology. */
function fits(path: string, name: string, on: Site): Complaint[] {
  const leg = named(name)
  const here = legs
    .filter((l) => l.topologies === undefined || l.topologies.includes(on.topology.name))
    .map((l) => l.name)
  const near = nearest(name, here)
  const fix = near !== undefined ? `did you mean "${near}"?` : `choose one of ${here.join(", ")}`
  if (leg === undefined) return [complain(path, `"${name}" cannot be one of the two phases`, fix)]
  if (!here.includes(name))
    return [complain(path, `${name} does not support ${on.topology.name}`, `choose one of ${here.join(", ")}`)]
  return [...(leg.check?.(defaults(leg), on) ?? [])]
}

const names = legs.map((l) => l.name)

export default {
  kind: "routing",
  name: "any.valiant",
  about: "One routing leads to the router of a random endpoint, and another one from there to the destination.",
  cites: "A scheme for fast parallel communication, L. G. Valiant, 1982",
  params: schema({
    first: choice(names, { about: "Routing of the first phase", default: "any.shortest" }),
    second: choice(names, { about: "Routing of the second phase", default: "any.shortest" }),
  }),
  scratch: OWN + Math.max(...legs.map((l) => l.scratch ?? 0)),
  check: (p, on) => [...fits("first", p.first, on), ...fits("second", p.second, on)],
  vcs: (p, topology) => needed(named(p.first)!, topology) + needed(named(p.second)!, topology),
  make: (p, on) => new Composed(on, named(p.first)!, named(p.second)!),
} satisfies RoutingPlugin<Params, Topology>
