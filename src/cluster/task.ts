// Executes one task of a sweep on a compute node (`lacewing task`). Its runs go to a separate results folder, with the
// cores and the memory that the scheduler granted. On SIGTERM it saves the state of active runs, and the next task
// continues from there.
import { existsSync } from "node:fs"
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { sha256 } from "../core/sha256.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { unreadable } from "../experiment/disk/system-error.ts"
import type { Executable } from "../experiment/gate.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { loadNamed } from "../experiment/outside/load.ts"
import type { Plan, PlannedRun } from "../experiment/plan.ts"
import type { PluginFile } from "../model/experiment.ts"
import { bytesOf } from "../model/host.ts"
import { attempt } from "../results/disk.ts"
import { readResults } from "../results/read.ts"
import type { RunRecord } from "../results/record.ts"
import type { Results } from "../results/results.ts"
import { Store } from "../results/store.ts"
import { execute } from "../sweep/execute.ts"
import type { Frozen } from "./frozen.ts"
import { type Job, type Round, tasksOf } from "./job.ts"
import { bringStates } from "./states.ts"
import { Diary, type Ended } from "./task-state.ts"

export interface Given {
  readonly cpus: number
  /** memory of the task; absent: no limit */
  readonly megabytes?: number
  /** hashes of the plug-ins that the user who submitted the task agreed to */
  readonly code?: ReadonlySet<string>
  readonly simulator?: Executable<"module">
  readonly signal?: AbortSignal
  note(text: string): void
}

/** Memory for Node and the system, in addition to the runs: a constant and a share of the task's memory. */
const SPARE_MB = 192
const USABLE = 0.9

/** Executes task `index`. Returns how it ended, which is recorded in its folder as well. */
export async function runTask(job: Job, index: number, given: Given): Promise<Ended> {
  const begun = performance.now()
  const dir = job.taskDir(index)
  const end = (why: Ended["why"], says: readonly Complaint[]): Ended => ({
    why,
    seconds: (performance.now() - begun) / 1000,
    says,
  })
  // Nothing is written if the sweep does not exist.
  if (!existsSync(job.dir))
    return end("refused", [
      complain(job.dir, "does not exist", "name the folder of a sweep; `lacewing sweeps` lists them"),
    ])
  // The lock of the folder decides: a second process of the same task writes nothing.
  const store = await Store.open(dir, { version: buildVersion })
  if ("bad" in store) return end("refused", store.bad)
  const told = await attempt(dir, async () => {
    const diary = new Diary(dir)
    const note = (text: string) => {
      diary.note(text)
      given.note(text)
    }
    const ended = await within(job, index, store.ok, { ...given, note }, diary, end)
    const closed = await store.ok.close()
    const last = closed.length > 0 ? end("trouble", closed) : ended
    diary.ended(last)
    return last
  })
  if ("ok" in told) return told.ok
  await store.ok.close()
  return end("trouble", told.bad)
}

/** Returns the results of the task's folder, extended by records that other tasks stored. */
function also(store: Store, known: ReadonlyMap<string, RunRecord>): Results {
  return {
    dir: store.dir,
    has: (hash) => store.has(hash) || known.has(hash),
    get: (hash) => store.get(hash) ?? known.get(hash),
    add: (record) => store.add(record),
    plan: (runs) => store.plan(runs),
    records: (tables) => store.records(tables),
    close: () => store.close(),
  }
}

type End = (why: Ended["why"], says: readonly Complaint[]) => Ended

/** Executes the runs of the task, after checking that plan, files and plug-ins are unchanged. */
async function within(job: Job, index: number, store: Store, given: Given, diary: Diary, end: End): Promise<Ended> {
  const frozen = await job.frozen()
  if ("bad" in frozen) return end("refused", frozen.bad)
  const { plan, asked } = frozen.ok
  const rounds = job.rounds()
  const own = tasksOf(rounds).find((t) => t.index === index)
  if (own === undefined)
    return end("refused", [
      complain(job.dir, `The sweep has no task ${index}.`, "`lacewing sweeps NAME` shows the tasks of a sweep"),
    ])
  const all = own.task.runs.map((i) => plan.runs[i])
  const changed = [
    ...filesChanged(all, plan.folder),
    ...(await loadNamed(pluginsOf(all), plan.folder, "results folder", given.code)),
  ]
  if (changed.length > 0) return end("refused", changed)
  const known = await elsewhere(job, rounds, index, plan)
  const runs = all.filter((r) => !known.has(r.hash))
  bringStates(job, rounds, index, plan.search === undefined ? new Set(runs.map((r) => r.hash)) : undefined, given.note)
  const done = await execute({ ...plan, runs, limits: limitsOf(plan, own.task.megabytes, given) }, also(store, known), {
    workers: workersOf(own.task.megabytes, given),
    audit: asked.audit,
    checkpoint: `${asked.checkpoint}s`,
    ...(given.simulator === undefined ? {} : { simulator: given.simulator }),
    ...(given.signal === undefined ? {} : { signal: given.signal }),
    onStart: (run) => diary.begun(run.hash),
    onFailure: ({ run, result }) => diary.failed({ hash: run.hash, why: result.why, explains: result.explains }),
    onNote: given.note,
  })
  return end(done.trouble.length > 0 ? "trouble" : done.interrupted ? "left" : "done", done.trouble)
}

/** Returns every module that these runs use. */
export function pluginsOf(runs: readonly PlannedRun[]): PluginFile[] {
  return [...new Map(runs.flatMap((r) => r.spec.plugins ?? []).map((p) => [`${p.hash} ${p.file}`, p])).values()]
}

/** Returns complaints about files that have changed since the plan was made. */
export function filesChanged(runs: readonly PlannedRun[], folder: string): Complaint[] {
  const host = hostAt(folder)
  const asked = new Map(runs.flatMap((r) => Object.entries(r.files)))
  return [...asked].flatMap(([file, hash]) => {
    const fix = "restore the file, or cancel the sweep and submit it again"
    try {
      return sha256(bytesOf(host, file)) === hash
        ? []
        : [complain(file, "The file has changed since the sweep was submitted.", fix)]
    } catch (e) {
      return [complain(file, unreadable(e), `${fix}; paths are relative to ${folder}`)]
    }
  })
}

/**
 * Returns runs that are stored already: by an earlier task with some of the same runs, or, for a search, in the results
 * folder, because its loads are only known when they are tried.
 */
async function elsewhere(
  job: Job,
  rounds: readonly Round[],
  index: number,
  plan: Plan,
): Promise<ReadonlyMap<string, RunRecord>> {
  const tasks = tasksOf(rounds)
  const mine = new Set(tasks.find((t) => t.index === index)?.task.runs)
  const earlier = tasks
    .filter((t) => t.index < index && t.task.runs.some((r) => mine.has(r)))
    .map((t) => job.taskDir(t.index))
  const stored = new Map<string, RunRecord>()
  for (const dir of plan.search === undefined ? earlier : [job.results, ...earlier]) {
    const read = existsSync(dir) ? await readResults(dir, { everything: true, tables: false }) : { bad: [] }
    if ("ok" in read) for (const r of read.ok.records) stored.set(r.hash, r)
  }
  return stored
}

/** Returns the number of runs at the same time: limited by cores and memory. */
function workersOf(largest: number, { cpus, megabytes }: Given): number {
  if (megabytes === undefined) return cpus
  return Math.max(1, Math.min(cpus, Math.floor(usable(megabytes) / Math.max(1, largest))))
}

/** Returns limits at which a run ends itself before the scheduler kills the task for its memory. */
function limitsOf({ limits }: Frozen["plan"], largest: number, given: Given): Plan["limits"] {
  if (given.megabytes === undefined) return limits
  return { ...limits, megabytes: Math.min(limits.megabytes, usable(given.megabytes) / workersOf(largest, given)) }
}

function usable(megabytes: number): number {
  return Math.max(64, USABLE * megabytes - SPARE_MB)
}

/** Returns the task number from the environment of an array job, counted from 1. Kubernetes counts from 0. */
export function indexFrom(env: Readonly<Record<string, string | undefined>>): Checked<number> {
  const names = [
    "LACEWING_TASK",
    "SLURM_ARRAY_TASK_ID",
    "PBS_ARRAY_INDEX",
    "PBS_ARRAYID",
    "LSB_JOBINDEX",
    "SGE_TASK_ID",
    "FLUX_JOB_CC",
  ]
  const found = names.map((n) => env[n]).find((v) => v !== undefined && /^\d+$/.test(v))
  if (found !== undefined) return { ok: Number(found) }
  const completion = env["JOB_COMPLETION_INDEX"]
  if (completion !== undefined && /^\d+$/.test(completion)) return { ok: Number(completion) + 1 }
  return {
    bad: [
      complain(
        "task",
        "The number of the task is missing.",
        `write its number, or set LACEWING_TASK; lacewing looked for ${names.join(", ")} and JOB_COMPLETION_INDEX`,
      ),
    ],
  }
}
