// Figure 6: run time of six applications with copies in the stash, over that without. The paper replays traces; here
// are skeletons of the same applications (docs/guide/workloads.md), their messages shortened by one factor, computing
// left out, a rank on each of the first endpoints, collectives as SST/Macro has them.
import type { Figure } from "../../../draw/figure/figure.ts"
import { type Mode, ours, type PaperFigure, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import { capacities, copies, partOf } from "./copies.ts"
import { figureNetwork, partition } from "./network.ts"
import { cites, meanOf } from "./runs.ts"

type App = "bigfft" | "fill-boundary" | "multigrid" | "amg" | "amr" | "minife"
const names: Readonly<Record<App, string>> = {
  bigfft: "BigFFT",
  "fill-boundary": "FillBoundary",
  multigrid: "MultiGrid",
  amg: "AMG",
  amr: "AMR",
  minife: "MiniFE",
}
const apps = Object.keys(names) as App[]
/** bound by bandwidth, as the paper says */
const heavy: readonly App[] = ["bigfft", "fill-boundary"]
const light = apps.filter((a) => !heavy.includes(a))
const SCALE = 1 / 64
/** the 25 % row once more with longer messages */
const LONGER = 1 / 32

const sizes: Readonly<Record<Mode, Readonly<Record<App, object>>>> = {
  full: {
    bigfft: { grid: "32x32" },
    "fill-boundary": { grid: "10x10x10" },
    multigrid: { grid: "10x10x10", iterations: 1 },
    amg: { grid: "12x12x12", iterations: 2 },
    amr: { grid: "12x12x12" },
    minife: { grid: "12x12x8", iterations: 10 },
  },
  quick: {
    bigfft: { grid: "10x10", points: 128 },
    "fill-boundary": { grid: "5x5x4" },
    multigrid: { grid: "5x5x4", iterations: 1 },
    amg: { grid: "5x5x4", iterations: 1 },
    amr: { grid: "5x5x4" },
    minife: { grid: "5x5x4", iterations: 3 },
  },
}

/** The smaller buffers of a stash switch, and no copies: what of a slower run is not the copies' doing. */
const PARTITION = "partition"
/** Once more: a label, for whom, a length of messages, networks, seeds. FillBoundary's partition alone:
 *  papers/stashing/log has one seed of it. */
const again = [
  ["longer", heavy, LONGER, ["baseline", "25 %"], 1],
  [PARTITION, ["bigfft"], SCALE, [PARTITION], 3],
] as const

function experiment(mode: Mode, app: App, byteScale: number, stashes: readonly string[], seeds: number): object {
  const all: Record<string, object> = { ...copies(), [PARTITION]: { network: { switch: { stash: partition } } } }
  return {
    lacewing: 1,
    title: `${names[app]}, bytes scaled by ${byteScale}`,
    network: figureNetwork({ net: mode === "full" ? "full" : "small" }),
    jobs: [
      {
        name: "app",
        workload: { name: app, ...sizes[mode][app], byteScale },
        mpi: { eager: "16KiB", collectives: "sst", sends: "left", compute: 0 },
      },
    ],
    measure: { until: "jobs", limit: "20ms" },
    variants: Object.fromEntries(stashes.map((s) => [s, all[s]])),
    seeds,
  }
}

function plan(mode: Mode): PaperPlan {
  const seeds = mode === "full" ? 3 : 1
  return {
    experiments: Object.fromEntries([
      ...apps.map((app) => [app, experiment(mode, app, SCALE, capacities, seeds)] as const),
      ...(mode === "full" ? again : []).flatMap(([label, whose, scale, stashes, n]) =>
        whose.map((app) => [`${app}-${label}`, experiment(mode, app, scale, stashes, n)] as const),
      ),
    ]),
  }
}

/** Mean time over the seeds. */
function time(runs: PaperRuns, name: string, variant: string): number {
  return meanOf(
    (runs[name] ?? []).filter((r) => r.point["variant"] === variant),
    "jobs.time",
  )
}
/** Time with a stash over that of the baseline. */
const slower = (runs: PaperRuns, name: string, stash: string): number =>
  time(runs, name, stash) / time(runs, name, "baseline")

const most = (values: readonly number[]): number =>
  values.reduce((a, b) => (Number.isNaN(a) || a > b ? a : b), Number.NEGATIVE_INFINITY)

function rows(runs: PaperRuns, mode: Mode): Row[] {
  const of = (app: App, stash: string) => slower(runs, app, stash)
  return [
    ...light.map((app) =>
      within({
        claim: `${names[app]}: time with 25 % of the stash over the baseline's`,
        paper: "about 1",
        value: of(app, "25 %"),
        low: 0.97,
        high: 1.03,
        note: "within 3 %",
      }),
    ),
    ...(["100 %", "50 %"] as const).map((stash) =>
      within({
        claim: `largest time of the six with ${stash} over the baseline's`,
        paper: "at most 2 % slower",
        value: most(apps.map((app) => of(app, stash))),
        low: 0.9,
        high: 1.03,
      }),
    ),
    ...heavy.map((app) =>
      within({
        claim: `${names[app]}: time with 25 % over the baseline's`,
        paper: "significantly worse",
        value: of(app, "25 %"),
        low: 1.05,
        high: Number.POSITIVE_INFINITY,
        note: `at least 5 %; messages scaled by ${SCALE}`,
      }),
    ),
    within({
      claim: "25 %: the lesser of BigFFT and FillBoundary less the largest of the other four",
      paper: "the two are worst",
      value: -most(heavy.map((app) => -of(app, "25 %"))) - most(light.map((app) => of(app, "25 %"))),
      low: 1e-9,
      high: Number.POSITIVE_INFINITY,
    }),
    ...(mode === "full" ? heavy : []).map((app) =>
      within({
        claim: `${names[app]}, messages scaled by ${LONGER}: time with 25 % over the baseline's`,
        paper: "significantly worse",
        value: slower(runs, `${app}-longer`, "25 %"),
        low: 1.05,
        high: Number.POSITIVE_INFINITY,
        note: "the same with messages twice as long",
      }),
    ),
    ...(mode === "full" ? (["bigfft"] as const) : []).map((app) => {
      const alone = time(runs, `${app}-${PARTITION}`, PARTITION)
      return ours(
        within({
          claim: `${names[app]}: time with all of the stash over that with its partition of the buffers and no copies`,
          paper: "not in the paper",
          value: time(runs, app, "100 %") / alone,
          low: 0.97,
          high: 1.03,
          note:
            "what the copies cost; the partition alone takes " +
            `${(alone / time(runs, app, "baseline")).toPrecision(4)} of the baseline's ` +
            "time",
        }),
      )
    }),
  ]
}

function figures(runs: PaperRuns): Figure[] {
  const stashes = capacities.filter((c) => partOf(c) > 0)
  return [
    {
      kind: "bars",
      id: "times",
      title: "Run time with copies in the stash over that without",
      caption: `Skeletons of six applications, messages scaled by ${SCALE}; mean of the seeds.`,
      x: { label: "Run time over the baseline's" },
      bars: apps.flatMap((app) =>
        stashes.map((stash) => {
          const value = slower(runs, app, stash)
          return { name: `${names[app]}, ${stash}`, value, facts: [["over the baseline's", value] as const] }
        }),
      ),
    },
  ]
}

export default {
  id: "stashing/fig6",
  cites,
  title: "Run time of applications, with copies in the stash",
  claim:
    "no difference where the network is lightly loaded; BigFFT and FillBoundary " +
    "are significantly slower with 25 % of the stash",
  quick: {
    ...plan("quick"),
    scaled:
      "110 endpoints and 100 ranks instead of 3,080 and 1,000 to 1,728, one " +
      "seed instead of three, one length of messages",
  },
  full: plan("full"),
  rows,
  figures,
} satisfies PaperFigure
