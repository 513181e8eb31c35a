// What congestion management could reach at best: traffic to the endpoints that are known to be hot has VCs of its own, so that it bars nobody but itself.
// Nobody is throttled. The reference of "Contention-based Congestion Management in Large-Scale Networks" (G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, 2016).
import { int, list, schema } from "../core/schema.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
import { type EndpointProtocol, type EndpointSite, KIND, PLAIN_RIDE, ride } from "../model/protocol.ts"

type Params = { to: readonly number[]; vcs: number }

function makeIdeal(site: EndpointSite, to: readonly number[]): EndpointProtocol {
  const hot = new Uint8Array(site.ends)
  for (const end of to) hot[end] = 1
  const apart = ride(site.firstClass, KIND.data)
  return { columns: {}, vcClass: (_, end) => (hot[end] !== 0 ? apart : PLAIN_RIDE) }
}

export default {
  kind: "congestion",
  name: "ideal",
  about: "Traffic to endpoints that are known to be hot has VCs of its own, on the shortest way; nobody is throttled.",
  cites: "Contention-based Congestion Management in Large-Scale Networks, G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, 2016",
  limits: "knows the hot endpoints beforehand: a reference, not a protocol",
  needs: () => ["protocols", "windows"],
  params: schema({
    to: list(int({ min: 0 }), { about: "endpoints that are hot" }),
    vcs: int({ about: "VCs of the traffic to them", min: 1, max: 8, default: 1 }),
  }),
  make: (p): CongestionModel => ({
    classes: [{ name: "hot", vcs: p.vcs, priority: 0, direct: true }],
    kinds: true,
    endpoint: (site) => makeIdeal(site, p.to),
  }),
} satisfies Plugin<Params, CongestionModel, unknown>
