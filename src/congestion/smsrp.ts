// SMSRP, the small-message speculative reservation protocol (reservation/protocol.ts): parameters and defaults.
import { cycles, schema } from "../core/schema.ts"
import type { CongestionModel, CongestionPlugin } from "../model/congestion.ts"
import { fields, needs, reservationModel, values } from "./reservation/model.ts"

type Params = { budget: number; eps: number; vcs: number; flows: number; retransmitFrom: "endpoint" | "stash" }

export default {
  kind: "congestion",
  name: "smsrp",
  about:
    "All packets are sent speculatively. The source reserves only for dropped packets and " +
    "retransmits them in the granted time.",
  cites:
    "Network endpoint congestion control for fine-grained communication, N. Jiang, L. Dennison and W. J. Dally, 2015",
  limits: "new packets of a flow wait while dropped ones do",
  needs,
  values,
  guarantees: { fairness: 0.75, because: "speculative packets of near senders arrive first and need no reservation" },
  params: schema({
    budget: cycles({
      about: "Maximum time that a packet may wait in routers before it is dropped, in cycles",
      min: 1,
      max: 1e6,
      default: "2000cycles",
    }),
    ...fields,
  }),
  make: (p): CongestionModel =>
    reservationModel({ mode: "smsrp", reserveFrom: 0, chunk: 0, ...p }, { budget: p.budget, lastHop: 0 }),
} satisfies CongestionPlugin<Params>
