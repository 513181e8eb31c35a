// Before a sweep: how many runs, about how long, about how much memory. Work is predicted from the run itself (predict/), seconds from the speed of this machine, and both
// are corrected by what runs of the same experiment took that are known.

import { atLoad, type Plan, type PlannedRun } from "../experiment/plan.ts"
import { Bisection, type SaturationSearch } from "../experiment/search.ts"
import type { RunSpec } from "../model/experiment.ts"
import type { RunRecord } from "../results/record.ts"
import { longFlitHops } from "./pool.ts"
import { costOf, flitHopsPerSecond, ISOLATE } from "./predict/rate.ts"
import { roughly } from "./predict/rough.ts"
import { type Predicted, predictRun } from "./predict/run.ts"

/** Megabytes of an isolate without any network. */
const EMPTY = 30
/** Hops that may be walked to choose between one worker and several: the order of magnitude is enough. */
const BRIEF = 4000
/** Known runs that are compared with what would have been predicted of them. */
const COMPARED = 24

/** What a run will do; `brief` costs a millisecond or two besides building the network. */
export function estimateRun(spec: RunSpec, folder: string, brief = false): Predicted {
  return predictRun(spec, folder, brief ? BRIEF : undefined) ?? roughly(spec)
}

/** A run of flits of fewer flit-hops in a cycle has one worker: on an 8x8 mesh (120) a second one cost 45 % more CPU time and saved no wall time, on a 16x16
 * mesh (450) 30 % for a tenth of the wall time, with both cores in use by others as well. */
const TEAM = 200
/** What each worker of a team does of what one alone would. */
const TOGETHER = 0.8

/** Is it worth a fresh isolate, and several workers? */
export function planFor(spec: RunSpec, p: Predicted): { readonly long: boolean; readonly team: boolean } {
  const long = isLong(p)
  return { long, team: spec.engine.name !== "flit" || (long && p.flitHops > TEAM * p.cycles) }
}

export interface Estimate {
  /** of all points; a search has as many runs as it will probably need */
  readonly runs: number
  readonly todo: number
  /** runs to do with parallel programs, where none of the experiment is known: what these take is in none of the numbers below but the memory */
  readonly unforeseen: number
  readonly endpoints: number
  /** of what is to do */
  readonly flitHops: number
  /** of one core, and with as many workers as are given */
  readonly seconds: number
  readonly wall: number
  /** of the largest run */
  readonly megabytes: number
  /** points that are run at once */
  readonly atOnce: number
  /** all of them were looked at with sample packets */
  readonly sampled: boolean
  /** runs whose measured seconds correct the prediction */
  readonly known: number
  /** flit-hops in a second of a small network on this machine */
  readonly rate: number
}

export interface EstimateOptions {
  readonly workers?: number
  /** what is known is run again */
  readonly force?: boolean
  /** what is known */
  get?(run: PlannedRun): RunRecord | undefined
}

/** `runs`: those of the plan that are asked for. */
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
  // of what a program does only known runs tell
  const unforeseen = known.length > 0 ? new Set<Predicted>() : programs
  const seconds = (p: Predicted) => (unforeseen.has(p) ? 0 : secondsAt(p, rate))
  const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0)
  const took = sum(known.map((k) => k.record.provenance.seconds))
  const correction = took > 0 ? took / sum(known.map((k) => seconds(k.predicted))) : 1
  const workers = Math.max(1, o.workers ?? 1)
  const inner = Math.max(1, Math.floor(workers / Math.max(1, runs.length)))
  const atOnce = Math.max(1, Math.min(workers, open))
  // threads that the short runs share: each is started once
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

/** How long: `span` of what is foreseen, and what that rests on. */
export function lengthOf(e: Estimate, span: string): string {
  if (e.unforeseen === e.todo && e.todo > 0) return `how long cannot be foreseen: ${basisOf(e)}`
  return `${span} (${basisOf(e)})`
}

/** A number of what is to do, where all of it is foreseen. */
export function foreseen(e: Estimate, n: number): number | null {
  return e.unforeseen === 0 ? n : null
}

/** What it rests on, in words. */
export function basisOf({ flitHops, known, rate, sampled, todo, unforeseen }: Estimate): string {
  const why = "what a parallel program does shows when it runs"
  if (unforeseen === todo && todo > 0) return why
  const from = sampled ? "from sample packets" : "in part from sizes alone, where the network is too large to look at"
  const work = `${million(flitHops)} flit-hops, predicted ${from}`
  const runs = `${known} ${known === 1 ? "run that is" : "runs that are"} known`
  if (known > 0) return `${work}, at the speed of ${runs}`
  const without = unforeseen === 0 ? "" : `; without ${unforeseen} of ${todo} runs: ${why}`
  return `${work}, at ${million(rate)} in a second as measured here; usually within a factor of 3${without}`
}

function million(n: number): string {
  return n < 1e6 ? Math.round(n).toLocaleString("en") : `${Number((n / 1e6).toPrecision(2)).toLocaleString("en")} million`
}

/** The loads that a search will try, by what is known of them or else predicted. */
function search(
  base: PlannedRun,
  asked: SaturationSearch,
  take: (run: PlannedRun) => { predicted: Predicted; record: RunRecord | undefined },
): void {
  tryLoads(asked, (load) => take(atLoad(base, load)))
}

/** A bisection that is told what is predicted of each load, or what is known of it. */
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

/** Seconds of one core that does `rate` flit-hops per second. A long run starts a thread of its own; short runs share one. */
export function secondsAt(p: Predicted, rate: number): number {
  const { start, work } = costOf(p)
  return (isLong(p) ? ISOLATE : 0) + start + work / rate
}

/** Long runs get a fresh isolate (pool.ts). */
function isLong(p: Predicted): boolean {
  return p.flitHops > longFlitHops
}

/** Of the isolate of a run. */
export function megabytesOf(p: Predicted): number {
  return EMPTY + p.touched / 2 ** 20
}
