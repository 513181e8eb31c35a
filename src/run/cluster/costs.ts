// What each run of a plan will take, for packing: predicted as `--dry-run` does, corrected by what known runs took. Runs that differ in seed, or by less than a tenth in
// load, are looked at once; where a plan has more kinds than can be looked at in a few seconds, the rest cost what the others do on average.
import { atLoad, type Plan, type PlannedRun } from "../../experiment/plan.ts"
import type { SaturationSearch } from "../../experiment/search.ts"
import type { RunRecord } from "../../results/record.ts"
import { estimateRun, megabytesOf, secondsAt, tryLoads } from "../estimate.ts"
import { flitHopsPerSecond } from "../predict/rate.ts"
import type { Predicted } from "../predict/run.ts"
import type { Cost } from "./pack.ts"

/** Milliseconds that may be spent on looking. */
const BUDGET = 3000
/** Known runs that are compared with what would have been predicted of them. */
const COMPARED = 24

export interface Costs {
  of(run: PlannedRun): Cost
  /** measured over predicted seconds of known runs; 1 where none is known */
  readonly correction: number
  readonly known: number
}

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
    const { seconds, megabytes } = p === undefined ? usual() : { seconds: secondsAt(p, rate), megabytes: megabytesOf(p) }
    return { seconds: correction * seconds, megabytes }
  }
  const { search } = plan
  return {
    correction,
    known: compared.length,
    of: (run) => (search === undefined ? one(look(run)) : searched(run, search, (r) => ({ p: look(r), cost: one(look(r)) }), known)),
  }
}

/** All loads that a search will try and that are not known. */
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

/** Names for kinds of runs: all but seed and load, and the load in steps of a tenth. Parts that runs share are written once. */
class Kinds {
  private readonly texts = new WeakMap<object, string>()
  private readonly numbers = new Map<string, number>()
  of({ spec }: PlannedRun): string {
    const { network, engine, traffic, jobs = none, measure, probes } = spec
    const streams = this.part(traffic, () => traffic.map(({ load, ...t }) => `${level(load)} ${this.number(JSON.stringify(t))}`).join())
    const rest = [network, engine, jobs, measure, probes].map((p) => this.part(p, () => String(this.number(JSON.stringify(p)))))
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
