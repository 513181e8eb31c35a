// Network-signalled congestion control (NSCC) of Ultra Ethernet: a window for each flow. Each acknowledgement changes
// it according to the congestion mark and the queueing delay:
//   Not marked, delay below the target:  + alpha x (target - delay) x flits / window.
//   Not marked, delay above the target:  + fair x flits / window.
//   Marked, delay below the target:      - proportionalDecrease x flits x window / full window.
//   Marked, delay above the target:      x (1 - gamma x (delay - target) / delay), once per round trip, not below 1/2.
//
// Ultra Ethernet Specification 1.0, Ultra Ethernet Consortium, 2025. Quantities that it leaves to the implementation
// are parameters. The delay is that of both directions minus `roundTrip`, which is the same for near and far
// destinations, so that equal windows are equal rates. Cuts use a moving average of the delay.
//
// The gains of the specification are for a bandwidth-delay product of 100 Gb/s x 12 us = 150,000 B, which is 37.2
// packets of 4,032 B: alpha x target = 4 packets x 0.75, fair = 5 packets. They scale with the product, so relative to
// it they are 3 / 37.2 and 5 / 37.2 on any network. `proportionalDecrease` is a rule of this model; the specification
// does not change the window in this case (0). It reduces the windows of near senders, which receive acknowledgements
// more often. `auto` uses these values, a target of 0.75 round trips, and marks from 0.2 to 0.8 of the product.
import type { Checked, Complaint } from "../core/complaint.ts"
import { auto, cycles, flits, fraction, int, real, schema } from "../core/schema.ts"
import type { CongestionModel, CongestionPlugin, IdleTimes } from "../model/congestion.ts"
import { type EndpointProtocol, type EndpointSite, KIND } from "../model/protocol.ts"
import { CONTROLLED } from "./control.ts"
import { eachFlow } from "./flows.ts"
import { checkMarks } from "./marks.ts"
import { fitted, roundTripField, valueOr } from "./round-trip.ts"
import { confirmation, confirmedFlits, FLIT_BITS, makeWindows, OWN_WORD, SCALE } from "./windows.ts"

type Auto = number | "auto"
/** `auto` values are derived from the network. */
type Params = { kmin: Auto; kmax: Auto; target: Auto; roundTrip: Auto; alpha: Auto; fair: Auto } & Fixed
type Fixed = {
  readonly pmax: number
  readonly proportionalDecrease: number
  readonly gamma: number
  readonly flows: number
}
export type NsccParams = { readonly [K in keyof Params]: number }

/** Bandwidth-delay product of the specification, in packets. */
const PRODUCT = 150_000 / 4032
const GAIN = (4 * 0.75) / PRODUCT
const FAIR = 5 / PRODUCT

/**
 * Replaces every `auto`, based on the round trip of the network. The bandwidth-delay product in flits equals the round
 * trip in cycles.
 */
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
/** An acknowledgement carries the low bits of the cycle in which its packet left, and whether it was marked. */
const TIME_BITS = 18

export function makeNscc(site: EndpointSite, p: NsccParams): EndpointProtocol {
  const { packets, maxPacket } = site
  const windows = makeWindows(site, p.flows, p.roundTrip, 16 * p.roundTrip, 2)
  const { flows, window } = windows
  const FULL = p.roundTrip * SCALE
  const LEAST = maxPacket * SCALE
  // Moving average of the delay in 1/8 cycles; time of the last cut.
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
    site.send(
      e,
      packets.src(packet),
      ACK,
      confirmation((left << 1) | marked, packets.flits(packet)),
      1,
      site.firstClass,
    )
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

  /** Applies the table of the file header. The window stays between one packet and the full window. */
  function adapt(row: number, f: number, marked: boolean, delay: number, now: number): void {
    // The average has a weight of 1/8; `mean` stores eight times its value.
    mean[row] += delay - (mean[row] >> 3)
    const w = window[row]
    let wanted = w
    if (!marked) {
      const more = delay < p.target ? p.alpha * (p.target - delay) : p.fair
      wanted = w + Math.round((more * f * SCALE * SCALE) / w)
    } else if (delay < p.target) wanted = w - Math.round((p.proportionalDecrease * f * SCALE * w) / FULL)
    else if (now - cutAt[row] >= p.roundTrip && mean[row] > 8 * p.target) {
      const part = 1 - (p.gamma * (mean[row] - 8 * p.target)) / mean[row]
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
      eachFlow(site, flows, (key, row) => add(key + 1, mean[row], cutAt[row]))
    },
  }
}

export default {
  kind: "congestion",
  name: "nscc",
  about: "Marks and queueing delay control the windows, as in Ultra Ethernet's network-signalled congestion control.",
  cites: "Ultra Ethernet Specification 1.0, Ultra Ethernet Consortium, 2025",
  limits: "no trimming, quick adaptation, fast increase or change of paths; the minimum window is one packet",
  needs: () => ["telemetry", "protocols", "windows"],
  revision: 2,
  guarantees: {
    fairness: 0.7,
    because: "near senders receive acknowledgements more often, so their windows grow faster",
  },
  params: schema({
    kmin: auto(
      flits({
        about: "Kmin: number of flits queued for an output from which packets are marked; auto = 0.2 round trips",
        min: 1,
        max: 1e6,
        needed: false,
      }),
    ),
    kmax: auto(
      flits({
        about: "Kmax: number of flits queued for an output above which all packets are marked; auto = 0.8 round trips",
        min: 1,
        max: 1e6,
        needed: false,
      }),
    ),
    pmax: fraction({ about: "Pmax: fraction of packets that is marked at Kmax", above: 0, default: 1 }),
    target: auto(cycles({ about: "Target queueing delay; auto = 0.75 round trips", min: 1, max: 1e5, needed: false })),
    roundTrip: roundTripField("Round trip without queues in cycles, which is the full window in flits"),
    alpha: auto(
      real({
        about:
          "Proportional increase: flits per acknowledged flit and cycle below the target delay, divided by " +
          "the window; auto = 3 / 37.2 round trips at no delay",
        min: 0,
        max: 100,
        needed: false,
      }),
    ),
    fair: auto(
      real({
        about:
          "Fair increase: flits per acknowledged flit above the target delay, divided by the window; auto " +
          "= 5 / 37.2 round trips",
        min: 0,
        max: 1e5,
        needed: false,
      }),
    ),
    proportionalDecrease: real({
      aliases: ["fall"],
      about:
        "Flits that a full window loses for each marked flit acknowledged below the target delay; " +
        "smaller windows lose proportionally less",
      min: 0,
      max: 100,
      default: 0.5,
    }),
    gamma: real({
      about: "Strength of the multiplicative decrease for delay above the target",
      min: 0,
      max: 1,
      default: 0.8,
    }),
    flows: int({
      about: "Maximum number of flows of an endpoint with a window; further flows send without a limit",
      min: 1,
      max: 4096,
      default: 256,
    }),
  }),
  check: ({ kmin, kmax, pmax }): Complaint[] =>
    kmin === "auto" || kmax === "auto" ? [] : checkMarks({ kmin, kmax, pmax }),
  make: (p): CongestionModel => ({ ...CONTROLLED, controlSlots: 256, telemetry: {}, ...fitted(p, settle, modelOf) }),
} satisfies CongestionPlugin<Params>

function modelOf(p: NsccParams): CongestionModel {
  return {
    telemetry: { marks: { kmin: p.kmin, kmax: p.kmax, pmax: p.pmax } },
    ...CONTROLLED,
    controlSlots: 256,
    longestTimer: 32 * p.roundTrip,
    endpoint: (site) => makeNscc(site, p),
  }
}
