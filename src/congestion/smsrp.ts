// The reservation protocol for small messages (reservation/protocol.ts).
import { cycles, schema } from "../core/schema.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
import { fields, needs, reservationModel } from "./reservation/model.ts"

type Params = { budget: number; eps: number; vcs: number; flows: number; again: "endpoint" | "stash" }

export default {
  kind: "congestion",
  name: "smsrp",
  about: "All packets go speculatively; a reservation is asked for what was dropped, which goes again in the time that was granted.",
  cites: "Network endpoint congestion control for fine-grained communication, N. Jiang, L. Dennison and W. J. Dally, 2015",
  limits: "new packets of a flow wait while dropped ones do",
  needs,
  params: schema({
    budget: cycles({ about: "cycles that a packet may wait in routers before it is dropped", min: 1, max: 1e6, default: "2000cycles" }),
    ...fields,
  }),
  make: (p): CongestionModel => reservationModel({ mode: "smsrp", least: 0, chunk: 0, ...p }, { budget: p.budget, lastHop: 0 }),
} satisfies Plugin<Params, CongestionModel, unknown>
