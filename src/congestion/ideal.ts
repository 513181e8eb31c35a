// An upper bound for congestion management: traffic to endpoints that are known to be hot has separate VCs, so it can
// delay only itself. No source is throttled. It is the reference of "Contention-based Congestion Management in
// Large-Scale Networks" (G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, 2016).
import { int, list, schema } from "../core/schema.ts"
import type { CongestionModel, CongestionPlugin } from "../model/congestion.ts"
import { type EndpointProtocol, type EndpointSite, KIND, PLAIN_CLASS, packVcClass } from "../model/protocol.ts"

type Params = { to: readonly number[]; vcs: number }

/** The protocol only selects the VC class of each packet. */
function makeIdeal(site: EndpointSite, to: readonly number[]): EndpointProtocol {
  const hot = new Uint8Array(site.ends)
  for (const end of to) hot[end] = 1
  const apart = packVcClass(site.firstClass, KIND.data)
  return { columns: {}, vcClass: (_, end) => (hot[end] !== 0 ? apart : PLAIN_CLASS) }
}

export default {
  kind: "congestion",
  name: "ideal",
  about: "Packets to known hot endpoints use separate VCs on minimal paths. No source is throttled.",
  cites:
    "Contention-based Congestion Management in Large-Scale Networks, G. Kim, " +
    "C. Kim, J. Jeong, M. Parker and J. Kim, 2016",
  limits: "needs to know the hot endpoints in advance: a reference, not a protocol",
  needs: () => ["protocols", "windows"],
  params: schema({
    to: list(int({ min: 0 }), { about: "Endpoints that are hot" }),
    vcs: int({ about: "Number of VCs for packets to hot endpoints", min: 1, max: 8, default: 1 }),
  }),
  known: (to: readonly number[]) => ({ to }),
  make: (p): CongestionModel => ({
    classes: [{ name: "hot", vcs: p.vcs, priority: 0, direct: true }],
    kinds: true,
    endpoint: (site) => makeIdeal(site, p.to),
  }),
} satisfies CongestionPlugin<Params>
