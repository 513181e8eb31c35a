// Table 3: longest communication times with a background of 72.5 % of a link. Dragonfly and Megafly did not end within
// a second in the paper. Here they are stopped at a limit of several times Slim Fly's time, and the ratio is then a
// lower bound.
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, sensitivity, within } from "../paper.ts"
import { type App, experiments, type Net, timeOf } from "./interference.ts"
import { cites } from "./networks.ts"

/** The node links of the network file that CODES ships for the dragonfly carry half of what the others do. */
const SHIPPED = "shipped" as const
const LINK = 12.5
const LOAD = 0.725
const apps = { amg: "AMG", multigrid: "MultiGrid" } as const
/** simulated time at which runs are stopped */
const limits = { full: { amg: "40ms", multigrid: "50ms" }, quick: { amg: "20ms", multigrid: "20ms" } } as const

function plan(mode: Mode): PaperPlan {
  // runs that are expected to be stopped cost minutes each, and none of their values is taken but that they were
  const seeds = (net: Net) => (mode === "full" && (net === "Slim Fly" || net === "Fit Fly") ? 3 : 1)
  const wish = (app: App, net: Net) => ({
    net,
    app,
    link: LINK,
    base: LINK,
    loads: [LOAD],
    seeds: seeds(net),
    limit: limits[mode][app],
  })
  const nets: readonly Net[] = ["Slim Fly", "Fit Fly", "Dragonfly", "Megafly"]
  const runs = (["amg", "multigrid"] as const).flatMap((app) => nets.map((net) => wish(app, net)))
  return { experiments: experiments(mode, [...runs, { ...wish("amg", "Dragonfly"), variant: SHIPPED }]) }
}

/** Milliseconds of Table 3, and the least ratio that counts; at most twice the paper's. */
const paper = { amg: { slim: 28.4, fit: 1.4, least: 10.1 }, multigrid: { slim: 20.3, fit: 5.4, least: 2 } } as const

function rows(runs: PaperRuns): Row[] {
  const of = (app: App, net: Net) => ({ app, net, link: LINK, base: LINK })
  const time = (app: App, net: Net) => timeOf(runs, of(app, net), LOAD)
  const shipped = timeOf(runs, { ...of("amg", "Dragonfly"), variant: SHIPPED }, LOAD)
  const rowsOf = (["amg", "multigrid"] as const).flatMap((app) => [
    within({
      claim: `${apps[app]}: Slim Fly's time over Fit Fly's`,
      paper: Number((paper[app].slim / paper[app].fit).toFixed(1)),
      value: time(app, "Slim Fly") / time(app, "Fit Fly"),
      low: paper[app].least,
      high: (2 * paper[app].slim) / paper[app].fit,
      note: `${paper[app].slim} and ${paper[app].fit} ms with the traced application; a factor of two with a skeleton of it`,
    }),
    ...(["Dragonfly", "Megafly"] as const).map((net) =>
      within({
        claim: `${apps[app]}: ${net}'s time over Slim Fly's`,
        paper: "more than a second",
        value: time(app, net) / time(app, "Slim Fly"),
        low: 5,
        high: Number.POSITIVE_INFINITY,
        note: "a run that is stopped counts with its limit",
      }),
    ),
  ])
  return [
    ...rowsOf,
    sensitivity(
      within({
        claim: "AMG: Dragonfly's time over Slim Fly's with the links that CODES ships for this dragonfly",
        paper: "not in the paper",
        value: shipped / time("amg", "Slim Fly"),
        low: 5,
        high: Number.POSITIVE_INFINITY,
        note: "links of 6.25, 12.5 and 25 GiB/s at endpoints, inside groups and between them",
      }),
    ),
  ]
}

export default {
  id: "fitfly/table3",
  cites,
  title: "Communication times with a background of 72.5 % of a link",
  claim: "Fit Fly is far ahead of Slim Fly, and both of Dragonfly and Megafly, which do not end in reasonable time",
  quick: { ...plan("quick"), scaled: "q = 5 instead of 13, 64 ranks and 66 background ranks, one seed" },
  full: plan("full"),
  rows,
} satisfies PaperFigure
