// Figures 5.2a and 5.2b: a quarter of the endpoints sends to one destination for 300 us.
import { type Mode, ours, type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { atLeast, before, during, eventFigures, list, plansOf, recoveryRows } from "./events.ts"
import { cites } from "./network.ts"

const above = Number.POSITIVE_INFINITY

export function singleRows(all: PaperRuns, mode: Mode): Row[] {
  const runs = all["single"] ?? []
  const of = (name: string) => during(runs, name, mode)
  const drop = (name: string) => before(runs, name, mode) - of(name)
  const below = (name: string): Row =>
    within({
      claim: `FBICM less ${name} during the event`,
      paper: "above",
      value: of("FBICM") - of(name),
      low: 0.05,
      high: above,
      note: "at least 5 points",
    })
  return [
    atLeast(
      "FBICM over VOQnet during the event",
      "at VOQnet's level",
      of("FBICM"),
      0.93,
      of("VOQnet"),
      `at least 0.93; ${list(of)}`,
    ),
    below("VOQsw"),
    below("DBBM"),
    below("1Q"),
    within({
      claim: "least of all others less 1Q during the event",
      paper: "1Q is lowest",
      value: Math.min(...["DBBM", "VOQsw", "VOQnet", "FBICM"].map(of)) - of("1Q"),
      low: Number.MIN_VALUE,
      high: above,
    }),
    within({
      claim: "DBBM during the event",
      paper: 0.65,
      value: of("DBBM"),
      low: 0.57,
      high: 0.73,
      note: "0.65 ± 0.08",
    }),
    within({
      claim: "what VOQsw loses less what DBBM loses",
      paper: "DBBM loses half as much",
      value: drop("VOQsw") - drop("DBBM"),
      low: Number.MIN_VALUE,
      high: above,
      note: `before the event: ${list((n) => before(runs, n, mode))}`,
    }),
    ours(
      within({
        claim: "before the event all but 1Q carry what is offered (least of them)",
        paper: 0.75,
        value: Math.min(...["DBBM", "VOQsw", "VOQnet", "FBICM"].map((n) => before(runs, n, mode))),
        low: 0.7,
        high: 0.75,
      }),
    ),
    ...recoveryRows(runs, mode),
  ]
}

export function singleFigure(id: string, number: string, n: 3 | 4): PaperFigure {
  return {
    id,
    number,
    shares: `fbicm/events-${4 ** n}`,
    cites,
    title: `Throughput over time, one hot spot, ${4 ** n} endpoints`,
    claim: "FBICM stays at VOQnet's level; VOQsw and DBBM (to 65 %) drop; 1Q drops most and recovers very slowly",
    ...plansOf("single", n),
    rows: singleRows,
    figures: (runs) => eventFigures(runs["single"] ?? []),
  }
}
