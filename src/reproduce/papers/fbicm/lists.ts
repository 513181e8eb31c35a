// Lists of destinations: version 2 with lists of eight destinations (section 5.1) and with lists of one, while many hot
// destinations are behind one congested point ("a corner-case for the new version of FBICM").
import { type Mode, ours, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { during, eventFigures, experiment } from "./events.ts"
import { cites, type SchemeName } from "./network.ts"

const [LONG, SHORT]: SchemeName[] = ["FBICM", "FBICM, lists of 1"]

function planOf(mode: Mode, seeds: number): PaperPlan {
  return { experiments: { stage0: experiment("stage0", 3, mode, [LONG, SHORT], seeds) } }
}

function rows(all: PaperRuns, mode: Mode): Row[] {
  const runs = all["stage0"] ?? []
  const sum = (name: string, value: string) =>
    runs.filter((r) => r.point["variant"] === name).reduce((s, r) => s + (r.result.values[value] ?? Number.NaN), 0)
  const has = runs.length > 0
  const ratio = (value: string) => (has ? sum(SHORT, value) / sum(LONG, value) : Number.NaN)
  return [
    ours(
      within({
        claim: "throughput during the event, lists of eight over lists of one",
        paper: "",
        value: has ? during(runs, LONG, mode) / during(runs, SHORT, mode) : Number.NaN,
        low: 1 + Number.EPSILON,
        high: Number.POSITIVE_INFINITY,
        note: "8 lines hold 8 destinations with lists of one, and 64 with lists of eight",
      }),
    ),
    ours(
      within({
        claim: "CAM lines allocated, lists of one over lists of eight",
        paper: "",
        value: ratio("isolation.born"),
        low: 1 + Number.EPSILON,
        high: Number.POSITIVE_INFINITY,
        note: "a list of eight saves lines",
      }),
    ),
  ]
}

export default {
  id: "fbicm/lists",
  number: "Section 5.1",
  cites,
  title: "Lists of eight destinations and of one, many hot destinations",
  claim: "lists of several destinations carry more while many hot destinations are behind one congested point",
  quick: { ...planOf("quick", 1), scaled: "the event from 60 to 200 us instead of 1000 to 1300, one seed of three" },
  full: planOf("full", 3),
  rows,
  figures: (runs) => eventFigures(runs["stage0"] ?? [], [LONG, SHORT]),
} satisfies PaperFigure
