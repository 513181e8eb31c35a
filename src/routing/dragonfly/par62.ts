// PAR6/2: progressive adaptive routing (par.ts) with local misrouting, on VCs ordered by distance, six for local and
// two for global links: L0 < L1 < G0 < L2 < L3 < G1 < L4 < L5. "Efficient routing mechanisms for dragonfly networks",
// M. Garcia et al., 2013. VC numbers rise along a path: L0 to L5 are VC 0 to 5, G0 is VC 2, G1 is VC 4. A minimal
// packet l g l uses L0 G0 L2.
//
// Local misrouting: in the group of its destination, and in the group of a detour, a packet may reach the switch that
// it needs over another switch of the group, drawn at random. It does so if Q_direct > 2 * Q_other + local and the
// other queue is within `idle`. It then uses L2 L3 or L4 L5, and L0 L1 inside the source group. A detour leads to a
// group and not to a switch of it: the second local hop there is the misrouted one.
import { flits, schema } from "../../core/schema.ts"
import type { Packet, Port, Router } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { NetView } from "../../model/routing.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"
import { RUNG } from "./hierarchical.ts"
import { GROUND, Ladder, vcsFor } from "./ladder.ts"
import { PAR_SLOTS, type Params, Progressive } from "./par.ts"
import { par62Fields, RUNGS } from "./par62-direct.ts"

type Par62 = Params & { local: number }

class Misrouting extends Progressive {
  private readonly local: number

  constructor(t: Dragonfly, ladder: Ladder, vcs: number, params: Par62) {
    super(t, ladder, vcs, params, true)
    this.local = params.local
  }

  protected override localHop(p: Packet, at: Router, straight: Port, net: NetView): Port {
    const { t } = this
    const rung = net.get(p, RUNG) - 1
    // a second local hop in the same group, or the hop out of the source group
    if (rung === GROUND ? t.groupOf(at) !== t.groupOf(t.routerOf(net.dst(p))) : !this.ladder.isGlobal(rung))
      return straight
    if (t.a < 3 || net.direct(p)) return straight
    const { far, routerOf, firstChan } = t.graph
    const direct = firstChan[at] + straight
    if (far[direct] < 0) return straight
    const goal = routerOf[far[direct]]
    const other = this.otherSwitch(p, at, goal, net)
    const port = t.localPort(at, other)
    const link = firstChan[at] + port
    if (far[link] < 0 || far[firstChan[other] + t.localPort(other, goal)] < 0) return straight
    const queued = net.queued(link)
    return queued <= this.idle && net.queued(direct) > 2 * queued + this.local ? port : straight
  }

  /** Returns a random switch of the group that is neither this one nor the goal. */
  private otherSwitch(p: Packet, at: Router, goal: Router, net: NetView): Router {
    const { a } = this.t
    const first = at - (at % a)
    const low = Math.min(at, goal) - first
    const high = Math.max(at, goal) - first
    let i = net.draw(p, a - 2)
    if (i >= low) i++
    if (i >= high) i++
    return first + i
  }
}

export default {
  kind: "routing",
  name: "dragonfly.par62",
  aliases: ["dragonfly.par6/2"],
  about: "Progressive adaptive routing with local misrouting, on six local and two global VCs ordered by distance.",
  cites: "Efficient routing mechanisms for dragonfly networks, M. Garcia and others, 2013",
  params: schema({
    ...par62Fields,
    local: flits({
      about: "Bias towards the direct local path in the destination group or in the intermediate group, in flits",
      default: "192flits",
    }),
  }),
  topologies: ["dragonfly"],
  scratch: PAR_SLOTS,
  vcs: () => vcsFor(RUNGS),
  make: (p, on) => new Misrouting(on.topology, new Ladder(RUNGS, on.vcs, "rising"), on.vcs, p),
} satisfies RoutingPlugin<Par62, Dragonfly>
