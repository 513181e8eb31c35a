// Figures 5.2 and 5.3: three quarters of the endpoints exchange uniform traffic at full load; the last quarter sends to
// hot destinations for a while.
import type { Figure } from "../../../draw/figure/figure.ts"
import type { TrafficSpec } from "../../../model/experiment.ts"
import { type Mode, type PaperPlan, type PaperRuns, type Row, unchecked, within } from "../paper.ts"
import { lineOver, overTime } from "../stashing/runs.ts"
import { compared, measured, type SchemeName, stream, treeNetwork, variantsOf } from "./network.ts"

export type Event = "single" | "stage0" | "stage1"

/** microseconds: the event, its mean without the first 50 (40), the level before, the end */
const times = {
  full: { start: 1000, stop: 1300, from: 1050, before: 500, until: 3000 },
  quick: { start: 60, stop: 200, from: 100, before: 30, until: 200 },
} as const

/** Sources and destinations of an event among 4^n endpoints: one source on each leaf switch; all of the leaf switches 3
 *  mod 4 (stage0). */
export function hotOf(event: Event, n: number): { from: number[]; set: number[] } {
  const all = Array.from({ length: 4 ** n }, (_, e) => e)
  const spread = all.filter((e) => e % 4 === 1)
  if (event === "single") return { from: spread, set: [n === 3 ? 32 : 123] }
  if (event === "stage0") return { from: all.filter((e) => ((e >> 2) & 3) === 3), set: all.filter((e) => e % 4 === 0) }
  return { from: spread, set: all.filter((e) => e % 16 === 15) }
}

/** No endpoint sends into its own block: that of its leaf switch (stage0), or of four of them. */
const blocks = { single: 1, stage0: 4, stage1: 16 } as const

/** 1 MiB in packets of 64 B for all hot sources together. */
const capOf = (sources: number): number => Math.max(1, Math.floor(2 ** 20 / 64 / sources))

export function eventTraffic(event: Event, n: number, mode: Mode): readonly TrafficSpec[] {
  const t = times[mode]
  const { from, set } = hotOf(event, n)
  const cold = Array.from({ length: 4 ** n }, (_, e) => e).filter((e) => !from.includes(e))
  return [
    stream("cold", 1, { from: cold }),
    stream("hot", 1, {
      from,
      pattern: { name: "to-set", set, block: blocks[event] },
      start: `${t.start}us`,
      stop: `${t.stop}us`,
    }),
  ]
}

export function experiment(event: Event, n: number, mode: Mode, names: readonly SchemeName[], seeds: number) {
  const t = times[mode]
  const { from } = hotOf(event, n)
  const network = treeNetwork(n)
  return {
    lacewing: 1,
    title: `${event}, ${4 ** n} endpoints`,
    network: { ...network, endpoint: { ...network.endpoint, capped: ["hot"], cap: capOf(from.length) } },
    traffic: eventTraffic(event, n, mode),
    measure: measured(t.before, t.until - t.before),
    probes: ["series"],
    variants: variantsOf(names),
    seeds,
  }
}

export function plansOf(
  event: Event,
  n: number,
  names: readonly SchemeName[] = compared,
): { quick?: PaperPlan; full: PaperPlan } {
  const full = { experiments: { [event]: experiment(event, n, "full", names, 3) } }
  if (n > 3) return { full }
  return {
    quick: {
      experiments: { [event]: experiment(event, n, "quick", names, 1) },
      scaled: "the event from 60 to 200 us instead of 1000 to 1300, one seed instead of three; recovery is not seen",
    },
    full,
  }
}

/** Runs of one event. */
export type EventRuns = PaperRuns[string]

export function having(runs: EventRuns, name: string): EventRuns {
  return runs.filter((r) => r.point["variant"] === name)
}

/** Bytes that arrive for each endpoint and nanosecond, over time. */
export function throughput(runs: EventRuns, name: string): { time: number[]; value: number[] } {
  const cold = overTime(having(runs, name), "cold.series", "accepted")
  const hot = overTime(having(runs, name), "hot.series", "accepted")
  return { time: cold.time, value: cold.value.map((v, i) => v + (Number.isFinite(hot.value[i]) ? hot.value[i] : 0)) }
}

export function level(runs: EventRuns, name: string, from: number, to: number): number {
  const { time, value } = throughput(runs, name)
  const inside = value.filter((_, i) => time[i] > from * 1000 && time[i] <= to * 1000)
  return inside.reduce((a, b) => a + b, 0) / inside.length
}

export const during = (runs: EventRuns, name: string, mode: Mode): number =>
  level(runs, name, times[mode].from, times[mode].stop)
export const before = (runs: EventRuns, name: string, mode: Mode): number =>
  level(runs, name, times[mode].before, times[mode].start)

/** Microseconds from the end of the event to the first of ten intervals in a row at 0.95 of the level before; all that
 *  were seen if there are none. */
export function recovery(runs: EventRuns, name: string): number {
  const { stop } = times.full
  const { time, value } = throughput(runs, name)
  const enough = 0.95 * before(runs, name, "full")
  if (Number.isNaN(enough)) return Number.NaN
  for (let i = 0; i + 10 <= time.length; i++)
    if (time[i] > stop * 1000 && value.slice(i, i + 10).every((v) => v >= enough)) return time[i] / 1000 - stop
  return times.full.until - stop
}

export const list = (f: (name: string) => number, names: readonly string[] = compared): string =>
  names.map((n) => `${n} ${f(n).toFixed(3)}`).join(", ")

export function atLeast(claim: string, paper: string, a: number, share: number, b: number, note: string): Row {
  return within({ claim, paper, value: a / b, low: share, high: Number.POSITIVE_INFINITY, note })
}

export function recoveryRows(runs: EventRuns, mode: Mode): Row[] {
  const claim = "FBICM: back at 0.95 of its level after the event, after (us)"
  const slow = "1Q: recovery over the longer one of DBBM and VOQsw"
  if (mode === "quick")
    return [claim, slow].map((c) => unchecked(c, "1Q's is very slow", "the quick form ends with the event"))
  const times_ = compared.map((n) => `${n} ${recovery(runs, n).toFixed(0)}`).join(", ")
  const others = Math.max(recovery(runs, "DBBM"), recovery(runs, "VOQsw"))
  const own = recovery(runs, "1Q")
  return [
    within({
      claim,
      paper: "at VOQnet's level",
      value: recovery(runs, "FBICM"),
      low: 0,
      high: 100,
      note: `at most 100; us: ${times_}`,
    }),
    within({
      claim: slow,
      paper: "1Q's is very slow",
      value: own / (others <= 850 ? 2 * others : others),
      low: 1 + Number.EPSILON,
      high: Number.POSITIVE_INFINITY,
      note: "over twice the others' if that is at most 850 us, else over theirs; 1700: not within the run",
    }),
  ]
}

export function eventFigures(runs: EventRuns, names: readonly SchemeName[] = compared): Figure[] {
  return [
    {
      kind: "lines",
      id: "throughput",
      title: "Normalized throughput over time",
      caption: "Bytes that arrived in each 10 us, mean of the seeds, over what all endpoint links carry.",
      x: { label: "Time (us)" },
      y: { label: "Normalized throughput" },
      lines: names.map((name) => {
        const { time, value } = throughput(runs, name)
        return {
          ...lineOver(name, having(runs, name), "cold.series", "accepted"),
          spots: time.map((t, i) => ({ x: t / 1000, y: value[i] })),
        }
      }),
      markers: false,
    },
  ]
}
