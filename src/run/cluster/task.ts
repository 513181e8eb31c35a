// One task of a job, on a compute node: its runs into a folder of its own, with the cores and the memory that it was given. It ends in order when it is told to, what is
// running is written down, and the next task goes on from there.
import { existsSync } from "node:fs"
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { sha256 } from "../../core/sha256.ts"
import { hostAt } from "../../experiment/disk/host.ts"
import { unreadable } from "../../experiment/disk/system-error.ts"
import type { Executable } from "../../experiment/gate.ts"
import { buildVersion } from "../../experiment/identity/version.ts"
import { loadNamed } from "../../experiment/outside/load.ts"
import type { Plan, PlannedRun } from "../../experiment/plan.ts"
import type { PluginFile } from "../../model/experiment.ts"
import { bytesOf } from "../../model/host.ts"
import { attempt } from "../../results/disk.ts"
import { readResults } from "../../results/read.ts"
import type { RunRecord } from "../../results/record.ts"
import type { Results } from "../../results/results.ts"
import { Store } from "../../results/store.ts"
import { execute } from "../execute.ts"
import { Diary, type Ended } from "./evidence.ts"
import type { Frozen } from "./frozen.ts"
import { type Job, type Round, tasksOf } from "./job.ts"
import { bringStates } from "./states.ts"

export interface Given {
  readonly cpus: number
  /** megabytes of the task; absent: not limited */
  readonly megabytes?: number
  /** hashes of the plug-ins that whoever handed the task over agreed to */
  readonly code?: ReadonlySet<string>
  readonly simulator?: Executable<"module">
  readonly signal?: AbortSignal
  note(text: string): void
}

/** Of the memory of a task: what Node and the system need beside the runs. */
const SPARE_MB = 192
const USABLE = 0.9

/** Runs task `index`; answers how it ended, which is in its folder as well. */
export async function runTask(job: Job, index: number, given: Given): Promise<Ended> {
  const begun = performance.now()
  const dir = job.taskDir(index)
  const end = (why: Ended["why"], says: readonly Complaint[]): Ended => ({ why, seconds: (performance.now() - begun) / 1000, says })
  // nothing is written where there is no job
  if (!existsSync(job.dir))
    return end("refused", [complain(job.dir, "does not exist", "give the folder of a job: `lacewing jobs` lists them")])
  // whoever has the folder has the task: a second process of the same task writes nothing
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

/** The folder of a task, and what others have stored. */
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

async function within(job: Job, index: number, store: Store, given: Given, diary: Diary, end: End): Promise<Ended> {
  const frozen = await job.frozen()
  if ("bad" in frozen) return end("refused", frozen.bad)
  const { plan, asked } = frozen.ok
  const rounds = job.rounds()
  const own = tasksOf(rounds).find((t) => t.index === index)
  if (own === undefined) return end("refused", [complain(job.dir, `has no task ${index}`, "`lacewing jobs` shows the tasks of a job")])
  const all = own.task.runs.map((i) => plan.runs[i]!)
  const changed = [...filesChanged(all, plan.folder), ...(await loadNamed(pluginsOf(all), plan.folder, "results folder", given.code))]
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

/** Every module that these runs name. */
export function pluginsOf(runs: readonly PlannedRun[]): PluginFile[] {
  return [...new Map(runs.flatMap((r) => r.spec.plugins ?? []).map((p) => [`${p.hash} ${p.file}`, p])).values()]
}

/** Files that the runs read and that are not what they were when the plan was made. */
export function filesChanged(runs: readonly PlannedRun[], folder: string): Complaint[] {
  const host = hostAt(folder)
  const asked = new Map(runs.flatMap((r) => Object.entries(r.files)))
  return [...asked].flatMap(([file, hash]) => {
    const fix = "put the file back, or cancel the job and hand it over anew"
    try {
      return sha256(bytesOf(host, file)) === hash ? [] : [complain(file, "is not what it was when the plan was made", fix)]
    } catch (e) {
      return [complain(file, unreadable(e), `${fix}; paths are relative to ${folder}`)]
    }
  })
}

/** Runs that are stored already, by an earlier task of the job that had some of the same, or, loads of a search, in the results folder: known once they are tried. */
async function elsewhere(job: Job, rounds: readonly Round[], index: number, plan: Plan): Promise<ReadonlyMap<string, RunRecord>> {
  const tasks = tasksOf(rounds)
  const mine = new Set(tasks.find((t) => t.index === index)?.task.runs)
  const earlier = tasks.filter((t) => t.index < index && t.task.runs.some((r) => mine.has(r))).map((t) => job.taskDir(t.index))
  const stored = new Map<string, RunRecord>()
  for (const dir of plan.search === undefined ? earlier : [job.results, ...earlier]) {
    const read = existsSync(dir) ? await readResults(dir, { everything: true, tables: false }) : { bad: [] }
    if ("ok" in read) for (const r of read.ok.records) stored.set(r.hash, r)
  }
  return stored
}

/** Runs at once: as many as there are cores, and memory for. */
function workersOf(largest: number, { cpus, megabytes }: Given): number {
  if (megabytes === undefined) return cpus
  return Math.max(1, Math.min(cpus, Math.floor(usable(megabytes) / Math.max(1, largest))))
}

/** A run ends by itself before the scheduler ends the task for its memory. */
function limitsOf({ limits }: Frozen["plan"], largest: number, given: Given): Plan["limits"] {
  if (given.megabytes === undefined) return limits
  return { ...limits, megabytes: Math.min(limits.megabytes, usable(given.megabytes) / workersOf(largest, given)) }
}

function usable(megabytes: number): number {
  return Math.max(64, USABLE * megabytes - SPARE_MB)
}

/** Task number from the environment of an array job, from 1; Kubernetes counts from 0. */
export function indexFrom(env: Readonly<Record<string, string | undefined>>): Checked<number> {
  const names = ["LACEWING_TASK", "SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID", "LSB_JOBINDEX", "SGE_TASK_ID", "FLUX_JOB_CC"]
  const found = names.map((n) => env[n]).find((v) => v !== undefined && /^\d+$/.test(v))
  if (found !== undefined) return { ok: Number(found) }
  const completion = env["JOB_COMPLETION_INDEX"]
  if (completion !== undefined && /^\d+$/.test(completion)) return { ok: Number(completion) + 1 }
  return {
    bad: [
      complain(
        "task",
        "which one is not said",
        `give its number, or set LACEWING_TASK; looked for ${names.join(", ")} and JOB_COMPLETION_INDEX`,
      ),
    ],
  }
}
