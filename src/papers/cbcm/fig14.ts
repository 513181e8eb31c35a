// Figure 14: fairness. Endpoints 0, 1 and 2 of one router and 8 of another, which is also that of the destination, send to 9 at their full rate.
// Its caption assumes that hot packets have a VC of their own, throttled or not: unthrottled that is `ideal`. Such packets go the shortest way, so 0, 1 and 2
// come by one input. (Unthrottled on the VCs of data, with the detours of the other figures, endpoint 8 has 0.32: they come by three.)
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { at, cites, measured, network, stream, to } from "./network.ts"

const senders = [0, 1, 2, 8]

function experiment(warm: number, window: number, seeds: number) {
  return {
    lacewing: 1,
    title: "shares of four senders",
    network: network({ name: "cbcm" }),
    traffic: senders.map((e) => stream(`n${e}`, 1, to([9]), [e])),
    measure: measured(warm, window),
    probes: [],
    variants: { unthrottled: { network: network({ name: "ideal", to: [9] }) }, throttled: {} },
    seeds,
  }
}

function rows(runs: PaperRuns): Row[] {
  const of = (variant: string) => senders.map((e) => at(runs, "shares", { variant }, `n${e}.accepted`))
  const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0)
  const [free, held] = [of("unthrottled"), of("throttled")]
  return [
    within({
      claim: "unthrottled: share of endpoint 8",
      paper: 0.667,
      value: free[3]! / sum(free),
      low: 0.5,
      high: 0.8,
      note: "hot packets on a VC of their own; round robin over the two inputs of the destination's router gives exactly 0.5",
    }),
    within({
      claim: "throttled: Jain's index of fairness",
      paper: 1,
      value: sum(held) ** 2 / (4 * sum(held.map((x) => x * x))),
      low: 0.98,
      high: 1 + 1e-9,
    }),
    within({
      claim: "throttled: rate of the destination over that without",
      paper: 1,
      value: sum(held) / sum(free),
      low: 0.95,
      high: 1.05,
    }),
  ]
}

export default {
  id: "cbcm/fig14",
  cites,
  title: "Fairness of four senders to one endpoint",
  claim: "without throttling the endpoint that is near gets twice the sum of the others; with it all get the same",
  quick: {
    experiments: { shares: experiment(20, 20, 1) },
    scaled: "20,000 + 20,000 cycles and one seed instead of 50,000 + 100,000 and three",
  },
  full: { experiments: { shares: experiment(50, 100, 3) } },
  rows: (runs) => rows(runs),
} satisfies PaperFigure
