// The speculative reservation protocol (reservation/protocol.ts).
import { type Complaint, complain } from "../core/complaint.ts"
import { cycles, flits, schema } from "../core/schema.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
import { fields, needs, reservationModel } from "./reservation/model.ts"

type Params = { budget: number; least: number; chunk: number; eps: number; vcs: number; flows: number; again: "endpoint" | "stash" }

export default {
  kind: "congestion",
  name: "srp",
  about:
    "A reservation goes ahead of each message, its packets speculatively behind it; what is dropped goes again in the time that was granted.",
  cites: "Network congestion avoidance through speculative reservation, N. Jiang, D. U. Becker, G. Michelogiannakis and W. J. Dally, 2012",
  limits: "messages to one destination are one queue; the age of a grant is half of the way there and back",
  needs,
  params: schema({
    budget: cycles({
      about: "cycles that a speculative packet may wait in routers before it is dropped",
      min: 1,
      max: 1e6,
      default: "2000cycles",
    }),
    least: flits({ about: "shorter messages are sent as data at once", min: 1, max: 1e6, default: "128flits" }),
    chunk: flits({ about: "longest piece that is reserved at a time", min: 1, max: 1e6, default: "512flits" }),
    ...fields,
  }),
  check: (p): Complaint[] =>
    p.chunk < p.least ? [complain("chunk", `${p.chunk} flits are less than least (${p.least})`, `set it to at least ${p.least}flits`)] : [],
  make: (p): CongestionModel => reservationModel({ mode: "srp", ...p }, { budget: p.budget, lastHop: 0 }),
} satisfies Plugin<Params, CongestionModel, unknown>
