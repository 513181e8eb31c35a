// Table 3: longest communication times with a background of 72.5 % of a link. Dragonfly and Megafly did not end within
// a second in the paper. Here they are stopped at a limit of several times Slim Fly's time, and the ratio is then a
// lower bound.
import { type Mode, type PaperFigure, type PaperPlan, type PaperRuns, type Row, sensitivity } from "../paper.ts"
import { type App, experiments, limitOf, type Net, ratio, shares, timeOf } from "./interference.ts"
import { cites } from "./networks.ts"

/** The node links of the network file that CODES ships for the dragonfly carry half of what the others do. */
const SHIPPED = "shipped" as const
const LINK = 12.5
const LOAD = 0.725
const apps = { amg: "AMG", multigrid: "MultiGrid" } as const
/** simulated time at which Dragonfly and Megafly are stopped */
const stop = { amg: "40ms", multigrid: "50ms" } as const

function plan(mode: Mode): PaperPlan {
  const wish = (app: App, net: Net) => {
    const fly = net === "Slim Fly" || net === "Fit Fly"
    return {
      net,
      app,
      link: LINK,
      base: LINK,
      loads: [LOAD],
      // runs that are expected to be stopped cost minutes each, and none of their values is taken but that they were
      seeds: mode === "full" && fly ? 3 : 1,
      limit: fly ? limitOf(app, LINK) : stop[app],
    }
  }
  const nets: readonly Net[] = ["Slim Fly", "Fit Fly", "Dragonfly", "Megafly"]
  const runs = (["amg", "multigrid"] as const).flatMap((app) => nets.map((net) => wish(app, net)))
  return { experiments: experiments(mode, [...runs, { ...wish("amg", "Dragonfly"), variant: SHIPPED }]) }
}

/** Milliseconds of Table 3, and the least ratio that counts; at most twice the paper's. */
const paper = { amg: { slim: 28.4, fit: 1.4, least: 10.1 }, multigrid: { slim: 20.3, fit: 5.4, least: 2 } } as const

/** The paper prints a limit only: more than a second, which is 35 times Slim Fly's 28.4 ms. */
const above = { low: 5, high: Number.POSITIVE_INFINITY } as const

function rows(runs: PaperRuns): Row[] {
  const of = (app: App, net: Net) => ({ app, net, link: LINK, base: LINK })
  const time = (app: App, net: Net) => timeOf(runs, of(app, net), LOAD)
  const shipped = timeOf(runs, { ...of("amg", "Dragonfly"), variant: SHIPPED }, LOAD)
  const rowsOf = (["amg", "multigrid"] as const).flatMap((app) => [
    ratio(
      {
        claim: `${apps[app]}: Slim Fly's time over Fit Fly's`,
        paper: Number((paper[app].slim / paper[app].fit).toFixed(1)),
        low: paper[app].least,
        high: (2 * paper[app].slim) / paper[app].fit,
        note: `${paper[app].slim} and ${paper[app].fit} ms with the traced application; a factor of two with a skeleton of it`,
      },
      time(app, "Slim Fly"),
      time(app, "Fit Fly"),
    ),
    ...(["Dragonfly", "Megafly"] as const).map((net) =>
      ratio(
        { claim: `${apps[app]}: ${net}'s time over Slim Fly's`, paper: "more than a second", ...above },
        time(app, net),
        time(app, "Slim Fly"),
      ),
    ),
  ])
  return [
    ...rowsOf,
    sensitivity(
      ratio(
        {
          claim: "AMG: Dragonfly's time over Slim Fly's with the links that CODES ships for this dragonfly",
          paper: "not in the paper",
          ...above,
          note: "links of 6.25, 12.5 and 25 GiB/s at endpoints, inside groups and between them",
        },
        shipped,
        time("amg", "Slim Fly"),
      ),
    ),
  ]
}

export default {
  id: "fitfly/table3",
  shares,
  cites,
  title: "Communication times with a background of 72.5 % of a link",
  claim: "Fit Fly is far ahead of Slim Fly, and both of Dragonfly and Megafly, which do not end in reasonable time",
  quick: { ...plan("quick"), scaled: "q = 5 instead of 13, 64 ranks and 66 background ranks, one seed" },
  full: plan("full"),
  rows,
} satisfies PaperFigure
