// Figure 7a: mean network latency of the victims over time, around the onset of congestion.
import type { Figure } from "../../../draw/figure/figure.ts"
import { figureOf } from "../drawn.ts"
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { CLEARLY, full, halves, having, quick, shown, transient, worse } from "./hotspots.ts"
import { cites, farthest, lineOver, SECTION_B } from "./runs.ts"

/** The most below a half. */
const HALF = (1 - Number.EPSILON / 2) / 2

function rows(runs: PaperRuns): Row[] {
  const of = Object.fromEntries(shown.map((v) => [v, transient(runs, v)]))
  const peak = (v: string) => of[v]?.peak ?? Number.NaN
  const above = (v: string) => peak(v) - (of[v]?.level ?? Number.NaN)
  const excess = (v: string) => Math.max(1, of[v]?.excess ?? Number.NaN)
  const list = (f: (v: string) => number) => shown.map((v) => `${v} ${f(v).toFixed(0)}`).join(", ")
  const stashed = ["100 %", "50 %"].map((v) => above(v) / above("baseline"))
  return [
    worse(
      "highest mean latency of a microsecond, baseline over 50 %",
      peak("baseline"),
      peak("50 %"),
      `ns: ${list(peak)}`,
    ),
    worse("the same, 50 % over 100 %", peak("50 %"), peak("100 %"), halves(runs), CLEARLY),
    worse(
      "excess latency until 60 us, baseline over 50 %",
      excess("baseline"),
      excess("50 %"),
      `ns us: ${list(excess)}`,
    ),
    worse("the same, 50 % over 100 %", excess("50 %"), excess("100 %"), halves(runs), CLEARLY),
    within({
      claim: "baseline's highest mean latency of a microsecond over the level before the aggressors",
      paper: "visible but small impact",
      value: peak("baseline") / (of["baseline"]?.level ?? Number.NaN),
      low: 1.05,
      high: 2,
      note: "at least 5 % more (visible), at most twice (small)",
    }),
    within({
      claim: "rise of that latency with the stash over the baseline's rise, the larger of 100 % and 50 %",
      paper: "close to normal",
      value: farthest(0, stashed, (x) => x),
      low: 0,
      high: HALF,
      note: "nearer to the level before the aggressors than to the baseline",
    }),
    within({
      claim: "baseline back within 10 % of the level before the aggressors, at (us)",
      paper: 60,
      value: of["baseline"]?.back ?? Number.NaN,
      low: 45,
      high: 75,
      note: `60 ± 15; 100 % at ${of["100 %"]?.back}, 50 % at ${of["50 %"]?.back}`,
    }),
  ]
}

const marks = [
  { x: 20, name: "the aggressor is activated", source: SECTION_B },
  { x: 60, name: "back to normal at about 60 us", source: SECTION_B },
]

/** The paper's three networks and the calm one, with the numbers of the text. */
function plots(figures: readonly Figure[]): Figure[] {
  const drawn = figureOf(figures, "victims")
  return drawn === undefined ? [...figures] : [{ ...drawn, marks }]
}

export default {
  id: "stashing/fig7a",
  shares: "stashing/hotspots",
  cites,
  title: "Victims' latency around the onset of congestion",
  claim:
    "stashing keeps the victims' latency near normal; more stash helps more; ECN ends the transient at about 60 us",
  quick,
  full,
  rows,
  plots,
  figures: (runs) => [
    {
      kind: "lines",
      id: "victims",
      title: "Network latency of victims",
      caption: "Mean of the packets that arrive in each microsecond, and of the seeds. Aggressors start at 20 us.",
      x: { label: "Time (us)" },
      y: { label: "Mean network latency (ns)" },
      lines: shown.map((v) => lineOver(v, having(runs, v), "victims.series", "network")),
      markers: false,
    },
  ],
} satisfies PaperFigure
