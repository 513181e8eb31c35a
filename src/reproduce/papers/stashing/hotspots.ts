// Figures 7a, 7b and 8 are three views of the same runs. Victims exchange uniform traffic at 40 %. From 20 us on, 48
// sources send to 12 sinks at full rate, and ECN windows throttle them. Each source sends to three sinks, so twelve
// windows share a sink. The text does not say how many do, but its numbers limit them:
// - The load stays at 4 flits per cycle for 12 us while a sink accepts 1. So 36,000 flits are outstanding, and windows
//   of 4,096 flits must be at least nine.
// - Windows grow by one flit in 30 cycles, and the load ends at 1 flit per cycle. So they must be fewer than thirty.
// src/papers/stashing/assumptions.ts varies the number.
import type { NetworkSpec, RunSpec } from "../../../model/experiment.ts"
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

/** 12 sinks of 3,080 endpoints. The smaller network has three, because fewer could not have twelve windows each. */
const sinks = { full: 12, mid: 3, small: 1 } as const
export const EACH = 3
export const netOf = (mode: Mode): Net => (mode === "full" ? "full" : "mid")
export const START = 20

export function absorbing(capacity: number) {
  return { network: { switch: { stash: partition, capacity, absorb: true } } }
}

/** The network without aggressors. */
export const CALM = "no aggressors"
/** The paper's three networks, and the calm one. */
const variants = {
  baseline: {},
  "100 %": absorbing(1),
  "50 %": absorbing(0.5),
  [CALM]: { "traffic.1.start": "1ms" },
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
  const network = stashingNetwork({ congestion: windows, ...o })
  return {
    ...parts(o, network),
    engine: { name: "flit" },
    probes: [{ name: "series" }, { name: "latency" }],
    seed: o.seed,
  }
}

export function experiment(o: HotspotOptions, names: readonly string[], seeds: number): object {
  return {
    lacewing: 1,
    title: `${sinks[o.net]} hot spots among ${endsOf(o.net)} endpoints`,
    ...parts(o, figureNetwork({ congestion: windows, ...o })),
    probes: ["series", "latency"],
    variants: Object.fromEntries(Object.entries(variants).filter(([name]) => names.includes(name))),
    seeds,
  }
}

/** The experiment that all rows judge. */
export const JUDGED = "judged"

export const quick: PaperPlan = {
  experiments: { [JUDGED]: experiment({ net: "mid", each: EACH }, shown, 1) },
  scaled: "3 hot spots among 462 endpoints instead of 12 among 3,080, one seed instead of three",
}
export const full: PaperPlan = { experiments: { [JUDGED]: experiment({ net: "full", each: EACH }, shown, 3) } }

export function having(runs: PaperRuns, variant: Variant) {
  return (runs[JUDGED] ?? []).filter((r) => r.point["variant"] === variant)
}

/** What a claim says of two networks: the first is worse. */
export function worse(claim: string, a: number, b: number, note: string, low = MORE): Row {
  return within({ claim, paper: "more than 1", value: a / b, low, high: Number.POSITIVE_INFINITY, note })
}

/** The least above 1: equal is not worse. */
const MORE = 1 + Number.EPSILON

/** 50 % must be worse than 100 % by 1 %, or it is a tie. */
export const CLEARLY = 1.01
/** How much of a stash was ever in use: a half that never fills cannot be worse. */
export function halves(runs: PaperRuns): string {
  const used = (v: Variant) => value(runs, v, "stash.pool.peak") / value(runs, v, "stash.pool.flits")
  const [all, half] = ["100 %", "50 %"].map((v) => `${(100 * used(v)).toFixed(0)} %`)
  return `at least 1 % worse; largest part of a switch's stash in use: ${all} with 100 %, ${half} with 50 %`
}

export const value = (runs: PaperRuns, variant: Variant, name: string): number => meanOf(having(runs, variant), name)

/** Mean network latency of the victims over time; what it was before the aggressors; highest, when; what exceeds the
 *  level before, until 60 us. */
export function transient(runs: PaperRuns, variant: Variant) {
  const { time, value: latency } = overTime(having(runs, variant), "victims.series", "network")
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
export function offered(runs: PaperRuns, variant: Variant, mode: Mode): { time: number[]; value: number[] } {
  const { time, value: each } = overTime(having(runs, variant), "aggressors.series", "injected")
  const net = netOf(mode)
  return { time, value: each.map((v) => (v * endsOf(net)) / sinks[net]) }
}

/** The switch of the first hot spot. */
export function hotRouter(net: Net): number {
  return Math.floor(placement(net, sinks[net]).sinks[0] / nets[net].p)
}

/** Part of the stash of the first hot spot's switch that is in use, most in each interval. */
export function stashUse(runs: PaperRuns, variant: Variant, mode: Mode): { time: number[]; value: number[] } {
  const router = hotRouter(netOf(mode))
  const { time } = overTime(having(runs, variant), "victims.series", "packets")
  const value = time.map(() => 0)
  const all = having(runs, variant)
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
