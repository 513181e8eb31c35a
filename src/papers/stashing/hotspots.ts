// Figures 7a, 7b and 8 are three views of the same runs. Victims exchange uniform traffic at 40 %. From 20 us on, 48
// sources send to 12 sinks at full rate, each packet to any of them (without `each`), and ECN windows throttle them.
// Private groups of four sources and a sink (`each: 1`) are shown for comparison.
import type { NetworkSpec, RunSpec } from "../../model/experiment.ts"
import { type Mode, type PaperPlan, type PaperRuns, type Row, within } from "../paper.ts"
import {
  endsOf,
  figureNetwork,
  measured,
  type Net,
  type NetworkOptions,
  nets,
  partition,
  placement,
  ranges,
  stashingNetwork,
  stream,
  windows,
} from "./network.ts"
import { meanOf, overTime, type Variant } from "./runs.ts"

/** 12 sinks of 3,080 endpoints; as many of 462, rounded up */
const sinks = { full: 12, mid: 2, small: 1 } as const
export const netOf = (mode: Mode): Net => (mode === "full" ? "full" : "mid")
/** Forms of the runs: as the paper has them, windows that count packets, private groups of four sources and a sink. */
export const units = ["flits", "packets", "private"] as const
export type Unit = (typeof units)[number]
export const unitNames: Readonly<Record<Unit, string>> = {
  flits: "windows of 4,096 flits",
  packets: "windows of 4,096 packets",
  private: "private groups",
}
export const START = 20

export function absorbing(capacity: number) {
  return { network: { switch: { stash: partition, capacity, absorb: true } } }
}

/** The paper's three networks, and a calm one. 25 and 10 % show when a stash is too small; 0 %: a stash switch's
 *  buffers and thresholds, and no stash. */
const variants = {
  baseline: {},
  "100 %": absorbing(1),
  "50 %": absorbing(0.5),
  "25 %": absorbing(0.25),
  "10 %": absorbing(0.1),
  "0 %": absorbing(0),
  "no aggressors": { "traffic.1.start": "1ms" },
}
export const shown: readonly Variant[] = Object.keys(variants)

export interface HotspotOptions extends NetworkOptions {
  /** sinks of each source; absent: all */
  readonly each?: number
  /** us */
  readonly until?: number
}

/** Everything of an experiment or a run but its seeds and variants, on a network. */
function parts(o: HotspotOptions, network: NetworkSpec) {
  const placed = placement(o.net, sinks[o.net])
  const victims = ranges(placed.victims)
  const aggressors = {
    pattern: {
      name: "sinks",
      sinks: placed.sinks,
      sources: placed.sources,
      ...(o.each === undefined ? {} : { each: o.each }),
    },
    arrivals: { name: "backlogged" },
    from: placed.sources,
    start: `${START}us`,
  }
  return {
    network,
    traffic: [
      stream("victims", 0.4, { pattern: { name: "to-set", set: victims }, from: victims }),
      stream("aggressors", 1, aggressors),
    ],
    measure: measured(START, (o.until ?? 90) - START),
  }
}

/** With the defaults of the plug-ins but for what is given. */
export function hotspotRun(o: HotspotOptions & { seed: number }): RunSpec {
  const network = stashingNetwork({ congestion: { name: "ecn-window" }, ...o })
  return {
    ...parts(o, network),
    engine: { name: "flit" },
    probes: [{ name: "series" }, { name: "latency" }],
    seed: o.seed,
  }
}

function experiment(o: HotspotOptions, names: readonly string[], seeds: number) {
  return {
    lacewing: 1,
    title: `${sinks[o.net]} hot spots among ${endsOf(o.net)} endpoints`,
    ...parts(o, figureNetwork({ congestion: windows(), ...o })),
    probes: ["series", "latency"],
    variants: Object.fromEntries(Object.entries(variants).filter(([name]) => names.includes(name))),
    seeds,
  }
}

const inPaper = ["baseline", "100 %", "50 %", "no aggressors"]

/**
 * The paper's windows count flits, and so do the judged runs. Windows of packets and private groups are shown for
 * comparison, one seed each.
 */
function plan(net: Net, seeds: number): PaperPlan {
  return {
    experiments: {
      flits: experiment({ net }, shown, seeds),
      packets: experiment({ net, congestion: windows("packets") }, inPaper, 1),
      private: experiment({ net, each: 1 }, inPaper, 1),
    },
  }
}

export const quick: PaperPlan = {
  ...plan("mid", 1),
  scaled: "2 hot spots among 462 endpoints instead of 12 among 3,080 (0.4 % each), one seed instead of three",
}
export const full: PaperPlan = plan("full", 3)

export function having(runs: PaperRuns, variant: Variant, unit: Unit) {
  return (runs[unit] ?? []).filter((r) => r.point["variant"] === variant)
}

/** What a claim says of two networks: the first is worse. */
export function worse(claim: string, a: number, b: number, note: string, low = MORE): Row {
  return within({ claim, paper: "more than 1", value: a / b, low, high: Number.POSITIVE_INFINITY, note })
}

/** The least above 1: equal is not worse. */
const MORE = 1 + Number.EPSILON

/** 50 % must be worse than 100 % by 1 %, or it is a tie; and a tie it is where less than half of the stash is ever in
 *  use. */
export const CLEARLY = 1.01
export function halves(runs: PaperRuns, of: (variant: Variant) => number): string {
  const peak = value(runs, "100 %", "flits", "stash.pool.peak") / value(runs, "100 %", "flits", "stash.pool.flits")
  const sweep = ["100 %", "50 %", "25 %", "10 %", "0 %"].map((v) => `${v} ${of(v).toFixed(0)}`).join(", ")
  return (
    `at least 1 % worse; at most ${(100 * peak).toFixed(0)} % of a switch's stash is ever ` +
    `in use, so that half of it never fills. By capacity: ${sweep}`
  )
}

export const value = (runs: PaperRuns, variant: Variant, unit: Unit, name: string): number =>
  meanOf(having(runs, variant, unit), name)

/** Mean network latency of the victims over time; what it was before the aggressors; highest, when; what exceeds the
 *  level before, until 60 us. */
export function transient(runs: PaperRuns, variant: Variant, unit: Unit) {
  const { time, value: latency } = overTime(having(runs, variant, unit), "victims.series", "network")
  const inside = (from: number, to: number) => latency.filter((_, i) => time[i] > from * 1000 && time[i] <= to * 1000)
  const before = inside(10, START)
  const level = before.reduce((a, b) => a + b, 0) / before.length
  const peak = Math.max(...inside(START, 1000))
  const excess = inside(START, 60).reduce((a, b) => a + b - level, 0)
  // the first interval from which on all are within 10 % of the level before
  let back = START
  latency.forEach((l, i) => {
    if (time[i] > START * 1000 && l > 1.1 * level) back = (time[i + 1] ?? Number.POSITIVE_INFINITY) / 1000
  })
  return { level, peak, excess, back }
}

/** Flits that the aggressors inject in a cycle for each sink, over time. */
export function offered(
  runs: PaperRuns,
  variant: Variant,
  unit: Unit,
  mode: Mode,
): { time: number[]; value: number[] } {
  const { time, value: each } = overTime(having(runs, variant, unit), "aggressors.series", "injected")
  const net = netOf(mode)
  return { time, value: each.map((v) => (v * endsOf(net)) / sinks[net]) }
}

/** The switch of the first hot spot. */
export function hotRouter(net: Net): number {
  return Math.floor(placement(net, sinks[net]).sinks[0] / nets[net].p)
}

/** Part of the stash of the first hot spot's switch that is in use, most in each interval. */
export function stashUse(
  runs: PaperRuns,
  variant: Variant,
  unit: Unit,
  mode: Mode,
): { time: number[]; value: number[] } {
  const router = hotRouter(netOf(mode))
  const { time } = overTime(having(runs, variant, unit), "victims.series", "packets")
  const value = time.map(() => 0)
  const all = having(runs, variant, unit)
  for (const run of all) {
    const { time: at = [], router: of = [], flits = [] } = run.result.tables["stash"] ?? {}
    const step = (time[1] ?? 0) - (time[0] ?? 0)
    const capacity = run.result.values["stash.pool.flits"]
    at.forEach((t, i) => {
      const slot = Math.round(Number(t) / step)
      if (Number(of[i]) === router && slot < value.length) value[slot] += Number(flits[i]) / capacity / all.length
    })
  }
  return { time, value }
}
