// lacewing sweeps: lists the sweeps that were submitted to a cluster, cancels one, or resumes it.

import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Command } from "commander"
import { settled } from "../../cluster/executor.ts"
import { commandsOf, executorOf } from "../../cluster/executors/index.ts"
import type { Asked, Frozen } from "../../cluster/frozen.ts"
import { collect } from "../../cluster/gather.ts"
import { Job, jobsIn } from "../../cluster/job.ts"
import { countsOf, statusOf } from "../../cluster/status.ts"
import { stopAll } from "../../cluster/submit.ts"
import { filesChanged, pluginsOf } from "../../cluster/task.ts"
import { type Checked, complain } from "../../core/complaint.ts"
import { counted } from "../../core/wording.ts"
import { notGiven } from "../../experiment/cluster/granted.ts"
import { moduleFrom } from "../../experiment/gate.ts"
import { buildVersion } from "../../experiment/identity/version.ts"
import { entries } from "../../results/disk.ts"
import { Store } from "../../results/store.ts"
import { table } from "../../terminal/table.ts"
import { Exit, exit, type Io } from "../command.ts"
import { describe } from "../help.ts"
import { allCores, simulatorOption } from "../options.ts"
import { refusePlain, sayPlain } from "../plain.ts"
import { followed, taskArgs } from "./on.ts"
import { addCommandOptions, type ClusterOptions, type Own, ownKeys } from "./options.ts"
import { countText, tasksTable, toGo } from "./show.ts"

interface Options extends ClusterOptions {
  readonly in?: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly report?: boolean
  readonly code?: boolean
  readonly simulator?: string
}

export default function (command: Command, io: Io): void {
  const where = ["--in <folder>", "Results folder (default: every folder in results/)"] as const
  describe(command, {
    notes:
      "A sweep is submitted with `lacewing run EXPERIMENT --on slurm`. Without an argument, lists all submitted sweeps.",
    examples: ["lacewing sweeps", "lacewing sweeps 20261118", "lacewing sweeps cancel 20261118"],
    exits: { 1: "a task could not be cancelled, or a run failed", 3: "deadlock or starvation", 130: "interrupted" },
  })
  command
    .argument("[sweep]", "Name of a sweep, part of the name, or its folder. Shows its tasks")
    .option(...where)
    .option("--json", "Print JSON")
    .action((name: string | undefined, o: Options) => (name === undefined ? list(o, io) : show(name, o, io)))
  addCommandOptions(command, ["look"], io)
  const stops = command.command("cancel").description("Cancel all tasks of a sweep. Stored runs are kept")
  describe(stops, { examples: ["lacewing sweeps cancel 20261118"], exits: { 1: "a task could not be cancelled" } })
  stops
    .argument("<sweep>", "Name of the sweep, part of the name, or its folder")
    .option(...where)
    .action((name: string, _: Options, c: Command) => cancel(name, c.optsWithGlobals(), io))
  addCommandOptions(stops, ["cancel"], io)
  const goesOn = command.command("resume").description("Follow a sweep again and submit its missing runs")
  describe(goesOn, {
    examples: ["lacewing sweeps resume 20261118"],
    exits: { 1: "an expectation or a run failed", 3: "deadlock or starvation", 130: "interrupted" },
  })
  goesOn
    .argument("<sweep>", "Name of the sweep, part of the name, or its folder")
    .option(...where)
    .option("--code", "Execute the plug-ins of the sweep, which are in the folder of its experiment")
    .option("--no-report", "Do not write report.html and the CSV and JSON files")
    .option("--quiet", "Print only results, no progress or notes")
    .addOption(simulatorOption())
    .action((name: string, _: Options, c: Command) => resume(name, c.optsWithGlobals(), io))
  addCommandOptions(goesOn, ["setup", "node", "template", "submit", "cancel"], io)
}

function folders(o: Options): string[] {
  return o.in !== undefined ? [o.in] : entries("results").map((name) => join("results", name))
}

/** Returns the sweep with this name: a path, an id, or a unique part of an id. */
function found(name: string, o: Options): Checked<Job> {
  if (existsSync(join(name, "tasks.json"))) return { ok: new Job(name) }
  const all = folders(o).flatMap(jobsIn)
  const named = all.filter((j) => j.id === name || j.id.includes(name))
  if (named.length === 1) return { ok: named[0] }
  const says = named.length === 0 ? `There is no sweep "${name}".` : `"${name}" matches ${named.length} sweeps.`
  return {
    bad: [
      complain(
        "sweep",
        says,
        all.length === 0
          ? "name its folder, or the results folder with --in"
          : `choose one of ${all.map((j) => j.id).join(", ")}`,
      ),
    ],
  }
}

async function frozenOf(job: Job, io: Io, o: Options): Promise<Frozen> {
  const got = await job.frozen()
  return "ok" in got ? got.ok : refusePlain(got.bad, io, o.json === true)
}

function wordOf(job: Job, open: number): string {
  const { over } = job
  return over !== undefined
    ? over.why === "done"
      ? "done"
      : "rejected"
    : job.cancelled
      ? "cancelled"
      : open > 0
        ? "running"
        : "interrupted"
}

function ownOf(o: Options, io: Io): Own {
  const own = ownKeys(o)
  return "ok" in own ? own.ok : refusePlain(own.bad, io, o.json === true)
}

/**
 * Returns the executor of a sweep with the commands of this user, because the folder of a sweep must not contain
 * commands.
 */
function withOwn(asked: Asked, o: Options, io: Io, args: readonly string[] = []) {
  const { line, user } = ownOf(o, io)
  const got = executorOf(asked, line, user, args)
  return "ok" in got ? got.ok : refusePlain(got.bad, io, o.json === true)
}

async function list(o: Options, io: Io): Promise<void> {
  const own = ownOf(o, io)
  const rows = []
  for (const job of folders(o).flatMap(jobsIn)) {
    const frozen = await job.frozen()
    const executor = "ok" in frozen ? executorOf(frozen.ok.asked, own.line, own.user) : frozen
    const counts = countsOf(await statusOf(job, "ok" in executor ? executor.ok : undefined))
    rows.push({
      job: job.id,
      results: job.results,
      on: "ok" in frozen ? frozen.ok.asked.on : "?",
      state: wordOf(job, counts.running + counts.waiting),
      ...counts,
    })
  }
  if (o.json === true) return io.out(JSON.stringify(rows))
  if (rows.length === 0)
    return io.out("There are no submitted sweeps. `lacewing run EXPERIMENT --on slurm` submits one.")
  const cells = rows.map((r) => [
    r.job,
    basename(r.results),
    r.on,
    r.state,
    String(r.points),
    String(r.stored),
    countText(r),
  ])
  io.out(
    table(
      [
        { head: "sweep" },
        { head: "results" },
        { head: "on" },
        { head: "state" },
        { head: "points", align: "right" },
        { head: "runs stored", align: "right" },
        { head: "tasks" },
      ],
      cells,
      io.paint,
      io.fits,
    ),
  )
}

async function show(name: string, o: Options, io: Io): Promise<void> {
  const got = found(name, o)
  const job = "ok" in got ? got.ok : refusePlain(got.bad, io, o.json === true)
  const { asked, made, plan } = await frozenOf(job, io, o)
  const states = await statusOf(job, withOwn(asked, o, io))
  const counts = countsOf(states)
  const state = wordOf(job, counts.running + counts.waiting)
  if (o.json === true) {
    const tasks = states.map((s) => {
      const { index, state: is, reason, left } = s
      return {
        task: index,
        state: is,
        reason,
        points: s.task.runs.length,
        stored: s.evidence.stored,
        failed: s.evidence.failed,
        toGo: toGo(s),
        left,
      }
    })
    return io.out(JSON.stringify({ job: job.id, results: job.results, on: asked.on, state, ...counts, each: tasks }))
  }
  io.out(`${io.paint.bold(plan.title)}: sweep ${job.id}, ${state}, submitted to ${asked.on} on ${made}`)
  io.out(
    `${countText(counts)}; ${counted(counts.stored, "run")} of ${counted(counts.points, "point")} stored in ${job.dir}`,
  )
  io.out(tasksTable(states, settled(asked.cluster, asked.on), io))
}

async function cancel(name: string, o: Options, io: Io): Promise<void> {
  const got = found(name, o)
  const job = "ok" in got ? got.ok : refusePlain(got.bad, io, o.json === true)
  const { asked } = await frozenOf(job, io, o)
  const executor = withOwn(asked, o, io)
  // a process that follows the sweep sees this and submits no more tasks
  job.cancelled = true
  const bad = await stopAll(job, job.rounds(), executor, () => sleep(1000))
  for (const c of bad) sayPlain(c, io)
  if (bad.length > 0) throw new Exit(exit.failed)
  io.out(`Cancelled sweep ${job.id}. Stored runs are kept; \`lacewing sweeps resume ${job.id}\` continues it.`)
}

async function resume(name: string, o: Options, io: Io): Promise<void> {
  const got = found(name, o)
  const job = "ok" in got ? got.ok : refusePlain(got.bad, io, o.json === true)
  const { asked, plan } = await frozenOf(job, io, o)
  const brought = pluginsOf(plan.runs).flatMap(({ file }) => {
    const got = moduleFrom("results folder", file, o)
    return "ok" in got ? [] : [complain(job.dir, `The sweep uses the plug-in ${file}, which ${got.says}.`, got.fix)]
  })
  const executor = withOwn(asked, o, io, taskArgs(plan, o))
  const refused = [
    ...brought,
    ...notGiven(
      asked.cluster,
      executor.orders,
      commandsOf[asked.on].filter((key) => key !== "look" && key !== "cancel"),
    ),
    ...filesChanged(plan.runs, plan.folder),
  ]
  if (refused.length > 0) refusePlain(refused, io, o.json === true)
  const bad = await executor.check(job, job.rounds().at(-1)?.pieces ?? [])
  if (bad.length > 0) refusePlain(bad, io, o.json === true)
  const store = await Store.open(job.results, { version: buildVersion })
  if ("bad" in store) refusePlain(store.bad, io, o.json === true)
  await collect(store.ok, [job])
  await store.ok.close()
  job.reopen()
  const rest = {
    report: o.report !== false,
    code: true,
    workers: allCores,
    ...(o.json === true ? { json: true } : {}),
    ...(o.quiet === true ? { quiet: true } : {}),
  }
  await followed(job, plan, executor, rest, io, (hash) => store.ok.get(hash))
}
