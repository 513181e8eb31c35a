// Network-signalled congestion control of Ultra Ethernet: a window for each flow, moved by what each confirmation says of mark and queueing delay:
//                 delay below its target               delay at or above it
//   not marked    + alpha x (target - delay) x flits   + fair x flits            both over the window
//   marked        - fall x flits x its part of a full one   x (1 - gamma x (delay - target) / delay), once in a round trip, at most by half
// Ultra Ethernet Specification 1.0, Ultra Ethernet Consortium, 2025. What it leaves to the implementation is a parameter. Delay is that of the way there and
// back less `roundTrip`, the same for near and far, so that equal windows are equal rates; a moving mean for cuts.
// The gains of the specification are for a bandwidth-delay product of 100 Gb/s x 12 us = 150,000 B, which is 37.2 packets of
// 4,032 B: alpha x target = 4 packets x 0.75, fair = 5 packets. They grow with the product, so in its terms they are 3 / 37.2
// and 5 / 37.2 of it on any network. `fall` is a rule of this model: the specification leaves the window alone there (0). It
// takes from near senders, whose windows come round more often. `auto` takes these, a target of 0.75 round trips, and marks from 0.2 to 0.8 of the product.
import type { Checked, Complaint } from "../core/complaint.ts"
import { auto, cycles, flits, fraction, int, real, schema } from "../core/schema.ts"
import type { CongestionModel, IdleTimes } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
import { type EndpointProtocol, type EndpointSite, KIND } from "../model/protocol.ts"
import { CONTROLLED } from "./control.ts"
import { eachFlow } from "./flows.ts"
import { checkMarks } from "./marks.ts"
import { fitted, roundTripField, valueOr } from "./round-trip.ts"
import { confirmation, confirmedFlits, FLIT_BITS, makeWindows, OWN_WORD, SCALE } from "./windows.ts"

type Auto = number | "auto"
/** `auto` is what the network decides. */
type Params = { kmin: Auto; kmax: Auto; target: Auto; roundTrip: Auto; alpha: Auto; fair: Auto } & Fixed
type Fixed = { readonly pmax: number; readonly fall: number; readonly gamma: number; readonly flows: number }
export type NsccParams = { readonly [K in keyof Params]: number }

/** Packets of the specification's bandwidth-delay product. */
const PRODUCT = 150_000 / 4032
const GAIN = (4 * 0.75) / PRODUCT
const FAIR = 5 / PRODUCT

/** Every `auto` by the round trip of the network; the product of bandwidth and delay has as many flits as that has cycles. */
export function settle(p: Params, on: IdleTimes): Checked<NsccParams> {
  const roundTrip = valueOr(p.roundTrip, on.roundTrip)
  const target = valueOr(p.target, Math.ceil(0.75 * roundTrip))
  const made = {
    ...p,
    roundTrip,
    target,
    kmin: valueOr(p.kmin, Math.ceil(0.2 * roundTrip)),
    kmax: valueOr(p.kmax, Math.ceil(0.8 * roundTrip)),
    alpha: valueOr(p.alpha, (GAIN * roundTrip) / target),
    fair: valueOr(p.fair, FAIR * roundTrip),
  }
  const bad = checkMarks(made)
  return bad.length > 0 ? { bad } : { ok: made }
}

const ACK = KIND.own
/** A confirmation carries when its packet left (so many bits of the cycle), and whether it was marked. */
const TIME_BITS = 18

export function makeNscc(site: EndpointSite, p: NsccParams): EndpointProtocol {
  const { packets, maxPacket } = site
  const windows = makeWindows(site, p.flows, p.roundTrip, 16 * p.roundTrip, 2)
  const { flows, window } = windows
  const FULL = p.roundTrip * SCALE
  const LEAST = maxPacket * SCALE
  // moving mean of the delay in 1 / 8 cycles, when the window was cut last
  const mean = flows.word(OWN_WORD)
  const cutAt = flows.word(OWN_WORD + 1)

  function injected(e: number, to: number, packet: number, now: number): void {
    const fresh = flows.find(e, to) < 0
    const row = windows.sent(e, to, packets.flits(packet), now)
    packets.setValue(packet, now)
    if (row < 0 || !fresh) return
    mean[row] = 0
    cutAt[row] = now - p.roundTrip
  }

  function delivered(e: number, packet: number): void {
    const left = packets.value(packet) & (2 ** TIME_BITS - 1)
    const marked = packets.marked(packet) ? 1 : 0
    site.send(e, packets.src(packet), ACK, confirmation((left << 1) | marked, packets.flits(packet)), 1, site.firstClass)
  }

  function received(e: number, packet: number, now: number): boolean {
    if (packets.kind(packet) !== ACK) return false
    const value = packets.value(packet)
    const f = confirmedFlits(value)
    const row = windows.confirmed(e, packets.src(packet), f, now)
    if (row < 0) return false
    const took = (now - (value >>> (FLIT_BITS + 1))) & (2 ** TIME_BITS - 1)
    adapt(row, f, ((value >>> FLIT_BITS) & 1) !== 0, took > p.roundTrip ? took - p.roundTrip : 0, now)
    return false
  }

  function adapt(row: number, f: number, marked: boolean, delay: number, now: number): void {
    mean[row]! += delay - (mean[row]! >> 3)
    const w = window[row]!
    let wanted = w
    if (!marked) {
      const more = delay < p.target ? p.alpha * (p.target - delay) : p.fair
      wanted = w + Math.round((more * f * SCALE * SCALE) / w)
    } else if (delay < p.target) wanted = w - Math.round((p.fall * f * SCALE * w) / FULL)
    else if (now - cutAt[row]! >= p.roundTrip && mean[row]! > 8 * p.target) {
      const part = 1 - (p.gamma * (mean[row]! - 8 * p.target)) / mean[row]!
      wanted = Math.round(w * (part > 0.5 ? part : 0.5))
      cutAt[row] = now
    }
    window[row] = wanted > FULL ? FULL : wanted < LEAST ? LEAST : wanted
  }

  return {
    columns: windows.columns,
    mayInject: windows.mayInject,
    injected,
    delivered,
    received,
    due: windows.due,
    digest(add) {
      windows.digest(add)
      eachFlow(site, flows, (key, row) => add(key + 1, mean[row]!, cutAt[row]!))
    },
  }
}

export default {
  kind: "congestion",
  name: "nscc",
  about: "Windows that marks and queueing delay move, as Ultra Ethernet's network-signalled congestion control.",
  cites: "Ultra Ethernet Specification 1.0, Ultra Ethernet Consortium, 2025",
  limits: "no trimming, quick adaptation, fast increase or change of paths; the least window is a packet",
  needs: () => ["telemetry", "protocols", "windows"],
  revision: 2,
  params: schema({
    kmin: auto(
      flits({
        about: "Kmin: packets are marked from this many flits for an output on; auto: 0.2 round trips",
        min: 1,
        max: 1e6,
        needed: false,
      }),
    ),
    kmax: auto(flits({ about: "Kmax: all packets are marked above this; auto: 0.8 round trips", min: 1, max: 1e6, needed: false })),
    pmax: fraction({ about: "Pmax: part of the packets that is marked at Kmax", above: 0, default: 1 }),
    target: auto(cycles({ about: "queueing delay to aim at; auto: 0.75 round trips", min: 1, max: 1e5, needed: false })),
    roundTrip: roundTripField("round trip without queues; the full window has as many flits as this has cycles"),
    alpha: auto(
      real({
        about:
          "flits that a window gains for each flit confirmed and cycle below the target, over its own flits; auto: 3 / 37.2 round trips at no delay",
        min: 0,
        max: 100,
        needed: false,
      }),
    ),
    fair: auto(
      real({
        about: "flits that a window gains for each flit confirmed above the target, over its own flits; auto: 5 / 37.2 round trips",
        min: 0,
        max: 1e5,
        needed: false,
      }),
    ),
    fall: real({
      about: "flits that a full window loses for each flit confirmed that was marked below the target, others in proportion",
      min: 0,
      max: 100,
      default: 0.5,
    }),
    gamma: real({ about: "how much of the delay beyond the target a cut takes off", min: 0, max: 1, default: 0.8 }),
    flows: int({ about: "flows of one endpoint with a window; others send freely", min: 1, max: 4096, default: 256 }),
  }),
  check: ({ kmin, kmax, pmax }): Complaint[] => (kmin === "auto" || kmax === "auto" ? [] : checkMarks({ kmin, kmax, pmax })),
  make: (p): CongestionModel => ({ ...CONTROLLED, controlRoom: 256, telemetry: {}, ...fitted(p, settle, modelOf) }),
} satisfies Plugin<Params, CongestionModel, unknown>

function modelOf(p: NsccParams): CongestionModel {
  return {
    telemetry: { marks: { kmin: p.kmin, kmax: p.kmax, pmax: p.pmax } },
    ...CONTROLLED,
    controlRoom: 256,
    longestTimer: 32 * p.roundTrip,
    endpoint: (site) => makeNscc(site, p),
  }
}
