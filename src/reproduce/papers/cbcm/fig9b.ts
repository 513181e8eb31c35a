// Figure 9b: tornado with a hot spot: the first endpoint of every other router sends to endpoint 0 at its full rate.
import { followed } from "../followed.ts"
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { alone, at, cites, measured, type Net, nets } from "./network.ts"
import { mostOf, tornado, worst } from "./tornado.ts"

const loads = [0.2, 0.3, 0.4, 0.5]
const few = [0.1, 0.15, 0.2, 0.25, 0.3]
const judged = { "Ideal(UGAL)": { name: "ideal", to: [0] }, "CBCM(UGAL)": { name: "cbcm" } }
const compared = { "Ideal(UGAL)": { name: "ideal", to: [0] }, "Baseline(UGAL)": { name: "none" } }
const srp = { "SRP(UGAL)": { name: "srp" } }

const netOf = (mode: Mode): Net => (mode === "full" ? "square" : "smallSquare")

function plan(mode: Mode, times: readonly [number, number], seeds: number): PaperPlan {
  const net = netOf(mode)
  const first = alone[mode]
  return {
    experiments: {
      curve: tornado(net, worst, true, judged, loads, times, seeds, first),
      srp: tornado(net, worst, true, srp, few, times, seeds, first),
      alone: tornado(net, worst, false, srp, few, times, seeds),
      zero: tornado(net, worst, true, compared, [0.05], times, seeds, first, (...t) => measured(...t, ["victims"])),
    },
  }
}

function rows(runs: PaperRuns, mode: Mode): Row[] {
  // of the p endpoints of a router, the first sends to the hot spot, so p - 1 instead of p share each channel
  const { p } = nets[netOf(mode)]
  const most = (name: string, variant: string, of: readonly number[]) => mostOf(runs, name, variant, of, "victims.")
  const zero = (variant: string) => at(runs, "zero", { variant, load: 0.05 }, "victims.latency.mean")
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
      claim: "most accepted load of a channel, SRP with the hot spot over SRP without",
      paper: "the same",
      value: (((p - 1) / p) * most("srp", "SRP(UGAL)", few)) / mostOf(runs, "alone", "SRP(UGAL)", few),
      low: 1 / 1.1,
      high: 1.1,
      note: `within 10 %; (p - 1) / p of its endpoints share a channel if there is a hot spot, p = ${p}`,
    }),
    followed(
      within({
        claim: "latency at load 0.05, baseline over the ideal",
        paper: "exceeds the plot",
        value: zero("Baseline(UGAL)") / zero("Ideal(UGAL)"),
        low: 6,
        high: Number.POSITIVE_INFINITY,
      }),
      runs["zero"] ?? [],
    ),
  ]
}

export default {
  id: "cbcm/fig9b",
  cites,
  title: "Tornado with a hot spot",
  claim: "CBCM is near the ideal, SRP saturates as early as without the hot spot, nothing works without management",
  quick: {
    ...plan("quick", [10, 10], 1),
    scaled:
      "15 senders among 64 endpoints, alone for 100,000 cycles, then 10,000 + 10,000, and one " +
      "seed instead of 63 among 512, 500,000, 50,000 + 100,000 and three",
  },
  full: plan("full", [50, 100], 3),
  rows,
} satisfies PaperFigure
