// The probe `series` reports one row for each interval of the run, including the warm-up.
import { schema } from "../core/schema.ts"
import type { Table } from "../model/experiment.ts"
import type { ProbePlugin, RunCounts, StreamCounts } from "../model/probe.ts"
import { perStream } from "./streams.ts"

/**
 * Returns the rows. `time` is the end of the interval. The latency is that of packets that arrived in it, NaN if there
 * are none. Trailing intervals without packets are omitted.
 */
export function seriesTable(s: StreamCounts, { interval }: Pick<RunCounts, "interval">): Table {
  const ends = s.accepted.length
  const { seriesNetwork: network, seriesInjected: injected } = s
  let rows = s.seriesFlits.length
  while (rows > 0 && s.seriesFlits[rows - 1] === 0) rows--
  const of = (f: (i: number) => number): number[] => Array.from({ length: rows }, (_, i) => f(i))
  return {
    time: of((i) => (i + 1) * interval),
    latency: of((i) => (s.seriesPackets[i] === 0 ? Number.NaN : s.seriesLatency[i] / s.seriesPackets[i])),
    accepted: of((i) => s.seriesFlits[i] / interval / ends),
    packets: of((i) => s.seriesPackets[i]),
    ...(network === undefined
      ? {}
      : { network: of((i) => (s.seriesPackets[i] === 0 ? Number.NaN : network[i] / s.seriesPackets[i])) }),
    ...(injected === undefined ? {} : { injected: of((i) => injected[i] / interval / ends) }),
  }
}

export default {
  kind: "probe",
  name: "series",
  about: "Latency and accepted load in each interval (measure.series), from cycle 0.",
  params: schema({}),
  make: () => ({ report: (run) => ({ tables: perStream(run, "series", (s) => seriesTable(s, run)) }) }),
} satisfies ProbePlugin<Record<never, never>>
