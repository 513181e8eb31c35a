// Table 3: longest communication times beside a background of 72.5 % of a link. Dragonfly and Megafly did not end within a second in the paper; here they are
// stopped at a limit of several times Slim Fly's time, and the ratio is then a lower bound.
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { type App, experiments, type Net, timeOf } from "./interference.ts"
import { cites } from "./networks.ts"

const LINK = 12.5
const LOAD = 0.725
const apps = { amg: "AMG", multigrid: "MultiGrid" } as const
/** simulated time at which runs are stopped */
const limits = { full: { amg: "15ms", multigrid: "25ms" }, quick: { amg: "20ms", multigrid: "20ms" } } as const

function plan(mode: Mode): PaperPlan {
  const seeds = mode === "full" ? 3 : 1
  const wish = (app: App, net: Net) => ({ net, app, link: LINK, base: LINK, loads: [LOAD], seeds, limit: limits[mode][app] })
  const nets: readonly Net[] = ["Slim Fly", "Fit Fly", "Dragonfly", "Megafly"]
  return {
    experiments: experiments(
      mode,
      (["amg", "multigrid"] as const).flatMap((app) => nets.map((net) => wish(app, net))),
    ),
  }
}

/** Seconds of Table 3, and the least ratio that counts. */
const paper = { amg: { slim: 28.4, fit: 1.4, least: 5 }, multigrid: { slim: 20.3, fit: 5.4, least: 2 } } as const

function rows(runs: PaperRuns): Row[] {
  const time = (app: App, net: Net) => timeOf(runs, { app, net, link: LINK, base: LINK }, LOAD)
  return (["amg", "multigrid"] as const).flatMap((app) => [
    within({
      claim: `${apps[app]}: Slim Fly's time over Fit Fly's`,
      paper: Number((paper[app].slim / paper[app].fit).toFixed(1)),
      value: time(app, "Slim Fly") / time(app, "Fit Fly"),
      low: paper[app].least,
      high: Number.POSITIVE_INFINITY,
      note: `${paper[app].slim} and ${paper[app].fit} ms with the traced application; at least ${paper[app].least} with a skeleton of it`,
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
}

export default {
  id: "fitfly/table3",
  cites,
  title: "Communication times beside a background of 72.5 % of a link",
  claim: "Fit Fly is far ahead of Slim Fly, and both of Dragonfly and Megafly, which do not end in reasonable time",
  quick: { ...plan("quick"), scaled: "q = 5 instead of 13, 64 ranks and 66 background ranks, one seed" },
  full: plan("full"),
  rows,
} satisfies PaperFigure
