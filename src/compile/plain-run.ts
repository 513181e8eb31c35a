// Default parts of a specification that is written in code. Benchmarks and comparisons that do not set a key get the
// default of an experiment file, or nothing.
import type { RunSpec, TrafficSpec } from "../model/experiment.ts"

/** Uniform traffic of single packets from all endpoints, without end. */
export function plainStream(t: Partial<TrafficSpec>): TrafficSpec {
  return {
    name: "uniform",
    pattern: { name: "uniform" },
    arrivals: { name: "bernoulli" },
    packet: { name: "fixed", size: "1flit" },
    message: { name: "fixed", size: "1packets" },
    load: 0,
    from: "all",
    start: "0cycles",
    stop: "never",
    priority: 0,
    class: 0,
    reply: "0flits",
    ...t,
  }
}

/** A window of fixed length, independent of the results. */
export function plainMeasure(m: Partial<RunSpec["measure"]>): RunSpec["measure"] {
  return {
    warmup: "0cycles",
    window: "1000cycles",
    precision: 0.05,
    limit: "10000cycles",
    drain: "none",
    saturation: "never",
    series: "0cycles",
    ...m,
  }
}
