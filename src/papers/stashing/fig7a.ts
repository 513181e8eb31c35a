// Figure 7a: mean network latency of the victims over time, around the onset of congestion.
import { type PaperFigure, type PaperRuns, type Row, within } from "../../lab/paper.ts"
import { full, having, quick, transient, type Unit, units } from "./hotspots.ts"
import { cites, lineOver } from "./runs.ts"

function rowsOf(runs: PaperRuns, unit: Unit): Row[] {
  const of = { baseline: transient(runs, "baseline", unit), half: transient(runs, "50 %", unit), whole: transient(runs, "100 %", unit) }
  const zero = transient(runs, "0 %", unit)
  const more = (claim: string, a: number, b: number, note: string): Row =>
    within({
      claim: `windows in ${unit}: ${claim}`,
      paper: "more than 1",
      value: a / b,
      low: 1,
      high: Number.POSITIVE_INFINITY,
      note,
    })
  const ns = (x: number) => x.toFixed(0)
  const peaks = `peaks ${ns(of.baseline.peak)}, ${ns(of.half.peak)}, ${ns(of.whole.peak)} ns, before ${ns(of.baseline.level)}; 0 % of the stash: ${ns(zero.peak)}`
  const sums = `${ns(of.baseline.excess)}, ${ns(of.half.excess)}, ${ns(of.whole.excess)} ns us; 0 % of the stash: ${ns(zero.excess)}`
  return [
    more("highest latency, baseline over 50 %", of.baseline.peak, of.half.peak, peaks),
    more("highest latency, 50 % over 100 %", of.half.peak, of.whole.peak, peaks),
    more("excess latency until 60 us, baseline over 50 %", of.baseline.excess, Math.max(1, of.half.excess), sums),
    more("excess latency until 60 us, 50 % over 100 %", of.half.excess, Math.max(1, of.whole.excess), sums),
    within({
      claim: `windows in ${unit}: baseline back within 10 % of the level before, at (us)`,
      paper: 60,
      value: of.baseline.back,
      low: 45,
      high: 75,
      note: "60 ± 15",
    }),
  ]
}

export default {
  id: "stashing/fig7a",
  shares: "stashing/hotspots",
  cites,
  title: "Victims' latency around the onset of congestion",
  claim: "stashing keeps the victims' latency near normal; more stash helps more; ECN ends the transient at about 60 us",
  quick,
  full,
  rows: (runs) => units.flatMap((unit) => rowsOf(runs, unit)),
  figures: (runs) =>
    units.map((unit) => ({
      kind: "lines",
      id: `victims-${unit}`,
      title: `Network latency of victims, windows of 4,096 ${unit}`,
      caption: "Mean of the packets that arrive in each microsecond, and of the seeds. Aggressors start at 20 us.",
      x: { label: "Time (us)" },
      y: { label: "Mean network latency (ns)" },
      lines: ["baseline", "50 %", "100 %", "0 %", "no aggressors"].map((v) =>
        lineOver(v, having(runs, v, unit), "victims.series", "network"),
      ),
      markers: false,
    })),
} satisfies PaperFigure
