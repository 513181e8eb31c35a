// Before a sweep: how many runs, about how long, about how much memory. Work is predicted from the run itself (predict/), seconds from the speed of this machine, and both
// are corrected by what runs of the same experiment took that are known.
import type { RunSpec } from "../model/experiment.ts"
import { atLoad, type Plan, type PlannedRun } from "./experiment.ts"
import { costOf, flitHopsPerSecond } from "./predict/rate.ts"
import { roughly } from "./predict/rough.ts"
import { type Predicted, predictRun } from "./predict/run.ts"
import type { RunRecord } from "./record.ts"
import { Bisection, type SaturationSearch } from "./search.ts"

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

export interface Estimate {
  /** of all points; a search has as many runs as it will probably need */
  readonly runs: number
  readonly todo: number
  readonly endpoints: number
  /** of what is to do */
  readonly flitHops: number
  /** of one core */
  readonly seconds: number
  /** of the largest run */
  readonly megabytes: number
  /** points that can be run at once */
  readonly parallel: number
  /** runs whose measured seconds correct the prediction */
  readonly known: number
  /** flit-hops in a second of a small network on this machine */
  readonly rate: number
}

/** `runs`: those of the plan that are asked for; `get`: what is known; `again`: what is known is run again. */
export function estimatePlan(
  plan: Plan,
  runs: readonly PlannedRun[],
  get: (run: PlannedRun) => RunRecord | undefined = () => undefined,
  again = false,
): Estimate {
  const todo: Predicted[] = []
  const known: { predicted: Predicted; record: RunRecord }[] = []
  let done = 0
  const all: Predicted[] = []
  const take = (run: PlannedRun): { predicted: Predicted; record: RunRecord | undefined } => {
    const record = get(run)
    const predicted = estimateRun(run.spec, plan.folder)
    all.push(predicted)
    if (record === undefined || again) todo.push(predicted)
    else done++
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
  const seconds = (p: Predicted) => costOf(p).start + costOf(p).work / rate
  const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0)
  const took = sum(known.map((k) => k.record.provenance.seconds))
  const correction = took > 0 ? took / sum(known.map((k) => seconds(k.predicted))) : 1
  const most = (of: (p: Predicted) => number) => all.reduce((top, p) => Math.max(top, of(p)), 0)
  return {
    runs: todo.length + done,
    todo: todo.length,
    endpoints: most((p) => p.ends),
    flitHops: sum(todo.map((p) => p.flitHops)),
    seconds: correction * sum(todo.map(seconds)),
    megabytes: EMPTY + most((p) => p.touched) / 2 ** 20,
    parallel: open,
    known: known.length,
    rate,
  }
}

/** What it rests on, in words. */
export function basisOf({ flitHops, known, rate }: Pick<Estimate, "flitHops" | "known" | "rate">): string {
  const work = `${million(flitHops)} flit-hops, predicted from sample packets`
  const runs = `${known} ${known === 1 ? "run that is" : "runs that are"} known`
  return known > 0
    ? `${work}, at the speed of ${runs}`
    : `${work}, at ${million(rate)} in a second as measured here; usually within a factor of 3`
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
  const bisection = new Bisection(asked)
  for (let load = bisection.next(); load !== undefined; load = bisection.next()) {
    const { predicted: p, record } = take(atLoad(base, load))
    const guess = {
      why: p.saturated ? "saturated" : "steady",
      values: { "latency.mean": p.latency, saturated: p.saturated ? 1 : 0 },
    } as const
    bisection.tell(load, record?.result ?? { ...guess, explains: "", fingerprint: "", tables: {} })
  }
}
