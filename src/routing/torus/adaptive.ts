// Minimal adaptive routing on a torus with two escape VCs: the plug-in of ../escape.ts.
import { schema } from "../../core/schema.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Torus } from "../../topologies/torus.ts"
import { ESCAPE_CANDIDATES, Escape } from "../escape.ts"

export default {
  kind: "routing",
  name: "torus.adaptive",
  about:
    "Minimal adaptive: the emptiest port that shortens the distance, with dimension order on VC 0 and 1 as escape.",
  cites: "A new theory of deadlock-free adaptive routing in wormhole networks, J. Duato, 1993",
  limits: "considers at most three adaptive ports at a time",
  params: schema({}),
  topologies: ["torus"],
  candidates: ESCAPE_CANDIDATES,
  needs: () => ["escapes"],
  vcs: () => 3,
  make: (_, on) => new Escape(on.topology, on.vcs),
} satisfies RoutingPlugin<Record<never, never>, Torus>
