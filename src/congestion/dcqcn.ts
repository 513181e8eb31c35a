// DCQCN: queues of outputs mark packets (random early detection); a destination that gets a marked one tells its source, once in an interval for each; a source
// cuts the rate of the flow by half of alpha, which says how often it was told lately, and comes back in steps of a timer and of a counter of what it sent: half
// of the way to the rate before (recovery), then to a little more (additive), then to more (hyper).
// Y. Zhu and others, "Congestion control for large-scale RDMA deployments", 2015. Its numbers are those of 40 Gb/s Ethernet; the defaults are for links of 100 cycles.
// Limits: a flow has a row as long as its rate is below that of its channel.
import { type Complaint, complain } from "../core/complaint.ts"
import { cycles, flits, fraction, int, real, schema } from "../core/schema.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { Plugin } from "../model/plugin.ts"
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
  least: number
  flows: number
}

const CNP = KIND.own
/** Rates and alpha are counted in so many parts of 1. */
export const ONE = 2 ** 20

export function makeDcqcn(site: EndpointSite, p: Params): EndpointProtocol {
  const { packets, rows } = site
  const flows = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 9)
  const rate = flows.word(0)
  const target = flows.word(1)
  const alpha = flows.word(2)
  // when alpha falls next, when the timer is due; how often it and the counter were since the last cut; flits that the counter has; when the next packet may leave
  const fallAt = flows.word(3)
  const stepAt = flows.word(4)
  const timers = flows.word(5)
  const counts = flows.word(6)
  const counted = flows.word(7)
  const nextAt = flows.word(8)
  // destination: [row] -> when its source was told last
  const told = makeFlows(rows, Math.min(p.flows, site.ends), site.column, 1)
  const toldAt = told.word(0)
  const LEAST = Math.max(1, Math.round(p.least * ONE))
  const G = p.g

  function rowOf(e: number, to: number): number {
    return flows.count(e) === 0 ? -1 : flows.find(e, to)
  }

  function mayInject(e: number, to: number, _flits: number, now: number): number {
    const row = rowOf(e, to)
    return row < 0 || nextAt[row]! <= now ? 0 : nextAt[row]!
  }

  function injected(e: number, to: number, packet: number, now: number): void {
    const row = rowOf(e, to)
    if (row < 0) return
    const f = packets.flits(packet)
    nextAt[row] = now + Math.ceil((f * ONE) / rate[row]!)
    counted[row]! += f
    if (counted[row]! < p.counter) return
    counted[row]! -= p.counter
    counts[row]!++
    increase(e, row)
  }

  function increase(e: number, row: number): void {
    const [most, few] = timers[row]! > counts[row]! ? [timers[row]!, counts[row]!] : [counts[row]!, timers[row]!]
    if (few > p.recovery) target[row] = leastOf(ONE, target[row]! + Math.round(p.hyper * ONE))
    else if (most >= p.recovery) target[row] = leastOf(ONE, target[row]! + Math.round(p.additive * ONE))
    rate[row] = (target[row]! + rate[row]! + 1) >> 1
    if (rate[row] === ONE) flows.close(e, flows.to(row))
    site.wake(e)
  }

  function cut(e: number, to: number, now: number): void {
    let row = rowOf(e, to)
    if (row < 0) {
      row = flows.open(e, to)
      if (row < 0) return
      rate[row] = ONE
      alpha[row] = ONE
      nextAt[row] = now
    }
    target[row] = rate[row]!
    const less = rate[row]! - Math.round((rate[row]! * alpha[row]!) / (2 * ONE))
    rate[row] = less > LEAST ? less : LEAST
    alpha[row]! += Math.round(G * (ONE - alpha[row]!))
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

  function due(e: number, now: number): void {
    let next = 0
    if (told.count(e) > 0)
      for (let row = told.firstRow(e); row < told.endRow(e); row += told.size) {
        if (told.to(row) < 0) continue
        const at = toldAt[row]! + p.interval
        if (at <= now) told.close(e, told.to(row))
        else if (next === 0 || at < next) next = at
      }
    if (flows.count(e) > 0)
      for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size) {
        if (flows.to(row) < 0) continue
        if (fallAt[row]! <= now) {
          alpha[row]! -= Math.round(G * alpha[row]!)
          fallAt[row] = now + p.alphaTimer
        }
        if (stepAt[row]! <= now) {
          stepAt[row] = now + p.timer
          timers[row]!++
          increase(e, row)
          if (flows.to(row) < 0) continue
        }
        const at = leastOf(fallAt[row]!, stepAt[row]!)
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
            add(key, rate[row]!, target[row]!)
            add(key, alpha[row]!, nextAt[row]!)
          }
      }
    },
  }
}

export default {
  kind: "congestion",
  name: "dcqcn",
  about: "Queues of outputs mark packets; a notice for a marked one cuts the rate of its flow, which comes back by a timer and a counter.",
  cites: "Congestion control for large-scale RDMA deployments, Y. Zhu and others, 2015",
  limits: "one rate for each flow whose rate is cut; the paper's numbers are those of 40 Gb/s Ethernet, the defaults are not",
  needs: () => ["telemetry", "protocols", "windows"],
  params: schema({
    ...marksFields,
    g: real({
      about: "g: part by which alpha moves towards 1 with each notice, and towards 0 with each period without",
      above: 0,
      max: 1,
      default: 1 / 16,
    }),
    interval: cycles({ about: "a destination tells one source at most once in so many cycles", min: 1, max: 1e6, default: "300cycles" }),
    alphaTimer: cycles({ about: "period in which alpha falls without a notice", min: 1, max: 1e6, default: "300cycles" }),
    timer: cycles({ about: "period of the timer that raises the rate", min: 1, max: 1e6, default: "300cycles" }),
    counter: flits({ about: "flits after which the counter raises the rate", min: 1, max: 1e8, default: "4096flits" }),
    recovery: int({ about: "F: steps of recovery before the rate goes beyond what it was", min: 1, max: 1000, default: 5 }),
    additive: fraction({ about: "a step beyond it, in parts of the channel", default: 0.01 }),
    hyper: fraction({ about: "a step when timer and counter both are beyond recovery", default: 0.05 }),
    least: fraction({ about: "least rate of a flow, in parts of the channel", above: 0, default: 0.002 }),
    flows: int({ about: "flows of one endpoint with a rate, and sources that it remembers", min: 1, max: 4096, default: 256 }),
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
    controlRoom: p.flows + 64,
    longestTimer: p.timer + p.alphaTimer + p.interval + Math.ceil(2047 / p.least),
    endpoint: (site) => makeDcqcn(site, p),
  }),
} satisfies Plugin<Params, CongestionModel, unknown>
