// Table 3: longest communication times with a background of 72.5 % of a link. Dragonfly and Megafly did not end within
// a second in the paper. Here they are stopped at a limit of several times Slim Fly's time, and the ratio is then a
// lower bound.
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, unchecked, within } from "../paper.ts"
import { type App, experiments, type Net, timeOf } from "./interference.ts"
import { cites } from "./networks.ts"

const LINK = 12.5
const LOAD = 0.725
const apps = { amg: "AMG", multigrid: "MultiGrid" } as const
/** simulated time at which runs are stopped */
const limits = { full: { amg: "40ms", multigrid: "50ms" }, quick: { amg: "20ms", multigrid: "20ms" } } as const

/** Five times what MultiGrid takes on Slim Fly is an hour of computing for each network. */
function isRun(mode: Mode, app: App, net: Net): boolean {
  return mode === "quick" || app === "amg" || net === "Slim Fly" || net === "Fit Fly"
}

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
  const runs = (["amg", "multigrid"] as const).flatMap((app) =>
    nets.filter((net) => isRun(mode, app, net)).map((net) => wish(app, net)),
  )
  return { experiments: experiments(mode, runs) }
}

/** Seconds of Table 3, and the least ratio that counts. */
const paper = { amg: { slim: 28.4, fit: 1.4, least: 5 }, multigrid: { slim: 20.3, fit: 5.4, least: 2 } } as const

function rows(runs: PaperRuns, mode: Mode): Row[] {
  const time = (app: App, net: Net) => timeOf(runs, { app, net, link: LINK, base: LINK }, LOAD)
  return (["amg", "multigrid"] as const).flatMap((app) => [
    within({
      claim: `${apps[app]}: Slim Fly's time over Fit Fly's`,
      paper: Number((paper[app].slim / paper[app].fit).toFixed(1)),
      value: time(app, "Slim Fly") / time(app, "Fit Fly"),
      low: paper[app].least,
      high: Number.POSITIVE_INFINITY,
      note:
        `${paper[app].slim} and ${paper[app].fit} ms with the traced application; at ` +
        `least ${paper[app].least} with a skeleton of it`,
    }),
    ...(["Dragonfly", "Megafly"] as const).map((net) => {
      const claim = `${apps[app]}: ${net}'s time over Slim Fly's`
      if (!isRun(mode, app, net))
        return unchecked(claim, "more than a second", "five times Slim Fly's time is an hour of computing")
      return within({
        claim,
        paper: "more than a second",
        value: time(app, net) / time(app, "Slim Fly"),
        low: 5,
        high: Number.POSITIVE_INFINITY,
        note: "a run that is stopped counts with its limit",
      })
    }),
  ])
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
