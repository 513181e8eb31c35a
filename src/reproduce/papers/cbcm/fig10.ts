// Figure 10: packet latency of six applications that share the network with short messages at load 0.7 on the other
// half of the endpoints. Rows divide each latency by that without a protocol and with the same traffic: the ideal. The
// diagram divides by that of the application alone, as in the paper.
import type { Figure } from "../../../draw/figure/figure.ts"
import { type Mode, ours, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { cites } from "./network.ts"
import { type App, appNames, apps, endedOf, experiment, IDEAL, meanBytes, overIdeal, SCALE, slower } from "./traces.ts"

/** Without a hot spot, the ideal is no protocol at all. */
const withIdeal = { [IDEAL]: { name: "none" }, "SRP(UGAL)": { name: "srp" }, "CBCM(UGAL)": { name: "cbcm" } }
const protocols = { "SRP(UGAL)": { name: "srp" }, "CBCM(UGAL)": { name: "cbcm" } }
const variants = Object.keys(protocols)
/** Half of the endpoints send single packets of 32 flits to each other at load 0.7. */
const uniform = (ranks: number) => ({
  name: "background",
  ranks,
  load: 0.7,
  period: `${32 / 0.7}ns`,
  phase: "exponential",
})

function plan(mode: Mode): PaperPlan {
  const beside = uniform(mode === "full" ? 128 : 32)
  return {
    experiments: Object.fromEntries(
      apps.flatMap((app) => [
        [`${app}-alone`, experiment(mode, app, protocols)] as const,
        [`${app}-beside`, experiment(mode, app, withIdeal, beside)] as const,
      ]),
    ),
  }
}

/** What CBCM saves of SRP's latency. */
const gain = (runs: PaperRuns, app: App): number =>
  1 - overIdeal(runs, app, "CBCM(UGAL)") / overIdeal(runs, app, "SRP(UGAL)")

/** Rank correlation of two lists (Spearman), equal values sharing their rank. */
function spearman(a: readonly number[], b: readonly number[]): number {
  if (![...a, ...b].every(Number.isFinite)) return Number.NaN
  const ranks = (list: readonly number[]) =>
    list.map((v) => list.filter((w) => w < v).length + (list.filter((w) => w === v).length - 1) / 2)
  const [x, y] = [ranks(a), ranks(b)]
  const mean = (a.length - 1) / 2
  const sum = (f: (i: number) => number) => a.reduce((s, _, i) => s + f(i), 0)
  return (
    sum((i) => (x[i] - mean) * (y[i] - mean)) /
    Math.sqrt(sum((i) => (x[i] - mean) ** 2) * sum((i) => (y[i] - mean) ** 2))
  )
}

function rows(runs: PaperRuns): Row[] {
  const gains = apps.map((app) => gain(runs, app))
  const sizes = apps.map((app) => meanBytes(runs, app, "CBCM(UGAL)"))
  return [
    ...apps.map((app) =>
      within({
        claim: `${appNames[app]}: latency with CBCM over that with SRP, each over the ideal with the same traffic`,
        paper: "at most 1",
        value: 1 - gain(runs, app),
        low: 0,
        high: 1,
      }),
    ),
    within({
      claim: "rank correlation of what CBCM saves with the mean size of messages",
      paper: "workloads with long messages gain most",
      value: spearman(gains, sizes),
      low: 0.5,
      high: 1,
    }),
    within({
      claim: "the most that CBCM saves of SRP's latency",
      paper: 0.4,
      value: Math.max(...gains),
      low: 0.2,
      high: 0.6,
    }),
    ours(within({ claim: "runs in which every rank ended, of all", paper: "", value: endedOf(runs), low: 1, high: 1 })),
  ]
}

function figures(runs: PaperRuns): Figure[] {
  const ordered = [...apps].sort((a, b) => meanBytes(runs, a, "CBCM(UGAL)") - meanBytes(runs, b, "CBCM(UGAL)"))
  return [
    {
      kind: "bars",
      id: "latency",
      title: "Packet latency with uniform traffic over that alone",
      caption:
        `Skeletons of six applications, messages scaled by ${SCALE}, by the ` +
        "mean size of their messages; mean of the seeds.",
      x: { label: "Latency over that alone" },
      bars: ordered.flatMap((app) =>
        variants.map((variant) => {
          const value = slower(runs, app, variant)
          const facts = [
            ["over that alone", value],
            ["mean bytes of a message", meanBytes(runs, app, variant)],
          ] as const
          return { name: `${appNames[app]}, ${variant}`, value, facts }
        }),
      ),
    },
  ]
}

export default {
  id: "cbcm/fig10",
  cites,
  title: "Applications with uniform traffic",
  claim: "SRP slows long messages down if there are short ones; CBCM has up to 40 % less latency",
  quick: { ...plan("quick"), scaled: "64 endpoints and 28 ranks instead of 256 and 128, one seed instead of three" },
  full: plan("full"),
  rows: (runs) => rows(runs),
  figures,
} satisfies PaperFigure
