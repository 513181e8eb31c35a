// Figure 5a: what SRP costs without any congestion that lasts. Uniform traffic, messages of four packets.
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { drawn, lines, sweep } from "./curves.ts"
import { at, cites, stream } from "./network.ts"

const protocols = { None: { name: "none" }, SRP: { name: "srp" } }
const names = Object.keys(protocols).flatMap((p) => [`${p}(MIN)`, `${p}(UGAL)`])
const middle = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
const loads = [0.1, ...middle, 0.9]
const experiment = (times: readonly [number, number], seeds: number) =>
  sweep(protocols, stream("all", 0.1, { name: "uniform" }), loads, times, seeds)

function rows(runs: PaperRuns): Row[] {
  const of = (variant: string, load: number, value: string) => at(runs, "curve", { variant, load }, value)
  const ratios = middle.map((load) => of("SRP(UGAL)", load, "latency.mean") / of("None(UGAL)", load, "latency.mean"))
  return [
    within({
      claim: "SRP(UGAL): latency over that without, most of loads 0.3 to 0.8",
      paper: 2.45,
      value: Math.max(...ratios),
      low: 1.5,
      high: 3.5,
    }),
    within({
      claim: "latency at load 0.5, SRP(UGAL) over SRP(MIN)",
      paper: "much higher",
      value: of("SRP(UGAL)", 0.5, "latency.mean") / of("SRP(MIN)", 0.5, "latency.mean"),
      low: 1 + Number.EPSILON,
      high: Number.POSITIVE_INFINITY,
    }),
    within({
      claim: "accepted of offered load 0.9, SRP(UGAL) over that without",
      paper: "not impacted",
      value: of("SRP(UGAL)", 0.9, "accepted") / of("None(UGAL)", 0.9, "accepted"),
      low: 0.95,
      high: Number.POSITIVE_INFINITY,
      note: "by accepted load: the rule of six times the latency at load zero misjudges SRP, whose own is higher",
    }),
  ]
}

export default {
  id: "cbcm/fig5a",
  cites,
  title: "SRP under uniform traffic",
  claim: "reservations cost up to 2.45 times the latency at middle loads, and no throughput",
  quick: {
    experiments: { curve: experiment([5, 10], 1) },
    scaled: "5,000 + 10,000 cycles and one seed instead of 50,000 + 100,000 and three",
  },
  full: { experiments: { curve: experiment([50, 100], 3) } },
  rows: (runs) => rows(runs),
  figures: (runs) => [drawn("latency", "Mean latency, uniform traffic", "Latency (cycles)", lines(runs, names, middle, "latency.mean"))],
} satisfies PaperFigure
