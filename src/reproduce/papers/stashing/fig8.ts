// Figure 8: a hot spot's switch during the congestion event: what is injected for a sink (mean of all sinks), and how
// full the stash of one sink's switch is. The sources generate 4 flits per cycle and sink all the time (they are
// backlogged).
import type { Figure, Line } from "../../../draw/figure/figure.ts"
import { linesOf } from "../drawn.ts"
import { type Mode, type PaperFigure, type PaperRuns, type Row, unchecked, within } from "../paper.ts"
import { full, offered, quick, START, stashUse } from "./hotspots.ts"
import { cites, SECTION_B } from "./runs.ts"

type Over = { readonly time: readonly number[]; readonly value: readonly number[] }

/** Values of a recorded line in a span of time (us). */
function between(line: Line | undefined, from: number, to: number): number[] {
  return (line?.spots ?? []).filter(({ x }) => x > from && x <= to).map(({ y }) => y)
}
const mean = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0) / all.length
/** NaN, not an infinity, of nothing */
const extreme = (of: typeof Math.max, all: readonly number[]): number => (all.length === 0 ? Number.NaN : of(...all))

/** All that is judged is drawn: the rows follow from the recorded curves. */
function again(figures: readonly Figure[]): Row[] {
  const load = linesOf(figures, "offered")["100 %"]
  const stash = linesOf(figures, "stash")["100 %"]
  const onset = extreme(Math.max, between(load, START, START + 4))
  const fell = load?.spots.find(({ x, y }) => x > START + 2 && y < 3)?.x ?? Number.NaN
  return [
    within({
      claim: "injected for each sink, mean of 22..30 us (flits per cycle)",
      paper: 4,
      value: mean(between(load, 22, 30)),
      low: 3.5,
      high: 4.5,
      note: `4 ± 0.5; most of a microsecond at the onset ${onset.toFixed(2)}; the sources generate 4 throughout`,
    }),
    within({ claim: "injected load falls below 3 at (us)", paper: 32, value: fell, low: 28, high: 36, note: "32 ± 4" }),
    within({
      claim: "injected in 65..75 us (flits per cycle)",
      paper: 1,
      value: mean(between(load, 65, 75)),
      low: 0.8,
      high: 1.2,
      note: "1 ± 0.2: what the sink can drain",
    }),
    within({
      claim: "part of the switch's stash in use, least of 30..50 us",
      paper: "remains high",
      value: extreme(Math.min, between(stash, 30, 50)),
      low: 0.5 + Number.EPSILON,
      high: 1,
      note: `above half; at most ${(100 * extreme(Math.max, between(stash, 0, 1000))).toFixed(0)} % at any time`,
    }),
    within({
      claim: "part of the switch's stash in use after 80 us, most",
      paper: "near zero",
      value: extreme(Math.max, between(stash, 80, 1000)),
      low: 0,
      high: 0.05 - Number.EPSILON,
      note: "below 5 %",
    }),
  ]
}

function figures(runs: PaperRuns, mode: Mode): Figure[] {
  const line = (name: string, { time, value }: Over): Line => ({
    name,
    spots: time.map((t, i) => ({ x: t / 1000, y: value[i] })),
  })
  const common = { kind: "lines" as const, x: { label: "Time (us)" }, markers: false, caption: "Mean of the seeds." }
  return [
    {
      ...common,
      id: "offered",
      title: "Injected for each sink",
      y: { label: "Flits per cycle" },
      lines: ["baseline", "100 %"].map((v) => line(v, offered(runs, v, mode))),
    },
    {
      ...common,
      id: "stash",
      title: "Stash of the hot spot's switch",
      y: { label: "Part in use" },
      lines: ["100 %", "50 %"].map((v) => line(v, stashUse(runs, v, mode))),
    },
  ]
}

/** One picture with two axes. */
function plot(recorded: readonly Figure[]): Figure {
  const load = linesOf(recorded, "offered")["100 %"]?.spots ?? []
  const stash = linesOf(recorded, "stash")["100 %"]?.spots ?? []
  return {
    kind: "lines",
    id: "switch",
    title: "A hot spot's switch",
    caption:
      "Injected for each sink, mean of all, and how full the stash of one sink's " +
      "switch is, 100 % of the capacity. Mean of the seeds.",
    x: { label: "Time (us)" },
    y: { label: "Load (flits per cycle)", min: 0 },
    right: { label: "Stash in use", min: 0, max: 1, format: "percent" },
    lines: [
      { name: "offered load", spots: load },
      { name: "stash utilization", spots: stash, axis: "right" },
    ],
    markers: false,
    marks,
  }
}

const marks = [
  { x: 20, y: 4, name: "the aggressor starts, 4 flits per cycle", source: SECTION_B },
  { x: 32, name: "offered load decreases sharply, about 12 us after the onset", source: SECTION_B },
  { x: 60, y: 1, name: "steady state at about 60 us, 1 flit per cycle", source: SECTION_B },
]

export default {
  id: "stashing/fig8",
  shares: "stashing/hotspots",
  cites,
  title: "A hot spot's switch during congestion",
  claim:
    "offered load shoots up to 4 flits per cycle and the stash fills; ECN brings " +
    "it down to 1 by about 60 us and the stash empties",
  quick,
  full,
  rows: (runs, mode) => again(figures(runs, mode)),
  // a record with other curves is of another set and decides nothing
  again: (recorded) =>
    linesOf(recorded, "offered")["100 %"] === undefined
      ? again([]).map((r) => unchecked(r.claim, r.paper, "recorded with other hot spots"))
      : again(recorded),
  figures,
  plots: (recorded) => [plot(recorded)],
} satisfies PaperFigure
