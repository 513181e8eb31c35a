// Figure 3b: the traffic of Fig. 3a with a hot spot beside it: 1, 4, 8 and 12 send to 0 at their full rate.
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { saturation } from "./curves.ts"
import { besideHotSpot } from "./hot-spot.ts"
import { at, cites, shifted } from "./network.ts"

const hot = [1, 4, 8, 12]
const sink = 0
const loads = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]
const protocols = { Ideal: { name: "ideal", to: [sink] }, ECN: { name: "ecn-delay" } }

const experiment = (warm: number, window: number, seeds: number) =>
  besideHotSpot(
    { title: "congestion of the network beside a hot spot", protocols, hot, sink, victims: () => shifted, loads },
    [warm, window],
    seeds,
  )

function rows(runs: PaperRuns): Row[] {
  const of = (variant: string) => saturation(loads, (load, value) => at(runs, "curve", { variant, load }, value), "victims.")
  const slow = (variant: string) => at(runs, "curve", { variant, load: 0.1 }, "victims.latency.mean")
  return [
    within({
      claim: "saturation, Ideal(UGAL) over ECN(UGAL)",
      paper: "about 2",
      value: of("Ideal(UGAL)") / of("ECN(UGAL)"),
      low: 1.4,
      high: 3,
    }),
    within({
      claim: "saturation, ECN(UGAL) over ECN(MIN)",
      paper: "worse",
      value: of("ECN(UGAL)") / of("ECN(MIN)"),
      low: 0,
      high: 1 - Number.EPSILON,
    }),
    within({
      claim: "latency at load 0.1, ECN(UGAL) over ECN(MIN)",
      paper: "worse",
      value: slow("ECN(UGAL)") / slow("ECN(MIN)"),
      low: 1 + Number.EPSILON,
      high: Number.POSITIVE_INFINITY,
    }),
  ]
}

export default {
  id: "cbcm/fig3b",
  cites,
  title: "Congestion of the network beside a hot spot",
  claim: "with a hot spot ECN(UGAL) is about half of the ideal, and worse than ECN(MIN)",
  quick: {
    experiments: { curve: experiment(20, 20, 1) },
    scaled: "20,000 + 20,000 cycles and one seed instead of 50,000 + 100,000 and three",
  },
  full: { experiments: { curve: experiment(50, 100, 3) } },
  rows: (runs) => rows(runs),
} satisfies PaperFigure
