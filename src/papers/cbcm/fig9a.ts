// Figure 9a: tornado, the worst case of minimal routing. Each endpoint gets packets from one other: nobody is throttled.
import { type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { at, cites, type Net } from "./network.ts"
import { mostOf, tornado, worst } from "./tornado.ts"

const loads = [0.1, 0.2, 0.3, 0.4, 0.5]
const few = [0.1, 0.15, 0.2, 0.25, 0.3]
const judged = { "Ideal(UGAL)": { name: "none" }, "CBCM(UGAL)": { name: "cbcm" } }

function plan(net: Net, times: readonly [number, number], seeds: number): PaperPlan {
  return {
    experiments: {
      curve: tornado(net, worst, false, judged, loads, times, seeds),
      srp: tornado(net, worst, false, { "SRP(UGAL)": { name: "srp" } }, few, times, seeds),
    },
  }
}

function rows(runs: PaperRuns): Row[] {
  const [ideal, cbcm] = [mostOf(runs, "curve", "Ideal(UGAL)", loads), mostOf(runs, "curve", "CBCM(UGAL)", loads)]
  return [
    within({
      claim: "most accepted load, CBCM over the ideal",
      paper: "near",
      value: cbcm / ideal,
      low: 0.92,
      high: 1.08,
      note: "within 8 %",
    }),
    within({
      claim: "throttles that CBCM sends, all loads and seeds together",
      paper: 0,
      value: loads.reduce((sum, load) => sum + at(runs, "curve", { variant: "CBCM(UGAL)", load }, "throttle.sent"), 0),
      low: 0,
      high: 0,
    }),
    within({
      claim: "most accepted load, SRP over the ideal",
      paper: "saturated very early",
      value: mostOf(runs, "srp", "SRP(UGAL)", few) / ideal,
      low: 0,
      high: 0.6 - Number.EPSILON,
    }),
  ]
}

export default {
  id: "cbcm/fig9a",
  cites,
  title: "Tornado",
  claim: "CBCM throttles nobody and is as good as no protocol; SRP saturates early",
  quick: {
    ...plan("smallSquare", [5, 10], 1),
    scaled: "64 endpoints, 5,000 + 10,000 cycles and one seed instead of 512, 50,000 + 100,000 and three",
  },
  full: plan("square", [50, 100], 3),
  rows: (runs) => rows(runs),
} satisfies PaperFigure
