// Figure 7b: distribution of the victims' network latency from the onset of congestion on.
import type { Line } from "../../lab/figure.ts"
import { type PaperFigure, type PaperRuns, type Row, within } from "../../lab/paper.ts"
import { full, having, quick, type Unit, units, value } from "./hotspots.ts"
import { cites, column } from "./runs.ts"

function rowsOf(runs: PaperRuns, unit: Unit): Row[] {
  const tail = (variant: string) => value(runs, variant, unit, "victims.network.p999")
  const most = (variant: string) => value(runs, variant, unit, "victims.network.max")
  const calm = most("no aggressors")
  const all = (of: (v: string) => number) =>
    ["baseline", "50 %", "100 %", "0 %", "no aggressors"].map((v) => `${v}: ${of(v).toFixed(0)}`).join(", ")
  const more = (claim: string, a: number, b: number, note: string): Row =>
    within({
      claim: `windows in ${unit}: ${claim}`,
      paper: "more than 1",
      value: a / b,
      low: 1,
      high: Number.POSITIVE_INFINITY,
      note: `${note} (ns)`,
    })
  return [
    more("99.9th percentile, baseline over 50 %", tail("baseline"), tail("50 %"), all(tail)),
    more("99.9th percentile, 50 % over 100 %", tail("50 %"), tail("100 %"), all(tail)),
    more("largest, baseline over 50 %", most("baseline"), most("50 %"), all(most)),
    more("largest, 50 % over 100 %", most("50 %"), most("100 %"), all(most)),
    within({
      claim: `windows in ${unit}: largest latency with 100 % over that without aggressors`,
      paper: 3,
      value: most("100 %") / calm,
      low: 2,
      high: 4.5,
      note: "2 to 4.5",
    }),
    within({
      claim: `windows in ${unit}: largest latency, baseline over 100 %`,
      paper: "a very long tail",
      value: most("baseline") / most("100 %"),
      low: 2,
      high: Number.POSITIVE_INFINITY,
      note: "at least 2",
    }),
  ]
}

/** Share of packets that took longer: the tail is what the figure is about. */
function tailLine(runs: PaperRuns, variant: string, unit: Unit): Line {
  const run = having(runs, variant, unit)[0]
  const [high, share] =
    run === undefined ? [[], []] : [column(run, "victims.network.histogram", "high"), column(run, "victims.network.histogram", "share")]
  const spots = high.flatMap((x, i) =>
    share[i]! < 1
      ? [
          {
            x,
            y: 1 - share[i]!,
            facts: [
              ["longer than", x],
              ["share of packets", 1 - share[i]!],
            ] as const,
          },
        ]
      : [],
  )
  return { name: variant, spots }
}

export default {
  id: "stashing/fig7b",
  shares: "stashing/hotspots",
  cites,
  title: "Distribution of victims' latency",
  claim: "the baseline has a very long tail; with the whole stash the largest latency is about three times that without aggressors",
  quick,
  full,
  rows: (runs) => units.flatMap((unit) => rowsOf(runs, unit)),
  figures: (runs) =>
    units.map((unit) => ({
      kind: "lines",
      id: `tail-${unit}`,
      title: `Victims slower than a latency, windows of 4,096 ${unit}`,
      caption: "Share of packets that were created from 20 us on and took longer; one seed.",
      x: { label: "Network latency (ns)", log: true },
      y: { label: "Share of packets that took longer", log: true },
      lines: ["baseline", "50 %", "100 %", "0 %", "no aggressors"].map((v) => tailLine(runs, v, unit)),
      markers: false,
    })),
} satisfies PaperFigure
