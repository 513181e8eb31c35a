// Valiant's algorithm on a dragonfly: "A scheme for fast parallel communication", L. G. Valiant, 1982. A packet goes
// minimally to a random intermediate, then minimally to the destination. Inside one group it is always minimal.
//   `intermediate: router`  Any router of a third group, path l g l l g l.
//   `intermediate: group`   Any third group, left from the switch where it was entered, path l g l g l.
import { choice, schema } from "../../core/schema.ts"
import type { Packet, Router } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { NetView } from "../../model/routing.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"
import { thirdGroup } from "../third-group.ts"
import { Hierarchical, SLOTS, VIA } from "./hierarchical.ts"
import { Ladder, vcsFor } from "./ladder.ts"

export type Intermediate = "router" | "group"
type Params = { intermediate: Intermediate }

/** Returns the rungs of a path over an intermediate. */
export const rungsFor = (intermediate: Intermediate): string => (intermediate === "group" ? "lglgl" : "lgllgl")

export const intermediateField = choice(["router", "group"], {
  about: "Intermediate: a random router, or only a random group",
  default: "router",
})

export class Valiant extends Hierarchical {
  constructor(t: Dragonfly, vcs: number, intermediate: Intermediate) {
    super(t, new Ladder(rungsFor(intermediate), vcs), vcs, intermediate === "group")
  }

  override inject(p: Packet, at: Router, net: NetView): void {
    super.inject(p, at, net)
    const here = this.t.groupOf(at)
    const there = this.t.groupOf(this.t.routerOf(net.dst(p)))
    if (here !== there) this.divert(p, at, here, there, net)
  }

  /** Draws the intermediate among the groups that are neither `here` nor `there`. Returns its group, or -1 when there
   *  are only two groups. */
  protected divert(p: Packet, _at: Router, here: number, there: number, net: NetView): number {
    const { t } = this
    if (t.groups === 2) return -1
    const group = thirdGroup(p, t.groups, here, there, net)
    net.set(p, VIA, 1 + (this.viaGroup ? group : group * t.a + net.draw(p, t.a)))
    return group
  }
}

export default {
  kind: "routing",
  name: "dragonfly.valiant",
  about: "Minimal to a random intermediate, then minimal to the destination.",
  cites: "A scheme for fast parallel communication, L. G. Valiant, 1982",
  params: schema({ intermediate: intermediateField }),
  topologies: ["dragonfly"],
  adaptive: false,
  scratch: SLOTS,
  vcs: (p) => vcsFor(rungsFor(p.intermediate)),
  make: (p, on) => new Valiant(on.topology, on.vcs, p.intermediate),
} satisfies RoutingPlugin<Params, Dragonfly>
