// Predicts the cost of each run of a plan, for packing into tasks. The prediction is that of `--dry-run`, corrected by
// the times of stored runs. Runs that differ in seed, or by less than a tenth in load, are predicted once. If a plan
// has more kinds of runs than can be predicted in a few seconds, the others get the mean cost.
import { atLoad, type Plan, type PlannedRun } from "../experiment/plan.ts"
import type { SaturationSearch } from "../experiment/search.ts"
import { estimateRun, megabytesOf, secondsAt, tryLoads } from "../predict/estimate.ts"
import { flitHopsPerSecond } from "../predict/rate.ts"
import type { Predicted } from "../predict/run.ts"
import type { RunRecord } from "../results/record.ts"
import type { Cost } from "./pack.ts"

/** Limit of the time for predictions in milliseconds. */
const BUDGET = 3000
/** Stored runs whose times are compared with their predictions. */
const COMPARED = 24

export interface Costs {
  of(run: PlannedRun): Cost
  /** measured over predicted seconds of stored runs; 1 if there are none */
  readonly correction: number
  readonly known: number
}

/** Returns the cost function of a plan. `known`: stored records; `budget`: milliseconds for predictions. */
export function costsOf(plan: Plan, known: (hash: string) => RunRecord | undefined, budget = BUDGET): Costs {
  const rate = flitHopsPerSecond()
  const begun = performance.now()
  const looked = new Map<string, Predicted>()
  const kinds = new Kinds()
  let [sum, most] = [0, 0]
  const look = (run: PlannedRun): Predicted | undefined => {
    const key = kinds.of(run)
    const before = looked.get(key)
    if (before !== undefined) return before
    if (looked.size > 0 && performance.now() - begun > budget) return undefined
    const found = estimateRun(run.spec, plan.folder, true)
    looked.set(key, found)
    sum += secondsAt(found, rate)
    most = Math.max(most, megabytesOf(found))
    return found
  }
  const usual = (): Cost => ({ seconds: sum / Math.max(1, looked.size), megabytes: most })
  const compared: { readonly run: PlannedRun; readonly record: RunRecord }[] = []
  for (const run of plan.runs) {
    const record = known(run.hash)
    if (record !== undefined && compared.push({ run, record }) === COMPARED) break
  }
  const guessed = compared.map((c) => look(c.run)).map((p) => (p === undefined ? usual().seconds : secondsAt(p, rate)))
  const took = compared.reduce((s, { record }) => s + record.provenance.seconds, 0)
  const correction = took > 0 ? took / guessed.reduce((a, b) => a + b, 0) : 1
  const one = (p: Predicted | undefined): Cost => {
    const { seconds, megabytes } =
      p === undefined ? usual() : { seconds: secondsAt(p, rate), megabytes: megabytesOf(p) }
    return { seconds: correction * seconds, megabytes }
  }
  const { search } = plan
  return {
    correction,
    known: compared.length,
    of: (run) =>
      search === undefined ? one(look(run)) : searched(run, search, (r) => ({ p: look(r), cost: one(look(r)) }), known),
  }
}

/** Returns the cost of all loads that a search will try and that are not stored. */
function searched(
  base: PlannedRun,
  asked: SaturationSearch,
  look: (run: PlannedRun) => { readonly p: Predicted | undefined; readonly cost: Cost },
  known: (hash: string) => RunRecord | undefined,
): Cost {
  let [seconds, megabytes] = [0, 0]
  tryLoads(asked, (load) => {
    const run = atLoad(base, load)
    const record = known(run.hash)
    const { p, cost } = look(run)
    if (record === undefined) seconds += cost.seconds
    megabytes = Math.max(megabytes, cost.megabytes)
    return { predicted: p, record }
  })
  return { seconds, megabytes }
}

/**
 * Names for kinds of runs: everything but seed and load, and the load in steps of a tenth. Shared parts are serialised
 * once.
 */
class Kinds {
  private readonly texts = new WeakMap<object, string>()
  private readonly numbers = new Map<string, number>()
  of({ spec }: PlannedRun): string {
    const { network, engine, traffic, jobs = none, measure, probes } = spec
    const streams = this.part(traffic, () =>
      traffic.map(({ load, ...t }) => `${level(load)} ${this.number(JSON.stringify(t))}`).join(),
    )
    const rest = [network, engine, jobs, measure, probes].map((p) =>
      this.part(p, () => String(this.number(JSON.stringify(p)))),
    )
    return `${streams}/${rest.join("/")}`
  }
  private part(value: object, make: () => string): string {
    const before = this.texts.get(value)
    if (before !== undefined) return before
    const text = make()
    this.texts.set(value, text)
    return text
  }
  private number(text: string): number {
    const n = this.numbers.get(text) ?? this.numbers.size
    this.numbers.set(text, n)
    return n
  }
}

const none: readonly never[] = []
const level = (load: number) => (load > 0 ? Math.round(Math.log(load) / Math.log(1.1)) : -1000)
