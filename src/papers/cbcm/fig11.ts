// Figure 11: detection in routers on the way against detection at the destination. The pattern of Fig. 1c (0 to 3 send to 4) beside uniform traffic of load 0.4;
// the hot spot begins in the 100th interval.
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { cites, measured, network, stream, to, without } from "./network.ts"
import { drawn, transient } from "./transients.ts"

const ONSET = 100
const hot = [0, 1, 2, 3]
const rest = without(16, [4, ...hot])
const variants = { endpoint: { name: "cbcm" }, intermediate: { name: "cbcm", detect: "router" } }

function experiment(seeds: number) {
  return {
    lacewing: 1,
    title: "where congestion is detected",
    network: network({ name: "cbcm" }),
    traffic: [stream("victims", 0.4, to(rest), rest), stream("hot", 1, to([4]), hot, { start: "10kcycles" })],
    measure: measured(10, 40, "100cycles"),
    probes: ["series"],
    variants: Object.fromEntries(Object.entries(variants).map(([name, c]) => [name, { network: network(c) }])),
    seeds,
  }
}

function rows(runs: PaperRuns): Row[] {
  const of = (variant: string) => transient(runs, "onset", variant, ONSET)
  const [late, early] = [of("endpoint"), of("intermediate")]
  return [
    within({
      claim: "highest latency of an interval, intermediate over endpoint",
      paper: 0.42,
      value: early.peak / late.peak,
      low: 0.25,
      high: 0.7,
    }),
    within({
      claim: "settling time, intermediate over endpoint",
      paper: 0.22,
      value: early.settled / late.settled,
      low: 0,
      high: 0.5 - Number.EPSILON,
      note: "from the onset until means of ten intervals stay within 10 % of the level before for twenty",
    }),
  ]
}

export default {
  id: "cbcm/fig11",
  cites,
  title: "Detection on the way",
  claim: "routers that see the congestion of one destination throttle earlier: 0.42 times the peak, settled in 0.22 times the time",
  quick: { experiments: { onset: experiment(3) }, scaled: "three seeds instead of twenty" },
  full: { experiments: { onset: experiment(20) } },
  rows: (runs) => rows(runs),
  figures: (runs) => [drawn(runs, "onset", Object.keys(variants), "Victims around the onset of a hot spot")],
} satisfies PaperFigure
