// Minimal adaptive routing with an escape VC on a mesh: see ../escape.ts.
import { schema } from "../../core/schema.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Mesh } from "../../topologies/mesh.ts"
import { ESCAPE_CANDIDATES, Escape } from "../escape.ts"

export default {
  kind: "routing",
  name: "mesh.adaptive",
  about: "The emptiest port that brings the packet nearer; dimension order on VC 0 as the last resort.",
  cites: "A new theory of deadlock-free adaptive routing in wormhole networks, J. Duato, 1993",
  limits: "names at most three adaptive ports at a time",
  params: schema({}),
  topologies: ["mesh"],
  candidates: ESCAPE_CANDIDATES,
  needs: () => ["escapes"],
  vcs: () => 2,
  make: (_, on) => new Escape(on.topology, on.vcs),
} satisfies RoutingPlugin<Record<never, never>, Mesh>
