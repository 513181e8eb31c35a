// How many sinks a source has in figures 7a, 7b and 8, and our option `direct`: the rows of these figures once more
// under each other assumption, at full size with one seed.
import type { Figure, Line } from "../../draw/figure/figure.ts"
import { type PaperFigure, type PaperRuns, type Row, sensitivity, within, wordOf } from "../paper.ts"
import fig7a from "./fig7a.ts"
import fig7b from "./fig7b.ts"
import fig8 from "./fig8.ts"
import { EACH, experiment, full, type HotspotOptions, having, JUDGED, offered } from "./hotspots.ts"
import { cites, lineOver } from "./runs.ts"

const STASHED = ["baseline", "100 %", "50 %"]

/** Name of an experiment -> the assumption, and what it changes. */
const changes: Readonly<Record<string, readonly [string, Partial<HotspotOptions>]>> = {
  "each-2": ["two sinks for each source, 8 windows for each sink", { each: 2 }],
  "each-4": ["four sinks for each source, 16 windows for each sink", { each: 4 }],
  "each-6": ["six sinks for each source, 24 windows for each sink", { each: 6 }],
  direct: [
    "minimal routes for flows whose window was cut to 0.9 (`direct`)",
    { each: EACH, congestion: { name: "ecn-window", direct: 0.9 } },
  ],
}

const figures: Readonly<Record<string, PaperFigure>> = { fig7a, fig7b, fig8 }

/** The rows of a figure from some runs; those without aggressors are the same under every assumption. */
function rowsOf(figure: PaperFigure, runs: PaperRuns, name: string): readonly Row[] {
  const judged = runs[JUDGED] ?? []
  const first = judged.filter((r) => r.seed === judged[0]?.seed)
  const own = (runs[name] ?? []).concat(first.filter((r) => r.point["variant"] === "no aggressors"))
  return figure.rows({ [JUDGED]: name === JUDGED ? first : own }, "full", () => Number.NaN)
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

const caption = "The judged set has three sinks for each source and is the mean of its seeds. The others have one seed."

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
  title: "How many sinks a source has",
  claim: "which rows of figures 7a, 7b and 8 depend on what was assumed",
  full: {
    experiments: {
      ...full.experiments,
      ...Object.fromEntries(
        Object.entries(changes).map(([name, [, change]]) => [name, experiment({ net: "full", ...change }, STASHED, 1)]),
      ),
    },
  },
  rows: (runs) => rows(runs),
  figures: drawn,
} satisfies PaperFigure
