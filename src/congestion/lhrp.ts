// The reservation protocol of the last hop (reservation/protocol.ts).
import { flits, schema } from "../core/schema.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
import { fields, needs, reservationModel } from "./reservation/model.ts"

type Params = { threshold: number; eps: number; vcs: number; flows: number; again: "endpoint" | "stash" }

export default {
  kind: "congestion",
  name: "lhrp",
  about: "All packets go speculatively; the last router drops those to an endpoint with a long queue, and says when to send them again.",
  cites: "Network endpoint congestion control for fine-grained communication, N. Jiang, L. Dennison and W. J. Dally, 2015",
  limits: "nothing is dropped on the way; new packets of a flow wait while dropped ones do",
  needs,
  params: schema({
    threshold: flits({
      about: "flits for one endpoint in its router beyond which more are dropped",
      min: 1,
      max: 1e6,
      default: "1000flits",
    }),
    ...fields,
  }),
  make: (p): CongestionModel => reservationModel({ mode: "lhrp", least: 0, chunk: 0, ...p }, { budget: 0, lastHop: p.threshold }),
} satisfies Plugin<Params, CongestionModel, unknown>
