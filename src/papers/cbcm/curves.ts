// Protocols against load, minimal and adaptive: what Figs 3a and 5a have in common.
import type { Line, LinesFigure } from "../../draw/figure/figure.ts"
import type { Named, TrafficSpec } from "../../model/experiment.ts"
import type { PaperRuns } from "../paper.ts"
import { at, measured, network } from "./network.ts"

export const routings = { MIN: "hyperx.minimal", UGAL: "hyperx.ugal-l" } as const

export function sweep(
  protocols: Readonly<Record<string, Named>>,
  traffic: TrafficSpec,
  loads: readonly number[],
  times: readonly [number, number],
  seeds: number,
) {
  const pairs = Object.entries(protocols).flatMap(([name, congestion]) =>
    Object.entries(routings).map(([short, routing]) => [`${name}(${short})`, { network: network(congestion, routing) }] as const),
  )
  return {
    lacewing: 1,
    title: "protocols against load",
    network: network(),
    traffic: [traffic],
    measure: measured(...times),
    probes: [],
    variants: Object.fromEntries(pairs),
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
