// BookSim2's own two dragonfly routings, kept apart from ours because their VC rules differ: to compare with its results, not to build on.
// booksim-minimal: VC 0 before, VC 1 on and after the global link; packets inside a group stay on VC 0; ejection on the same single VC.
// booksim-ugal: 3 VCs. Inside a group minimal on VC 2. Else one random endpoint is drawn; minimal if it lies in the own group or if
// Q_min <= 2 * Q_non + bias (Q = flits queued at the first port). Minimal: VC 1, from the global link on VC 2. Detour: VC 0 all the way to the
// intermediate's router, then as minimal. It can deadlock: VC 0 is used on a local, a global and again a local link.
// Both leave it to the switch on which VC a packet is injected (BookSim: a random one, drawn anew for each attempt).
import { type Complaint, complain } from "../../core/complaint.ts"
import { flits, schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin, Site } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"

const PHASE = 0
const VIA = 1

abstract class BookSim implements RoutingFunction {
  protected readonly t: Dragonfly

  constructor(t: Dragonfly) {
    this.t = t
  }

  abstract inject(p: Packet, at: Router, net: NetView): void
  abstract route(p: Packet, at: Router, inPort: Port, inVc: Vc, net: NetView, out: Candidates): void

  protected portTo(at: Router, end: number): Port {
    const { t } = this
    const goal = t.routerOf(end)
    if (goal === at) return t.graph.home[end]! - t.graph.firstChan[at]!
    const here = t.groupOf(at)
    const there = t.groupOf(goal)
    return here === there ? t.localPort(at, goal) : t.portToward(at, t.gate(here, there, 0))
  }
}

class Minimal extends BookSim {
  override inject(p: Packet, _at: Router, net: NetView): void {
    net.set(p, PHASE, 0)
  }

  override route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const port = this.portTo(at, net.dst(p))
    if (this.t.isGlobal(at, port)) net.set(p, PHASE, 1)
    out.add(port, 1 << net.get(p, PHASE), 0)
  }
}

class Ugal extends BookSim {
  private readonly bias: number

  constructor(t: Dragonfly, bias: number) {
    super(t)
    this.bias = bias
  }

  override inject(p: Packet, at: Router, net: NetView): void {
    net.set(p, PHASE, this.phase(p, at, net))
  }

  private phase(p: Packet, at: Router, net: NetView): number {
    const { t } = this
    const dst = net.dst(p)
    const here = t.groupOf(at)
    if (t.groupOf(t.routerOf(dst)) === here) return 2
    const via = net.draw(p, t.graph.ends)
    if (t.groupOf(t.routerOf(via)) === here) return 1
    net.set(p, VIA, via)
    const first = t.graph.firstChan[at]!
    return net.queued(first + this.portTo(at, dst)) <= 2 * net.queued(first + this.portTo(at, via)) + this.bias ? 1 : 0
  }

  override route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { t } = this
    let phase = net.get(p, PHASE)
    if (phase === 0 && t.routerOf(net.get(p, VIA)) === at) phase = 1
    const port = this.portTo(at, phase === 0 ? net.get(p, VIA) : net.dst(p))
    if (phase === 1 && t.isGlobal(at, port)) phase = 2
    net.set(p, PHASE, phase)
    out.add(port, 1 << phase, 0)
  }
}

function singleLinks(on: Site<Dragonfly>): Complaint[] {
  return on.topology.parallel === 1
    ? []
    : [
        complain(
          "",
          "BookSim's dragonfly has one link for each pair of groups",
          "set network.topology.parallel: 1, or use dragonfly.minimal",
        ),
      ]
}

export const minimal = {
  kind: "routing",
  name: "dragonfly.booksim-minimal",
  about: "BookSim2's minimal routing with its own VC rule, for comparison.",
  cites: "A detailed and flexible cycle-accurate network-on-chip simulator, N. Jiang and others, 2013",
  params: schema({}),
  topologies: ["dragonfly"],
  adaptive: false,
  scratch: 1,
  vcs: () => 2,
  check: (_, on) => singleLinks(on),
  make: (_, on) => new Minimal(on.topology),
} satisfies RoutingPlugin<Record<never, never>, Dragonfly>

export const ugal = {
  kind: "routing",
  name: "dragonfly.booksim-ugal",
  about: "BookSim2's UGAL with its own three VCs, for comparison; it can deadlock far past saturation.",
  cites: "A detailed and flexible cycle-accurate network-on-chip simulator, N. Jiang and others, 2013",
  limits: "not free of deadlock",
  params: schema({ bias: flits({ about: "advantage of the minimal way", default: "30flits" }) }),
  topologies: ["dragonfly"],
  scratch: 2,
  vcs: () => 3,
  check: (_, on) => singleLinks(on),
  make: (p, on) => new Ugal(on.topology, p.bias),
} satisfies RoutingPlugin<{ bias: number }, Dragonfly>
