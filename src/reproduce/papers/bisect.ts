// Saturation loads by bisection: once the runs of a figure have ended, further runs halve the interval between the
// highest load that is carried and the lowest that is not, until it is as narrow as the figure wants. A row then does
// not depend on the loads of the sweep. experiment/rows/saturation.ts has the rule.
import { type CurvePoint, type Knee, kneeOf } from "../../experiment/rows/saturation.ts"
import type { PaperRuns } from "./paper.ts"

export interface Halving {
  /** experiment with the sweep, and the key that it sweeps */
  readonly of: string
  readonly key: string
  readonly variants: readonly string[]
  /** stream that is judged, with its dot; "" for all traffic */
  readonly stream: string
  /** variant whose latency at its lowest load is the reference of all, and the experiment that has it */
  readonly reference: string
  readonly from?: string
  /** width of the interval at which it ends */
  readonly precision: number
}

type Experiment = {
  readonly variants?: Readonly<Record<string, unknown>>
  readonly sweep?: Readonly<Record<string, unknown>>
}

/** Runs of an experiment and of the further ones that follow from it. */
export function withFurther(runs: PaperRuns, name: string): PaperRuns[string] {
  return Object.entries(runs)
    .filter(([known]) => known === name || known.startsWith(`${name}.at.`))
    .flatMap(([, all]) => all)
}

/** Returns a curve: the means over the seeds at each load of a variant. */
export function curveOf(runs: PaperRuns, name: string, variant: string, stream: string): CurvePoint[] {
  const all = withFurther(runs, name).filter((r) => r.point["variant"] === variant)
  const loads = [...new Set(all.map((r) => Number(r.point["load"])))].sort((a, b) => a - b)
  return loads.map((load) => {
    const here = all.filter((r) => r.point["load"] === load)
    const mean = (value: string) =>
      here.reduce((sum, r) => sum + (r.result.values[`${stream}${value}`] ?? Number.NaN), 0) / here.length
    return { load, latency: mean("latency.mean"), accepted: mean("accepted"), offered: mean("offered") }
  })
}

export function kneeIn(runs: PaperRuns, h: Omit<Halving, "variants" | "key" | "precision">, variant: string): Knee {
  const zero = curveOf(runs, h.from ?? h.of, h.reference, h.stream)[0]?.latency ?? Number.NaN
  return kneeOf(curveOf(runs, h.of, variant, h.stream), zero)
}

/** Returns the experiments that halve the intervals of all variants, by their names. */
export function further(
  runs: PaperRuns,
  experiments: Readonly<Record<string, unknown>>,
  halvings: readonly Halving[],
): Readonly<Record<string, unknown>> {
  const more: Record<string, unknown> = {}
  for (const h of halvings) {
    const experiment = experiments[h.of] as Experiment
    for (const variant of h.variants) {
      const { low, high, found } = kneeIn(runs, h, variant)
      const load = Number(((low + high) / 2).toFixed(4))
      if (!found || high - low <= h.precision || load <= low || load >= high) continue
      more[`${h.of}.at.${variant.replaceAll(/[^a-zA-Z0-9]+/g, "-")}.${load}`] = {
        ...experiment,
        variants: { [variant]: experiment.variants?.[variant] ?? {} },
        sweep: { ...experiment.sweep, [h.key]: [load] },
      }
    }
  }
  return more
}
