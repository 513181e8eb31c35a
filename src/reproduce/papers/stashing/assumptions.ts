// Other assumptions for figures 7a, 7b and 8: the number of sinks of a source, our option `direct`, and choices in the
// switch that the text leaves open. Each is judged by the rows of these figures, at full size with one seed.
import type { Figure, Line } from "../../../draw/figure/figure.ts"
import { type PaperFigure, type PaperRuns, type Row, sensitivity, within, wordOf } from "../paper.ts"
import fig7a from "./fig7a.ts"
import fig7b from "./fig7b.ts"
import fig8 from "./fig8.ts"
import { CALM, EACH, experiment, type HotspotOptions, having, JUDGED, offered, shown } from "./hotspots.ts"
import { cites, lineOver } from "./runs.ts"

const LOADED = shown.filter((v) => v !== CALM)

/** Name of an experiment -> the assumption, and what it changes. */
const changes: Readonly<Record<string, readonly [string, Partial<HotspotOptions>]>> = {
  "each-2": ["two sinks for each source, 8 windows for each sink", { each: 2 }],
  "each-4": ["four sinks for each source, 16 windows for each sink", { each: 4 }],
  "each-6": ["six sinks for each source, 24 windows for each sink", { each: 6 }],
  direct: [
    "minimal routes for flows whose window was cut to 0.9 (`direct`)",
    { each: EACH, congestion: { name: "ecn-window", direct: 0.9 } },
  ],
  "tile-buffers": [
    "row and column buffers of eight packets instead of four",
    { each: EACH, switch: { rowBuffer: "192flits", columnBuffer: "192flits" } },
  ],
  "round-trip": [
    "routing that sees queues with their round trip (`removeRoundTrip: false`)",
    { each: EACH, switch: { removeRoundTrip: false } },
  ],
}

/** The network without aggressors is the judged one, unless the switch differs. */
const variantsOf = (change: Partial<HotspotOptions>) => (change.switch === undefined ? LOADED : shown)

const figures: Readonly<Record<string, PaperFigure>> = { fig7a, fig7b, fig8 }

/** The rows of a figure from the runs of an experiment. Without a calm network of its own, it uses that of the judged set. */
function rowsOf(figure: PaperFigure, runs: PaperRuns, name: string): readonly Row[] {
  const calm = (some: PaperRuns[string]) => some.filter((r) => r.point["variant"] === CALM)
  const own = runs[name] ?? []
  const all = calm(own).length === 0 ? [...own, ...calm(runs[JUDGED] ?? [])] : own
  return figure.rows({ [JUDGED]: all }, "full", () => Number.NaN)
}

const digits = (row: Row | undefined): string => (row?.value ?? Number.NaN).toPrecision(3)

function rows(runs: PaperRuns): Row[] {
  return Object.entries(changes).map(([name, [claim]]) => {
    const otherwise = Object.entries(figures).flatMap(([id, figure]) => {
      const before = rowsOf(figure, runs, JUDGED)
      return rowsOf(figure, runs, name).flatMap((row, i) =>
        wordOf(row) === wordOf(before[i] ?? row)
          ? []
          : [`${id}, ${row.claim}: ${digits(row)} ${wordOf(row)}, judged set ${digits(before[i])}`],
      )
    })
    return sensitivity(
      within({
        claim: `${claim}: rows of figures 7a, 7b and 8 that answer otherwise`,
        paper: "",
        value: (runs[name] ?? []).length === 0 ? Number.NaN : otherwise.length,
        low: 0,
        high: 0,
        ...(otherwise.length === 0 ? {} : { note: otherwise.join("; ") }),
      }),
    )
  })
}

/** One line for the judged set and one for each assumption. */
function compared(runs: PaperRuns, draw: (some: PaperRuns) => Line): Line[] {
  return [JUDGED, ...Object.keys(changes)].map((name) => ({ ...draw({ [JUDGED]: runs[name] ?? [] }), name }))
}

const caption = "One seed each. The judged set has three sinks for each source."

/** The load of the aggressors with the whole stash, as in figure 8, and the victims of the baseline, as in figure 7a. */
function drawn(runs: PaperRuns): Figure[] {
  const load = (some: PaperRuns): Line => {
    const { time, value } = offered(some, "100 %", "full")
    return { name: "", spots: time.map((t, i) => ({ x: t / 1000, y: value[i] })) }
  }
  const latency = (some: PaperRuns): Line => lineOver("", having(some, "baseline"), "victims.series", "network")
  const common = { kind: "lines" as const, caption, x: { label: "Time (us)" }, markers: false }
  return [
    {
      ...common,
      id: "offered",
      title: "Injected for each sink, whole stash",
      y: { label: "Flits per cycle" },
      lines: compared(runs, load),
    },
    {
      ...common,
      id: "victims",
      title: "Network latency of victims, baseline",
      y: { label: "Mean network latency (ns)" },
      lines: compared(runs, latency),
    },
  ]
}

export default {
  id: "stashing/assumptions",
  number: "What the paper leaves open",
  shares: "stashing/hotspots",
  cites,
  title: "How many sinks a source has, and other assumptions",
  claim: "which rows of figures 7a, 7b and 8 depend on what was assumed",
  full: {
    experiments: {
      [JUDGED]: experiment({ net: "full", each: EACH }, shown, 1),
      ...Object.fromEntries(
        Object.entries(changes).map(([name, [, change]]) => [
          name,
          experiment({ net: "full", ...change }, variantsOf(change), 1),
        ]),
      ),
    },
  },
  rows: (runs) => rows(runs),
  figures: drawn,
} satisfies PaperFigure
