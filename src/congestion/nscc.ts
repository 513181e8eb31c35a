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
// more often. `auto` uses these values, a target of 0.75 round trips, and marks from 0.2 to 0.8 of the product. With
// `rules: uec`, nscc-uec.ts computes the window.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { auto, choice, cycles, flag, flits, fraction, int, maybe, real, schema, time } from "../core/schema.ts"
import type { CongestionModel, CongestionPlugin, IdleTimes } from "../model/congestion.ts"
import { type EndpointProtocol, type EndpointSite, KIND } from "../model/protocol.ts"
import { CONTROLLED } from "./control.ts"
import { eachFlow } from "./flows.ts"
import { checkMarks } from "./marks.ts"
import { makeUecWindows, UEC_WORDS, type UecRules } from "./nscc-uec.ts"
import { withRepeats } from "./repeats.ts"
import { fitted, roundTripField, valueOr } from "./round-trip.ts"
import { confirmation, confirmedFlits, FLIT_BITS, makeWindows, OWN_WORD, SCALE } from "./windows.ts"

type Auto = number | "auto"
/** `auto` values are derived from the network. */
type Params = { kmin: Auto; kmax: Auto; target: Auto; roundTrip: Auto; alpha: Auto; fair: Auto } & Fixed & {
    readonly [K in keyof UecParams]?: UecParams[K] | undefined
  }
type Fixed = {
  readonly pmax: number
  readonly proportionalDecrease: number
  readonly gamma: number
  readonly flows: number
}
/** Keys of `rules: uec`. */
type UecParams = {
  rules: "uec"
  eta: number
  fast: number
  fastBelow: number
  quickAdapt: boolean
  meanWeight: number
  maxWindow: number
}
type Settled = "kmin" | "kmax" | "target" | "roundTrip" | "alpha" | "fair"
export type NsccParams = { readonly [K in Settled | keyof Fixed]: number } & { readonly uec?: UecRules }

/** Bandwidth-delay product of the specification, in packets. */
const PRODUCT = 150_000 / 4032
const GAIN = (4 * 0.75) / PRODUCT
const FAIR = 5 / PRODUCT
/** The specification's reference network, in bytes and ps, and the bytes of a packet's header. */
const UEC = { product: 150_000, time: 12e6, header: 64 }

/**
 * Replaces every `auto`, based on the round trip of the network. The bandwidth-delay product in flits equals the round
 * trip in cycles.
 */
export function settle(p: Params, on: IdleTimes): Checked<NsccParams> {
  const roundTrip = valueOr(p.roundTrip, on.roundTrip)
  const target = valueOr(p.target, Math.ceil(0.75 * roundTrip))
  const { pmax, proportionalDecrease, gamma, flows } = p
  const fixed = { pmax, proportionalDecrease, gamma, flows, roundTrip, target }
  const made =
    p.rules === "uec"
      ? uecGains(p, fixed, on)
      : {
          ...fixed,
          kmin: valueOr(p.kmin, Math.ceil(0.2 * roundTrip)),
          kmax: valueOr(p.kmax, Math.ceil(0.8 * roundTrip)),
          alpha: valueOr(p.alpha, (GAIN * roundTrip) / target),
          fair: valueOr(p.fair, FAIR * roundTrip),
        }
  const bad = checkMarks(made)
  return bad.length > 0 ? { bad } : { ok: made }
}

/**
 * The gains as the specification derives them: scaled with the product (a) and with the target delay (b), relative to
 * its reference network. Marks start and end at whole packets.
 */
function uecGains(
  p: Params,
  fixed: Fixed & { readonly roundTrip: number; readonly target: number },
  { packet, cycle, flit }: IdleTimes,
): NsccParams {
  const { roundTrip, target } = fixed
  const a = (roundTrip * flit) / UEC.product
  const b = (target * cycle) / UEC.time
  const segment = Math.max(1, packet - UEC.header / flit)
  const queue = Math.ceil(roundTrip / packet)
  const alpha = valueOr(p.alpha, (4 * segment * a * b) / target)
  const fair = valueOr(p.fair, 5 * segment * a)
  return {
    ...fixed,
    kmin: valueOr(p.kmin, Math.ceil(0.2 * queue) * packet),
    kmax: valueOr(p.kmax, Math.ceil(0.8 * queue) * packet),
    ...{ alpha, fair },
    uec: {
      ...{ target, roundTrip, alpha, fair, gamma: fixed.gamma },
      eta: p.eta ?? 0.15 * segment * a,
      fast: p.fast ?? 0.25 * a,
      fastBelow: (p.fastBelow ?? 1e6) / cycle,
      quickAdapt: p.quickAdapt ?? true,
      meanWeight: p.meanWeight ?? 0.0125,
      maxWindow: p.maxWindow ?? 1.5,
      every: 8 * packet,
    },
  }
}

const ACK = KIND.own
/** An acknowledgement carries the low bits of the cycle in which its packet left, and whether it was marked. */
const TIME_BITS = 18

export function makeNscc(site: EndpointSite, p: NsccParams): EndpointProtocol {
  const { packets, maxPacket } = site
  const { uec } = p
  const first = Math.round((uec?.maxWindow ?? 1) * p.roundTrip)
  const windows = makeWindows(site, p.flows, first, 16 * p.roundTrip, uec === undefined ? 2 : 2 + UEC_WORDS)
  const { flows, window } = windows
  const FULL = p.roundTrip * SCALE
  const LEAST = maxPacket * SCALE
  // Moving average of the delay in 1/8 cycles; time of the last cut.
  const mean = flows.word(OWN_WORD)
  const cutAt = flows.word(OWN_WORD + 1)
  const own = uec === undefined ? undefined : makeUecWindows(flows, OWN_WORD + 2, window, LEAST, uec)

  function injected(e: number, to: number, packet: number, now: number): void {
    const fresh = flows.find(e, to) < 0
    const row = windows.sent(e, to, packets.flits(packet), now)
    packets.setValue(packet, now)
    if (row < 0 || !fresh) return
    mean[row] = 0
    cutAt[row] = now - p.roundTrip
    own?.opened(row, now)
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
    const marked = ((value >>> FLIT_BITS) & 1) !== 0
    if (own !== undefined) own.acknowledged(row, f, marked, took, windows.out[row], now)
    else adapt(row, f, marked, took > p.roundTrip ? took - p.roundTrip : 0, now)
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

  function headerReturned(e: number, to: number, flits: number, now: number, value: number): void {
    const row = windows.lost(e, to, flits, now)
    if (row >= 0) own?.lost(row, flits, (now - value) & (2 ** TIME_BITS - 1), windows.out[row] + flits, now)
  }

  const protocol: EndpointProtocol = {
    columns: windows.columns,
    mayInject: windows.mayInject,
    injected,
    delivered,
    received,
    headerReturned,
    due: windows.due,
    digest(add) {
      windows.digest(add)
      eachFlow(site, flows, (key, row) => add(key + 1, mean[row], cutAt[row]))
      if (own !== undefined) eachFlow(site, flows, (key, row) => own.digest(row, (a, b) => add(key + 2, a, b)))
    },
  }
  return withRepeats(site, protocol, p.flows)
}

export default {
  kind: "congestion",
  name: "nscc",
  about: "Marks and queueing delay control the windows, as in Ultra Ethernet's network-signalled congestion control.",
  cites: "Ultra Ethernet Specification 1.0, Ultra Ethernet Consortium, 2025",
  limits: "no change of paths; quick adaptation and fast increase only with rules: uec; windows of at least one packet",
  needs: () => ["telemetry", "protocols", "windows"],
  revision: 3,
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
    rules: maybe(
      choice(["uec"], {
        about:
          "Change the window exactly as the specification does, with fast increase and quick adaptation (default: the " +
          "table of the model page, which is simpler)",
        needed: false,
      }),
    ),
    eta: maybe(
      flits({
        about:
          "rules: uec: flits added to a window in each round trip (default: 0.15 packets, scaled with the network)",
        min: 0,
        max: 1e5,
        needed: false,
      }),
    ),
    fast: maybe(
      real({
        about:
          "rules: uec: flits added for each flit acknowledged in fast increase (default: 0.25, scaled with the network)",
        min: 0,
        max: 100,
        needed: false,
      }),
    ),
    fastBelow: maybe(
      time({ about: "rules: uec: fast increase begins below this delay (default: 1us)", min: 0, needed: false }),
    ),
    quickAdapt: maybe(
      flag({
        about: "rules: uec: after losses or long delays, set the window to what one period delivered (default: true)",
        needed: false,
      }),
    ),
    meanWeight: maybe(
      fraction({
        about: "rules: uec: weight of a sample in the mean delay (default: 0.0125)",
        above: 0,
        needed: false,
      }),
    ),
    maxWindow: maybe(
      real({
        about: "rules: uec: first and largest window in round trips (default: 1.5)",
        min: 0.1,
        max: 10,
        needed: false,
      }),
    ),
    flows: int({
      about: "Maximum number of flows of an endpoint with a window; further flows send without a limit",
      min: 1,
      max: 4096,
      default: 256,
    }),
  }),
  check: (p): Complaint[] => {
    const { kmin, kmax, pmax } = p
    const idle = p.rules === "uec" ? [] : UEC_KEYS.filter((key) => p[key] !== undefined)
    return [
      ...(kmin === "auto" || kmax === "auto" ? [] : checkMarks({ kmin, kmax, pmax })),
      ...idle.map((key) => complain(key, "only rules: uec has it", "leave it out, or set rules: uec")),
    ]
  },
  make: (p): CongestionModel => ({
    ...CONTROLLED,
    controlSlots: 256,
    repeats: true,
    telemetry: {},
    ...fitted(p, settle, modelOf),
  }),
} satisfies CongestionPlugin<Params>

const UEC_KEYS = ["eta", "fast", "fastBelow", "quickAdapt", "meanWeight", "maxWindow"] as const

function modelOf(p: NsccParams): CongestionModel {
  return {
    telemetry: { marks: { kmin: p.kmin, kmax: p.kmax, pmax: p.pmax } },
    ...CONTROLLED,
    controlSlots: 256,
    longestTimer: 32 * p.roundTrip,
    repeats: true,
    endpoint: (site) => makeNscc(site, p),
  }
}
