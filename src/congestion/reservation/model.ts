// What the protocols with reservations ask of the machine.
import { choice, fraction, int } from "../../core/schema.ts"
import type { Ability } from "../../model/abilities.ts"
import type { CongestionModel } from "../../model/congestion.ts"
import type { ClassWish } from "../../model/vc-plan.ts"
import { FIRST, LAST } from "../control.ts"
import { ACK, CLASS, makeReservations, NACK, ORDER, type ReservationParams, SPECULATIVE } from "./protocol.ts"

export const fields = {
  eps: fraction({ about: "part of its length that a reservation has more", default: 0.05 }),
  vcs: int({ about: "VCs of speculative packets, which take the ways of data", min: 1, max: 16, default: 2 }),
  flows: int({
    about: "destinations of one endpoint with something under way; what goes to others is not reserved",
    min: 1,
    max: 4096,
    default: 256,
  }),
  again: choice(["endpoint", "stash"], {
    about:
      "who sends a dropped packet again: its endpoint, or the first switch of its way from a copy in its stash, to which the endpoint sends an order of one flit",
    default: "endpoint",
  }),
}

/** What the protocols ask of switches and endpoints. */
export function needs({ again }: Pick<ReservationParams, "again">): Ability[] {
  return ["drops", "protocols", "windows", ...(again === "stash" ? (["copies"] as const) : [])]
}

const answers: ClassWish = { name: "answers", vcs: 1, priority: FIRST + 1, direct: true }
const reservations: ClassWish = { name: "reservations", vcs: 1, priority: FIRST, direct: true }
/** a destination may have reserved its channel for so long */
const LONGEST = 300_000

export function reservationModel(
  p: ReservationParams & { readonly vcs: number },
  drops: { budget: number; lastHop: number },
): CongestionModel {
  const speculative: ClassWish = { name: "speculative", vcs: p.vcs, priority: LAST, direct: false }
  return {
    classes: p.mode === "lhrp" ? [answers, speculative] : [answers, speculative, reservations],
    dropping: {
      ...drops,
      eps: p.eps,
      kind: SPECULATIVE,
      answer: NACK,
      rides: CLASS.speculative,
      answersRide: CLASS.answers,
      ...(p.again === "stash" ? { copies: { confirms: ACK, order: ORDER } } : {}),
    },
    kinds: true,
    atBirth: p.mode === "srp",
    controlFlits: 1,
    controlRoom: 2 * p.flows,
    longestTimer: LONGEST,
    endpoint: (site) => makeReservations(site, p),
  }
}
