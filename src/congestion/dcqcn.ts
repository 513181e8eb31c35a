// DCQCN (Y. Zhu and others, "Congestion control for large-scale RDMA deployments", 2015), rate-based congestion control
// with explicit congestion notification.
// 1. Output queues mark packets (random early detection).
// 2. A destination that receives a marked packet sends a congestion notification packet (CNP) to its source, at most
//    one per source and interval.
// 3. A source that receives a CNP multiplies the rate of the flow by 1 - alpha / 2. Alpha is a moving average of how
//    often CNPs arrived.
// 4. The rate recovers in steps of a timer and of a byte counter. A step covers half of the distance to the previous
//    rate (fast recovery); later steps also raise that target (additive, then hyper increase).
// Rates are paced: a packet of f flits delays the next one by f / rate cycles. The paper's parameters are for 40 Gb/s
// Ethernet; the defaults are for links of 100 cycles. Limits: a flow has a row only while its rate is below that of its
// channel.
import { type Complaint, complain } from "../core/complaint.ts"
import { cycles, flits, fraction, int, real, schema } from "../core/schema.ts"
import type { CongestionModel, CongestionPlugin } from "../model/congestion.ts"
import { type EndpointProtocol, type EndpointSite, KIND } from "../model/protocol.ts"
import { CONTROLLED, leastOf } from "./control.ts"
import { makeFlows } from "./flows.ts"
import { checkMarks, type Marks, marksFields } from "./marks.ts"

type Params = Marks & {
  g: number
  interval: number
  alphaTimer: number
  timer: number
  counter: number
  recovery: number
  additive: number
  hyper: number
  minRate: number
  flows: number
}

const CNP = KIND.own
/** Fixed-point unit of rates and alpha. */
export const ONE = 2 ** 20

export function makeDcqcn(site: EndpointSite, p: Params): EndpointProtocol {
  const { packets, rows } = site
  const flows = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 9)
  const rate = flows.word(0)
  const target = flows.word(1)
  const alpha = flows.word(2)
  // Time of the next decrease of alpha; time of the timer; number of timer and counter steps since the last cut; flits
  // of the counter; time of the next packet.
  const fallAt = flows.word(3)
  const stepAt = flows.word(4)
  const timers = flows.word(5)
  const counts = flows.word(6)
  const counted = flows.word(7)
  const nextAt = flows.word(8)
  // Destination: [row] -> time of the last CNP to this source.
  const told = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 1)
  const toldAt = told.word(0)
  const LEAST = Math.max(1, Math.round(p.minRate * ONE))
  const G = p.g

  function rowOf(e: number, to: number): number {
    return flows.count(e) === 0 ? -1 : flows.find(e, to)
  }

  function mayInject(e: number, to: number, _flits: number, now: number): number {
    const row = rowOf(e, to)
    return row < 0 || nextAt[row] <= now ? 0 : nextAt[row]
  }

  function injected(e: number, to: number, packet: number, now: number): void {
    const row = rowOf(e, to)
    if (row < 0) return
    const f = packets.flits(packet)
    nextAt[row] = now + Math.ceil((f * ONE) / rate[row])
    counted[row] += f
    if (counted[row] < p.counter) return
    counted[row] -= p.counter
    counts[row]++
    // Increase of the paper: fast recovery until F steps, additive after F steps of one of the two, hyper
    // after F steps of both.
    increase(e, row)
  }

  /** Increases the rate by one step. A flow that reaches the full rate needs no row any more. */
  function increase(e: number, row: number): void {
    const [most, few] = timers[row] > counts[row] ? [timers[row], counts[row]] : [counts[row], timers[row]]
    if (few > p.recovery) target[row] = leastOf(ONE, target[row] + Math.round(p.hyper * ONE))
    else if (most >= p.recovery) target[row] = leastOf(ONE, target[row] + Math.round(p.additive * ONE))
    rate[row] = (target[row] + rate[row] + 1) >> 1
    if (rate[row] === ONE) flows.close(e, flows.to(row))
    site.wake(e)
  }

  /** Cuts the rate of a flow after a CNP. Alpha starts at 1, so the first cut halves the rate. */
  function cut(e: number, to: number, now: number): void {
    let row = rowOf(e, to)
    if (row < 0) {
      row = flows.open(e, to)
      if (row < 0) return
      rate[row] = ONE
      alpha[row] = ONE
      nextAt[row] = now
    }
    target[row] = rate[row]
    const less = rate[row] - Math.round((rate[row] * alpha[row]) / (2 * ONE))
    rate[row] = less > LEAST ? less : LEAST
    alpha[row] += Math.round(G * (ONE - alpha[row]))
    timers[row] = 0
    counts[row] = 0
    counted[row] = 0
    fallAt[row] = now + p.alphaTimer
    stepAt[row] = now + p.timer
    site.wakeAt(e, now + leastOf(p.alphaTimer, p.timer))
  }

  function delivered(e: number, packet: number, now: number): void {
    if (!packets.marked(packet)) return
    const from = packets.src(packet)
    if (told.find(e, from) >= 0) return
    const row = told.open(e, from)
    if (row < 0) return
    toldAt[row] = now
    site.wakeAt(e, now + p.interval)
    site.send(e, from, CNP, 0, 1, site.firstClass)
  }

  function received(e: number, packet: number, now: number): boolean {
    if (packets.kind(packet) === CNP) cut(e, packets.src(packet), now)
    return false
  }

  // Timers of an endpoint share one wake-up, at the earliest of them.
  function due(e: number, now: number): void {
    let next = 0
    if (told.count(e) > 0)
      for (let row = told.firstRow(e); row < told.endRow(e); row += told.size) {
        if (told.to(row) < 0) continue
        const at = toldAt[row] + p.interval
        if (at <= now) told.close(e, told.to(row))
        else if (next === 0 || at < next) next = at
      }
    if (flows.count(e) > 0)
      for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size) {
        if (flows.to(row) < 0) continue
        if (fallAt[row] <= now) {
          alpha[row] -= Math.round(G * alpha[row])
          fallAt[row] = now + p.alphaTimer
        }
        if (stepAt[row] <= now) {
          stepAt[row] = now + p.timer
          timers[row]++
          increase(e, row)
          if (flows.to(row) < 0) continue
        }
        const at = leastOf(fallAt[row], stepAt[row])
        if (next === 0 || at < next) next = at
      }
    if (next !== 0) site.wakeAt(e, next)
  }

  return {
    columns: {
      ...flows.columns,
      ...Object.fromEntries(Object.entries(told.columns).map(([name, column]) => [`told.${name}`, column])),
    },
    mayInject,
    injected,
    delivered,
    received,
    due,
    digest(add) {
      for (let e = 0; e < rows; e++) {
        if (site.outer(e) < 0) continue
        add(site.outer(e), flows.count(e), told.count(e))
        for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
          if (flows.to(row) >= 0) {
            const key = site.outer(e) * site.ends + flows.to(row)
            add(key, rate[row], target[row])
            add(key, alpha[row], nextAt[row])
          }
      }
    },
  }
}

export default {
  kind: "congestion",
  name: "dcqcn",
  about:
    "Output queues mark packets. A notification cuts the rate of the flow, and a timer and a byte " +
    "counter raise it again.",
  cites: "Congestion control for large-scale RDMA deployments, Y. Zhu and others, 2015",
  limits:
    "one rate for each flow whose rate is cut; the defaults differ from the paper's, which are for 40 Gb/s Ethernet",
  needs: () => ["telemetry", "protocols", "windows"],
  guarantees: { sink: 0.65, because: "rates fall at once and recover over many periods of the timer" },
  params: schema({
    ...marksFields,
    g: real({
      about:
        "Gain g: fraction by which alpha moves towards 1 with each notification, and towards 0 with each " +
        "period without one",
      above: 0,
      max: 1,
      default: 1 / 16,
    }),
    interval: cycles({
      about: "Minimum time between two notifications from a destination to one source, in cycles",
      min: 1,
      max: 1e6,
      default: "300cycles",
    }),
    alphaTimer: cycles({
      about: "Period after which alpha decreases if no notification arrived",
      min: 1,
      max: 1e6,
      default: "300cycles",
    }),
    timer: cycles({ about: "Period of the timer that raises the rate", min: 1, max: 1e6, default: "300cycles" }),
    counter: flits({
      about: "Number of flits sent after which the counter raises the rate",
      min: 1,
      max: 1e8,
      default: "4096flits",
    }),
    recovery: int({
      about: "F: number of recovery steps before the rate rises above its value before the cut",
      min: 1,
      max: 1000,
      default: 5,
    }),
    additive: fraction({
      about: "Additive increase of the rate after recovery, as a fraction of the channel",
      default: 0.01,
    }),
    hyper: fraction({
      about:
        "Hyper increase of the rate when timer and counter have both finished recovery, as a fraction of the channel",
      default: 0.05,
    }),
    minRate: fraction({
      aliases: ["least"],
      about: "Lowest rate of a flow, as a fraction of the channel",
      above: 0,
      default: 0.002,
    }),
    flows: int({
      about: "Maximum number of rate-limited flows of an endpoint, and of sources that it remembers",
      min: 1,
      max: 4096,
      default: 256,
    }),
  }),
  check: (p): Complaint[] => [
    ...checkMarks(p),
    ...(p.hyper < p.additive
      ? [complain("hyper", `${p.hyper} is less than additive (${p.additive})`, `set it to at least ${p.additive}`)]
      : []),
  ],
  make: (p): CongestionModel => ({
    telemetry: { marks: { kmin: p.kmin, kmax: p.kmax, pmax: p.pmax } },
    ...CONTROLLED,
    controlSlots: p.flows + 64,
    longestTimer: p.timer + p.alphaTimer + p.interval + Math.ceil(2047 / p.minRate),
    endpoint: (site) => makeDcqcn(site, p),
  }),
} satisfies CongestionPlugin<Params>
