// Figures 6 to 9: Slim Fly and Fit Fly with links such that both carry about the same. Background loads are fractions
// of Slim Fly's link in both.
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, sensitivity, within } from "../paper.ts"
import { type App, experiments, limitOf, panels, ratio, readingOf, shares, timeOf } from "./interference.ts"
import { cites } from "./networks.ts"

const loads = { full: [0, 0.025, 0.05, 0.1, 0.15, 0.3, 0.45, 0.6, 0.725], quick: [0, 0.15, 0.45, 0.725] } as const
const TOP = 0.725

interface Links {
  readonly app: App
  /** GiB/s */
  readonly slim: number
  readonly fit: number
}

const pair = ({ app, slim, fit }: Links) =>
  [
    { app, net: "Slim Fly", link: slim, base: slim },
    { app, net: "Fit Fly", link: fit, base: slim },
  ] as const

function plan(of: Links, mode: Mode): PaperPlan {
  const seeds = mode === "full" ? 3 : 1
  const limit = limitOf(of.app, of.slim)
  const judged = [0, TOP]
  const rest = loads[mode].filter((l) => !judged.includes(l))
  return {
    experiments: experiments(
      mode,
      pair(of).flatMap((w) => [
        { ...w, loads: judged, seeds, limit },
        { ...w, loads: rest, seeds: 1, limit },
        { ...w, variant: "ours" as const, loads: [TOP], seeds: 1, limit },
      ]),
    ),
  }
}

function rows(of: Links, runs: PaperRuns, mode: Mode): Row[] {
  const [slim, fit] = pair(of)
  const times = (load: number) => [timeOf(runs, fit, load), timeOf(runs, slim, load)] as const
  const ours = { variant: "ours" } as const
  const fewer = loads[mode].filter(
    (l) => readingOf(runs, fit, l, "hops.mean") < readingOf(runs, slim, l, "hops.mean"),
  ).length
  return [
    ratio(
      {
        claim: "idle: Fit Fly's time over Slim Fly's",
        paper: "similar; Slim Fly slightly better",
        low: 1,
        high: 1.3,
      },
      ...times(0),
    ),
    ratio(
      {
        claim: "72.5 %: Fit Fly's time over Slim Fly's",
        paper: "Fit Fly handles more interference",
        low: 0,
        high: 1 - 1e-9,
        note: "an order of the paper: any factor below one",
      },
      ...times(TOP),
    ),
    within({
      claim: "share of the loads at which Fit Fly's packets take fewer hops",
      paper: "consistently lower",
      value: fewer / loads[mode].length,
      low: 0.75,
      high: 1,
    }),
    sensitivity(
      ratio(
        {
          claim: "72.5 %: the same with the rules of lacewing",
          paper: "not in the paper",
          low: 0,
          high: 1 - 1e-9,
          note: "each rail of an endpoint as fast as a link, random phases of the background, collectives with messages",
        },
        timeOf(runs, { ...fit, ...ours }, TOP),
        timeOf(runs, { ...slim, ...ours }, TOP),
      ),
    ),
  ]
}

function figure(id: string, of: Links, title: string): PaperFigure {
  return {
    id,
    shares,
    cites,
    title,
    claim:
      "similar when idle, Slim Fly slightly better; at high load Fit Fly is better, and its packets take fewer hops",
    quick: {
      ...plan(of, "quick"),
      scaled: "q = 5 instead of 13, 64 ranks and 66 background ranks, four loads, one seed",
    },
    full: plan(of, "full"),
    rows: (runs, mode) => rows(of, runs, mode),
    figures: (runs, mode) =>
      panels(
        runs,
        pair(of).map((w) => ({ ...w, name: `${w.net}, ${w.link} GiB/s` })),
        loads[mode],
      ),
  }
}

export const fig6 = figure(
  "fitfly/fig6",
  { app: "amg", slim: 12.5, fit: 7 },
  "AMG on Slim Fly of 12.5 and Fit Fly of 7 GiB/s",
)
export const fig7 = figure(
  "fitfly/fig7",
  { app: "multigrid", slim: 12.5, fit: 7 },
  "MultiGrid on Slim Fly of 12.5 and Fit Fly of 7 GiB/s",
)
export const fig8 = figure(
  "fitfly/fig8",
  { app: "amg", slim: 25, fit: 12.5 },
  "AMG on Slim Fly of 25 and Fit Fly of 12.5 GiB/s",
)
export const fig9 = figure(
  "fitfly/fig9",
  { app: "multigrid", slim: 25, fit: 12.5 },
  "MultiGrid on Slim Fly of 25 and Fit Fly of 12.5 GiB/s",
)
