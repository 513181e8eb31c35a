// Victims around the onset of a hot spot: Fig. 13. An interval has 100 cycles.
import { type Transient, transientOf } from "../../../core/transient.ts"
import type { Line, LinesFigure } from "../../../draw/figure/figure.ts"
import type { PaperRuns } from "../paper.ts"

export const INTERVAL = 100

type Series = { readonly time: readonly number[]; readonly latency: readonly number[] }

/** Ends of the intervals and the latency of the victims in them, mean over the seeds. */
export function latencyOf(runs: PaperRuns, name: string, variant: string): Series {
  const all = (runs[name] ?? [])
    .filter((r) => r.point["variant"] === variant)
    .map((r) => r.result.tables["victims.series"] ?? {})
  const time = all.map((t) => (t["time"] ?? []).map(Number)).reduce((a, b) => (b.length > a.length ? b : a), [])
  const latency = time.map((_, i) => {
    const there = all.map((t) => Number(t["latency"]?.[i])).filter((v) => !Number.isNaN(v))
    return there.reduce((a, b) => a + b, 0) / there.length
  })
  return { time, latency }
}

/** Around interval `onset`; a fifth of the time before it is warm-up. What does not settle took all the time that there
 *  was. */
export function transient(runs: PaperRuns, name: string, variant: string, onset: number): Transient {
  const { time, latency } = latencyOf(runs, name, variant)
  const event = time.filter((t) => t <= onset * INTERVAL).length
  const got = transientOf(latency, event, Math.floor(event / 5))
  return { ...got, settled: Math.min(got.settled, latency.length - event) }
}

export function drawn(runs: PaperRuns, name: string, variants: readonly string[], title: string): LinesFigure {
  return {
    kind: "lines",
    id: "latency",
    title,
    caption: "Mean of the packets that arrive in each interval of 100 cycles, and of the seeds.",
    x: { label: "Time (intervals of 100 cycles)" },
    y: { label: "Latency of the victims (cycles)" },
    lines: variants.map((variant) => ({
      name: variant,
      spots: spots(latencyOf(runs, name, variant)),
    })),
    markers: false,
  }
}

/** Times in intervals. */
function spots({ time, latency }: Series): Line["spots"] {
  return latency.flatMap((y, i) => (Number.isFinite(y) ? [{ x: time[i] / INTERVAL, y }] : []))
}
