// Figure 8b: uniform traffic with 40 additional senders to one endpoint at their full rate.
import { followed } from "../followed.ts"
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { narrowed, saturation } from "./curves.ts"
import { alone, at, cites, type Net, runsAt } from "./network.ts"
import { hotSpot, uniformRuns } from "./uniform.ts"

const loads = [0.05, 0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 1]
const few = [0.05, 0.5, 0.8]
const low = [0.02, 0.05, 0.1, 0.15, 0.2, 0.25]
const none = { Baseline: { name: "none" } }

const curve = { of: "curve", stream: "victims.", reference: "Ideal(UGAL)" }
const minimal = { ...curve, of: "minimal", from: "curve" }

function plan(mode: Mode, net: Net, times: readonly [number, number], seeds: number): PaperPlan {
  const first = alone[mode]
  const { sink } = hotSpot(net)
  const judged = { Ideal: { name: "ideal", to: [sink] }, CBCM: { name: "cbcm" } }
  const runs: PaperPlan = {
    experiments: {
      curve: uniformRuns(net, true, { protocols: judged, ways: ["UGAL"], loads, seeds }, times, first),
      srp: uniformRuns(
        net,
        true,
        { protocols: { SRP: { name: "srp" } }, ways: ["UGAL"], loads: few, seeds },
        times,
        first,
      ),
      minimal: uniformRuns(net, true, { protocols: none, ways: ["MIN"], loads: low, seeds }, times, first),
      adaptive: uniformRuns(net, true, { protocols: none, ways: ["UGAL"], loads: [0.05], seeds }, times, first),
    },
  }
  return narrowed(
    runs,
    { ...curve, variants: ["Ideal(UGAL)", "CBCM(UGAL)"] },
    { ...minimal, variants: ["Baseline(MIN)"] },
  )
}

function rows(runs: PaperRuns): Row[] {
  const of = (name: string, variant: string) => (load: number, value: string) =>
    at(runs, name, { variant, load }, `victims.${value}`)
  const [ideal, cbcm, srp] = [of("curve", "Ideal(UGAL)"), of("curve", "CBCM(UGAL)"), of("srp", "SRP(UGAL)")]
  return [
    within({
      claim: "saturation, CBCM(UGAL) over the ideal",
      paper: "very close",
      value: saturation(runs, curve, "CBCM(UGAL)") / saturation(runs, curve, "Ideal(UGAL)"),
      low: 0.92,
      high: Number.POSITIVE_INFINITY,
    }),
    within({
      claim: "saturation of Baseline(MIN)",
      paper: 0.1,
      value: saturation(runs, minimal, "Baseline(MIN)"),
      low: 0.05,
      high: 0.2,
      note: "the lowest load of which 0.03 is missing, or that has six times the latency of the ideal at load 0.05",
    }),
    followed(
      within({
        claim: "latency at load 0.05, Baseline(UGAL) over the ideal",
        paper: "very high latency even with near zero-load",
        value: of("adaptive", "Baseline(UGAL)")(0.05, "latency.mean") / ideal(0.05, "latency.mean"),
        low: 6,
        high: Number.POSITIVE_INFINITY,
      }),
      [...runsAt(runs, "adaptive", { load: 0.05 }), ...runsAt(runs, "curve", { variant: "Ideal(UGAL)", load: 0.05 })],
    ),
    within({
      claim: "SRP(UGAL) at load 0.5: accepted of offered",
      paper: "effectively prevented congestion",
      value: srp(0.5, "accepted") / srp(0.5, "offered"),
      low: 0.97,
      high: 1.03,
    }),
    followed(
      within({
        claim: "latency at load 0.5, SRP(UGAL) over CBCM(UGAL)",
        paper: "increased",
        value: srp(0.5, "latency.mean") / cbcm(0.5, "latency.mean"),
        low: 1.2,
        high: Number.POSITIVE_INFINITY,
      }),
      [...runsAt(runs, "srp", { load: 0.5 }), ...runsAt(runs, "curve", { variant: "CBCM(UGAL)", load: 0.5 })],
    ),
  ]
}

export default {
  id: "cbcm/fig8b",
  cites,
  title: "Uniform traffic with 40 senders to one endpoint",
  claim: "CBCM is near the ideal; without management minimal routing saturates at 0.1 and adaptive routing at once",
  quick: {
    ...plan("quick", "smallSquare", [10, 10], 1),
    scaled:
      "5 senders among 64 endpoints, alone for 100,000 cycles, then 10,000 + 10,000, and one " +
      "seed instead of 40 among 512, 500,000, 50,000 + 100,000 and three",
  },
  full: plan("full", "square", [50, 100], 3),
  rows: (runs) => rows(runs),
} satisfies PaperFigure
