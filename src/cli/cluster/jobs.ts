// lacewing jobs: what was handed over and how it stands; jobs cancel, jobs resume.

import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Command, Option } from "commander"
import { type Checked, complain } from "../../core/complaint.ts"
import { notGiven } from "../../experiment/cluster/granted.ts"
import { moduleFrom } from "../../experiment/gate.ts"
import { buildVersion } from "../../experiment/identity/version.ts"
import { entries } from "../../results/disk.ts"
import { Store } from "../../results/store.ts"
import { settled } from "../../run/cluster/executor.ts"
import { commandsOf, executorOf } from "../../run/cluster/executors/index.ts"
import type { Asked, Frozen } from "../../run/cluster/frozen.ts"
import { collect } from "../../run/cluster/gather.ts"
import { stopAll } from "../../run/cluster/hand-over.ts"
import { Job, jobsIn } from "../../run/cluster/job.ts"
import { countsOf, statusOf } from "../../run/cluster/status.ts"
import { filesChanged, pluginsOf } from "../../run/cluster/task.ts"
import { table } from "../../terminal/table.ts"
import { Exit, exit, type Io } from "../command.ts"
import { allCores } from "../options.ts"
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
  const where = ["--in <folder>", "results folder; all folders of results/ unless given"] as const
  addCommandOptions(command, ["look"])
    .argument("[job]", "name of a job, or its folder: shows its tasks")
    .option(...where)
    .option("--json", "print JSON")
    .action((name: string | undefined, o: Options) => (name === undefined ? list(o, io) : show(name, o, io)))
  addCommandOptions(command.command("cancel"), ["cancel"])
    .description("end all tasks of a job; what they stored is kept, what is running is written down")
    .argument("<job>")
    .option(...where)
    .action((name: string, _: Options, c: Command) => cancel(name, c.optsWithGlobals(), io))
  addCommandOptions(command.command("resume"), ["setup", "node", "template", "submit", "cancel"])
    .description("follow a job again; hands over what is missing")
    .argument("<job>")
    .option(...where)
    .option("--code", "execute the plug-ins that the job names: they lie in the folder of its experiment")
    .option("--no-report", "write no report.html and no tables")
    .option("--quiet", "print results only: no progress, no notes")
    .addOption(new Option("--simulator <url>", "another simulator module, for tests").hideHelp())
    .action((name: string, _: Options, c: Command) => resume(name, c.optsWithGlobals(), io))
}

function folders(o: Options): string[] {
  return o.in !== undefined ? [o.in] : entries("results").map((name) => join("results", name))
}

function found(name: string, o: Options): Checked<Job> {
  if (existsSync(join(name, "tasks.json"))) return { ok: new Job(name) }
  const all = folders(o).flatMap(jobsIn)
  const named = all.filter((j) => j.id === name || j.id.includes(name))
  if (named.length === 1) return { ok: named[0]! }
  const says = named.length === 0 ? `there is no job "${name}"` : `"${name}" fits ${named.length} jobs`
  return {
    bad: [
      complain(
        "job",
        says,
        all.length === 0 ? "give its folder, or the results folder with --in" : `known: ${all.map((j) => j.id).join(", ")}`,
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
      ? "over"
      : "refused"
    : job.cancelled
      ? "cancelled"
      : open > 0
        ? "under way"
        : "to be resumed"
}

function ownOf(o: Options, io: Io): Own {
  const own = ownKeys(o)
  return "ok" in own ? own.ok : refusePlain(own.bad, io, o.json === true)
}

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
  if (rows.length === 0) return io.out("no jobs; `lacewing run FILE --on slurm` makes one")
  const cells = rows.map((r) => [r.job, basename(r.results), r.on, r.state, String(r.points), String(r.stored), countText(r)])
  io.out(
    table(
      [
        { head: "job" },
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
  io.out(`${io.paint.bold(plan.title)}: job ${job.id}, ${state}, handed over to ${asked.on} ${made}`)
  io.out(`${countText(counts)}; ${counts.stored} runs of ${counts.points} points are stored in ${job.dir}`)
  io.out(tasksTable(states, settled(asked.cluster, asked.on), io))
}

async function cancel(name: string, o: Options, io: Io): Promise<void> {
  const got = found(name, o)
  const job = "ok" in got ? got.ok : refusePlain(got.bad, io, o.json === true)
  const { asked } = await frozenOf(job, io, o)
  const executor = withOwn(asked, o, io)
  // who follows it sees this, and hands over nothing more
  job.cancelled = true
  const bad = await stopAll(job, job.rounds(), executor, () => sleep(1000))
  for (const c of bad) sayPlain(c, io)
  if (bad.length > 0) throw new Exit(exit.failed)
  io.out(`job ${job.id} is cancelled; what is stored is kept, \`lacewing jobs resume ${job.id}\` goes on`)
}

async function resume(name: string, o: Options, io: Io): Promise<void> {
  const got = found(name, o)
  const job = "ok" in got ? got.ok : refusePlain(got.bad, io, o.json === true)
  const { asked, plan } = await frozenOf(job, io, o)
  const brought = pluginsOf(plan.runs).flatMap(({ file }) => {
    const got = moduleFrom("results folder", file, o)
    return "ok" in got ? [] : [complain(job.dir, `names the plug-in ${file}, which ${got.says}`, got.fix)]
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
