// Figure 2: uniform traffic with a hot spot. 0, 5, 8 and 12 send to 4 at their full rate. Packets have one flit
// (footnote 1), messages four.
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { saturation } from "./curves.ts"
import { besideHotSpot, single } from "./hot-spot.ts"
import { at, cites, to } from "./network.ts"

const hot = [0, 5, 8, 12]
const sink = 4
const loads = [0.02, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
const protocols = { Baseline: { name: "none" }, Ideal: { name: "ideal", to: [sink] } }

const experiment = (warm: number, window: number, seeds: number) =>
  besideHotSpot(
    { title: "a hot spot with uniform traffic", protocols, hot, sink, victims: to, loads, more: single },
    [warm, window],
    seeds,
  )

function rows(runs: PaperRuns): Row[] {
  const of = (variant: string, load: number, value: string) => at(runs, "curve", { variant, load }, `victims.${value}`)
  const sat = (variant: string) => saturation(loads, (load, value) => of(variant, load, value))
  const zero = (variant: string) => of(variant, loads[0], "latency.mean")
  return [
    within({
      claim: "saturation, Baseline(UGAL) below Baseline(MIN) by",
      paper: 0.23,
      value: 1 - sat("Baseline(UGAL)") / sat("Baseline(MIN)"),
      low: 0.1,
      high: 0.4,
      note: "10 to 40 %",
    }),
    within({
      claim: "saturation, Ideal(MIN) over Baseline(MIN)",
      paper: "more",
      value: sat("Ideal(MIN)") / sat("Baseline(MIN)"),
      low: 1 + Number.EPSILON,
      high: Number.POSITIVE_INFINITY,
    }),
    within({
      claim: "latency at load 0.02, Baseline(UGAL) above Baseline(MIN) by",
      paper: 0.46,
      value: zero("Baseline(UGAL)") / zero("Baseline(MIN)") - 1,
      low: 0.2,
      high: 0.8,
      note: "20 to 80 %",
    }),
    within({
      claim: "saturation, Ideal(UGAL) over Ideal(MIN)",
      paper: "no benefit",
      value: sat("Ideal(UGAL)") / sat("Ideal(MIN)"),
      low: 0.95,
      high: 1.05,
      note: "at most 5 % apart",
    }),
  ]
}

export default {
  id: "cbcm/fig2",
  cites,
  title: "Adaptive routing spreads congestion",
  claim:
    "with a hot spot, adaptive routing saturates 23 % earlier than minimal " +
    "routing, and costs 46 % of latency at load zero",
  quick: {
    experiments: { curve: experiment(5, 10, 1) },
    scaled: "5,000 + 10,000 cycles and one seed instead of 50,000 + 100,000 and three",
  },
  full: { experiments: { curve: experiment(50, 100, 3) } },
  rows: (runs) => rows(runs),
} satisfies PaperFigure
