// SRP, the speculative reservation protocol (reservation/protocol.ts): parameters and defaults.
import { type Complaint, complain } from "../core/complaint.ts"
import { cycles, flits, schema } from "../core/schema.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
import { fields, needs, reservationModel, values } from "./reservation/model.ts"

type Params = {
  budget: number
  reserveFrom: number
  chunk: number
  eps: number
  vcs: number
  flows: number
  retransmitFrom: "endpoint" | "stash"
}

export default {
  kind: "congestion",
  name: "srp",
  about:
    "The source sends a reservation and then the packets of the message speculatively. It " +
    "retransmits dropped packets in the granted time.",
  cites:
    "Network congestion avoidance through speculative reservation, N. Jiang, D. U. " +
    "Becker, G. Michelogiannakis and W. J. Dally, 2012",
  limits: "messages to one destination form one queue; the age of a grant is taken as half of the round trip",
  needs,
  values,
  params: schema({
    budget: cycles({
      about: "Maximum time that a speculative packet may wait in routers before it is dropped, in cycles",
      min: 1,
      max: 1e6,
      default: "2000cycles",
    }),
    reserveFrom: flits({
      aliases: ["least"],
      about: "Reserve only for messages of at least this size; shorter messages are sent as data at once",
      min: 1,
      max: 1e6,
      default: "128flits",
    }),
    chunk: flits({ about: "Maximum number of flits of one reservation", min: 1, max: 1e6, default: "512flits" }),
    ...fields,
  }),
  check: (p): Complaint[] =>
    p.chunk < p.reserveFrom
      ? [
          complain(
            "chunk",
            `${p.chunk} flits are less than reserveFrom (${p.reserveFrom})`,
            `set it to at least ${p.reserveFrom}flits`,
          ),
        ]
      : [],
  revision: 2,
  make: (p): CongestionModel => reservationModel({ mode: "srp", ...p }, { budget: p.budget, lastHop: 0 }),
} satisfies Plugin<Params, CongestionModel, unknown>
