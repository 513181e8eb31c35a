// Figures 5 and 6: latency and throughput of each service level against the load, both switches, one topology each. Bounds are those of the acceptance table:
// 35 % of the paper's latencies after one calibration, ratios ± 0.12, orders as its text says.

import type { Figure } from "../../draw/figure/figure.ts"
import { type Mode, type PaperFigure, type PaperRuns, type Row, unchecked, within } from "../paper.ts"
import { meanOf } from "../stashing/runs.ts"
import { bestEffort, cites, NS, names, planOf, type Size } from "./network.ts"

export const quickTotals = [0.5735, 0.7, 0.9, 0.9935]
export const fullTotals = [0.5735, 0.6, 0.65, 0.7, 0.8, 0.9, 0.95, 0.9935]
const FIRST = 0.5735
const LAST = 0.9935

type Switch = "infiniband" | "omni-path"

export interface Panel {
  readonly id: string
  readonly number: string
  readonly title: string
  readonly quick: Size & { readonly scaled: string; readonly small: boolean }
  readonly full: Size
  /** NC at 0.7, InfiniBand and Omni-Path, and its growth from the first to the last load (ns) */
  readonly nc: readonly [number, number]
  readonly growth: readonly [number, number]
  /** the text speaks of large increases of BK here; of VO and VI */
  readonly bk: boolean
  readonly drastic: boolean
  /** levels that may fall to 0.90 of what is offered at the last load */
  readonly losing: Readonly<Record<Switch, readonly string[]>>
}

class Read {
  private readonly runs: PaperRuns[string]
  constructor(runs: PaperRuns) {
    this.runs = runs["levels"] ?? []
  }
  private at(sw: Switch, total: number, value: string): number {
    const load = bestEffort(total)
    return meanOf(
      this.runs.filter((r) => r.point["variant"] === sw && Number(r.point["traffic.4.load"]) === load),
      value,
    )
  }
  latency(sw: Switch, total: number, level: string): number {
    return NS * this.at(sw, total, `${level}.latency.mean`)
  }
  growth(sw: Switch, level: string): number {
    return this.latency(sw, LAST, level) - this.latency(sw, FIRST, level)
  }
  times(sw: Switch, level: string): number {
    return this.latency(sw, LAST, level) / this.latency(sw, FIRST, level)
  }
  accepted(sw: Switch, total: number, level: string): number {
    return this.at(sw, total, `${level}.accepted`)
  }
  /** accepted of what was generated */
  share(sw: Switch, total: number, level: string): number {
    return this.at(sw, total, `${level}.accepted`) / this.at(sw, total, `${level}.offered`)
  }
}

/** Pairs of which the first must be lower; NC may be 5 % above VO, whose packets are shorter. */
const orders: Readonly<Record<Switch, readonly (readonly [string, string])[]>> = {
  "omni-path": [
    ["NC", "VO"],
    ["VO", "VI"],
    ["VO", "CL"],
    ["VI", "EE"],
    ["CL", "EE"],
    ["EE", "BE"],
    ["BE", "BK"],
  ],
  infiniband: [
    ["NC", "VO"],
    ["EE", "BE"],
    ["BE", "BK"],
  ],
}

function broken(read: Read, sw: Switch): number {
  const worst = orders[sw].map(([a, b]) => read.latency(sw, 0.9, a) / read.latency(sw, 0.9, b) / (b === "VO" ? 1.05 : 1))
  return Math.max(...worst)
}

const most = (claim: string, paper: string, value: number, high: number, note: string): Row =>
  within({ claim, paper, value, low: Number.NEGATIVE_INFINITY, high, note })
const least = (claim: string, paper: string, value: number, low: number, note: string): Row =>
  within({ claim, paper, value, low, high: Number.POSITIVE_INFINITY, note })
const about = (claim: string, paper: number, value: number, by: number, note: string): Row =>
  within({ claim, paper, value, low: paper * (1 - by), high: paper * (1 + by), note })

function sized(p: Panel, read: Read): Row[] {
  const [ib, opa] = [read.latency("infiniband", 0.7, "NC"), read.latency("omni-path", 0.7, "NC")]
  const ratio = p.nc[1] / p.nc[0]
  return [
    about("NC at 0.7, InfiniBand (ns)", p.nc[0], ib, 0.35, "within 35 %, link latency calibrated once"),
    about("NC at 0.7, Omni-Path (ns)", p.nc[1], opa, 0.35, "within 35 %"),
    within({
      claim: "NC at 0.7, Omni-Path / InfiniBand",
      paper: ratio,
      value: opa / ib,
      low: ratio - 0.12,
      high: Math.min(ratio + 0.12, 1),
      note: "± 0.12, below 1",
    }),
  ]
}

function rows(p: Panel, runs: PaperRuns, mode: Mode): Row[] {
  const read = new Read(runs)
  const grown = (level: string) => read.growth("infiniband", level) / read.growth("omni-path", level)
  const paperGrown = p.growth[0] / p.growth[1]
  const lower = [0.7, 0.9].flatMap((t) => names.map((n) => read.latency("omni-path", t, n) / read.latency("infiniband", t, n)))
  const all: readonly Switch[] = ["infiniband", "omni-path"]
  return [
    ...(mode === "quick" && p.quick.small
      ? ["NC at 0.7, InfiniBand (ns)", "NC at 0.7, Omni-Path (ns)", "NC at 0.7, Omni-Path / InfiniBand"].map((claim, i) =>
          unchecked(claim, p.nc[i] ?? p.nc[1] / p.nc[0], "another network: latencies follow from its size"),
        )
      : sized(p, read)),
    ...all.map((sw) =>
      most(
        `order of the levels at 0.9, ${sw}: worst of the pairs`,
        orders[sw].map(([a, b]) => `${a} < ${b}`).join(", "),
        broken(read, sw),
        1,
        "below 1; NC < 1.05 VO",
      ),
    ),
    most("growth of NC, Omni-Path / InfiniBand", "lower on Omni-Path", 1 / grown("NC"), 1, "below 1"),
    within({
      claim: "growth of NC, InfiniBand / Omni-Path",
      paper: paperGrown,
      value: grown("NC"),
      low: paperGrown / 2,
      high: 2 * paperGrown,
      note: "within a factor of two",
    }),
    ...["EE", "BE"].map((level) =>
      least(`growth of ${level}, InfiniBand / Omni-Path`, "more quickly on InfiniBand", grown(level), 1, "above 1"),
    ),
    ...(p.bk ? all.map((sw) => least(`BK, last load / first, ${sw}`, "large increase", read.times(sw, "BK"), 5, "at least 5")) : []),
    ...(p.drastic
      ? ["VO", "VI"].map((n) =>
          least(`${n}, last load / first, infiniband`, "increases drastically", read.times("infiniband", n), 2, "at least 2"),
        )
      : []),
    most("Omni-Path / InfiniBand, worst of all levels at 0.7 and 0.9", "lower on Omni-Path", Math.max(...lower), 1, "below 1"),
    ...all.flatMap((sw) => throughput(p, read, sw)),
  ]
}

function throughput(p: Panel, read: Read, sw: Switch): Row[] {
  const kept = ["NC", "VO", "VI", "CL"].map((name) => {
    const bound = p.losing[sw].includes(name) ? 0.9 : 0.97
    return least(
      `${name}, accepted of offered at 0.9935, ${sw}`,
      bound < 0.97 ? "a bit lower" : "all of it",
      read.share(sw, LAST, name),
      bound,
      `at least ${bound}`,
    )
  })
  const others = Math.min(...names.filter((n) => n !== "BK").map((n) => read.share(sw, LAST, n)))
  const loses =
    p.losing[sw].length > 0
      ? []
      : [
          most(
            `BK loses most at 0.9935, ${sw}: its part / least part of the others`,
            "BK is reduced",
            read.share(sw, LAST, "BK") / others,
            1,
            "below 1",
          ),
        ]
  return [...kept, ...loses]
}

/** As the paper draws them: latency of each level, and what each gets, against the total load. */
function figures(runs: PaperRuns, mode: Mode): Figure[] {
  const read = new Read(runs)
  const totals = mode === "quick" ? quickTotals : fullTotals
  const x = { label: "Total load (fraction of an endpoint channel)" }
  const both: readonly Switch[] = ["infiniband", "omni-path"]
  return both.flatMap((sw): Figure[] => [
    {
      kind: "lines",
      id: `latency-${sw}`,
      title: `Latency of each level, ${sw}`,
      caption: "Mean from creation to the arrival of the tail, mean of the seeds.",
      x,
      y: { label: "Latency (ns)" },
      lines: names.map((name) => ({ name, spots: totals.map((t) => ({ x: t, y: read.latency(sw, t, name) })) })),
      markers: true,
    },
    {
      kind: "areas",
      id: `throughput-${sw}`,
      title: `Throughput of each level, ${sw}`,
      caption: "Accepted flits per cycle and endpoint, one level on the other; mean of the seeds.",
      x,
      y: { label: "Accepted load" },
      at: totals,
      layers: names.map((name) => ({ name, values: totals.map((t) => read.accepted(sw, t, name)) })),
    },
  ])
}

export function panel(p: Panel): PaperFigure {
  return {
    id: p.id,
    number: p.number,
    cites,
    title: p.title,
    claim:
      "network control, voice, video and controlled load keep their latency and bandwidth when best effort overloads the network; Omni-Path is faster",
    quick: planOf(p.quick, quickTotals, p.quick.scaled),
    full: planOf(p.full, fullTotals),
    rows: (runs, mode) => rows(p, runs, mode),
    figures,
  }
}
