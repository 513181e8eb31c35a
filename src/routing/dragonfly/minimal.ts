// Minimal routing on a dragonfly: a local hop to a switch with a link to the destination group, that link, a local hop.
// VC 0 serves the first local hop and the global hop, VC 1 the second local hop. Inside one group the only hop uses the
// first rung.
import { schema } from "../../core/schema.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"
import { Hierarchical, SLOTS } from "./hierarchical.ts"
import { Ladder, vcsFor } from "./ladder.ts"

const RUNGS = "lgl"

export default {
  kind: "routing",
  name: "dragonfly.minimal",
  about: "Minimal path of at most one local, one global and one local link.",
  cites: "Technology-driven, highly-scalable dragonfly topology, J. Kim, W. J. Dally, S. Scott and D. Abts, 2008",
  params: schema({}),
  topologies: ["dragonfly"],
  adaptive: false,
  scratch: SLOTS,
  vcs: () => vcsFor(RUNGS),
  make: (_, on) => new Hierarchical(on.topology, new Ladder(RUNGS, on.vcs), on.vcs, false),
} satisfies RoutingPlugin<Record<never, never>, Dragonfly>
