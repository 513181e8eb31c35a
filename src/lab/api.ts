// The programmatic interface: the same experiments, checks and runs as the command line, as functions. Wrong input comes back as complaints.
import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import { type Executed, type ExecuteOptions, execute, shardOf } from "./execute.ts"
import { aboutOf, type Plan, type PlannedRun, type PlanOptions, plan } from "./experiment.ts"
import { packageVersion } from "./identity.ts"
import type { Names } from "./names.ts"
import { type QuickProof, quickProofs } from "./quick-proof.ts"
import { read } from "./read.ts"
import { MemoryResults, type Results } from "./results.ts"
import { complaintsOf } from "./sense.ts"
import { loadSimulator } from "./simulator.ts"
import { type Placed, plainSource } from "./source.ts"
import { Store } from "./store.ts"
import { judge, type PointSummary, summarise, type Verdict } from "./summary.ts"

type Plugin<Name extends string = string> = Name | { readonly name: Name; readonly [param: string]: unknown }
type Stream = {
  readonly pattern?: Plugin<Names["pattern"]>
  readonly arrivals?: Plugin<Names["arrivals"]>
  readonly load?: number | string
  readonly packet?: Plugin
  readonly [key: string]: unknown
}

/** An experiment as it is written in a file; every value is checked when it is read. */
export interface ExperimentInput {
  readonly lacewing: 1
  readonly title?: string
  readonly name?: string
  readonly include?: string | readonly string[]
  readonly network?: {
    readonly topology?: Plugin<Names["topology"]>
    readonly routing?: Plugin<Names["routing"]>
    readonly switch?: Plugin<Names["switch"]>
    readonly endpoint?: Plugin<Names["endpoint"]>
    readonly congestion?: Plugin<Names["congestion"]>
    readonly [key: string]: unknown
  }
  readonly engine?: Plugin<"flit" | "packet">
  readonly traffic?: Stream | readonly Stream[]
  readonly measure?: Readonly<Record<string, unknown>>
  readonly probes?: Plugin<Names["probe"]> | readonly Plugin<Names["probe"]>[]
  readonly seeds?: number | readonly number[]
  readonly sweep?: Readonly<Record<string, unknown>>
  readonly zip?: Readonly<Record<string, readonly unknown[]>>
  readonly variants?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>
  readonly expect?: string | readonly string[]
  readonly search?: Plugin<"saturation">
  readonly limits?: { readonly time?: string; readonly memory?: string }
}

/** Gives an experiment its type, so that an editor completes it; `export default` it from a module to run it by name. */
export function defineExperiment<const E extends ExperimentInput>(experiment: E): E {
  return experiment
}

export interface RunOptions extends Partial<Omit<ExecuteOptions, "workers">> {
  /** runs at the same time; all cores unless given */
  readonly workers?: number
  /** results folder; without one the results stay in memory */
  readonly out?: string
  readonly set?: readonly string[]
  readonly seeds?: readonly number[]
  /** for experiments given as objects: paths are relative to it */
  readonly folder?: string
}

export interface Finished extends Executed {
  readonly plan: Plan
  /** one row for each point: mean and 95 % interval over the seeds */
  readonly rows: readonly PointSummary[]
  readonly verdicts: readonly Verdict[]
  /** whether its networks are free of deadlock, as far as a quick proof can tell before cycle 0 */
  readonly proofs: readonly QuickProof[]
}

type Given = string | ExperimentInput

async function planOf(given: Given, o: RunOptions): Promise<{ ok: Plan } | { bad: Placed[] }> {
  const options: PlanOptions = {
    ...(o.set ? { set: o.set } : {}),
    ...(o.seeds ? { seeds: o.seeds } : {}),
  }
  if (typeof given !== "string")
    return plan({ source: plainSource("experiment", given), folder: resolve(o.folder ?? "."), name: "experiment" }, options)
  const file = await read(given)
  return "bad" in file ? file : plan(file.ok, options)
}

/** The runs that an experiment comes to, or everything that is wrong with it. */
export async function check(given: Given, o: RunOptions = {}): Promise<{ ok: Plan } | { bad: Placed[] }> {
  const planned = await planOf(given, o)
  if ("bad" in planned) return planned
  const bad = complaintsOf(shardOf(planned.ok.runs, o.shard), planned.ok.folder, await loadSimulator(o.simulator))
  return bad.length > 0 ? { bad } : planned
}

/** Checks and runs an experiment: a file, a folder, or an object. */
export async function run(given: Given, o: RunOptions = {}): Promise<{ ok: Finished } | { bad: Placed[] }> {
  const checked = await check(given, o)
  if ("bad" in checked) return checked
  const opened = await resultsAt(o.out, checked.ok)
  if ("bad" in opened) return opened
  try {
    const proofs = o.simulator === undefined ? quickProofs(toDo(checked.ok, opened.ok, o), checked.ok.folder) : []
    const done = await execute(checked.ok, opened.ok, { workers: availableParallelism(), ...o })
    const rows = summarise(done.records)
    return { ok: { ...done, plan: checked.ok, rows, verdicts: judge(checked.ok.expect, rows), proofs } }
  } finally {
    await opened.ok.close()
  }
}

function toDo(of: Plan, results: Results, o: RunOptions): readonly PlannedRun[] {
  return shardOf(of.runs, o.shard).filter((r) => o.force === true || results.get(r.hash) === undefined)
}

async function resultsAt(out: string | undefined, of: Plan): Promise<{ ok: Results } | { bad: Placed[] }> {
  if (out === undefined) return { ok: new MemoryResults() }
  const opened = await Store.open(out, { version: packageVersion, about: aboutOf(of) })
  return "ok" in opened ? opened : { bad: opened.bad.map((c) => ({ ...c, file: out })) }
}
