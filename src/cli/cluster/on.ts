// lacewing run FILE --on slurm | script | local: stores the plan, divides it into tasks, submits them and follows them
// until all results exist. Ctrl-C detaches and leaves the tasks running; the same command attaches again.
// src/cluster has the executors and the follower.
import { existsSync } from "node:fs"
import type { Executor } from "../../cluster/executor.ts"
import { executorFor, executorOf } from "../../cluster/executors/index.ts"
import { follow } from "../../cluster/follow.ts"
import type { Asked, Frozen } from "../../cluster/frozen.ts"
import { collect, gathered } from "../../cluster/gather.ts"
import { Job, jobsIn, type Round } from "../../cluster/job.ts"
import { isOver } from "../../cluster/judge.ts"
import { Known } from "../../cluster/known.ts"
import { makeRound } from "../../cluster/rounds.ts"
import { statusOf } from "../../cluster/status.ts"
import { pluginsOf } from "../../cluster/task.ts"
import { type Complaint, complain } from "../../core/complaint.ts"
import { secondsOf } from "../../core/duration.ts"
import { counted, stopText } from "../../core/wording.ts"
import { buildVersion } from "../../experiment/identity/version.ts"
import type { Plan } from "../../experiment/plan.ts"
import { aboutOf } from "../../results/about.ts"
import { lock } from "../../results/lock.ts"
import { readResults } from "../../results/read.ts"
import type { RunRecord } from "../../results/record.ts"
import { Store } from "../../results/store.ts"
import { Exit, exit, type Io } from "../command.ts"
import { refusePlain, sayOnce, sayPlain } from "../plain.ts"
import type { RunOptions } from "../run-options.ts"
import { conclude, failedLine, jsonLine } from "../run-show.ts"
import { onStop } from "../stops.ts"
import { clusterFor, type Own, ownKeys } from "./options.ts"
import { Following, planText } from "./show.ts"

/** Seconds between two checkpoints of a run in a task. */
const CHECKPOINT = 600

type Get = (hash: string) => RunRecord | undefined
type Options = RunOptions & { readonly on: Asked["on"] }

/** Returns complaints about options that do not apply to submitted tasks. */
function meaningless(o: RunOptions): readonly Complaint[] {
  const fix = "remove it, or remove --on"
  return [
    ...(o.shard === undefined
      ? []
      : [complain("--shard", "This option splits a sweep by hand, which --on already does.", fix)]),
    ...(o.force === true
      ? [
          complain(
            "--force",
            "This option does not apply to submitted runs.",
            "choose another folder with --out, or remove --on",
          ),
        ]
      : []),
    ...(o.watch === true ? [complain("--watch", "This option only applies to runs on this machine.", fix)] : []),
    ...(o.workersGiven === true
      ? [
          complain(
            "--workers",
            "This option only applies to runs on this machine.",
            "use --cpus to set the cores of a task",
          ),
        ]
      : []),
  ]
}

/**
 * Submits a plan, or attaches to a sweep of the same plan that is in progress. `sensible` rejects runs that cannot be
 * built.
 */
export async function runOn(
  plan: Plan,
  dir: string,
  o: Options,
  io: Io,
  sensible: (todo: Plan["runs"]) => Promise<void>,
): Promise<void> {
  const json = o.json === true
  const wrong = meaningless(o)
  if (wrong.length > 0) refusePlain(wrong, io, json)
  const own = ownKeys(o)
  if ("bad" in own) refusePlain(own.bad, io, json)
  const cluster = clusterFor(plan, own.ok, o)
  if ("bad" in cluster) refusePlain(cluster.bad, io, json)
  const checkpoint = o.checkpoint === undefined ? CHECKPOINT : secondsOf(o.checkpoint)!
  const { on } = o
  const asked: Asked = { on, cluster: cluster.ok, checkpoint, audit: o.audit === true }
  const executor = executorFor(on, { ...cluster.ok, args: taskArgs(plan, o) })
  if (o.dryRun === true) return dryRun(plan, dir, asked, executor, o, io)
  // The results folder is created only after all checks, including that of the scheduler, have passed.
  const begun = existsSync(dir) ? undefined : await begin(plan, dir, asked, executor, undefined, io, sensible, json)
  const store = await opened(dir, plan, io, json)
  let job: Job | undefined
  try {
    if (o.quiet !== true) for (const c of [...store.said, ...(await collect(store))]) sayPlain(c, io)
    const bad = await otherJobs(dir, plan, own.ok)
    if (bad.length > 0) refusePlain(bad, io, json)
    job = await goingOn(dir, plan)
    const made =
      job !== undefined ? undefined : (begun ?? (await begin(plan, dir, asked, executor, store, io, sensible, json)))
    const wrote = await made?.job.make(plan, asked, made.round)
    if (wrote !== undefined && "bad" in wrote) refusePlain(wrote.bad, io, json)
    job ??= made?.job
  } finally {
    sayOnce(await store.close(), io)
  }
  // Records that were stored before this sweep.
  const get: Get = (hash) => store.get(hash)
  if (job === undefined) return finish(plan, dir, { lost: new Map(), known: new Known(plan) }, get, 0, o, io)
  return followed(job, plan, executor, o, io, get)
}

/**
 * Returns the arguments of the task command. They list the plug-ins that this user has allowed, by the hash of their
 * content, so a file that changes later is not executed.
 */
export function taskArgs(plan: Plan, { simulator }: { readonly simulator?: string }): string[] {
  const hashes = pluginsOf(plan.runs).map((p) => p.hash)
  return [
    ...(hashes.length === 0 ? [] : ["--code", hashes.join(",")]),
    ...(simulator === undefined ? [] : ["--simulator", simulator]),
  ]
}

/** Returns the indices of the runs of the plan that are not stored. */
function missing(plan: Plan, get: Get): number[] {
  const known = new Known(plan, (hash) => get(hash)?.result)
  return plan.runs.flatMap((run, i) => (known.stateOf(run) === "stored" ? [] : [i]))
}

/** Prints the tasks and scripts that would be submitted, and whether the scheduler accepts them. */
async function dryRun(plan: Plan, dir: string, asked: Asked, executor: Executor, o: Options, io: Io): Promise<void> {
  const read = existsSync(dir) ? await readResults(dir, { everything: true, tables: false }) : undefined
  const byHash = new Map(read !== undefined && "ok" in read ? read.ok.records.map((r) => [r.hash, r]) : [])
  const known = (hash: string) => byHash.get(hash)
  const job = Job.in(dir)
  const round = await makeRound({
    plan,
    asked,
    executor,
    job: job.id,
    number: 1,
    first: 1,
    units: missing(plan, known),
    known,
  })
  if (o.json === true) {
    const tasks = round.tasks.map(({ runs, seconds, megabytes }) => ({ points: runs.length, seconds, megabytes }))
    io.out(JSON.stringify({ tasks, scripts: round.pieces.map((p) => executor.script(job, p)) }))
  } else io.out(planText(job, round, asked, executor))
  const bad = await executor.check(job, round.pieces)
  if (bad.length > 0) refusePlain(bad, io, false)
  if (o.quiet !== true) io.err(`${executor.name} accepts these tasks. Nothing was submitted.`)
}

/**
 * Returns complaints about unfinished sweeps of another plan in the folder, because their tasks would run some points
 * twice.
 */
async function otherJobs(dir: string, plan: Plan, { line, user }: Own): Promise<Complaint[]> {
  const bad: Complaint[] = []
  for (const job of jobsIn(dir)) {
    if (job.over !== undefined || job.cancelled || (await isOf(job, plan))) continue
    const frozen = await job.frozen()
    const executor = "ok" in frozen ? executorOf(frozen.ok.asked, line, user) : frozen
    const states = await statusOf(job, "ok" in executor ? executor.ok : undefined)
    const open = states.filter((s) => !isOver(s)).length
    if (open > 0)
      bad.push(
        complain(
          job.dir,
          `This folder has ${counted(open, "unfinished task")} of another version of the experiment.`,
          `wait for them, or run: lacewing sweeps cancel ${job.id}`,
        ),
      )
  }
  return bad
}

/** Returns true if the sweep has this plan: the same runs, plug-ins and search. */
async function isOf(job: Job, plan: Plan): Promise<boolean> {
  const frozen = await job.frozen()
  if ("bad" in frozen) return false
  const { runs, search } = frozen.ok.plan
  return (
    runs.length === plan.runs.length &&
    runs.every((r, i) => r.hash === plan.runs[i].hash) &&
    JSON.stringify(pluginsOf(runs)) === JSON.stringify(pluginsOf(plan.runs)) &&
    JSON.stringify(search) === JSON.stringify(plan.search)
  )
}

/** Returns the newest unfinished sweep of the same plan, if there is one. */
async function goingOn(dir: string, plan: Plan): Promise<Job | undefined> {
  for (const job of jobsIn(dir).reverse())
    if (job.over === undefined && !job.cancelled && (await isOf(job, plan))) return job
  return undefined
}

/** Prepares a new sweep that passes all checks, without writing anything. Returns undefined if no runs are missing. */
async function begin(
  plan: Plan,
  dir: string,
  asked: Asked,
  executor: Executor,
  store: Store | undefined,
  io: Io,
  sensible: (todo: Plan["runs"]) => Promise<void>,
  json: boolean,
): Promise<{ readonly job: Job; readonly round: Round } | undefined> {
  const known: Get = (hash) => store?.get(hash)
  const units = missing(plan, known)
  if (units.length === 0) return undefined
  await sensible(units.map((i) => plan.runs[i]))
  const job = Job.in(dir)
  const round = await makeRound({ plan, asked, executor, job: job.id, number: 1, first: 1, units, known })
  const bad = await executor.check(job, round.pieces)
  if (bad.length > 0) refusePlain(bad, io, json)
  return { job, round }
}

async function opened(dir: string, plan: Plan, io: Io, json: boolean): Promise<Store> {
  const got = await Store.open(dir, { version: buildVersion, about: aboutOf(plan) })
  return "ok" in got ? got.ok : refusePlain(got.bad, io, json)
}

/** Follows a sweep to its end and prints the results. The lock ensures that only one process submits further tasks. */
export async function followed(
  job: Job,
  plan: Plan,
  executor: Executor,
  o: RunOptions,
  io: Io,
  before: Get,
): Promise<void> {
  const json = o.json === true
  const held = lock(job.dir)
  if ("bad" in held)
    refusePlain(
      held.bad.map((c) => ({ ...c, fix: `wait for it, or follow it with: lacewing sweeps ${job.id}` })),
      io,
      json,
    )
  const frozen = await job.frozen()
  if ("bad" in frozen) refusePlain(frozen.bad, io, json)
  const begun = performance.now()
  const lines = new Following(io, o.quiet === true)
  const stop = new AbortController()
  const off = onStop(() => stop.abort())
  if (o.quiet !== true)
    io.err(`Submitted sweep ${job.id}. Ctrl-C detaches; \`lacewing sweeps ${job.id}\` shows its state.`)
  const found = await watched(job, frozen.ok, executor, o, stop.signal, lines, before).finally(() => {
    off()
    lines.clear()
    held.ok.release()
  })
  if (found.why === "detached" || found.why === "cancelled") {
    const says = found.why === "cancelled" ? "was cancelled" : "continues; the same command follows it again"
    if (json) io.out(JSON.stringify({ ok: false, interrupted: true, job: job.id }))
    throw new Exit(exit.interrupted, `Sweep ${job.id} ${says}.`)
  }
  const seconds = (performance.now() - begun) / 1000
  if (found.why === "done") return finish(plan, job.results, found, before, seconds, o, io, job)
  // Store the results of the tasks that finished before the failure.
  const store = await opened(job.results, plan, io, json)
  await collect(store, [job])
  await store.close()
  refusePlain(found.says, io, json)
}

function watched(
  job: Job,
  frozen: Frozen,
  executor: Executor,
  o: RunOptions,
  signal: AbortSignal,
  lines: Following,
  known: Get,
) {
  const [least, most] = o.poll ?? []
  return follow(job, frozen, executor, {
    signal,
    ...(least === undefined ? {} : { least, patience: 10 * least }),
    ...(most === undefined ? {} : { most }),
    known,
    onLook: (states, points) => lines.show(states, points),
    onNote: (text) => lines.note(text),
  })
}

/** Collects the results and prints table, report and verdicts, as after a run on this machine. */
async function finish(
  plan: Plan,
  dir: string,
  found: Parameters<typeof gathered>[2],
  before: Get,
  seconds: number,
  o: RunOptions,
  io: Io,
  job?: Job,
): Promise<void> {
  const store = await opened(dir, plan, io, o.json === true)
  let code: number = exit.failed
  let trouble: readonly Complaint[] = []
  try {
    trouble = job === undefined ? [] : await collect(store, [job])
    const done = await gathered(plan, store, found, before, seconds)
    const lines = done.records.map((r) => JSON.stringify(jsonLine(r, before(r.hash) !== undefined)))
    const held = plan.search === undefined ? [] : lines
    if (o.json === true && plan.search === undefined) for (const line of lines) io.out(line)
    for (const { run, result } of done.failures) {
      if (o.json === true) io.out(JSON.stringify(failedLine(run, result)))
      const at = Object.entries(run.point).map(([k, v]) => `${k}=${v}`)
      io.err(`${io.paint.red(stopText(result.why))} ${[...at, `seed=${run.seed}`].join(" ")}: ${result.explains}`)
    }
    const shown = await conclude(plan, done, store, o, io, held)
    code = shown.code
    trouble = [...trouble, ...shown.trouble]
    job?.end({ why: "done", says: done.failures.map(({ run, result }) => `${run.hash}: ${result.why}`) })
  } finally {
    trouble = [...trouble, ...(await store.close())]
    sayOnce(trouble, io)
  }
  if (trouble.length > 0 && code === exit.done) code = exit.failed
  if (code !== exit.done) throw new Exit(code)
}
