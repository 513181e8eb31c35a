// Weighted fair queueing: "Analysis and Simulation of a Fair Queueing Algorithm", A. Demers, S. Keshav and S. Shenker,
// 1989. Messages leave in the order in which a fluid server would finish them. The fluid server serves all backlogged
// queues at once, in proportion to their shares. V is its clock, which runs at rate / (sum of the shares that are
// backlogged in the fluid). A queue is backlogged there while the tag of its last message is above V. A message that
// finds its queue empty begins at max(tag of the last one, V), any other where the one before it ends.
//
// Limits: a message may arrive behind another of its queue that the fluid has already finished. It then begins at that
// one's tag and not at V, which is at most one largest message earlier. The fluid server ignores credit stalls.
import { schema } from "../core/schema.ts"
import type { Plugin } from "../model/plugin.ts"
import type { QosModel, QosScheduler, QosSite } from "../model/scheduler.ts"
import { smallestTag } from "./tags.ts"
import { sharesOf, weighted, weightsComplaints, weightsField } from "./weights.ts"

export function wfq(site: QosSite, weights: readonly number[]): QosScheduler {
  const { rows, queues, rate } = site
  const share = sharesOf(weights, queues)
  const serves = weighted(weights)
  /** [row] -> V, and the cycle in which it was worked out */
  const virtual = site.reals(rows)
  const looked = site.reals(rows)
  /** [row * queues + queue] -> tag of the last message in the fluid; where the head's begins; messages that wait */
  const fluid = site.reals(rows * queues)
  const start = site.reals(rows * queues)
  const waiting = site.ints(rows * queues)

  /** Lets V run to the cycle `now`: straight between the ends of backlogs. */
  function advance(row: number, now: number): number {
    let v = virtual[row]
    let work = (now - looked[row]) * rate
    while (work > 0) {
      let sum = 0
      let next = Number.POSITIVE_INFINITY
      for (let q = 0; q < queues; q++) {
        const tag = fluid[row * queues + q]
        if (tag <= v) continue
        sum += share[q]
        if (tag < next) next = tag
      }
      if (sum === 0) break
      const needs = (next - v) * sum
      if (needs > work) {
        v += work / sum
        break
      }
      v = next
      work -= needs
    }
    virtual[row] = v
    looked[row] = now
    return v
  }

  return {
    columns: { virtual, looked, fluid, start, waiting },
    hears: true,
    arrived(row, queue, size, now) {
      if (share[queue] === 0) return
      const i = row * queues + queue
      const begins = Math.max(fluid[i], advance(row, now))
      fluid[i] = begins + size / share[queue]
      if (waiting[i]++ === 0) start[i] = begins
    },
    pick: (row, sendable, sizes, _, at) => smallestTag(start, share, row * queues, sendable & serves, sizes, at),
    sent(row, queue, size) {
      const i = row * queues + queue
      start[i] += size / share[queue]
      waiting[i]--
    },
  }
}

type Params = { weights: readonly number[] }

export default {
  kind: "qos",
  name: "wfq",
  about: "Weighted fair queueing: messages leave in the order in which an ideal fluid server would finish them.",
  cites: "Analysis and Simulation of a Fair Queueing Algorithm, A. Demers, S. Keshav and S. Shenker, 1989",
  limits: "a queue without a weight is never served; the fluid server ignores credit stalls",
  params: schema({ weights: weightsField }),
  check: (p) => weightsComplaints(p.weights),
  make: (p): QosModel => ({ serves: weighted(p.weights), build: (site) => wfq(site, p.weights) }),
} satisfies Plugin<Params, QosModel, unknown>
