// Minimal routing on a dragonfly: local to a switch with a link to the destination's group, that link, local. VCs: local 0, global, local 1; two
// keep them apart. Inside one group the only hop is of the first rung.
import { schema } from "../../core/schema.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"
import { Hierarchical, SLOTS } from "./hierarchical.ts"
import { Ladder, vcsFor } from "./ladder.ts"

const RUNGS = "lgl"

export default {
  kind: "routing",
  name: "dragonfly.minimal",
  about: "Local, global, local: the shortest way with one global link.",
  cites: "Technology-driven, highly-scalable dragonfly topology, J. Kim, W. J. Dally, S. Scott and D. Abts, 2008",
  params: schema({}),
  topologies: ["dragonfly"],
  adaptive: false,
  scratch: SLOTS,
  vcs: () => vcsFor(RUNGS),
  make: (_, on) => new Hierarchical(on.topology, new Ladder(RUNGS, on.vcs), on.vcs, false),
} satisfies RoutingPlugin<Record<never, never>, Dragonfly>
