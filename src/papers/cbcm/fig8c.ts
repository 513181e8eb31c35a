// Figure 8c: long messages mixed with short ones on 512 endpoints.
import { type Mode, type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { at, cites, type Net, nets } from "./network.ts"
import { urUr } from "./ur-ur.ts"

const loads = [0.2, 0.4, 0.6]
const protocols = { CBCM: { name: "cbcm" }, SRP: { name: "srp" } }
const times = { quick: [5, 10], full: [50, 100] } as const
const netOf = (mode: Mode): Net => (mode === "full" ? "square" : "smallSquare")

function rows(runs: PaperRuns, mode: Mode): Row[] {
  const of = (variant: string, value: string) => at(runs, "curve", { variant, load: 0.4 }, value)
  const slow = (variant: string) => of(variant, "UR1.latency.mean")
  // packets of UR1 in the whole run: 0.4 of the channels of half of the endpoints
  const made = (0.4 * (nets[netOf(mode)].ends / 2) * 1000 * (times[mode][0] + times[mode][1])) / 32
  const order = { paper: "more", low: 1 + Number.EPSILON, high: Number.POSITIVE_INFINITY }
  return [
    within({
      claim: "load 0.4: latency of long messages, SRP(UGAL) over CBCM(UGAL)",
      paper: 2.4,
      value: slow("SRP(UGAL)") / slow("CBCM(UGAL)"),
      low: 1.6,
      high: 3.5,
    }),
    within({
      claim: "load 0.4: the same, SRP(UGAL) over SRP(MIN)",
      value: slow("SRP(UGAL)") / slow("SRP(MIN)"),
      ...order,
    }),
    within({
      claim: "load 0.4: the same, SRP(MIN) over CBCM(MIN)",
      value: slow("SRP(MIN)") / slow("CBCM(MIN)"),
      ...order,
    }),
    within({
      claim: "load 0.4, SRP(UGAL): share of the packets of long messages that are sent speculatively",
      paper: 0.52,
      value: of("SRP(UGAL)", "speculative.sent") / made,
      low: 0.35,
      high: 0.7,
    }),
    within({
      claim: "load 0.4, SRP(UGAL): share of these that are dropped",
      paper: 0.24,
      value: of("SRP(UGAL)", "speculative.dropped") / of("SRP(UGAL)", "speculative.sent"),
      low: 0.1,
      high: 0.4,
    }),
  ]
}

export default {
  id: "cbcm/fig8c",
  cites,
  title: "Long messages mixed with short ones",
  claim: "SRP takes congestion of the network for that of an endpoint: 2.4 times the latency of CBCM at load 0.4",
  quick: {
    experiments: { curve: urUr(netOf("quick"), protocols, ["MIN", "UGAL"], loads, times.quick, 1) },
    scaled: "64 endpoints, 5,000 + 10,000 cycles and one seed instead of 512, 50,000 + 100,000 and three",
  },
  full: { experiments: { curve: urUr(netOf("full"), protocols, ["MIN", "UGAL"], loads, times.full, 3) } },
  rows,
} satisfies PaperFigure
