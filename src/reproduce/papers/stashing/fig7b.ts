// Figure 7b: distribution of the victims' network latency from the onset of congestion on.
import type { Figure, Line } from "../../../draw/figure/figure.ts"
import { figureOf } from "../drawn.ts"
import { type PaperFigure, type PaperRuns, type Row, within } from "../paper.ts"
import { CLEARLY, full, halves, having, quick, shown, value, worse } from "./hotspots.ts"
import { cites, column, SECTION_B } from "./runs.ts"

function rows(runs: PaperRuns): Row[] {
  const of = (name: string) => (variant: string) => value(runs, variant, `victims.network.${name}`)
  const tail = of("p999")
  const most = of("max")
  const list = (f: (v: string) => number) => `ns: ${shown.map((v) => `${v} ${f(v).toFixed(0)}`).join(", ")}`
  return [
    worse("99.9th percentile, baseline over 50 %", tail("baseline"), tail("50 %"), list(tail)),
    worse("99.9th percentile, 50 % over 100 %", tail("50 %"), tail("100 %"), halves(runs), CLEARLY),
    worse("largest, baseline over 50 %", most("baseline"), most("50 %"), list(most)),
    worse("largest, 50 % over 100 %", most("50 %"), most("100 %"), halves(runs), CLEARLY),
    within({
      claim: "largest latency with 100 % over that without aggressors",
      paper: 3,
      value: most("100 %") / most("no aggressors"),
      low: 2,
      high: 4.5,
      note: "2 to 4.5",
    }),
    within({
      claim: "largest latency, baseline over 100 %",
      paper: "a very long tail",
      value: most("baseline") / most("100 %"),
      low: 2,
      high: Number.POSITIVE_INFINITY,
      note: "at least 2",
    }),
  ]
}

/** Share of packets that took longer: the tail is what the figure is about. */
function tailLine(runs: PaperRuns, variant: string): Line {
  const run = having(runs, variant)[0]
  const [high, share] =
    run === undefined
      ? [[], []]
      : [column(run, "victims.network.histogram", "high"), column(run, "victims.network.histogram", "share")]
  const spots = high.flatMap((x, i) => (share[i] < 1 ? [{ x, y: 1 - share[i] }] : []))
  return {
    name: variant,
    spots: spots.filter((spot, i) => i === 0 || i === spots.length - 1 || visible(spot, spots[i - 1])),
  }
}

/** Both axes are logarithmic: a step of less than a fortieth of a decade is not seen, and three thousand of them make a
 *  heavy record. */
function visible(a: { x: number; y: number }, b: { x: number; y: number }): boolean {
  const bin = (v: number) => Math.floor(40 * Math.log10(v))
  return bin(a.x) !== bin(b.x) || bin(a.y) !== bin(b.y)
}

const inPaper = ["baseline", "100 %", "50 %", "no aggressors"]

/** The paper's cumulative distribution of its four networks, and next to it the tails, which a cumulative one hides. */
function plots(figures: readonly Figure[]): Figure[] {
  const tail = figureOf(figures, "tail")
  if (tail === undefined) return [...figures]
  const lines = inPaper.flatMap((name) => tail.lines.filter((l) => l.name === name))
  const calm = Math.max(...lines.filter((l) => l.name === "no aggressors").flatMap((l) => l.spots.map((s) => s.x)))
  const cumulative: Figure = {
    ...tail,
    id: "cumulative",
    title: "Latency distribution of victims",
    caption: "Share of packets that were created from 20 us on and took at most so long; one seed.",
    y: { label: "Cumulative share of packets", max: 1 },
    lines: lines.map((l) => ({ name: l.name, spots: l.spots.map(({ x, y }) => ({ x, y: 1 - y })) })),
    ...(Number.isFinite(calm)
      ? {
          marks: [
            {
              x: 3 * calm,
              name: "100 %: largest latency about 3 times that of the calm network (here ours)",
              source: SECTION_B,
            },
          ],
        }
      : {}),
  }
  return [cumulative, ...figures.map((f) => ({ ...f, title: `${f.title} (not in the paper)` }))]
}

export default {
  id: "stashing/fig7b",
  shares: "stashing/hotspots",
  cites,
  title: "Distribution of victims' latency",
  claim:
    "the baseline has a very long tail; with the whole stash the largest " +
    "latency is about three times that without aggressors",
  quick,
  full,
  rows,
  plots,
  figures: (runs) => [
    {
      kind: "lines",
      id: "tail",
      title: "Victims slower than a latency",
      caption: "Share of packets that were created from 20 us on and took longer; one seed.",
      x: { label: "Network latency (ns)", log: true },
      y: { label: "Share of packets that took longer", log: true },
      lines: shown.map((v) => tailLine(runs, v)),
      markers: false,
    },
  ],
} satisfies PaperFigure
