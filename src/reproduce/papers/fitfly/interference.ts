// Figures 4 to 9 and Table 3: an application with 1,000 background ranks of increasing load. Each background rank sends
// one message to another one every 100 us, whose size is a fraction of what a link carries in that time. The
// applications are skeletons (docs/guide/workloads.md), so times differ from the paper's; ratios and orders are judged.
// Ranks sit on random endpoints, the same numbers in all networks; computing times are left out. The rules are those of
// the paper's simulator (`engine.rules`); runs with the rules of lacewing are drawn as well and are not judged. The
// figures share their runs, because several of them show the same network with the same load.
import type { Figure } from "../../../draw/figure/figure.ts"
import type { RunRecord } from "../../../results/record.ts"
import { type Mode, type PaperRuns, type Row, within } from "../paper.ts"

/** Set of runs of figures 4 to 9 and Table 3. */
export const shares = "fitfly/interference"

export type Net = "Slim Fly" | "Fit Fly" | "Dragonfly" | "Megafly"
export type App = "amg" | "multigrid"

const topologies: Readonly<Record<Mode, Readonly<Record<Net, readonly [object, string]>>>> = {
  full: {
    "Slim Fly": [{ name: "slimfly", q: 13, p: 9 }, "slimfly.ugal-l"],
    "Fit Fly": [{ name: "fitfly", q: 13, p: 9, rails: 2 }, "slimfly.ugal-l"],
    Dragonfly: [{ name: "dragonfly", p: 9, a: 18, h: 9, g: 19, arrangement: "codes" }, "dragonfly.codes-prog-adaptive"],
    Megafly: [{ name: "megafly", groups: 10, leaves: 18, spines: 18, p: 18 }, "megafly.codes-prog-adaptive"],
  },
  quick: {
    "Slim Fly": [{ name: "slimfly", q: 5, p: 4 }, "slimfly.ugal-l"],
    "Fit Fly": [{ name: "fitfly", q: 5, p: 4, rails: 2 }, "slimfly.ugal-l"],
    Dragonfly: [
      { name: "dragonfly", p: 3, a: 6, h: 3, g: 19, arrangement: "palmtree" },
      "dragonfly.codes-prog-adaptive",
    ],
    Megafly: [{ name: "megafly", groups: 5, leaves: 6, spines: 6, p: 7 }, "megafly.codes-prog-adaptive"],
  },
}

const sizes = {
  full: {
    ends: 3042,
    background: 1000,
    amg: { grid: "12x12x12", iterations: 1 },
    multigrid: { grid: "10x10x10" },
  },
  quick: {
    ends: 200,
    background: 66,
    amg: { grid: "4x4x4", iterations: 1 },
    multigrid: { grid: "4x4x4" },
  },
} as const

/**
 * Simulated time at which runs are stopped. MultiGrid sends for 5 ms on an idle network. A run with links of 25 GiB/s
 * carries twice as many background packets, and it is stopped earlier.
 */
export function limitOf(app: App, base: number): string {
  return app === "multigrid" && base <= 12.5 ? "25ms" : "15ms"
}

const workloads = { amg: "amg", multigrid: "boxlib-multigrid" } as const

/** What CODES charges for a message, with eager messages below 8 KiB; under its rules, the engine sets it. */
const mpi = {
  eager: "8192B",
  limit: "below",
  copy: "0.55ns",
  software: "2500ns",
  nic: "1000ns",
  sends: "left",
  compute: 0,
}

/** `ours`: rules of lacewing. `shipped`: bandwidths of the network file that CODES ships for the dragonfly of 3,078. */
export type Variant = "ours" | "shipped"

export interface Wish {
  /** absent: links as Table 2 says, with the rules of CODES */
  readonly variant?: Variant
  readonly net: Net
  readonly app: App
  /** GiB/s of each link; the bandwidth that loads are fractions of */
  readonly link: number
  readonly base: number
  /** fractions; 0 is without background */
  readonly loads: readonly number[]
  readonly seeds: number
  readonly limit: string
}

/** An experiment for each load, under a name that contains all in which the figures differ. */
export function experiments(mode: Mode, wishes: readonly Wish[]): Record<string, object> {
  return Object.fromEntries(
    wishes.flatMap((w) => w.loads.map((load) => [nameOf(w, load), experiment(mode, w, load)] as const)),
  )
}

function nameOf(w: Wish, load: number): string {
  return `${prefixOf(w)}${load === 0 ? "idle" : own(w, load)}-${w.limit}-x${w.seeds}`
}

/** Load of a rank of the background as a fraction of one rail of an endpoint. */
function own(w: Pick<Wish, "base" | "link" | "variant">, load: number): number {
  return Number(((load * w.base) / endOf(w)).toFixed(6))
}

function prefixOf({ app, net, link, variant }: Of): string {
  return `${variant === undefined ? "" : `${variant}-`}${app}-${net.toLowerCase().replace(" ", "-")}-${link}-`
}

function experiment(mode: Mode, w: Wish, load: number): object {
  const [topology, routing] = topologies[mode][w.net]
  const { ends, background, [w.app]: size } = sizes[mode]
  const seat = { placement: "random", among: ends }
  const costs = w.variant === "ours" ? mpi : { compute: 0 }
  const jobs: object[] = [{ name: "app", workload: { name: workloads[w.app], ...size }, ...seat, mpi: costs }]
  if (load > 0)
    jobs.push({ name: "background", workload: { name: "background", ranks: background, load: own(w, load) }, ...seat })
  return {
    lacewing: 1,
    title: `${w.app} on ${w.net}, links of ${w.link} GiB/s${w.variant === undefined ? "" : `, ${w.variant}`}`,
    network: {
      topology,
      routing,
      switch: {
        name: "chunk",
        vcs: 4,
        chunk: "4KiB",
        buffer: "64KiB",
        bandwidth: `${w.link}GiB/s`,
        delay: "90ns",
        credit: "90ns",
        ...(w.variant === "shipped" ? { rates: { end: `${endOf(w)}GiB/s`, global: `${2 * w.link}GiB/s` } } : {}),
      },
      endpoint: { name: "rails", select: "congestion" },
      links: { end: "0ns", local: "0ns", global: "0ns" },
      cycle: "1ns",
      flit: "64B",
    },
    engine: w.variant === "ours" ? "packet" : { name: "packet", rules: "codes-2019" },
    jobs,
    measure: { until: "jobs", limit: w.limit },
    seeds: w.seeds,
  }
}

type Of = Pick<Wish, "app" | "net" | "link" | "base" | "variant">

/** GiB/s of an endpoint's link. */
function endOf({ link, variant }: Pick<Wish, "link" | "variant">): number {
  return variant === "shipped" ? link / 2 : link
}

function runsOf(runs: PaperRuns, w: Of, load: number): RunRecord[] {
  const prefix = prefixOf(w)
  return Object.entries(runs)
    .filter(([name]) => name.startsWith(prefix))
    .flatMap(([, list]) => list)
    .filter((r) => {
      const beside = r.spec.jobs?.[1]?.workload["load"]
      return load === 0 ? beside === undefined : Math.abs(Number(beside) * (endOf(w) / w.base) - load) < 1e-4
    })
}

/** Mean over the seeds; NaN where nothing was run. */
export function readingOf(
  runs: PaperRuns,
  w: Of,
  load: number,
  value: "jobs.communication.max" | "latency.mean" | "hops.mean",
): number {
  const found = runsOf(runs, w, load)
  const one = ({ result, spec }: RunRecord): number => {
    const unfinished = value === "jobs.communication.max" && result.values["jobs.ended"] < 1
    return unfinished ? Number.parseFloat(spec.measure.limit) * 1e6 : result.values[value]
  }
  return found.reduce((sum, r) => sum + one(r), 0) / found.length
}

/** Returns true if a run was stopped at its limit: its time is longer. */
function isStopped(runs: PaperRuns, w: Of, load: number): boolean {
  return runsOf(runs, w, load).some(({ result }) => result.values["jobs.ended"] < 1)
}

/** Time of the rank that communicated longest. */
export interface Time {
  readonly ns: number
  /** a run was stopped at its limit, so that the time is longer */
  readonly stopped: boolean
}

export function timeOf(runs: PaperRuns, w: Of, load: number): Time {
  return { ns: readingOf(runs, w, load, "jobs.communication.max"), stopped: isStopped(runs, w, load) }
}

/** The longest time, or the shortest one. */
export const longest = (times: readonly Time[]): Time => ({
  ns: Math.max(...times.map((t) => t.ns)),
  stopped: times.some((t) => t.stopped),
})
export const shortest = (times: readonly Time[]): Time =>
  times.reduce((best, t) => (t.ns < best.ns ? t : best), times[0])

/**
 * A row about the ratio of two times. A stopped run bounds the ratio on one side. The bound is the value of the row if
 * it decides the row, and otherwise the row has no value and fails.
 */
export function ratio(row: Omit<Row, "value" | "pass">, above: Time, below: Time): Row {
  const value = above.ns / below.ns
  const least = below.stopped ? 0 : value
  const most = above.stopped ? Number.POSITIVE_INFINITY : value
  const decides = most < row.low || least > row.high || (least >= row.low && most <= row.high)
  const words =
    above.stopped && below.stopped
      ? "unknown, because runs of both networks were stopped"
      : above.stopped
        ? "at least, because a run was stopped"
        : "at most, because a run was stopped"
  const note = above.stopped || below.stopped ? [words, row.note].filter(Boolean).join("; ") : row.note
  return within({ ...row, value: decides ? value : Number.NaN, ...(note === undefined ? {} : { note }) })
}

/** Panels a, b and c: communication time, latency and hops against the load. */
export function panels(
  runs: PaperRuns,
  curves: readonly (Of & { readonly name: string })[],
  loads: readonly number[],
): Figure[] {
  const panel = (
    id: string,
    title: string,
    label: string,
    value: Parameters<typeof readingOf>[3],
    scale: number,
  ): Figure => ({
    kind: "lines",
    id,
    title,
    caption:
      value === "jobs.communication.max"
        ? "Mean of the seeds. An open point is a limit at which runs were stopped: the time is longer."
        : "Mean of the seeds.",
    x: { label: "Background load (of a link)", format: "percent" },
    y: { label },
    lines: curves.map((c) => ({
      name: c.name,
      spots: loads
        .map((x) => ({
          x,
          y: readingOf(runs, c, x, value) * scale,
          ...(value === "jobs.communication.max" && isStopped(runs, c, x) ? { off: true } : {}),
        }))
        .filter((s) => !Number.isNaN(s.y)),
    })),
    markers: true,
  })
  return [
    panel("time", "Longest communication time of a rank", "Milliseconds", "jobs.communication.max", 1e-6),
    panel("latency", "Mean latency of packets", "Microseconds", "latency.mean", 1e-3),
    panel("hops", "Mean hops of packets", "Routers visited", "hops.mean", 1),
  ]
}
