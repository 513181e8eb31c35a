// The networks of the FBICM report (J. Escudero-Sahuquillo and others, 2010): 4-ary 3-tree and 4-ary 4-tree, links of 1
// GB/s and 1 ns, packets of 64 B, 8 KB for each input port. One set of assumptions serves all figures
// (docs/guide/congestion-isolation.md). A flit is a byte, a cycle a nanosecond.
import { buildTopology } from "../../../inspect/topology-build.ts"
import type { MeasureSpec, TrafficSpec } from "../../../model/experiment.ts"
import type { Topology } from "../../../model/topology.ts"
import { measuredFor, streamOf } from "../specs.ts"

export const cites =
  "Efficient Congestion Management for High-Performance Interconnection Networks with Distributed Routing, " +
  "J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato, 2010"

/** Queue schemes by the names of the figures. */
export const schemes = {
  "1Q": { scheme: "1q" },
  DBBM: { scheme: "dbbm" },
  VOQsw: { scheme: "voq-switch" },
  VOQnet: { scheme: "voq-network" },
  FBICM: { scheme: "fbicm-2" },
  "FBICM, lists of 1": { scheme: "fbicm-2", list: 1 },
  "FBICM v1": { scheme: "fbicm-1" },
  "FBICM v1, whole field": { scheme: "fbicm-1", stopList: "field" },
  RECN: { scheme: "recn" },
  BFC: { scheme: "bfc" },
} as const
export type SchemeName = keyof typeof schemes
export const compared: readonly SchemeName[] = ["1Q", "DBBM", "VOQsw", "VOQnet", "FBICM"]

export function variantsOf(names: readonly SchemeName[]) {
  return Object.fromEntries(names.map((n) => [n, { network: { switch: schemes[n] } }]))
}

/**
 * n stages: 4^n endpoints. Adapters have injection queues "which follows the same selected scheme as queues at input
 * port memories" (section 5.1). Admittance queues hold what an overload of 3 ms leaves; those of hot sources 1 MiB in
 * all.
 */
export function treeNetwork(n: number) {
  return {
    topology: { name: "tree", k: 4, n },
    routing: { name: "tree.destination-digit" },
    switch: { name: "queue-scheme" },
    endpoint: { name: "adapter", injection: "copy", backlog: 8192 },
    links: { end: "1ns", link: "1ns" },
    cycle: "1ns",
    flit: "1B",
  }
}

export function stream(name: string, load: number, more: Partial<TrafficSpec> = {}): TrafficSpec {
  return streamOf("64flits", name, load, more)
}

/** Times in microseconds. */
export function measured(warm: number, window: number): MeasureSpec {
  return measuredFor(warm, window, "10us")
}

/** The network of 4^n endpoints, built. */
export function treeOf(n: number): Topology {
  const built = buildTopology("tree", { k: 4, n })
  if ("bad" in built) throw new Error(built.bad.map((c) => c.says).join("; "))
  return built.ok.topology
}
