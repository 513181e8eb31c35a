// Figure 8c: long messages mixed with short ones on 512 endpoints.
import { followed } from "../followed.ts"
import { type Mode, type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { at, cites, type Net, nets, runsAt } from "./network.ts"
import { urUr } from "./ur-ur.ts"

const loads = [0.2, 0.4, 0.6]
const protocols = { CBCM: { name: "cbcm" }, SRP: { name: "srp" } }
const times = { quick: [5, 10], full: [50, 100] } as const
const netOf = (mode: Mode): Net => (mode === "full" ? "square" : "smallSquare")

function rows(runs: PaperRuns, mode: Mode): Row[] {
  const of = (variant: string, value: string) => at(runs, "curve", { variant, load: 0.4 }, value)
  const slow = (variant: string) => of(variant, "UR1.latency.mean")
  // packets of UR1 in the whole run: 0.4 of the channels of half of the endpoints
  const made = (0.4 * (nets[netOf(mode)].ends / 2) * of("SRP(UGAL)", "cycles")) / 32
  const read = (...of: readonly string[]) => of.flatMap((variant) => runsAt(runs, "curve", { variant, load: 0.4 }))
  const order = { paper: "more", low: 1 + Number.EPSILON, high: Number.POSITIVE_INFINITY }
  return [
    followed(
      within({
        claim: "load 0.4: latency of long messages, SRP(UGAL) over CBCM(UGAL)",
        paper: 2.4,
        value: slow("SRP(UGAL)") / slow("CBCM(UGAL)"),
        low: 1.6,
        high: 3.5,
      }),
      read("SRP(UGAL)", "CBCM(UGAL)"),
    ),
    followed(
      within({
        claim: "load 0.4: the same, SRP(UGAL) over SRP(MIN)",
        value: slow("SRP(UGAL)") / slow("SRP(MIN)"),
        ...order,
      }),
      read("SRP(UGAL)", "SRP(MIN)"),
    ),
    followed(
      within({
        claim: "load 0.4: the same, SRP(MIN) over CBCM(MIN)",
        value: slow("SRP(MIN)") / slow("CBCM(MIN)"),
        ...order,
      }),
      read("SRP(MIN)", "CBCM(MIN)"),
    ),
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
      evidence: "BookSim2 SRP_IAR, 64 endpoints: 0 to 3 of at most 4,800 speculative packets",
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
