// Protocols against load, minimal and adaptive: what Figs 3a and 5a have in common.
import type { Line, LinesFigure } from "../../draw/figure/figure.ts"
import type { Named, TrafficSpec } from "../../model/experiment.ts"
import type { PaperRuns } from "../paper.ts"
import { at, measured, network, variantsOf } from "./network.ts"

export function sweep(
  protocols: Readonly<Record<string, Named>>,
  traffic: TrafficSpec,
  loads: readonly number[],
  times: readonly [number, number],
  seeds: number,
) {
  return {
    lacewing: 1,
    title: "protocols against load",
    network: network(),
    traffic: [traffic],
    measure: measured(...times),
    probes: [],
    variants: variantsOf(protocols),
    sweep: { "traffic.0.load": loads },
    seeds,
  }
}

export function most(runs: PaperRuns, variant: string, loads: readonly number[]): number {
  return Math.max(...loads.map((load) => at(runs, "curve", { variant, load }, "accepted")))
}

export function lines(runs: PaperRuns, variants: readonly string[], loads: readonly number[], value: string): Line[] {
  return variants.map((variant) => ({
    name: variant,
    spots: loads.flatMap((x) => {
      const y = at(runs, "curve", { variant, load: x }, value)
      return Number.isFinite(y) ? [{ x, y }] : []
    }),
  }))
}

export function drawn(id: string, title: string, label: string, made: readonly Line[]): LinesFigure {
  return { kind: "lines", id, title, caption: "Mean of the seeds.", x: { label: "Offered load" }, y: { label }, lines: made, markers: true }
}

/** What a run says of a variant at a load. */
export type Of = (load: number, value: string) => number

/** The highest load, whatever lower ones do, of which 0.97 and more arrive, with less than six times the latency of the lowest. `name`: of a stream, with its dot. */
export function saturation(loads: readonly number[], of: Of, name = ""): number {
  const zero = of(loads[0]!, `${name}latency.mean`)
  const fine = (load: number): boolean =>
    of(load, `${name}latency.mean`) < 6 * zero && of(load, `${name}accepted`) >= 0.97 * of(load, `${name}offered`)
  if (!Number.isFinite(zero)) return Number.NaN
  return loads.reduce((last, load) => (fine(load) ? load : last), 0)
}
