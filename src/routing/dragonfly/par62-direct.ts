// PAR6/2 without local misrouting: progressive adaptive routing (par.ts) on VCs ordered by distance, six for local and
// two for global links: L0 < L1 < G0 < L2 < L3 < G1 < L4 < L5. "Efficient routing mechanisms for dragonfly networks",
// M. Garcia et al., 2013.
//
// A minimal packet l g l uses L0 G0 L2, and a packet inside one group uses L0. A rung has the same VC on every path,
// and VC numbers rise along it: L0 to L5 are VC 0 to 5, G0 is VC 2, G1 is VC 4. L5 is never used.
import { choice, flits, int, maybe, schema } from "../../core/schema.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"
import { Ladder, vcsFor } from "./ladder.ts"
import { behindAbout, candidateAbout, drawsAbout, idleAbout, PAR_SLOTS, type Params, Progressive } from "./par.ts"

export const RUNGS = "llgllgll"

/** Parameters of both forms, with and without local misrouting. */
export const par62Fields = {
  bias: flits({ about: "Bias towards the minimal path, in flits", default: "192flits" }),
  candidate: choice(["drawn", "own"], { about: candidateAbout, default: "own" }),
  idle: flits({ about: idleAbout, default: "48flits" }),
  draws: int({ about: drawsAbout, min: 1, max: 16, default: 1 }),
  maxRemoteQueue: maybe(flits({ aliases: ["behind"], about: behindAbout, needed: false })),
}

export default {
  kind: "routing",
  name: "dragonfly.par62-direct",
  about: "Progressive adaptive routing on six local and two global VCs ordered by distance, without local misrouting.",
  cites: "Efficient routing mechanisms for dragonfly networks, M. Garcia and others, 2013",
  params: schema(par62Fields),
  topologies: ["dragonfly"],
  scratch: PAR_SLOTS,
  vcs: () => vcsFor(RUNGS),
  make: (p, on) => new Progressive(on.topology, new Ladder(RUNGS, on.vcs, "rising"), on.vcs, p),
} satisfies RoutingPlugin<Params, Dragonfly>
