// Figures 4 and 5: AMG and MultiGrid on four networks of equal links.
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, unchecked, within } from "../paper.ts"
import {
  type App,
  experiments,
  limitOf,
  longest,
  type Net,
  panels,
  ratio,
  readingOf,
  shares,
  shortest,
  type Time,
  timeOf,
  type Wish,
} from "./interference.ts"
import { cites } from "./networks.ts"

const nets: readonly Net[] = ["Slim Fly", "Fit Fly", "Dragonfly", "Megafly"]
const loads = { full: [0, 0.025, 0.05, 0.1, 0.15, 0.3, 0.45, 0.6], quick: [0, 0.15, 0.6] } as const
const LINK = 12.5
const TOP = 0.6

function plan(app: App, mode: Mode): PaperPlan {
  const seeds = mode === "full" ? 3 : 1
  const wish = (net: Net, of: readonly number[], s: number): Wish => ({
    net,
    app,
    link: LINK,
    base: LINK,
    loads: of,
    seeds: s,
    limit: limitOf(app, LINK),
  })
  const judged = app === "amg" ? [0, TOP] : [0, 0.15, TOP]
  const rest = loads[mode].filter((l) => !judged.includes(l))
  return {
    experiments: experiments(
      mode,
      nets.flatMap((net) => [wish(net, judged, seeds), wish(net, rest, 1)]),
    ),
  }
}

function rows(app: App, runs: PaperRuns, mode: Mode): Row[] {
  const of = (net: Net) => ({ app, net, link: LINK, base: LINK })
  const time = (net: Net, load: number) => timeOf(runs, of(net), load)
  const hops = (net: Net) => readingOf(runs, of(net), 0, "hops.mean")
  const idle = nets.map((net) => time(net, 0))
  const others = nets.filter((net) => net !== "Fit Fly")
  const more = Number.POSITIVE_INFINITY
  const bound = "an order of the paper: any factor above one"
  return [
    ratio(
      {
        claim: "idle: time of the slowest network over that of the fastest",
        paper: "closely matched at low load",
        low: 1,
        high: 1.2,
        note: "all within a fifth",
      },
      longest(idle),
      shortest(idle),
    ),
    ratio(
      {
        claim: "60 %: Slim Fly's time over Fit Fly's",
        paper: "Fit Fly well outperforms each network",
        low: 1 + 1e-9,
        high: more,
        note: bound,
      },
      time("Slim Fly", TOP),
      time("Fit Fly", TOP),
    ),
    ratio(
      {
        claim: "60 %: time of the better of Dragonfly and Megafly over Slim Fly's",
        paper: "Slim Fly beats both at high load, by up to 50 % of their time",
        low: 1 + 1e-9,
        high: 4,
        note: "a factor of two at most in the paper; twice that with a skeleton of the application",
      },
      shortest([time("Dragonfly", TOP), time("Megafly", TOP)]),
      time("Slim Fly", TOP),
    ),
    ...(["Dragonfly", "Megafly"] as const).flatMap((net) =>
      (["Slim Fly", "Fit Fly"] as const).map((low) => {
        const claim = `idle: mean hops of ${net} less those of ${low}`
        if (mode === "quick") return unchecked(claim, "well above", "a smaller network has other distances")
        return within({
          claim,
          paper: "Slim Fly and Fit Fly show great advantage",
          value: hops(net) - hops(low),
          low: 1e-9,
          high: more,
          note: "an order of the paper, which prints no number: any difference above zero",
        })
      }),
    ),
    ...(app === "amg" ? [] : multigridRows(time, others)),
  ]
}

/** Claims about MultiGrid alone. */
function multigridRows(time: (net: Net, load: number) => Time, others: readonly Net[]): Row[] {
  return [
    ...nets.map((net) =>
      ratio(
        {
          claim: `${net}: time at 15 % over that of the idle network`,
          paper: "unperturbed up to 15 %",
          low: 0.9,
          high: 1.1,
          note: "within a tenth",
        },
        time(net, 0.15),
        time(net, 0),
      ),
    ),
    ratio(
      {
        claim: "15 %: time of the fastest other network over Fit Fly's",
        paper: "Fit Fly narrowly outperforms them all",
        low: 1 + 1e-9,
        high: 1.2,
        note: "narrowly: within a fifth",
      },
      shortest(others.map((net) => time(net, 0.15))),
      time("Fit Fly", 0.15),
    ),
    ratio(
      {
        claim: "Fit Fly: time at 60 % over that of the idle network",
        paper: "unimpeded even at the highest level",
        low: 0.9,
        high: 1.1,
        note: "within a tenth",
      },
      time("Fit Fly", TOP),
      time("Fit Fly", 0),
    ),
  ]
}

function figure(id: string, app: App, title: string): PaperFigure {
  return {
    id,
    shares,
    cites,
    title,
    claim:
      "close together when idle; at high load Fit Fly is best, and Slim Fly " +
      "before Dragonfly and Megafly; fewer hops on both",
    quick: {
      ...plan(app, "quick"),
      scaled: "q = 5 instead of 13, 64 ranks and 66 background ranks, three loads, one seed",
    },
    full: plan(app, "full"),
    rows: (runs, mode) => rows(app, runs, mode),
    figures: (runs, mode) =>
      panels(
        runs,
        nets.map((net) => ({ name: net, app, net, link: LINK, base: LINK })),
        loads[mode],
      ),
  }
}

export const fig4 = figure("fitfly/fig4", "amg", "AMG on 1,728 ranks with background traffic, four networks")
export const fig5 = figure(
  "fitfly/fig5",
  "multigrid",
  "MultiGrid on 1,000 ranks with background traffic, four networks",
)
