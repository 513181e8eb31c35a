// Estimates before a sweep: number of runs, time and memory, for `--dry-run`, progress displays and the pool. The work
// of a run is predicted by sample packets (predict/), its seconds from the measured speed of this machine. Both are
// corrected by the measured times of stored runs of the same experiment.

import { atLoad, type Plan, type PlannedRun } from "../experiment/plan.ts"
import { Bisection, type SaturationSearch } from "../experiment/search.ts"
import type { RunSpec } from "../model/experiment.ts"
import type { RunRecord } from "../results/record.ts"
import { longFlitHops } from "./long-run.ts"
import { costOf, flitHopsPerSecond, ISOLATE } from "./rate.ts"
import { roughly } from "./rough.ts"
import { type Predicted, predictRun } from "./run.ts"

/** Megabytes of an isolate without any network. */
const EMPTY = 30
/**
 * Hops of sample packets that are enough to choose between one worker and several: only the order of magnitude matters.
 */
const BRIEF = 4000
/** Stored runs whose times are compared with their predictions. */
const COMPARED = 24

/** Predicts the work of a run. `brief` costs one or two milliseconds in addition to building the network. */
export function estimateRun(spec: RunSpec, folder: string, brief = false): Predicted {
  return predictRun(spec, folder, brief ? BRIEF : undefined) ?? roughly(spec)
}

/**
 * A flit-level run with fewer flit-hops per cycle than this gets one worker. On an 8x8 mesh (120), a second worker cost
 * 45 % more CPU time and saved no wall time. On a 16x16 mesh (450), it cost 30 % more and saved a tenth of the wall
 * time. Both were measured on two cores with other load.
 */
const TEAM = 200
/** Speedup of each worker in a group, relative to a single worker. */
const TOGETHER = 0.8

/** Decides whether a run gets a fresh isolate, and several workers. */
export function planFor(spec: RunSpec, p: Predicted): { readonly long: boolean; readonly team: boolean } {
  const long = isLong(p)
  return { long, team: spec.engine.name !== "flit" || (long && p.flitHops > TEAM * p.cycles) }
}

export interface Estimate {
  /** runs of all points; for a search, the number that it will probably need */
  readonly runs: number
  readonly todo: number
  /**
   * runs to do with parallel programs, if no run of the experiment is stored. The numbers below do not include them,
   * except for the memory.
   */
  readonly unforeseen: number
  readonly endpoints: number
  /** of the runs to do */
  readonly flitHops: number
  /** CPU seconds of one core, and wall-clock seconds with the given workers */
  readonly seconds: number
  readonly wall: number
  /** of the largest run */
  readonly megabytes: number
  /** points that run at the same time */
  readonly atOnce: number
  /** true if all predictions used sample packets */
  readonly sampled: boolean
  /** stored runs whose measured seconds correct the prediction */
  readonly known: number
  /** flit-hops per second of a small network on this machine */
  readonly rate: number
}

export interface EstimateOptions {
  readonly workers?: number
  /** run stored points again */
  readonly force?: boolean
  /** returns the stored record of a run */
  get?(run: PlannedRun): RunRecord | undefined
}

/** Estimates the given runs of a plan. */
export function estimatePlan(plan: Plan, runs: readonly PlannedRun[], o: EstimateOptions = {}): Estimate {
  const todo: Predicted[] = []
  const known: { predicted: Predicted; record: RunRecord }[] = []
  const teams: boolean[] = []
  const programs = new Set<Predicted>()
  let done = 0
  const all: Predicted[] = []
  const take = (run: PlannedRun): { predicted: Predicted; record: RunRecord | undefined } => {
    const record = o.get?.(run)
    const predicted = estimateRun(run.spec, plan.folder)
    all.push(predicted)
    if (record === undefined || o.force === true) {
      todo.push(predicted)
      if (run.spec.jobs !== undefined) programs.add(predicted)
      teams.push(run.spec.engine.name === "flit" && planFor(run.spec, predicted).team)
    } else done++
    if (record !== undefined && known.length < COMPARED) known.push({ predicted, record })
    return { predicted, record }
  }
  let open = 0
  for (const run of runs) {
    const before = todo.length
    if (plan.search === undefined) take(run)
    else search(run, plan.search, take)
    if (todo.length > before) open++
  }
  const rate = flitHopsPerSecond()
  // The work of a parallel program can only be estimated from stored runs.
  const unforeseen = known.length > 0 ? new Set<Predicted>() : programs
  const seconds = (p: Predicted) => (unforeseen.has(p) ? 0 : secondsAt(p, rate))
  const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0)
  const took = sum(known.map((k) => k.record.provenance.seconds))
  // Ratio of measured to predicted seconds of the stored runs.
  const correction = took > 0 ? took / sum(known.map((k) => seconds(k.predicted))) : 1
  const workers = Math.max(1, o.workers ?? 1)
  const inner = Math.max(1, Math.floor(workers / Math.max(1, runs.length)))
  const atOnce = Math.max(1, Math.min(workers, open))
  // Threads that the short runs share: each is started once.
  const threads = Math.min(atOnce, todo.filter((p) => !isLong(p) && !unforeseen.has(p)).length)
  const shared = (i: number) => (teams[i] === true && inner > 1 ? TOGETHER * inner : 1)
  const most = (of: (p: Predicted) => number) => all.reduce((top, p) => Math.max(top, of(p)), 0)
  return {
    runs: todo.length + done,
    todo: todo.length,
    unforeseen: unforeseen.size,
    endpoints: most((p) => p.ends),
    flitHops: sum(todo.map((p) => (unforeseen.has(p) ? 0 : p.flitHops))),
    seconds: threads * ISOLATE + correction * sum(todo.map(seconds)),
    megabytes: most(megabytesOf),
    wall: (threads * ISOLATE + correction * sum(todo.map((p, i) => seconds(p) / shared(i)))) / atOnce,
    atOnce,
    sampled: all.every((p) => p.sampled || unforeseen.has(p)),
    known: known.length,
    rate,
  }
}

/** Returns the estimated time `span` as text, with its basis. */
export function lengthOf(e: Estimate, span: string): string {
  if (e.unforeseen === e.todo && e.todo > 0) return `the time cannot be predicted, because ${basisOf(e)}`
  return `${span} (${basisOf(e)})`
}

/** Returns n if all runs to do can be predicted, and null otherwise. */
export function foreseen(e: Estimate, n: number): number | null {
  return e.unforeseen === 0 ? n : null
}

/** Describes the basis of an estimate. */
export function basisOf({ flitHops, known, rate, sampled, todo, unforeseen }: Estimate): string {
  const why = "the behaviour of a parallel program is only known when it runs"
  if (unforeseen === todo && todo > 0) return why
  const from = sampled ? "from sample packets" : "partly from sizes only, because the network is too large to sample"
  const work = `${million(flitHops)} flit-hops, predicted ${from}`
  const runs = `${known} stored ${known === 1 ? "run" : "runs"}`
  if (known > 0) return `${work}, at the speed of ${runs}`
  const without = unforeseen === 0 ? "" : `; without ${unforeseen} of ${todo} runs, because ${why}`
  return `${work}, at ${million(rate)} per second as measured here; usually within a factor of 3${without}`
}

function million(n: number): string {
  return n < 1e6
    ? Math.round(n).toLocaleString("en")
    : `${Number((n / 1e6).toPrecision(2)).toLocaleString("en")} million`
}

/** Adds the loads that a search will try, from stored or else predicted results. */
function search(
  base: PlannedRun,
  asked: SaturationSearch,
  take: (run: PlannedRun) => { predicted: Predicted; record: RunRecord | undefined },
): void {
  tryLoads(asked, (load) => take(atLoad(base, load)))
}

/** Runs a bisection on predicted or stored results instead of simulations. */
export function tryLoads(
  asked: SaturationSearch,
  at: (load: number) => { readonly predicted: Predicted | undefined; readonly record: RunRecord | undefined },
): void {
  const bisection = new Bisection(asked)
  for (let load = bisection.next(); load !== undefined; load = bisection.next()) {
    const { predicted: p, record } = at(load)
    const saturated = p?.saturated === true
    const guess = {
      why: saturated ? "saturated" : "steady",
      values: { "latency.mean": p?.latency ?? 1, saturated: saturated ? 1 : 0 },
    } as const
    bisection.tell(load, record?.result ?? { ...guess, explains: "", fingerprint: "", tables: {} })
  }
}

/**
 * Returns the CPU seconds of a run on a core that does `rate` flit-hops per second. A long run starts its own thread;
 * short runs share one.
 */
export function secondsAt(p: Predicted, rate: number): number {
  const { start, work } = costOf(p)
  return (isLong(p) ? ISOLATE : 0) + start + work / rate
}

/** Long runs get a fresh isolate (sweep/pool.ts). */
function isLong(p: Predicted): boolean {
  return p.flitHops > longFlitHops
}

/** Returns the megabytes of the isolate of a run. */
export function megabytesOf(p: Predicted): number {
  return EMPTY + p.touched / 2 ** 20
}
