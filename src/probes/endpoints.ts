// The probe `endpoints` reports the load that every endpoint sent and received, as a fraction of its channel.
import { schema } from "../core/schema.ts"
import { jain } from "../core/stats.ts"
import type { Table } from "../model/experiment.ts"
import type { ProbePlugin, StreamCounts } from "../model/probe.ts"
import { perStream, together } from "./streams.ts"

export function endpointTable(s: StreamCounts, window: number): Table {
  return {
    end: Array.from(s.accepted, (_, e) => e),
    ...(s.injected === undefined ? {} : { injected: Array.from(s.injected, (flits) => flits / window) }),
    accepted: Array.from(s.accepted, (flits) => flits / window),
  }
}

/** Returns minimum, maximum and fairness of the loads that endpoints sent and received. */
export function fairness(s: StreamCounts, window: number): Record<string, number> {
  const of = (name: string, flits: ArrayLike<number>): [string, number][] => [
    [`${name}.min`, Array.from(flits).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY) / window],
    [`${name}.max`, Array.from(flits).reduce((a, b) => Math.max(a, b), 0) / window],
    [`${name}.fairness`, jain(flits)],
  ]
  return Object.fromEntries([
    ...(s.injected === undefined ? [] : of("injected", s.injected)),
    ...of("accepted", s.accepted),
  ])
}

export default {
  kind: "probe",
  name: "endpoints",
  about: "Injected and accepted load of each endpoint, their extremes, and Jain's fairness index.",
  cites:
    "A Quantitative Measure of Fairness and Discrimination for Resource Allocation in " +
    "Shared Computer Systems, R. Jain, D. Chiu and W. Hawe, 1984",
  params: schema({}),
  make: () => ({
    report: (run) => ({
      tables: perStream(run, "endpoints", (s) => endpointTable(s, run.window)),
      values: fairness(together(run.streams), run.window),
    }),
  }),
} satisfies ProbePlugin<Record<never, never>>
