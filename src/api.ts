// The programming interface: the experiments, checks and runs of the command line as functions. Invalid input is
// returned as complaints.
import { availableParallelism } from "node:os"
import { resolve } from "node:path"
import { optionsFrom, type RunOptions } from "./api-options.ts"
import { type Complaint, complain } from "./core/complaint.ts"
import { kindOf } from "./core/units.ts"
import { complaintsOf } from "./experiment/cross-checks.ts"
import { hostAt } from "./experiment/disk/host.ts"
import { moduleFrom } from "./experiment/gate.ts"
import { buildVersion } from "./experiment/identity/version.ts"
import type { Names, Written } from "./experiment/names.ts"
import { outsideFor } from "./experiment/outside/load.ts"
import { type Plan, type PlannedRun, type PlanOptions, plan } from "./experiment/plan.ts"
import { read } from "./experiment/read.ts"
import { type Placed, plainSource } from "./experiment/source.ts"
import type { ExperimentFile } from "./experiment/text.ts"
import { deadlockComplaints, type QuickProof, quickProofs } from "./inspect/quick-proof.ts"
import { aboutOf } from "./results/about.ts"
import { withSlowdowns } from "./results/references.ts"
import { MemoryResults, type Results } from "./results/results.ts"
import { Store } from "./results/store.ts"
import { judge, type PointSummary, summarise, type Verdict } from "./results/summary.ts"
import type { Simulator } from "./run/options.ts"
import { type Executed, type ExecuteOptions, execute, shardOf } from "./sweep/execute.ts"
import { loadSimulator } from "./sweep/simulator.ts"

type Plugin<Name extends string = string> = Name | { readonly name: Name; readonly [param: string]: unknown }
type Stream<N extends AnyNames> = {
  readonly pattern?: Plugin<N["pattern"]>
  readonly arrivals?: Plugin<N["arrivals"]>
  readonly load?: number | string
  readonly packet?: Plugin
  readonly [key: string]: unknown
}

type AnyNames = { readonly [Kind in keyof Names]: string }

/**
 * An experiment as it is written in a file; every value is checked when it is read. With `plugins` it may name custom
 * plug-ins.
 */
export type ExperimentInput = BuiltInExperiment | PluginExperiment

type BuiltInExperiment = Written & { readonly plugins?: undefined }
type PluginExperiment = WithPlugins<AnyNames> & { readonly plugins: string | readonly string[] }

/** Custom plug-ins bring their names and keys, so that only the outline is typed. */
interface WithPlugins<N extends AnyNames> {
  readonly lacewing: 1
  readonly title?: string
  readonly name?: string
  readonly include?: string | readonly string[]
  readonly network?: {
    readonly topology?: Plugin<N["topology"]>
    readonly routing?: Plugin<N["routing"]>
    readonly switch?: Plugin<N["switch"]>
    readonly endpoint?: Plugin<N["endpoint"]>
    readonly congestion?: Plugin<N["congestion"]>
    readonly qos?: Plugin<N["qos"]>
    readonly [key: string]: unknown
  }
  readonly engine?: Plugin<"flit" | "packet" | "ideal">
  readonly traffic?: Stream<N> | readonly Stream<N>[]
  readonly measure?: Readonly<Record<string, unknown>>
  readonly probes?: Plugin<N["probe"]> | readonly Plugin<N["probe"]>[]
  readonly seeds?: number | readonly number[]
  readonly sweep?: Readonly<Record<string, unknown>>
  readonly zip?: Readonly<Record<string, readonly unknown[]>>
  readonly variants?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>
  readonly expect?: string | readonly string[]
  readonly search?: Plugin<"saturation">
  readonly limits?: { readonly time?: string; readonly memory?: string }
  /** resources that `lacewing run --on` requests from a scheduler; runs of the library stay on this machine */
  readonly cluster?: Readonly<Record<string, string | number>>
}

/**
 * Gives an experiment its type, so that an editor completes it and marks misspelt keys. Export it by default from a
 * module to run it by name.
 */
export function defineExperiment(experiment: PluginExperiment): ExperimentInput
export function defineExperiment(experiment: BuiltInExperiment): ExperimentInput
export function defineExperiment(experiment: ExperimentInput): ExperimentInput {
  return experiment
}

export interface Finished extends Executed {
  readonly plan: Plan
  /** one row for each point: mean and 95 % confidence interval over the seeds */
  readonly rows: readonly PointSummary[]
  readonly verdicts: readonly Verdict[]
  /** whether its networks are deadlock-free, as far as the quick proof before cycle 0 decides */
  readonly proofs: readonly QuickProof[]
}

type Given = string | ExperimentInput

/** Reads an experiment and returns its plan. */
async function planOf(given: Given, o: RunOptions): Promise<{ ok: Plan } | { bad: Placed[] }> {
  const options: PlanOptions = {
    ...(o.set || o.anyway === true
      ? { set: [...(o.set ?? []), ...(o.anyway === true ? ["measure.deadlock=watch"] : [])] }
      : {}),
    ...(o.seeds ? { seeds: o.seeds } : {}),
  }
  if (typeof given !== "string" && (typeof given !== "object" || given === null))
    return placedIn("experiment", [complain("", `expected a path or an experiment, found ${kindOf(given)}`, usual)])
  const code = o.code ?? true
  const file: { ok: ExperimentFile } | { bad: Placed[] } =
    typeof given === "string"
      ? await read(given, { code })
      : { ok: { source: plainSource("experiment", given), host: hostAt(resolve(o.folder ?? ".")), name: "experiment" } }
  if ("bad" in file) return file
  const outside = await outsideFor(file.ok, { code })
  return "bad" in outside ? outside : plan(file.ok, { ...options, outside: outside.ok })
}

const usual = "pass the path of a file or folder, or defineExperiment({ … })"

function placedIn(file: string, bad: readonly Complaint[]): { bad: Placed[] } {
  return { bad: bad.map((c) => ({ ...c, file })) }
}

/**
 * Returns the plan of an experiment without a look at its networks, or complaints. `runPlan` and `openRun` execute it.
 */
export async function planned(given: Given, options?: RunOptions): Promise<{ ok: Plan } | { bad: Placed[] }> {
  const got = optionsFrom(options)
  return "bad" in got ? placedIn("options", got.bad) : planOf(given, got.ok)
}

/** Returns the plan of an experiment, or all complaints. */
export async function check(given: Given, options?: RunOptions): Promise<{ ok: Plan } | { bad: Placed[] }> {
  const got = optionsFrom(options)
  return "bad" in got ? placedIn("options", got.bad) : checked(given, got.ok)
}

async function checked(given: Given, o: RunOptions): Promise<{ ok: Plan } | { bad: Placed[] }> {
  const planned = await planOf(given, o)
  if ("bad" in planned) return planned
  const simulator = await simulatorOf(o)
  if ("bad" in simulator) return simulator
  const bad = complaintsOf(shardOf(planned.ok.runs, o.shard), hostAt(planned.ok.folder), simulator.ok)
  return bad.length > 0 ? { bad } : planned
}

/** Loads the simulator; `simulator` is the URL of another one, for tests. */
async function simulatorOf(o: RunOptions): Promise<{ ok: Simulator } | { bad: Placed[] }> {
  if (o.simulator === undefined) return { ok: await loadSimulator() }
  const url = moduleFrom("command line", o.simulator, { code: o.code ?? true })
  if ("says" in url) return placedIn("options", [complain("simulator", url.says, url.fix)])
  try {
    const loaded = await loadSimulator(url.ok)
    if (typeof loaded.prepare === "function" && typeof loaded.simulate === "function") return { ok: loaded }
    return placedIn("options", [
      complain("simulator", "The module does not export prepare and simulate.", "leave it out"),
    ])
  } catch (e) {
    const says = `cannot be loaded: ${e instanceof Error ? e.message.split("\n")[0] : String(e)}`
    return placedIn("options", [complain("simulator", says, "pass the URL of a module, or remove it")])
  }
}

/** Checks and runs an experiment: a file, a folder, or an object. */
export async function run(given: Given, options?: RunOptions): Promise<{ ok: Finished } | { bad: Placed[] }> {
  const got = optionsFrom(options)
  if ("bad" in got) return placedIn("options", got.bad)
  const found = await checked(given, got.ok)
  if ("bad" in found) return found
  const opened = await resultsAt(got.ok.out, found.ok)
  if ("bad" in opened) return opened
  const caller = new Caller(got.ok)
  try {
    // The proof needs lacewing's own simulator; another one may have other networks.
    const proven = got.ok.simulator === undefined && got.ok.anyway !== true
    const deadlocks = proven ? deadlockComplaints(toDo(found.ok, opened.ok, got.ok), found.ok.folder) : []
    if (deadlocks.length > 0) return { bad: deadlocks }
    const proofs = got.ok.simulator === undefined ? quickProofs(toDo(found.ok, opened.ok, got.ok), found.ok.folder) : []
    const done = await execute(found.ok, opened.ok, { workers: availableParallelism(), ...got.ok, ...caller.guarded() })
    if (caller.bad.length > 0) return placedIn("options", caller.bad)
    const rows = summarise(withSlowdowns(done.records))
    return { ok: { ...done, plan: found.ok, rows, verdicts: judge(found.ok.expect, rows), proofs } }
  } finally {
    await opened.ok.close()
  }
}

/** Wraps the callbacks of the caller: one that throws ends the run and is reported. */
class Caller {
  readonly bad: Complaint[] = []
  private readonly options: RunOptions
  private readonly stop = new AbortController()

  constructor(options: RunOptions) {
    this.options = options
  }

  guarded(): Pick<ExecuteOptions, "signal" | "onStart" | "onRecord" | "onFailure" | "onProgress" | "onNote"> {
    const { signal, onStart, onRecord, onFailure, onProgress, onNote } = this.options
    return {
      signal: signal === undefined ? this.stop.signal : AbortSignal.any([signal, this.stop.signal]),
      ...(onStart === undefined ? {} : { onStart: this.guard("onStart", onStart) }),
      ...(onRecord === undefined ? {} : { onRecord: this.guard("onRecord", onRecord) }),
      ...(onFailure === undefined ? {} : { onFailure: this.guard("onFailure", onFailure) }),
      ...(onProgress === undefined ? {} : { onProgress: this.guard("onProgress", onProgress) }),
      ...(onNote === undefined ? {} : { onNote: this.guard("onNote", onNote) }),
    }
  }

  private guard<A extends readonly unknown[]>(name: string, act: (...args: A) => void): (...args: A) => void {
    return (...args) => {
      if (this.bad.length > 0) return
      try {
        act(...args)
      } catch (e) {
        this.bad.push(
          complain(
            name,
            `The callback throws: ${e instanceof Error ? e.message : String(e)}`,
            "catch the exception in the callback",
          ),
        )
        this.stop.abort()
      }
    }
  }
}

/** Returns the runs of the shard that are not stored. */
function toDo(of: Plan, results: Results, o: RunOptions): readonly PlannedRun[] {
  return shardOf(of.runs, o.shard).filter((r) => o.force === true || results.get(r.hash) === undefined)
}

async function resultsAt(out: string | undefined, of: Plan): Promise<{ ok: Results } | { bad: Placed[] }> {
  if (out === undefined) return { ok: new MemoryResults() }
  const opened = await Store.open(out, { version: buildVersion, about: aboutOf(of) })
  return "ok" in opened ? opened : { bad: opened.bad.map((c) => ({ ...c, file: out })) }
}
