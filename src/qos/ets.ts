// Enhanced transmission selection: strict priority between groups of virtual lanes, and deficit round robin (drr.ts)
// within a group. With one VL for each priority above the lowest one, these are the strict and the shared traffic
// classes of IEEE 802.1Q, clause 37 (once IEEE 802.1Qaz, 2011). Limits: no rate limit and no credit-based shaper.
import { int, list, schema } from "../core/schema.ts"
import { MOST_QUEUE } from "../model/arbitration.ts"
import type { Plugin } from "../model/plugin.ts"
import type { QosModel, QosScheduler, QosSite } from "../model/scheduler.ts"
import { byLevel, vlsOf } from "./by-level.ts"
import { drr } from "./drr.ts"
import { weighted, weightsComplaints } from "./weights.ts"

type Params = { quanta: readonly number[]; priority: readonly number[]; sl2vl: readonly number[] }

/** Serves VLs. */
function ets(site: QosSite, { quanta, priority }: Params): QosScheduler {
  const of = (vl: number) => priority[vl] ?? 0
  const vls = Array.from({ length: site.queues }, (_, vl) => vl)
  const priorities = [...new Set(vls.map(of))].sort((a, b) => b - a)
  const groups = priorities.map(() => drr(site, quanta))
  const masks = priorities.map((p) => vls.reduce((bits, vl) => (of(vl) === p ? bits | (1 << vl) : bits), 0))
  const groupOf = vls.map((vl) => groups[priorities.indexOf(of(vl))])
  return {
    columns: Object.fromEntries(
      groups.flatMap((group, g) => Object.entries(group.columns).map(([name, column]) => [`${name}${g}`, column])),
    ),
    hears: true,
    arrived: (row, vl, size, now) => groupOf[vl].arrived(row, vl, size, now),
    pick(row, sendable, sizes, created, at) {
      for (let g = 0; g < masks.length; g++) {
        const some = sendable & masks[g]
        const got = some === 0 ? -1 : groups[g].pick(row, some, sizes, created, at)
        if (got >= 0) return got
      }
      return -1
    },
    sent: (row, vl, size, now) => groupOf[vl].sent(row, vl, size, now),
  }
}

/** Bits of the levels whose VL has a quantum. */
function served({ quanta, sl2vl }: Params): number {
  let levels = 0
  for (const [level, vl] of vlsOf(sl2vl, MOST_QUEUE + 1).entries()) levels |= ((weighted(quanta) >> vl) & 1) << level
  return levels
}

export default {
  kind: "qos",
  name: "ets",
  about:
    "Enhanced transmission selection: virtual lanes of higher priority first, deficit round robin among those of the " +
    "same priority.",
  cites:
    "IEEE Standard 802.1Q, clause 37; Efficient Fair Queueing Using Deficit Round Robin, M. Shreedhar and G. Varghese",
  limits: "a lane starves while one of higher priority always has packets; rates of classes have no upper limit",
  params: schema({
    quanta: list(int({ min: 1, max: 65535 }), { about: "Quantum of VL 0, 1, …, in units of 64 bytes", atLeast: 1 }),
    priority: list(int({ about: "Priority of a VL", min: 0, max: 30 }), {
      about: "Priority of VL 0, 1, …; the highest number goes first (default: 0 for all)",
      default: [],
    }),
    sl2vl: list(int({ about: "VL of a service level", min: 0, max: MOST_QUEUE }), {
      about: "VL of service level 0, 1, …; levels may share a VL (default: VL n serves level n)",
      default: [],
    }),
  }),
  check: (p) => weightsComplaints(p.quanta).map((c) => ({ ...c, path: "quanta" })),
  make: (p): QosModel => ({
    serves: served(p),
    build: (site) => byLevel(site, p.sl2vl, (of) => ets(of, p)),
  }),
} satisfies Plugin<Params, QosModel, unknown>
