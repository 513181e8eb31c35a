// The two dragonfly routings of BookSim2. They are separate from lacewing's own because their VC rules differ, and
// serve to compare results with BookSim2.
//
// booksim-minimal uses VC 0 before the global link, and VC 1 on and after it. Packets inside a group stay on VC 0.
// Ejection uses the same single VC.
//
// booksim-ugal uses 3 VCs. Inside a group it is minimal on VC 2. Otherwise one random endpoint is drawn. The packet
// goes minimally if that endpoint lies in its own group, or if Q_min <= 2 * Q_non + bias, where Q counts the flits
// queued at the first port. A minimal packet uses VC 1, and VC 2 from the global link on. A detour uses VC 0 up to the
// router of the intermediate endpoint, then continues as a minimal packet.
//
// Limits: booksim-ugal can deadlock, because VC 0 is used on a local, a global and again a local link. Both routings
// leave the VC at injection to the switch (BookSim2 draws one for each attempt).
import { type Complaint, complain } from "../../core/complaint.ts"
import { flits, schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin, Site } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"

/** Scratch slots: the current VC, and the intermediate endpoint. */
const PHASE = 0
const VIA = 1

abstract class BookSim implements RoutingFunction {
  protected readonly t: Dragonfly

  constructor(t: Dragonfly) {
    this.t = t
  }

  abstract inject(p: Packet, at: Router, net: NetView): void
  abstract route(p: Packet, at: Router, inPort: Port, inVc: Vc, net: NetView, out: Candidates): void

  /** Returns the port on the minimal path to an endpoint. */
  protected portTo(at: Router, end: number): Port {
    const { t } = this
    const goal = t.routerOf(end)
    if (goal === at) return t.graph.home[end] - t.graph.firstChan[at]
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

  /** Decides between the minimal path and a detour. Returns the first VC. */
  private phase(p: Packet, at: Router, net: NetView): number {
    const { t } = this
    const dst = net.dst(p)
    const here = t.groupOf(at)
    if (t.groupOf(t.routerOf(dst)) === here) return 2
    const via = net.draw(p, t.graph.ends)
    if (t.groupOf(t.routerOf(via)) === here) return 1
    net.set(p, VIA, via)
    const first = t.graph.firstChan[at]
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

/** Returns an error unless one global link joins each pair of groups, as in BookSim2. */
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
  about: "Minimal routing of BookSim2's dragonfly with its VC assignment, for comparison.",
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
  about: "UGAL of BookSim2's dragonfly with its three VCs, for comparison; it can deadlock far above saturation.",
  cites: "A detailed and flexible cycle-accurate network-on-chip simulator, N. Jiang and others, 2013",
  limits: "not free of deadlock",
  params: schema({ bias: flits({ about: "Bias towards the minimal path, in flits", default: "30flits" }) }),
  topologies: ["dragonfly"],
  scratch: 2,
  vcs: () => 3,
  check: (_, on) => singleLinks(on),
  make: (p, on) => new Ugal(on.topology, p.bias),
} satisfies RoutingPlugin<{ bias: number }, Dragonfly>
