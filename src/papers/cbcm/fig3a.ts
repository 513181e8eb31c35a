// Figure 3a: congestion of the network alone. All four endpoints of a router send to the next one.
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { drawn, lines, most, sweep } from "./curves.ts"
import { cites, shifted, stream } from "./network.ts"

const protocols = { Ideal: { name: "none" }, ECN: { name: "ecn-delay" }, SRP: { name: "srp" } }
const names = Object.keys(protocols).flatMap((p) => [`${p}(MIN)`, `${p}(UGAL)`])
const loads = [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
const experiment = (times: readonly [number, number], seeds: number) => sweep(protocols, stream("all", 0.1, shifted), loads, times, seeds)

function rows(runs: PaperRuns): Row[] {
  const of = (name: string) => most(runs, name, loads)
  return [
    within({
      claim: "Ideal(MIN): most accepted load",
      paper: 0.25,
      value: of("Ideal(MIN)"),
      low: 0.25 / 1.1,
      high: 0.275,
      note: "4 endpoints on one channel; within 10 %",
    }),
    within({ claim: "Ideal(UGAL): most accepted load", paper: "at most 0.5", value: of("Ideal(UGAL)"), low: 0.25, high: 0.5 }),
    within({
      claim: "ECN(UGAL) over Ideal(UGAL)",
      paper: 0.92,
      value: of("ECN(UGAL)") / of("Ideal(UGAL)"),
      low: 1 / 1.15,
      high: 1.15,
      note: "within 15 %",
    }),
    within({ claim: "SRP(UGAL) over Ideal(UGAL)", paper: "much lower", value: of("SRP(UGAL)") / of("Ideal(UGAL)"), low: 0, high: 0.8 }),
  ]
}

export default {
  id: "cbcm/fig3a",
  cites,
  title: "Protocols under congestion of the network",
  claim: "with adaptive routing ECN is within 8 % of the ideal, SRP much lower",
  quick: {
    experiments: { curve: experiment([5, 10], 1) },
    scaled: "5,000 + 10,000 cycles and one seed instead of 50,000 + 100,000 and three",
  },
  full: { experiments: { curve: experiment([50, 100], 3) } },
  rows: (runs) => rows(runs),
  figures: (runs) => [drawn("accepted", "Accepted load, endpoint i to i + 4", "Accepted load", lines(runs, names, loads, "accepted"))],
} satisfies PaperFigure
