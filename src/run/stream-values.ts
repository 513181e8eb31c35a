// Assembles the values of a run and of each of its streams in the same form for all engines. The list of values is in
// model/values.ts.
import { offeredBy, offeredIn } from "../compile/offered.ts"
import type { Histogram } from "../core/histogram.ts"
import type { TrafficSpec } from "../model/experiment.ts"
import type { Stream } from "../model/stream.ts"
import type { Values } from "../model/values.ts"

interface Offering {
  readonly spec: { readonly traffic: readonly TrafficSpec[] }
  readonly streams: readonly Stream[]
}

/** The measured window, with the confidence intervals of its batches. */
interface Measured {
  readonly from: number
  readonly to: number
  readonly half?: number | undefined
  readonly acceptedHalf?: number | undefined
}

/** Returns the values. `of(-1)` returns those of all streams together; each stream is added if there are several. */
export function streamValues(c: Offering, o: Measured, of: (stream: number) => Values): Record<string, number> {
  const together: Values = { offered: offeredIn(c, o.from, o.to), ...of(-1) }
  if (o.half !== undefined) together["latency.ci"] = o.half
  if (o.acceptedHalf === Number.POSITIVE_INFINITY) together.accepted = Number.NaN
  else if (o.acceptedHalf !== undefined) together["accepted.ci"] = o.acceptedHalf * together.offered!
  const values: Record<string, number> = together
  if (c.streams.length === 1) return values
  c.streams.forEach((s, i) => {
    // Replies are created by requests, so they have no offered load.
    const own: Values = i < c.spec.traffic.length ? { ...of(i), offered: offeredBy(c, i, o.from, o.to) } : of(i)
    for (const [name, value] of Object.entries(own)) values[`${s.name}.${name}`] = value
  })
  return values
}

export function quantiles<K extends "latency" | "network">(
  of: K,
  histogram: Histogram,
): Record<`${K}.${"p50" | "p90" | "p99" | "p999"}`, number> {
  const at = (q: number) => histogram.quantile(q)
  return {
    [`${of}.p50`]: at(0.5),
    [`${of}.p90`]: at(0.9),
    [`${of}.p99`]: at(0.99),
    [`${of}.p999`]: at(0.999),
  } as Record<`${K}.${"p50" | "p90" | "p99" | "p999"}`, number>
}
