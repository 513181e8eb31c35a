// Figures 5.3a and 5.3b: a quarter of the endpoints sends to many destinations through few links inside the network.
// The loss of a scheme is its gap to VOQnet, because all schemes gain when idle endpoints begin to send. The gaps of
// one hot spot are shown next to them.
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { atLeast, during, type Event, type EventRuns, eventFigures, list, plansOf } from "./events.ts"
import { cites } from "./network.ts"

function rowsOf(all: PaperRuns, mode: Mode, event: Event): Row[] {
  const [runs, single] = [all[event] ?? [], all["single"] ?? []]
  const of = (name: string) => during(runs, name, mode)
  const gap = (from: EventRuns, name: string) => during(from, "VOQnet", mode) - during(from, name, mode)
  const less = (name: string): Row =>
    within({
      claim: `${name}: gap to VOQnet with one hot spot less the gap with many`,
      paper: "suffers less",
      value: gap(single, name) - gap(runs, name),
      low: Number.MIN_VALUE,
      high: Number.POSITIVE_INFINITY,
      note: `one hot spot ${gap(single, name).toFixed(3)}, many ${gap(runs, name).toFixed(3)}`,
    })
  return [
    atLeast(
      "FBICM over VOQnet during the event",
      "at VOQnet's level",
      of("FBICM"),
      0.92,
      of("VOQnet"),
      `at least 0.92; ${list(of)}`,
    ),
    less("DBBM"),
    less("VOQsw"),
  ]
}

export function multipleFigure(id: string, number: string, n: 3 | 4, event: Event): PaperFigure {
  const many = plansOf(event, n)
  const one = plansOf("single", n)
  const both = (a: PaperPlan, b: PaperPlan): PaperPlan => ({
    ...a,
    experiments: { ...a.experiments, ...b.experiments },
  })
  return {
    id,
    number,
    shares: `fbicm/events-${4 ** n}`,
    cites,
    title: `Throughput over time, many hot destinations (${event}), ${4 ** n} endpoints`,
    claim:
      "FBICM stays at VOQnet's level although its lists are short; DBBM and VOQsw suffer less than with one hot spot",
    ...(many.quick === undefined || one.quick === undefined ? {} : { quick: both(many.quick, one.quick) }),
    full: both(many.full, one.full),
    rows: (runs, mode) => rowsOf(runs, mode, event),
    figures: (runs) => eventFigures(runs[event] ?? []),
  }
}
