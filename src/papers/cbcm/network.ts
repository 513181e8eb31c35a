// The 16 endpoints of "Contention-based Congestion Management in Large-Scale Networks" (G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, 2016): four routers, all
// linked with each other. One set of assumptions serves all figures (docs/congestion.md).
import type { MeasureSpec, Named, NetworkSpec, TrafficSpec } from "../../model/experiment.ts"
import type { PaperRuns } from "../paper.ts"

export const cites = "Contention-based Congestion Management in Large-Scale Networks, G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, 2016"

/** VCs with those of the protocol, 4 of data. */
const vcs: Readonly<Record<string, number>> = { none: 4, ideal: 5, "ecn-delay": 5, cbcm: 6, srp: 8 }

export function network(congestion: Named = { name: "none" }, routing = "hyperx.ugal-l"): NetworkSpec {
  return {
    topology: { name: "hyperx", sides: "4", p: 4 },
    routing: { name: routing, ...(routing === "hyperx.ugal-l" ? { candidate: "any" } : {}) },
    switch: { name: "combined", vcs: vcs[congestion.name] ?? 8 },
    endpoint: { name: "queue-pairs", ack: "0flits", active: 1024 },
    congestion,
    links: { end: "1cycle", link: "100cycles" },
    cycle: "1ns",
    flit: "8B",
  }
}

export function stream(name: string, load: number, pattern: Named, from: TrafficSpec["from"] = "all"): TrafficSpec {
  return {
    name,
    pattern,
    arrivals: { name: "bernoulli" },
    packet: { name: "fixed", size: "32flits" },
    message: { name: "fixed", size: "4packets" },
    load,
    from,
    start: "0cycles",
    stop: "never",
    priority: 0,
    class: 0,
    reply: "0flits",
  }
}

/** Endpoint i to endpoint i + 4: all of a router to the next one. */
export const shifted: Named = { name: "fixed", to: Array.from({ length: 16 }, (_, e) => (e + 4) % 16) }

/** Thousands of cycles. */
export function measured(warm: number, window: number): MeasureSpec {
  return {
    warmup: `${warm}kcycles`,
    window: `${window}kcycles`,
    precision: 0.05,
    limit: `${warm + window}kcycles`,
    drain: "none",
    saturation: "never",
    series: "1kcycles",
  }
}

/** Mean over the seeds of a value, at a point. */
export function at(runs: PaperRuns, name: string, point: Readonly<Record<string, string | number>>, value: string): number {
  const found = (runs[name] ?? []).filter((r) => Object.entries(point).every(([key, v]) => r.point[key] === v))
  return found.reduce((sum, r) => sum + (r.result.values[value] ?? Number.NaN), 0) / found.length
}
