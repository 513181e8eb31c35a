// Self-clocked fair queueing: S. J. Golestani, "A Self-Clocked Fair Queueing Scheme for Broadband Applications", 1994.
// A message gets the tag max(tag of its predecessor in the queue, V) + length / share, where V is the tag of the
// message in service. The smallest tag goes first.
//
// A message behind another one does not need V: while a message of its queue waits, V is not above the tag of that
// message. The tag is therefore computed at the head of the queue, and no state is stored for each message. A queue
// that waits for credits is skipped, V advances, and the queue catches up later.
import { schema } from "../core/schema.ts"
import type { Plugin } from "../model/plugin.ts"
import type { QosModel, QosScheduler, QosSite } from "../model/scheduler.ts"
import { smallestTag } from "./tags.ts"
import { sharesOf, weighted, weightsComplaints, weightsField } from "./weights.ts"

export function scfq(site: QosSite, weights: readonly number[]): QosScheduler {
  const { rows, queues } = site
  const share = sharesOf(weights, queues)
  const serves = weighted(weights)
  /** [row] -> V; messages that wait in all its queues */
  const virtual = site.reals(rows)
  const total = site.ints(rows)
  /** [row * queues + queue] -> tag of the last one that was sent; where the head's begins; messages that wait */
  const finish = site.reals(rows * queues)
  const start = site.reals(rows * queues)
  const waiting = site.ints(rows * queues)
  return {
    columns: { virtual, total, finish, start, waiting },
    hears: true,
    arrived(row, queue) {
      const i = row * queues + queue
      if (waiting[i]++ === 0) start[i] = Math.max(finish[i], virtual[row])
      total[row]++
    },
    pick: (row, sendable, sizes, _, at) => smallestTag(start, share, row * queues, sendable & serves, sizes, at),
    sent(row, queue, size) {
      const i = row * queues + queue
      const tag = start[i] + size / share[queue]
      finish[i] = tag
      start[i] = tag
      waiting[i]--
      if (tag > virtual[row]) virtual[row] = tag
      if (--total[row] > 0) return
      // nothing waits: a new message starts at V, so V can restart at 0, which keeps the sums small
      virtual[row] = 0
      for (let q = row * queues; q < (row + 1) * queues; q++) {
        finish[q] = 0
        start[q] = 0
      }
    },
  }
}

type Params = { weights: readonly number[] }

export default {
  kind: "qos",
  name: "scfq",
  about:
    "Self-clocked fair queueing: the message with the smallest tag goes first, and the clock is the tag in service.",
  cites: "A Self-Clocked Fair Queueing Scheme for Broadband Applications, S. J. Golestani, 1994",
  limits: "a queue without a weight is never served",
  params: schema({ weights: weightsField }),
  check: (p) => weightsComplaints(p.weights),
  make: (p): QosModel => ({ serves: weighted(p.weights), build: (site) => scfq(site, p.weights) }),
} satisfies Plugin<Params, QosModel, unknown>
