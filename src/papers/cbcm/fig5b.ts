// Figure 5b: two kinds of uniform traffic without a hot spot. Half of the endpoints of each router exchange messages of four packets (UR1), the other half
// single packets at load 0.9 (UR2), which SRP sends as data, ahead of what is speculative.
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { at, cites } from "./network.ts"
import { urUr } from "./ur-ur.ts"

const loads = [0.1, 0.4, 0.6]
const protocols = { None: { name: "none" }, SRP: { name: "srp" } }

function rows(runs: PaperRuns): Row[] {
  const of = (variant: string, value: string) => at(runs, "curve", { variant, load: 0.6 }, value)
  const slow = (variant: string) => of(variant, "UR1.latency.mean")
  return [
    within({
      claim: "load 0.6, SRP(UGAL): dropped of the speculative packets",
      paper: 0.15,
      value: of("SRP(UGAL)", "speculative.dropped") / of("SRP(UGAL)", "speculative.sent"),
      low: 0.05,
      high: 0.3,
    }),
    within({
      claim: "load 0.6: latency of UR1, SRP(UGAL) over that without",
      paper: 4.4,
      value: slow("SRP(UGAL)") / slow("None(UGAL)"),
      low: 2,
      high: 7,
    }),
    within({
      claim: "load 0.6: latency of UR1, SRP(UGAL) over SRP(MIN)",
      paper: "aggravates",
      value: slow("SRP(UGAL)") / slow("SRP(MIN)"),
      low: 1 + Number.EPSILON,
      high: Number.POSITIVE_INFINITY,
    }),
    within({
      claim: "load 0.6: latency of UR1, SRP(MIN) over that without",
      paper: "worse",
      value: slow("SRP(MIN)") / slow("None(MIN)"),
      low: 1 + Number.EPSILON,
      high: Number.POSITIVE_INFINITY,
    }),
  ]
}

export default {
  id: "cbcm/fig5b",
  cites,
  title: "SRP beside short messages",
  claim: "speculative packets lose against data: 15 % of them are dropped at load 0.6, and latency is 4.4 times that without SRP",
  quick: {
    experiments: { curve: urUr("cases", protocols, ["MIN", "UGAL"], loads, [5, 15], 1) },
    scaled: "5,000 + 15,000 cycles and one seed instead of 50,000 + 100,000 and three",
  },
  full: { experiments: { curve: urUr("cases", protocols, ["MIN", "UGAL"], loads, [50, 100], 3) } },
  rows: (runs) => rows(runs),
} satisfies PaperFigure
