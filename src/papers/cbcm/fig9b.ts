// Figure 9b: tornado with a hot spot: the first endpoint of every other router sends to endpoint 0 at its full rate.
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { alone, at, cites, type Net } from "./network.ts"
import { mostOf, tornado, worst } from "./tornado.ts"

const loads = [0.05, 0.2, 0.3, 0.4, 0.5]
const few = [0.1, 0.15, 0.2, 0.25, 0.3]
const judged = { "Ideal(UGAL)": { name: "ideal", to: [0] }, "CBCM(UGAL)": { name: "cbcm" } }
const srp = { "SRP(UGAL)": { name: "srp" } }

function plan(mode: Mode, net: Net, times: readonly [number, number], seeds: number): PaperPlan {
  const first = alone[mode]
  return {
    experiments: {
      curve: tornado(net, worst, true, judged, loads, times, seeds, first),
      srp: tornado(net, worst, true, srp, few, times, seeds, first),
      alone: tornado(net, worst, false, srp, few, times, seeds),
      baseline: tornado(net, worst, true, { "Baseline(UGAL)": { name: "none" } }, [0.05], times, seeds, first),
    },
  }
}

function rows(runs: PaperRuns): Row[] {
  const most = (name: string, variant: string, of: readonly number[]) => mostOf(runs, name, variant, of, "victims.")
  const zero = (name: string, variant: string) => at(runs, name, { variant, load: 0.05 }, "victims.latency.mean")
  return [
    within({
      claim: "most accepted load of the tornado, CBCM over the ideal",
      paper: "nearly ideal",
      value: most("curve", "CBCM(UGAL)", loads) / most("curve", "Ideal(UGAL)", loads),
      low: 0.92,
      high: 1.08,
      note: "within 8 %",
    }),
    within({
      claim: "most accepted load of an endpoint, SRP with the hot spot over SRP without",
      paper: "the same",
      value: most("srp", "SRP(UGAL)", few) / mostOf(runs, "alone", "SRP(UGAL)", few),
      low: 1 / 1.1,
      high: 1.1,
      note: "within 10 %",
    }),
    within({
      claim: "latency at load 0.05, baseline over the ideal",
      paper: "exceeds the plot",
      value: zero("baseline", "Baseline(UGAL)") / zero("curve", "Ideal(UGAL)"),
      low: 6,
      high: Number.POSITIVE_INFINITY,
    }),
  ]
}

export default {
  id: "cbcm/fig9b",
  cites,
  title: "Tornado with a hot spot",
  claim: "CBCM is near the ideal, SRP saturates as early as without the hot spot, nothing works without management",
  quick: {
    ...plan("quick", "smallSquare", [10, 10], 1),
    scaled:
      "15 senders among 64 endpoints, alone for 100,000 cycles, then 10,000 + 10,000, and one " +
      "seed instead of 63 among 512, 500,000, 50,000 + 100,000 and three",
  },
  full: plan("full", "square", [50, 100], 3),
  rows: (runs) => rows(runs),
} satisfies PaperFigure
