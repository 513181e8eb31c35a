// Victims around the onset of a hot spot: what Figs 11 and 13 have in common. An interval has 100 cycles.
import { type Transient, transientOf } from "../../core/transient.ts"
import type { LinesFigure } from "../../draw/figure/figure.ts"
import type { PaperRuns } from "../paper.ts"

export const INTERVAL = 100

/** Latency of the victims in each interval, mean over the seeds. */
export function latencyOf(runs: PaperRuns, name: string, variant: string): number[] {
  const all = (runs[name] ?? [])
    .filter((r) => r.point["variant"] === variant)
    .map((r) => (r.result.tables["victims.series"]?.["latency"] ?? []).map(Number))
  const longest = Math.max(0, ...all.map((a) => a.length))
  return Array.from({ length: longest }, (_, i) => {
    const there = all.map((a) => a[i]).filter((v): v is number => v !== undefined && !Number.isNaN(v))
    return there.reduce((a, b) => a + b, 0) / there.length
  })
}

/** A fifth of the time before the event is warm-up. */
export function transient(runs: PaperRuns, name: string, variant: string, event: number): Transient {
  return transientOf(latencyOf(runs, name, variant), event, Math.floor(event / 5))
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
      spots: latencyOf(runs, name, variant).flatMap((y, x) => (Number.isFinite(y) ? [{ x, y }] : [])),
    })),
    markers: false,
  }
}
