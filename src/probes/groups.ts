// The probe `groups` reports the traffic between the groups of a dragonfly or a similar network: the load of the
// channels between each ordered pair of groups.
import { complain } from "../core/complaint.ts"
import { schema } from "../core/schema.ts"
import type { Table } from "../model/experiment.ts"
import type { Graph } from "../model/graph.ts"
import type { Counts, ProbePlugin } from "../model/probe.ts"

/**
 * Returns one row for each connected ordered pair of groups: the mean load of its channels (flits per cycle) and their
 * number.
 */
export function groupTable(graph: Graph, group: Int32Array, flits: Counts, window: number): Table {
  const groups = group.reduce((most, g) => Math.max(most, g), -1) + 1
  const sum = new Float64Array(groups * groups)
  const channels = new Int32Array(groups * groups)
  for (let c = 0; c < graph.chans; c++) {
    if (graph.far[c] < 0) continue
    const from = group[graph.routerOf[c]]
    const to = group[graph.routerOf[graph.far[c]]]
    if (from === to) continue
    sum[from * groups + to] += flits[c]
    channels[from * groups + to]++
  }
  const joined = Array.from(channels, (_, i) => i).filter((i) => channels[i] > 0)
  return {
    from: joined.map((i) => Math.floor(i / groups)),
    to: joined.map((i) => i % groups),
    load: joined.map((i) => sum[i] / channels[i] / window),
    channels: joined.map((i) => channels[i]),
  }
}

export default {
  kind: "probe",
  name: "groups",
  about: "Load of the channels between each pair of groups.",
  limits:
    "counts channels, not packets: a packet on a non-minimal path counts on " +
    "each channel between groups that it crosses",
  params: schema({}),
  check: (_p, { topology }) =>
    topology.group !== undefined
      ? []
      : [complain("name", `a ${topology.name} network has no groups`, "leave the probe out")],
  make: (_p, { topology }) => ({
    report: (run) => ({
      tables: { groups: groupTable(topology.graph, topology.group ?? new Int32Array(0), run.channel, run.window) },
    }),
  }),
} satisfies ProbePlugin<Record<never, never>>
