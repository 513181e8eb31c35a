// Figure 7a: mean network latency of the victims over time, around the onset of congestion.
import type { Figure } from "../../draw/figure/figure.ts"
import { figureOf } from "../drawn.ts"
import { ours, type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { CLEARLY, full, halves, having, quick, shown, transient, unitNames, units, worse } from "./hotspots.ts"
import { cites, lineOver, SECTION_B } from "./runs.ts"

function rows(runs: PaperRuns): Row[] {
  const of = Object.fromEntries(shown.map((v) => [v, transient(runs, v, "flits")]))
  const peak = (v: string) => of[v]?.peak ?? Number.NaN
  const excess = (v: string) => Math.max(1, of[v]?.excess ?? Number.NaN)
  const list = (f: (v: string) => number) => shown.map((v) => `${v} ${f(v).toFixed(0)}`).join(", ")
  const packets = transient(runs, "baseline", "packets")
  const peaks = `ns: ${list(peak)}; windows of packets: baseline ${packets.peak.toFixed(0)}`
  const sums = `ns us: ${list(excess)}`
  return [
    worse("highest mean latency of a microsecond, baseline over 50 %", peak("baseline"), peak("50 %"), peaks),
    worse("the same, 50 % over 100 %", peak("50 %"), peak("100 %"), halves(runs, peak), CLEARLY),
    ours(worse("the same, 10 % over 100 %", peak("10 %"), peak("100 %"), "a stash that does fill up")),
    worse("excess latency until 60 us, baseline over 50 %", excess("baseline"), excess("50 %"), sums),
    worse("the same, 50 % over 100 %", excess("50 %"), excess("100 %"), halves(runs, excess), CLEARLY),
    ours(worse("the same, 10 % over 100 %", excess("10 %"), excess("100 %"), "a stash that does fill up")),
    within({
      claim: "baseline back within 10 % of the level before the aggressors, at (us)",
      paper: 60,
      value: of["baseline"]?.back ?? Number.NaN,
      low: 45,
      high: 75,
      note: `60 ± 15; windows of 4,096 packets instead of flits: ${packets.back.toFixed(0)}`,
    }),
  ]
}

const inPaper = ["baseline", "100 %", "50 %"]

/** The paper's three networks; then all of lacewing's, including windows of packets and private groups. */
function plots(figures: readonly Figure[]): Figure[] {
  const drawn = figureOf(figures, "victims-flits")
  if (drawn === undefined) return [...figures]
  const paper = {
    ...drawn,
    id: "victims",
    lines: drawn.lines.filter((l) => inPaper.includes(l.name)),
    marks: [
      { x: 20, name: "the aggressor is activated", source: SECTION_B },
      { x: 60, name: "back to normal at about 60 us", source: SECTION_B },
    ],
  }
  return [
    paper,
    ...figures.map((f) => ({ ...f, title: `${f.title}${f === drawn ? ": other capacities" : ""} (not in the paper)` })),
  ]
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
  figures: (runs) =>
    units.map((unit) => ({
      kind: "lines",
      id: `victims-${unit}`,
      title: `Network latency of victims, ${unitNames[unit]}`,
      caption: "Mean of the packets that arrive in each microsecond, and of the seeds. Aggressors start at 20 us.",
      x: { label: "Time (us)" },
      y: { label: "Mean network latency (ns)" },
      lines: shown
        .filter((v) => having(runs, v, unit).length > 0)
        .map((v) => lineOver(v, having(runs, v, unit), "victims.series", "network")),
      markers: false,
    })),
} satisfies PaperFigure
