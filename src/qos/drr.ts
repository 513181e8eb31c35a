// Deficit round robin: M. Shreedhar and G. Varghese, "Efficient Fair Queueing Using Deficit Round Robin", 1995. A
// visited queue may send its quantum in addition to its deficit. A remainder that is too small for its head stays as
// the deficit until the queue is empty. A queue that only waits for credits is skipped and keeps its deficit.
import { int, list, schema } from "../core/schema.ts"
import { WEIGHT_BYTES } from "../model/arbitration.ts"
import type { Plugin } from "../model/plugin.ts"
import type { QosModel, QosScheduler, QosSite } from "../model/scheduler.ts"
import { from } from "./bits.ts"
import { weighted, weightsComplaints } from "./weights.ts"

export function drr(site: QosSite, quanta: readonly number[]): QosScheduler {
  const { rows, queues, unitBytes } = site
  const quantum = Int32Array.from({ length: queues }, (_, q) => (quanta[q] ?? 0) * WEIGHT_BYTES)
  const serves = weighted(quanta)
  /** [row] -> 1 + the queue that is being visited; 0 = none yet */
  const visited = site.ints(rows)
  /** [row * queues + queue] -> messages that wait; bytes that it may still send */
  const waiting = site.ints(rows * queues)
  const deficit = site.ints(rows * queues)
  return {
    columns: { visited, waiting, deficit },
    hears: true,
    arrived(row, queue) {
      waiting[row * queues + queue]++
    },
    pick(row, sendable, sizes, _, at) {
      const active = sendable & serves
      if (active === 0) return -1
      let queue = visited[row] - 1
      if (queue >= 0 && (active & (1 << queue)) !== 0 && deficit[row * queues + queue] >= sizes[at + queue] * unitBytes)
        return queue
      for (;;) {
        queue = from(active, queue + 1)
        const i = row * queues + queue
        deficit[i] += quantum[queue]
        if (deficit[i] < sizes[at + queue] * unitBytes) continue
        visited[row] = queue + 1
        return queue
      }
    },
    sent(row, queue, size) {
      const i = row * queues + queue
      deficit[i] = --waiting[i] === 0 ? 0 : deficit[i] - size * unitBytes
    },
  }
}

type Params = { quanta: readonly number[] }

export default {
  kind: "qos",
  name: "drr",
  about:
    "Deficit round robin: each queue sends up to its quantum per round and saves the remainder for its next message.",
  cites: "Efficient Fair Queueing Using Deficit Round Robin, M. Shreedhar and G. Varghese, 1995",
  limits: "a queue without a quantum is never served",
  params: schema({
    quanta: list(int({ min: 1, max: 65535 }), { about: "Quantum of queue 0, 1, …, in units of 64 bytes", atLeast: 1 }),
  }),
  check: (p) => weightsComplaints(p.quanta).map((c) => ({ ...c, path: "quanta" })),
  make: (p): QosModel => ({ serves: weighted(p.quanta), build: (site) => drr(site, p.quanta) }),
} satisfies Plugin<Params, QosModel, unknown>
