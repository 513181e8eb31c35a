// Text of section V-B: each endpoint of router i sends to any endpoint of router i + 1. It is compared with the tornado
// of Fig. 9a, both with CBCM.
import { ours, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { at, cites, type Net } from "./network.ts"
import { mostOf, next, tornado, worst } from "./tornado.ts"

const loads = [0.3, 0.4, 0.5]
const cbcm = { "CBCM(UGAL)": { name: "cbcm" } }

function plan(net: Net, times: readonly [number, number], seeds: number): PaperPlan {
  return {
    experiments: {
      next: tornado(net, next(net), false, cbcm, loads, times, seeds),
      tornado: tornado(net, worst, false, cbcm, loads, times, seeds),
    },
  }
}

function rows(runs: PaperRuns): Row[] {
  const throttled = loads.map((load) => at(runs, "next", { variant: "CBCM(UGAL)", load }, "throttle.falsePositive"))
  return [
    within({
      claim: "most accepted load, any endpoint of the next router over tornado",
      paper: "nearly identical",
      value: mostOf(runs, "next", "CBCM(UGAL)", loads) / mostOf(runs, "tornado", "CBCM(UGAL)", loads),
      low: 1 / 1.1,
      high: 1.1,
      note: "within 10 %",
    }),
    ours(
      within({
        claim: "share of the time in which a flow was throttled, most of the loads",
        paper: "",
        value: Math.max(...throttled),
        low: 0,
        high: 0.05,
        note: "as in Fig. 8a: that no throttle is sent the paper says of the permutation only",
      }),
    ),
  ]
}

export default {
  id: "cbcm/text-5b",
  number: "Section V-B",
  cites,
  title: "Adversarial traffic that is no permutation",
  claim:
    "CBCM distinguishes congestion of the network from that of endpoints: " +
    "the same throughput as for the worst permutation",
  quick: {
    ...plan("smallSquare", [5, 10], 1),
    scaled: "64 endpoints, 5,000 + 10,000 cycles and one seed instead of 512, 50,000 + 100,000 and three",
  },
  full: plan("square", [50, 100], 3),
  rows: (runs) => rows(runs),
} satisfies PaperFigure
