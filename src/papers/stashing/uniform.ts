// Figures 5a and 5b are two views of the same runs: uniform traffic of single packets, with a copy of every packet kept at its first switch.
// Offered load rises to 1; below saturation 10 + 20 us and one seed are enough (a million packets), the plateau is watched for 20 + 40 us, three seeds.
import type { Line, LinesFigure } from "../../draw/figure/figure.ts"
import type { PaperPlan, PaperRuns } from "../paper.ts"
import { endsOf, figureNetwork, measured, type Net, partition, stream } from "./network.ts"
import { column, lineOver, meanOf, type Variant } from "./runs.ts"

/** Shares of the stash that may be used, as the paper names its networks; the first has no stash at all. */
export const capacities: readonly Variant[] = ["baseline", "100 %", "50 %", "25 %"]
export const partOf = (variant: Variant): number => (variant === "baseline" ? 0 : Number(variant.slice(0, -2)) / 100)

/** A copy of every packet, in stashes of the paper's sizes. */
export function copies(): Record<string, object> {
  const kept = (capacity: number) => ({
    network: { switch: { stash: partition, capacity, reliability: true } },
  })
  return Object.fromEntries(capacities.map((v) => [v, v === "baseline" ? {} : kept(partOf(v))]))
}

const loads = { quick: [0.3, 0.5, 0.75, 0.85], full: [0.3, 0.5, 0.65, 0.75, 0.8, 0.85] }
export const plateau = [0.9, 1]

function experiment(net: Net, at: readonly number[], times: readonly [number, number], seeds: number) {
  return {
    lacewing: 1,
    title: `uniform traffic, ${endsOf(net)} endpoints`,
    network: figureNetwork({ net }),
    traffic: stream("uniform", at[0]!),
    measure: measured(...times),
    probes: ["series"],
    variants: copies(),
    sweep: { "traffic.load": at },
    seeds,
  }
}

export const quick: PaperPlan = {
  experiments: { curve: experiment("mid", loads.quick, [10, 10], 1), plateau: experiment("mid", plateau, [20, 40], 1) },
  scaled: "462 endpoints (p = 3, a = 7, h = 3) instead of 3,080, one seed instead of three at 0.9 and 1",
}
export const full: PaperPlan = {
  experiments: { curve: experiment("full", loads.full, [10, 20], 1), plateau: experiment("full", plateau, [20, 40], 3) },
}

/** Mean over the seeds of a value at an offered load. */
export function at(runs: PaperRuns, variant: Variant, load: number, value: string): number {
  return meanOf(
    [...(runs["curve"] ?? []), ...(runs["plateau"] ?? [])].filter((r) => r.point["variant"] === variant && r.point["load"] === load),
    value,
  )
}

export function loadsOf(runs: PaperRuns): number[] {
  const all = [...(runs["curve"] ?? []), ...(runs["plateau"] ?? [])].map((r) => Number(r.point["load"]))
  return [...new Set(all)].sort((a, b) => a - b)
}

/** One line for each network: a value against the offered load. `most`: higher ones leave the figure. */
export function curves(runs: PaperRuns, value: string, most = Number.POSITIVE_INFINITY): Line[] {
  return capacities.map((variant) => ({
    name: variant,
    spots: loadsOf(runs).map((load) => {
      const y = at(runs, variant, load, value)
      return {
        x: load,
        y,
        ...(y > most ? { off: true } : {}),
      }
    }),
  }))
}

/** Accepted load over time, all endpoints offering 1. */
export function overload(runs: PaperRuns): LinesFigure {
  const lines = capacities.map((variant) => {
    const shown = (runs["plateau"] ?? []).filter((r) => r.point["variant"] === variant && r.point["load"] === 1)
    return lineOver(variant, shown, "series", "accepted")
  })
  return {
    kind: "lines",
    id: "overload",
    title: "Accepted load over time, everybody offers 1",
    caption: "Mean of each microsecond and of the seeds, from the first cycle on.",
    x: { label: "Time (us)" },
    y: { label: "Accepted load (fraction of an endpoint channel)" },
    lines,
    markers: false,
  }
}

/** Mean of accepted load between two times (us), offered 1. */
export function acceptedBetween(runs: PaperRuns, variant: Variant, from: number, to: number): number {
  const all = (runs["plateau"] ?? [])
    .filter((r) => r.point["variant"] === variant && r.point["load"] === 1)
    .flatMap((r) => {
      const time = column(r, "series", "time")
      return column(r, "series", "accepted").filter((_, i) => time[i]! > from * 1000 && time[i]! <= to * 1000)
    })
  return all.reduce((a, b) => a + b, 0) / all.length
}
