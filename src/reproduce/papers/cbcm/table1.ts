// Table I with the drawings of Figs 1, 4 and 6: four cases of congestion, and whom the protocol throttles in each.
import type { TrafficSpec } from "../../../model/experiment.ts"
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { cites, counted, network, shifted, stream, to } from "./network.ts"

/** case -> traffic, who is to blame */
const cases: Readonly<Record<string, readonly [string, TrafficSpec, readonly number[]]>> = {
  I: ["uniform traffic of load 0.3", stream("all", 0.3, { name: "uniform" }), []],
  II: ["endpoint i to i + 4, load 0.4", stream("all", 0.4, shifted), []],
  III: ["0, 8 and 12 to 4", stream("all", 1, to([4]), [0, 8, 12]), [0, 8, 12]],
  "III+5": ["0, 5, 8 and 12 to 4", stream("all", 1, to([4]), [0, 5, 8, 12]), [0, 5, 8, 12]],
  IV: ["0 to 3 to 4", stream("all", 1, to([4]), [0, 1, 2, 3]), [0, 1, 2, 3]],
}

function experiment(window: number, seeds: number) {
  return {
    lacewing: 1,
    title: "four cases of congestion",
    network: network({ name: "cbcm" }),
    traffic: [cases["I"][1]],
    measure: counted(0, window),
    probes: ["endpoints"],
    variants: Object.fromEntries(Object.entries(cases).map(([name, [, traffic]]) => [name, { traffic: [traffic] }])),
    seeds,
  }
}

/** Endpoints that were throttled without blame, or blamed and not throttled, all seeds together; NaN without runs. */
function wrong(runs: PaperRuns, variant: string, blamed: readonly number[]): number {
  const found = (runs["cases"] ?? []).filter((r) => r.point["variant"] === variant)
  if (found.length === 0) return Number.NaN
  return found.reduce((sum, r) => {
    const ends = (r.result.tables["throttled"]?.["end"] ?? []).map(Number)
    return sum + ends.filter((e) => !blamed.includes(e)).length + blamed.filter((e) => !ends.includes(e)).length
  }, 0)
}

function rows(runs: PaperRuns): Row[] {
  return Object.entries(cases).map(([name, [about, , blamed]]) =>
    within({
      claim: `case ${name}, ${about}: endpoints throttled that should not be, or not throttled that should`,
      paper: blamed.length === 0 ? "no source is throttled" : `exactly ${blamed.join(", ")}`,
      value: wrong(runs, name, blamed),
      low: 0,
      high: 0,
    }),
  )
}

export default {
  id: "cbcm/table1",
  number: "Table I",
  cites,
  title: "Four cases of congestion",
  claim: "sources are throttled where an endpoint is congested, and only those that send to it",
  quick: {
    experiments: { cases: experiment(15, 1) },
    scaled: "15,000 cycles and one seed instead of 150,000 and three",
  },
  full: { experiments: { cases: experiment(150, 3) } },
  rows: (runs) => rows(runs),
} satisfies PaperFigure
