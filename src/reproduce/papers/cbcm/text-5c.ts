// Text of section V-C: packet latency of applications with a hot spot (two senders on each router, one destination),
// divided by that of the application alone.
import { type Mode, ours, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { cites } from "./network.ts"
import { type App, appNames, apps, experiment, IDEAL, overIdeal, slower } from "./traces.ts"

const protocols = {
  "Baseline(UGAL)": { name: "none" },
  "ECN(UGAL)": { name: "ecn-delay" },
  "SRP(UGAL)": { name: "srp" },
  "CBCM(UGAL)": { name: "cbcm" },
}
/** Endpoint 0 is the destination: the ranks of the other job are dealt to the routers in order. */
const withIdeal = { ...protocols, [IDEAL]: { name: "ideal", to: [0] } }
/** The first rank is the destination; the others send all that their links carry, in messages of four packets, as all
 *  synthetic traffic of the paper. */
const hotSpot = (senders: number) => ({
  name: "background",
  ranks: senders + 1,
  load: 1,
  period: "128ns",
  phase: "exponential",
  pattern: "hotspot",
})

const chosen: Readonly<Record<Mode, readonly App[]>> = { quick: ["hilo", "multigrid"], full: apps }

function plan(mode: Mode): PaperPlan {
  const beside = hotSpot(mode === "full" ? 32 : 16)
  return {
    experiments: Object.fromEntries(
      chosen[mode].flatMap((app) => [
        [`${app}-alone`, experiment(mode, app, protocols)] as const,
        [`${app}-beside`, experiment(mode, app, withIdeal, beside)] as const,
      ]),
    ),
  }
}

function rows(runs: PaperRuns, mode: Mode): Row[] {
  const some = chosen[mode]
  const most = (variant: string) => Math.max(...some.map((app) => slower(runs, app, variant)))
  return [
    within({
      claim: "no protocol: latency over that alone, most of the applications",
      paper: "up to 80 (HILO)",
      value: most("Baseline(UGAL)"),
      low: 10,
      high: Number.POSITIVE_INFINITY,
    }),
    ours(
      within({
        claim: "ECN: latency over that without a protocol, each the most of the applications",
        paper: "3 instead of 80",
        value: most("ECN(UGAL)") / most("Baseline(UGAL)"),
        low: 0,
        high: 1,
      }),
    ),
    ...(["SRP(UGAL)", "CBCM(UGAL)"] as const).map((variant) =>
      within({
        claim: `${variant}: latency over that of the ideal with the same hot spot, most of the applications`,
        paper: "up to 1.07",
        value: Math.max(...some.map((app) => overIdeal(runs, app, variant))),
        low: 0,
        high: 1.15,
        note: "over the ideal, because the hot spot shares routers with the application whatever the protocol",
      }),
    ),
    ...some.map((app) =>
      ours(
        within({
          claim: `${appNames[app]}: latency with CBCM over that without a protocol`,
          paper: "",
          value: slower(runs, app, "CBCM(UGAL)") / slower(runs, app, "Baseline(UGAL)"),
          low: 0,
          high: 1,
        }),
      ),
    ),
  ]
}

export default {
  id: "cbcm/text-5c",
  number: "Section V-C",
  cites,
  title: "Applications with a hot spot",
  claim: "without a protocol latency grows up to 80 times, with ECN 3 times; SRP and CBCM keep it within 7 %",
  quick: {
    ...plan("quick"),
    scaled:
      "64 endpoints, 28 ranks and 16 senders instead of 256, 128 and 32; two " +
      "applications of six, one seed instead of three",
  },
  full: plan("full"),
  rows,
} satisfies PaperFigure
