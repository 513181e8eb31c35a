// Routing on a rail-optimised network. Inside an island a packet takes the scale-up network. Between islands it changes
// to the rail of its destination in one of two ways. `cross: scale-up` sends it over the scale-up network to the GPU of
// that rail, which forwards it (PXN of NCCL). `cross: network` sends it over a spine. Channels follow each other in one
// order on all paths: scale-up, interface, leaf to spine, spine to leaf, interface. So one VC is free of deadlock.
import { type Complaint, complain } from "../../core/complaint.ts"
import { choice, schema } from "../../core/schema.ts"
import type { End, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { RailOptimised } from "../../topologies/rail-optimised.ts"
import { Spread, type SpreadRule, spreadField } from "../any/spread.ts"
import { allVcs } from "../vcs.ts"

type Params = { cross: "scale-up" | "network"; spread: SpreadRule }

export class Minimal implements RoutingFunction {
  private readonly t: RailOptimised
  private readonly crosses: boolean
  private readonly spread: Spread
  private readonly all: number

  constructor(t: RailOptimised, vcs: number, { cross, spread }: Params) {
    this.t = t
    this.crosses = cross === "scale-up"
    this.spread = new Spread(t.graph, spread)
    this.all = allVcs(vcs)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const dst = net.dst(p)
    out.add(this.t.isGpu(at) ? this.fromGpu(at, dst) : this.onward(p, at, dst, net), this.all, 0)
  }

  private fromGpu(at: Router, dst: End): Port {
    const { t } = this
    if (at === dst) return t.ports.endpoint
    if (t.islandOf(at) === t.islandOf(dst)) return t.ports.scaleUp
    return this.crosses && t.railOf(at) !== t.railOf(dst) ? t.ports.scaleUp : t.ports.interface
  }

  private onward(p: Packet, at: Router, dst: End, net: NetView): Port {
    const { t, spread } = this
    // The GPU of the destination's rail: the destination itself, or the GPU that forwards.
    if (t.isIslandSwitch(at)) return t.railOf(dst)
    const leaf = t.leafOf(dst)
    if (at === leaf) return t.downPort(dst)
    spread.clear()
    const first = t.isSpine(at) ? t.spinePort(leaf) : t.upPort(0)
    const n = t.isSpine(at) ? t.links : t.spines * t.links
    for (let i = 0; i < n; i++) spread.add(first + i)
    return spread.pick(p, at, net)
  }
}

export default {
  kind: "routing",
  name: "rail-optimised.minimal",
  about: "Scale-up network inside an island; between islands over the rail of the destination; any VC.",
  cites:
    "Rail-only: a low-cost high-performance network for training LLMs with trillion parameters, W. Wang and others, 2023",
  params: schema({
    cross: choice(["scale-up", "network"], {
      about: "Change to the rail of the destination: in the island of the source, or over a spine",
      default: "scale-up",
    }),
    spread: spreadField,
  }),
  topologies: ["rail-optimised"],
  check({ cross }, { topology }): Complaint[] {
    if (cross === "scale-up" || topology.spines > 0) return []
    return [complain("cross", "without spines, rails are connected in the islands only", "set cross: scale-up")]
  },
  vcs: () => 1,
  make: (p, on) => new Minimal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, RailOptimised>
