// Minimal adaptive routing on a mesh with an escape VC: the plug-in of ../escape.ts.
import { schema } from "../../core/schema.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Mesh } from "../../topologies/mesh.ts"
import { ESCAPE_CANDIDATES, Escape } from "../escape.ts"

export default {
  kind: "routing",
  name: "mesh.adaptive",
  about: "Minimal adaptive: the emptiest port that shortens the distance, with dimension order on VC 0 as escape.",
  cites: "A new theory of deadlock-free adaptive routing in wormhole networks, J. Duato, 1993",
  limits: "considers at most three adaptive ports at a time",
  params: schema({}),
  topologies: ["mesh"],
  candidates: ESCAPE_CANDIDATES,
  needs: () => ["escapes"],
  vcs: () => 2,
  make: (_, on) => new Escape(on.topology, on.vcs),
} satisfies RoutingPlugin<Record<never, never>, Mesh>
