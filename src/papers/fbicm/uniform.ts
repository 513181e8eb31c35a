// Figures 5.1a and 5.1b: uniform traffic on both trees, five queue schemes. Both figures judge the gap that grows with the network, so each has the runs at full
// load of the other's tree too.
import type { Figure, Line } from "../../draw/figure/figure.ts"
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, unchecked, within } from "../paper.ts"
import { meanOf } from "../stashing/runs.ts"
import { cites, compared, measured, stream, treeNetwork, variantsOf } from "./network.ts"

const loads = [0.2, 0.4, 0.6, 0.8, 0.9]

export function uniformExperiment(n: number, at: readonly number[], times: readonly [number, number], seeds: number) {
  return {
    lacewing: 1,
    title: `uniform traffic, ${4 ** n} endpoints`,
    network: treeNetwork(n),
    traffic: stream("uniform", at[0]!),
    measure: measured(...times),
    variants: variantsOf(compared),
    sweep: { "traffic.load": at },
    seeds,
  }
}

export function uniformFigure(id: string, number: string, n: 3 | 4): PaperFigure {
  const other = n === 3 ? 4 : 3
  const full: PaperPlan = {
    experiments: {
      [`curve-${n}`]: uniformExperiment(n, loads, [100, 400], 1),
      [`full-${n}`]: uniformExperiment(n, [1], [100, 400], 3),
      [`full-${other}`]: uniformExperiment(other, [1], [100, 400], 3),
    },
  }
  const quick: PaperPlan = {
    experiments: { "full-3": uniformExperiment(3, [1], [20, 40], 1) },
    scaled: "load 1 alone, 20 + 40 us instead of 100 + 400, one seed instead of three, 64 endpoints",
  }
  return {
    id,
    number,
    shares: "fbicm/uniform",
    cites,
    title: `Throughput against uniform load, ${4 ** n} endpoints`,
    claim: "FBICM carries as much as VOQnet and VOQsw; DBBM less, the more so the larger the network; 1Q least",
    ...(n === 3 ? { quick } : {}),
    full,
    rows: (runs, mode) => uniformRows(runs, mode, n),
    figures: (runs) => [curves(runs, n)],
  }
}

function at(runs: PaperRuns, n: number, name: string, load: number): number {
  const all = [...(runs[`curve-${n}`] ?? []), ...(runs[`full-${n}`] ?? [])]
  return meanOf(
    all.filter((r) => r.point["variant"] === name && (r.point["load"] ?? 1) === load),
    "accepted",
  )
}

export function uniformRows(runs: PaperRuns, mode: Mode, n: 3 | 4): Row[] {
  const of = (name: string, m: number = n) => at(runs, m, name, 1)
  const all = compared.map((name) => `${name} ${of(name).toFixed(3)}`).join(", ")
  const above = Number.POSITIVE_INFINITY
  const gap = "VOQsw less DBBM: 256 endpoints less 64"
  return [
    within({
      claim: "FBICM over VOQnet at load 1",
      paper: "equal",
      value: of("FBICM") / of("VOQnet"),
      low: 0.95,
      high: above,
      note: `at least 0.95; ${all}`,
    }),
    within({
      claim: "FBICM over VOQsw at load 1",
      paper: "equal",
      value: of("FBICM") / of("VOQsw"),
      low: 0.95,
      high: above,
      note: "at least 0.95",
    }),
    within({ claim: "DBBM less 1Q at load 1", paper: "above 0", value: of("DBBM") - of("1Q"), low: Number.MIN_VALUE, high: above }),
    within({ claim: "VOQsw less DBBM at load 1", paper: "above 0", value: of("VOQsw") - of("DBBM"), low: Number.MIN_VALUE, high: above }),
    within({ claim: "1Q at load 1", paper: 0.58, value: of("1Q"), low: 0.45, high: 0.75, note: "0.45 to 0.75" }),
    mode === "quick"
      ? unchecked(gap, "above 0", "the quick form has 64 endpoints")
      : within({
          claim: gap,
          paper: "above 0",
          value: of("VOQsw", 4) - of("DBBM", 4) - (of("VOQsw", 3) - of("DBBM", 3)),
          low: Number.MIN_VALUE,
          high: above,
        }),
  ]
}

function curves(runs: PaperRuns, n: number): Figure {
  const shown = [...loads, 1]
  const lines: Line[] = compared.map((name) => ({
    name,
    spots: shown.flatMap((x) => {
      const y = at(runs, n, name, x)
      return Number.isFinite(y) ? [{ x, y }] : []
    }),
  }))
  return {
    kind: "lines",
    id: "accepted",
    title: `Accepted against offered load, ${4 ** n} endpoints`,
    caption: "Mean of the seeds.",
    x: { label: "Offered load (fraction of an endpoint link)" },
    y: { label: "Normalized throughput" },
    lines,
    markers: true,
  }
}
