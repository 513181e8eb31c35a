// Contention-based congestion management (G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, "Contention-based Congestion
// Management in Large-Scale Networks", 2016). Routers mark packets at outputs that several inputs request. A
// destination that receives only marked packets sends their number to the sources. Each source then sends at its share,
// on a VC with the lowest priority, until it creates less than that. destination.ts and source.ts implement the two
// sides. Limits: `exit` and the epochs of detecting routers are not from the paper (docs/guide/congestion-control.md).
import { bitsFor } from "../../core/bitset.ts"
import { type Complaint, complain } from "../../core/complaint.ts"
import type { CongestionModel, ContentionCounting } from "../../model/congestion.ts"
import type { Plugin } from "../../model/plugin.ts"
import {
  DIRECT_CLASS,
  type EndpointProtocol,
  type EndpointSite,
  KIND,
  OWN_CLASS,
  PLAIN_CLASS,
  packVcClass,
} from "../../model/protocol.ts"
import { CONTROL_CLASS, HOT_CLASS } from "../control.ts"
import { makeDestination } from "./destination.ts"
import { type CbcmParams, params } from "./params.ts"
import { makeSource } from "./source.ts"
import { values } from "./values.ts"

const THROTTLE = KIND.own
const UNTHROTTLE = KIND.own + 1

export function makeCbcm(site: EndpointSite, p: CbcmParams): EndpointProtocol {
  const { packets, rows } = site
  const destination = makeDestination(site, p, (e, to, degree) =>
    site.send(e, to, THROTTLE, degree, 1, site.firstClass),
  )
  // Offered loads are random: uniform traffic at full rate offers some endpoints slightly more than 1.
  const uncongested = Uint8Array.from(site.offered(), (load) => (load <= 1.25 ? 1 : 0))
  const source = makeSource(site, p, uncongested, unthrottle)
  const apart =
    p.hot === "own" ? packVcClass(site.firstClass + 1, KIND.data) : packVcClass(OWN_CLASS, KIND.data) | DIRECT_CLASS

  function unthrottle(e: number, to: number): void {
    site.send(e, to, UNTHROTTLE, 0, 1, site.firstClass)
  }

  function received(e: number, packet: number, now: number): boolean {
    const kind = packets.kind(packet)
    const by = packets.src(packet)
    if (kind === UNTHROTTLE) destination.left(e, by, now)
    else if (kind === THROTTLE && !source.throttled(e, by, packets.value(packet), now)) unthrottle(e, by)
    return false
  }

  function due(e: number, now: number): void {
    const a = destination.due(e, now)
    const b = source.due(e, now)
    if (a !== 0) site.wakeAt(e, a)
    if (b !== 0) site.wakeAt(e, b)
  }

  /**
   * Returns a table of throttled endpoints: cycle of the first throttle, throttles received, and throttled cycles,
   * summed over flows.
   */
  function throttled(now: number): { end: number[]; first: number[]; throttles: number[]; cycles: number[] } {
    const table = { end: [] as number[], first: [] as number[], throttles: [] as number[], cycles: [] as number[] }
    // In the order of the network, so that the table does not depend on partitions.
    const met = Array.from({ length: rows }, (_, e) => e).filter((e) => site.outer(e) >= 0 && source.received(e) > 0)
    for (const e of met.sort((a, b) => site.outer(a) - site.outer(b))) {
      table.end.push(site.outer(e))
      table.first.push(source.first(e))
      table.throttles.push(source.received(e))
      table.cycles.push(source.held(e, now))
    }
    return table
  }

  return {
    columns: { ...source.columns, ...destination.columns },
    mayInject: source.mayInject,
    vcClass: (e, to) => (source.isThrottled(e, to) ? apart : PLAIN_CLASS),
    injected: source.injected,
    generated: source.generated,
    delivered: (e, packet, now) =>
      destination.delivered(e, packets.src(packet), packets.flits(packet), packets.marked(packet), now),
    received,
    due,
    digest(add) {
      source.digest(add)
      destination.digest(add)
    },
    values(now) {
      const of = (what: (e: number) => number): number => {
        let sum = 0
        for (let e = 0; e < rows; e++) if (site.outer(e) >= 0) sum += what(e)
        return sum
      }
      const time = of((e) => source.held(e, now))
      const all = of(destination.met)
      const notCongested = of((e) => (uncongested[site.outer(e)] !== 0 ? destination.met(e) : 0))
      return {
        "throttle.sent": of(destination.sent),
        "throttle.endpoints": of((e) => (source.received(e) > 0 ? 1 : 0)),
        "throttle.flows": time / Math.max(1, now),
        "throttle.share": time / Math.max(1, now * all),
        "throttle.falsePositive": of((e) => source.falsePositive(e, now)) / Math.max(1, now * notCongested),
      }
    },
    tables: (now) => ({ throttled: throttled(now) }),
  }
}

/** Number of sources of one destination that a detecting router records. */
const ROUTER_LIST = 32

/** Returns the contention counters that switches need; `routers` lets them send throttles themselves. */
function sensingOf(p: CbcmParams): ContentionCounting {
  const sensing = {
    samples: p.samples,
    interval: p.interval,
    estimator: p.estimator,
    holders: p.countInTransit,
    threshold: p.threshold,
  }
  if (p.detect === "destination" || !p.throttle) return sensing
  const pairs = 2 ** bitsFor(p.pairs)
  return {
    ...sensing,
    routers: {
      pairs,
      byOutput: p.counted === "output",
      sources: ROUTER_LIST,
      epoch: p.routerEpoch,
      eps: p.eps,
      kind: THROTTLE,
      rides: 0,
    },
  }
}

export default {
  kind: "congestion",
  name: "cbcm",
  about:
    "Contended outputs mark packets. A destination that receives only marked packets sends their " +
    "sources the rates to use.",
  cites:
    "Contention-based Congestion Management in Large-Scale Networks, G. Kim, " +
    "C. Kim, J. Jeong, M. Parker and J. Kim, 2016",
  limits: "sources above `flows` of one destination are not throttled; a router stores 32 sources of each destination",
  needs: () => ["sensing", "protocols", "windows"],
  values,
  params,
  check(p): Complaint[] {
    const bad: Complaint[] = []
    if (p.interval > p.samples)
      bad.push(
        complain(
          "interval",
          `${p.interval} cycles are more than the ${p.samples} cycles of the moving average`,
          `set it to at most ${p.samples}`,
        ),
      )
    if (p.rate === 0)
      bad.push(complain("rate", "throttled sources would never send", "choose a rate above 0, such as 0.99"))
    return bad
  },
  make: (p): CongestionModel => ({
    sensing: sensingOf(p),
    classes: p.hot === "own" ? [CONTROL_CLASS, HOT_CLASS] : [CONTROL_CLASS],
    epochs: {
      epoch: p.epoch,
      sourceEpoch: p.sourceEpoch,
      ...(p.detect === "router" ? { routerEpoch: p.routerEpoch } : {}),
    },
    kinds: true,
    onCreate: p.throttle,
    controlFlits: 1,
    controlSlots: p.flows + 64,
    longestTimer: 2 * p.epoch + p.sourceEpoch + 8192,
    ...(p.throttle ? { endpoint: (site: EndpointSite) => makeCbcm(site, p) } : {}),
  }),
} satisfies Plugin<CbcmParams, CongestionModel, unknown>
