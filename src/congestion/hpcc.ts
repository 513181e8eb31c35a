// HPCC (Y. Li and others, "HPCC: high precision congestion control", 2019). Packets record the largest utilisation U of
// an output on their path, and acknowledgements return it. A source computes the window that would have led to a
// utilisation of eta, from the window of one round trip ago: W = Wc * eta / U + W_ai. Below eta it only adds W_ai, for
// a number of stages. Packets are paced at window / round trip.
//
// Differences from the paper: switches compute the utilisation, so packets carry one word and not a record for each
// hop. The reference window Wc advances by time, not by sequence number.
import type { Checked } from "../core/complaint.ts"
import { auto, flits, fraction, int, schema } from "../core/schema.ts"
import { type CongestionModel, type IdleTimes, UNITS } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
import { type EndpointProtocol, type EndpointSite, KIND } from "../model/protocol.ts"
import { CONTROLLED } from "./control.ts"
import { eachFlow } from "./flows.ts"
import { withRepeats } from "./repeats.ts"
import { fitted, roundTripField, valueOr } from "./round-trip.ts"
import { confirmation, confirmedFlits, FLIT_BITS, makeWindows, OWN_WORD, SCALE } from "./windows.ts"

type Auto = number | "auto"
/** `auto` values are derived from the network. */
type Params = { eta: number; stages: number; additive: Auto; roundTrip: Auto; flows: number }
export type HpccParams = { readonly [K in keyof Params]: number }

/**
 * Replaces every `auto`. The additive step is one packet per round trip, as in deployed implementations. The paper's
 * rule, (1 - eta) of the full window divided by the number of flows, gives 80 B for 100 flows; 8 flows to one endpoint
 * then take 2.5 times as long.
 */
export function settle(p: Params, on: IdleTimes): Checked<HpccParams> {
  const roundTrip = valueOr(p.roundTrip, on.roundTrip)
  return { ok: { ...p, roundTrip, additive: valueOr(p.additive, on.packet) } }
}

const ACK = KIND.own
/** Largest utilisation that an acknowledgement can carry. */
const MOST_USE = 2 ** 19 - 1

export function makeHpcc(site: EndpointSite, p: HpccParams): EndpointProtocol {
  const { packets } = site
  const RTT = p.roundTrip
  const windows = makeWindows(site, p.flows, RTT, 16 * RTT, 4)
  const { flows, window } = windows
  const FULL = RTT * SCALE
  const ADD = Math.max(1, Math.round(p.additive * SCALE))
  // Window of a round trip ago, the time when it was set, number of additive stages since the last cut; time of the
  // next packet.
  const reference = flows.word(OWN_WORD)
  const taken = flows.word(OWN_WORD + 1)
  const stage = flows.word(OWN_WORD + 2)
  const nextAt = flows.word(OWN_WORD + 3)

  function mayInject(e: number, to: number, f: number, now: number): number {
    const wait = windows.mayInject(e, to, f, now)
    if (wait !== 0 || flows.count(e) === 0) return wait
    const row = flows.find(e, to)
    return row < 0 || nextAt[row] <= now ? 0 : nextAt[row]
  }

  function injected(e: number, to: number, packet: number, now: number): void {
    const f = packets.flits(packet)
    const fresh = flows.find(e, to) < 0
    const row = windows.sent(e, to, f, now)
    if (row < 0) return
    if (fresh) {
      reference[row] = window[row]
      taken[row] = now
      stage[row] = 0
    }
    nextAt[row] = now + Math.ceil((f * FULL) / window[row])
  }

  function delivered(e: number, packet: number): void {
    const use = packets.value(packet) < MOST_USE ? packets.value(packet) : MOST_USE
    site.send(e, packets.src(packet), ACK, confirmation(use, packets.flits(packet)), 1, site.firstClass)
  }

  function received(e: number, packet: number, now: number): boolean {
    if (packets.kind(packet) !== ACK) return false
    const value = packets.value(packet)
    const row = windows.confirmed(e, packets.src(packet), confirmedFlits(value), now)
    if (row >= 0) adapt(row, value >>> FLIT_BITS, now)
    return false
  }

  /** Computes the window from the reported utilisation, as in the file header. */
  function adapt(row: number, use: number, now: number): void {
    // The reference moves once per round trip, otherwise a window would react several times to the same queue.
    const moves = now - taken[row] >= RTT
    const cuts = use >= p.eta * UNITS || stage[row] >= p.stages
    const wanted = cuts
      ? Math.floor((reference[row] * p.eta * UNITS) / (use > 0 ? use : 1)) + ADD
      : reference[row] + ADD
    window[row] = wanted < FULL ? (wanted > SCALE ? wanted : SCALE) : FULL
    if (!moves) return
    stage[row] = cuts ? 0 : stage[row] + 1
    reference[row] = window[row]
    taken[row] = now
  }

  const protocol: EndpointProtocol = {
    columns: windows.columns,
    headerReturned: windows.lost,
    mayInject,
    injected,
    delivered,
    received,
    due: windows.due,
    digest(add) {
      windows.digest(add)
      eachFlow(site, flows, (key, row) => add(key + 1, reference[row], nextAt[row]))
    },
  }
  return withRepeats(site, protocol, p.flows)
}

export default {
  kind: "congestion",
  name: "hpcc",
  about:
    "Packets carry the largest utilisation on their path. Sources set their windows so that it would have been eta.",
  cites: "HPCC: high precision congestion control, Y. Li and others, 2019",
  limits: "switches compute the utilisation and send it in one word; the reference window is updated by time",
  needs: () => ["telemetry", "protocols", "windows"],
  params: schema({
    eta: fraction({ about: "eta: target utilisation of the links", above: 0, default: 0.95 }),
    stages: int({
      about: "Maximum number of consecutive additive-increase steps before the window follows the utilisation",
      min: 0,
      max: 1000,
      default: 5,
    }),
    additive: auto(
      flits({
        about: "Flits that are added to a window for fairness; auto = the longest packet",
        min: 1,
        max: 1e6,
        needed: false,
      }),
    ),
    roundTrip: roundTripField(
      "T: round trip without queues, which is the full window in flits; outputs measure their rate over it",
    ),
    flows: int({
      about: "Maximum number of flows of an endpoint with a window; further flows send without a limit",
      min: 1,
      max: 4096,
      default: 256,
    }),
  }),
  revision: 2,
  make: (p): CongestionModel => ({
    ...CONTROLLED,
    controlSlots: 256,
    repeats: true,
    telemetry: {},
    ...fitted(p, settle, modelOf),
  }),
} satisfies Plugin<Params, CongestionModel, unknown>

function modelOf(p: HpccParams): CongestionModel {
  return {
    telemetry: { roundTrip: p.roundTrip },
    ...CONTROLLED,
    controlSlots: 256,
    longestTimer: 32 * p.roundTrip + 2047 * p.roundTrip,
    repeats: true,
    endpoint: (site) => makeHpcc(site, p),
  }
}
