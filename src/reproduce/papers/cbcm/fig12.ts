// Figure 12: how much throttled sources may send together where they share the VCs of data. Hot set of Fig. 2, 16
// endpoints: the paper names no network.
import type { Named } from "../../../model/experiment.ts"
import { followed } from "../followed.ts"
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { at, cites, measured, network, routerOf, runsAt, stream, to, without } from "./network.ts"

const hot = [0, 5, 8, 12]
const sink = 4
const rest = without(16, [sink, ...hot])
const loads = [0.2, 0.4, 0.6]
const variants: Readonly<Record<string, Named>> = {
  ideal: { name: "ideal", to: [sink] },
  "1/N": { name: "cbcm", hot: "shared", rate: 1 },
  "0.99/N": { name: "cbcm", hot: "shared", rate: 0.99 },
}

function experiment(warm: number, window: number, seeds: number) {
  return {
    lacewing: 1,
    title: "shares of throttled sources",
    network: network(),
    traffic: [stream("victims", loads[0], to(rest), rest), stream("hot", 1, to([sink]), hot)],
    measure: measured(warm, window, ["victims"]),
    probes: [],
    // 4 VCs of data each: a shared protocol has one in addition
    variants: Object.fromEntries(
      Object.entries(variants).map(([name, c]) => [name, { network: { ...network(c), switch: routerOf(c, 5) } }]),
    ),
    sweep: { "traffic.0.load": loads },
    seeds,
  }
}

function rows(runs: PaperRuns): Row[] {
  const of = (variant: string, load: number, value: string) => at(runs, "shares", { variant, load }, value)
  const ratio = (variant: string) =>
    loads.map((l) => of(variant, l, "victims.latency.mean") / of("ideal", l, "victims.latency.mean"))
  const read = (variant: string) => [
    ...runsAt(runs, "shares", { variant }),
    ...runsAt(runs, "shares", { variant: "ideal" }),
  ]
  const sent = (variant: string) => loads.reduce((sum, l) => sum + of(variant, l, "hot.accepted"), 0)
  return [
    followed(
      within({
        claim: "1/N: latency of the victims over the ideal, most of the loads",
        paper: "1.6 to 2.0",
        value: Math.max(...ratio("1/N")),
        low: 1.3,
        high: 2.6,
      }),
      read("1/N"),
    ),
    followed(
      within({
        claim: "0.99/N: latency of the victims over the ideal, most of the loads",
        paper: "near the ideal",
        value: Math.max(...ratio("0.99/N")),
        low: 1 / 1.1,
        high: 1.1,
        note: "within 10 %",
      }),
      read("0.99/N"),
    ),
    within({
      claim: "hot throughput, 0.99/N over 1/N",
      paper: "less than 1 % apart",
      value: sent("0.99/N") / sent("1/N"),
      low: 0.98,
      high: 1.02,
    }),
  ]
}

export default {
  id: "cbcm/fig12",
  cites,
  title: "Rates of throttled sources on shared VCs",
  claim: "at 1/N each the backlog of the onset stays and costs victims up to twice their latency; at 0.99/N it drains",
  quick: {
    experiments: { shares: experiment(100, 20, 1) },
    scaled: "100,000 + 20,000 cycles and one seed instead of 400,000 + 100,000 and three",
  },
  full: { experiments: { shares: experiment(400, 100, 3) } },
  rows: (runs) => rows(runs),
} satisfies PaperFigure
