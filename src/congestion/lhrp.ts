// LHRP, the last-hop reservation protocol (reservation/protocol.ts): parameters and defaults.
import { flits, schema } from "../core/schema.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
import { fields, needs, reservationModel, values } from "./reservation/model.ts"

type Params = { threshold: number; eps: number; vcs: number; flows: number; retransmitFrom: "endpoint" | "stash" }

export default {
  kind: "congestion",
  name: "lhrp",
  about:
    "All packets are sent speculatively. The last router drops packets to an endpoint with a long " +
    "queue and schedules their retransmission.",
  cites:
    "Network endpoint congestion control for fine-grained communication, N. Jiang, L. Dennison and W. J. Dally, 2015",
  limits: "only the last router drops packets; new packets of a flow wait while dropped ones do",
  needs,
  values,
  params: schema({
    threshold: flits({
      about: "Number of flits queued for one endpoint in its router above which further packets are dropped",
      min: 1,
      max: 1e6,
      default: "1000flits",
    }),
    ...fields,
  }),
  make: (p): CongestionModel =>
    reservationModel({ mode: "lhrp", reserveFrom: 0, chunk: 0, ...p }, { budget: 0, lastHop: p.threshold }),
} satisfies Plugin<Params, CongestionModel, unknown>
