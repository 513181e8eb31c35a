// Figure 8a: uniform traffic on 512 endpoints. Without a hot spot the ideal is no protocol at all.
import { followed } from "../followed.ts"
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { most } from "./curves.ts"
import { at, cites, type Net, runsAt } from "./network.ts"
import { uniformRuns } from "./uniform.ts"

const loads = [0.1, 0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 1]
const few = [0.1, 0.5, 0.8]
const judged = { Ideal: { name: "none" }, CBCM: { name: "cbcm" } }
const srp = { SRP: { name: "srp" } }
const netOf = (mode: Mode): Net => (mode === "full" ? "square" : "smallSquare")

function plan(mode: Mode, times: readonly [number, number], seeds: number): PaperPlan {
  const runs = (
    protocols: Record<string, { name: string }>,
    ways: readonly ("MIN" | "UGAL")[],
    at: readonly number[],
    n: number,
  ) => uniformRuns(netOf(mode), false, { protocols, ways, loads: at, seeds: n }, times)
  return {
    experiments: {
      curve: runs(judged, ["UGAL"], loads, seeds),
      srp: runs(srp, ["UGAL"], few, seeds),
      min: runs({ ...judged, ...srp }, ["MIN"], few, 1),
    },
  }
}

function rows(runs: PaperRuns): Row[] {
  const of = (variant: string, load: number, value: string) =>
    at(runs, variant.startsWith("SRP") ? "srp" : "curve", { variant, load }, value)
  const ratios = loads
    .filter((l) => l < 0.8)
    .map((l) => of("CBCM(UGAL)", l, "latency.mean") / of("Ideal(UGAL)", l, "latency.mean"))
  const wrong = (load: number) => of("CBCM(UGAL)", load, "throttle.falsePositive")
  return [
    followed(
      within({
        claim: "latency below load 0.8, CBCM(UGAL) over the ideal: farthest from 1",
        paper: 1,
        value: ratios.reduce((far, r) => (Math.abs(r - 1) > Math.abs(far - 1) || Number.isNaN(r) ? r : far), 1),
        low: 1 / 1.05,
        high: 1.05,
        note: "within 5 %",
      }),
      (runs["curve"] ?? []).filter((r) => Number(r.point["load"]) < 0.8),
    ),
    within({
      claim: "most accepted load, CBCM(UGAL) over the ideal",
      paper: "slight degradation in saturation throughput",
      value: most(runs, "CBCM(UGAL)", loads) / most(runs, "Ideal(UGAL)", loads),
      low: 0.93,
      high: Number.POSITIVE_INFINITY,
    }),
    within({
      claim: "load 0.5: share of the time in which a flow was throttled without blame",
      paper: "less than 0.00001",
      value: wrong(0.5),
      low: 0,
      high: 0.00001,
      note: "throttled time of all flows over run time times flows; no destination is offered more than 1",
    }),
    within({ claim: "load 1: the same", paper: 0.022, value: wrong(1), low: 0, high: 0.05 }),
    followed(
      within({
        claim: "latency at load 0.5, SRP(UGAL) over the ideal",
        paper: "increased",
        value: of("SRP(UGAL)", 0.5, "latency.mean") / of("Ideal(UGAL)", 0.5, "latency.mean"),
        low: 1.2,
        high: Number.POSITIVE_INFINITY,
      }),
      [
        ...runsAt(runs, "srp", { variant: "SRP(UGAL)", load: 0.5 }),
        ...runsAt(runs, "curve", { variant: "Ideal(UGAL)", load: 0.5 }),
      ],
    ),
  ]
}

export default {
  id: "cbcm/fig8a",
  cites,
  title: "Uniform traffic on 512 endpoints",
  claim: "CBCM is as good as no protocol and hardly ever throttles; SRP costs latency",
  quick: {
    ...plan("quick", [5, 10], 1),
    scaled: "64 endpoints, 5,000 + 10,000 cycles and one seed instead of 512, 50,000 + 100,000 and three",
  },
  full: plan("full", [50, 100], 3),
  rows: (runs) => rows(runs),
} satisfies PaperFigure
