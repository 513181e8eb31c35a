// The common part of the plug-ins srp, smsrp and lhrp: their keys, the abilities that they need, and the congestion
// model with its VC classes.
import { choice, fraction, int } from "../../core/schema.ts"
import type { Ability } from "../../model/abilities.ts"
import type { CongestionModel } from "../../model/congestion.ts"
import { family, type PluginValues } from "../../model/values.ts"
import type { ClassRequest } from "../../model/vc-plan.ts"
import { FIRST, LAST } from "../control.ts"
import { ACK, CLASS, makeReservations, NACK, ORDER, type ReservationParams, SPECULATIVE } from "./protocol.ts"

export const fields = {
  eps: fraction({ about: "Fraction by which a reservation is longer than its packets", default: 0.05 }),
  vcs: int({
    about: "Number of VCs for speculative packets, which use the paths of data",
    min: 1,
    max: 16,
    default: 2,
  }),
  flows: int({
    about:
      "Maximum number of destinations of an endpoint with reservations; packets to further " +
      "destinations are sent without one",
    min: 1,
    max: 4096,
    default: 256,
  }),
  retransmitFrom: choice(["endpoint", "stash"], {
    aliases: ["again"],
    about: "Retransmit a dropped packet from its endpoint, or from the copy in the stash of its first switch",
    default: "endpoint",
  }),
}

export const values = family(
  "speculative",
  "packets in the whole run",
  { sent: "sent speculatively", dropped: "sent speculatively and dropped" },
  { unit: "count", when: "network.congestion srp, smsrp or lhrp" },
) satisfies PluginValues

/** Returns the abilities that the protocols need from switches and endpoints. */
export function needs({ retransmitFrom }: Pick<ReservationParams, "retransmitFrom">): Ability[] {
  return ["drops", "protocols", "windows", ...(retransmitFrom === "stash" ? (["copies"] as const) : [])]
}

const answers: ClassRequest = { name: "answers", vcs: 1, priority: FIRST + 1, direct: true }
const reservations: ClassRequest = { name: "reservations", vcs: 1, priority: FIRST, direct: true }
/** maximum number of cycles for which a destination may have reserved its channel */
const LONGEST = 300_000

/**
 * `drops`: cycles that a speculative packet may wait, or the queue length at the last hop from which on it is dropped.
 */
export function reservationModel(
  p: ReservationParams & { readonly vcs: number },
  drops: { budget: number; lastHop: number },
): CongestionModel {
  const speculative: ClassRequest = { name: "speculative", vcs: p.vcs, priority: LAST, direct: false }
  return {
    classes: p.mode === "lhrp" ? [answers, speculative] : [answers, speculative, reservations],
    dropping: {
      ...drops,
      eps: p.eps,
      kind: SPECULATIVE,
      answer: NACK,
      rides: CLASS.speculative,
      answersRide: CLASS.answers,
      ...(p.retransmitFrom === "stash" ? { copies: { confirms: ACK, order: ORDER } } : {}),
    },
    kinds: true,
    onCreate: p.mode === "srp",
    controlFlits: 1,
    controlSlots: 2 * p.flows,
    longestTimer: LONGEST,
    endpoint: (site) => makeReservations(site, p),
  }
}
