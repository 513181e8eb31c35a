// What the experiments of several papers write alike: a stream with every key, a measurement of a fixed window.
import type { MeasureSpec, TrafficSpec } from "../../model/experiment.ts"

/** By default, uniform traffic of single packets of one size. */
export function streamOf(packet: string, name: string, load: number, more: Partial<TrafficSpec> = {}): TrafficSpec {
  return {
    name,
    pattern: { name: "uniform" },
    arrivals: { name: "bernoulli" },
    packet: { name: "fixed", size: packet },
    message: { name: "fixed", size: "1packets" },
    load,
    from: "all",
    start: "0cycles",
    stop: "never",
    priority: 0,
    class: 0,
    reply: "0flits",
    ...more,
  }
}

/** Times in microseconds. */
export function measuredFor(warm: number, window: number, series: string): MeasureSpec {
  return {
    warmup: `${warm}us`,
    window: `${window}us`,
    precision: 0.05,
    limit: `${warm + window}us`,
    drain: "none",
    saturation: "never",
    series,
  }
}
