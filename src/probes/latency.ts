// The probe `latency` reports the distribution of packet latency. Bins without packets are omitted.
import { Histogram, lowestOf, RELATIVE_ERROR } from "../core/histogram.ts"
import { schema } from "../core/schema.ts"
import type { Table } from "../model/experiment.ts"
import type { ProbePlugin } from "../model/probe.ts"
import { perStream } from "./streams.ts"

/** Returns `low` and `high` of each bin (inclusive), its packets, and the fraction of packets with at most `high`. */
export function histogramTable(counts: Uint32Array): Table {
  const total = new Histogram(counts).total
  const low: number[] = []
  const high: number[] = []
  const count: number[] = []
  const share: number[] = []
  let sum = 0
  counts.forEach((c, b) => {
    if (c === 0) return
    sum += c
    low.push(lowestOf(b))
    high.push(lowestOf(b + 1) - 1)
    count.push(c)
    share.push(sum / total)
  })
  return { low, high, count, share }
}

export default {
  kind: "probe",
  name: "latency",
  about: "Distribution of packet latency.",
  limits: `latencies of 256 cycles and more are known to ${(100 * RELATIVE_ERROR).toFixed(1)} %`,
  params: schema({}),
  make: () => ({
    report: (run) => ({
      tables: {
        ...perStream(run, "latency.histogram", (s) => histogramTable(s.latency)),
        ...(run.streams.every((s) => s.network !== undefined)
          ? perStream(run, "network.histogram", (s) => histogramTable(s.network ?? new Uint32Array(0)))
          : {}),
      },
    }),
  }),
} satisfies ProbePlugin<Record<never, never>>
