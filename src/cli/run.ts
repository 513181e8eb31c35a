// lacewing run FILE: reads, checks, runs on all cores, keeps every finished run, and shows what came out.
import { existsSync } from "node:fs"
import process from "node:process"
import { type Command, Option } from "commander"
import { estimateRun } from "../lab/estimate.ts"
import { type Executed, execute, shardOf } from "../lab/execute.ts"
import type { Plan, PlannedRun } from "../lab/experiment.ts"
import { packageVersion } from "../lab/identity.ts"
import { loadPlan } from "../lab/load.ts"
import { Progress } from "../lab/progress.ts"
import type { RunRecord } from "../lab/record.ts"
import { MemoryResults, type Results } from "../lab/results.ts"
import { complaintsOf, shapes } from "../lab/sense.ts"
import { kneeRows, kneeTable, resultChart, resultTable, verdictLines } from "../lab/show.ts"
import { loadSimulator } from "../lab/simulator.ts"
import { Store } from "../lab/store.ts"
import { judge, summarise } from "../lab/summary.ts"
import { duration } from "../lab/table.ts"
import { Exit, exit, type Io } from "./command.ts"
import { allCores, collect, refuse, seedList, shard, workerCount } from "./options.ts"

interface Options {
  readonly set?: readonly string[]
  readonly seed?: readonly number[]
  readonly workers: number
  readonly out?: string
  readonly force?: boolean
  readonly shard?: { index: number; of: number }
  readonly dryRun?: boolean
  readonly audit?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  readonly simulator?: string
}

export default function (command: Command, io: Io): void {
  command
    .argument("<file>", "experiment (.yaml, .json, .mjs), or a folder with an experiment.yaml")
    .option("--set <key=value>", "set a key, for example traffic.load=0.4 (may be repeated); a swept key is pinned", collect)
    .option("--seed <n>", "run these seeds instead of those of the file: 7, or 1,2,3", seedList)
    .option("--workers <n>", "runs at the same time", workerCount, allCores)
    .option("--out <folder>", "results folder (default: results/NAME)")
    .option("--resume", "go on from what is there; this is what happens anyway, finished runs are never run twice")
    .option("--force", "run again what is known")
    .option("--shard <i/n>", "only the i-th of n parts of the runs; merge the folders afterwards", shard)
    .option("--dry-run", "say how many runs, how long and how much memory, and stop")
    .option("--audit", "check in every run that credits, buffers and packets are conserved")
    .option("--json", "print one JSON object for each run instead of the table")
    .option("--quiet", "print results only: no progress, no notes")
    .addOption(new Option("--simulator <url>", "another simulator module, for tests").hideHelp())
    .action((file: string, options: Options) => runCommand(file, options, io))
}

async function runCommand(file: string, o: Options, io: Io): Promise<void> {
  const loaded = await loadPlan(file, { ...(o.set ? { set: o.set } : {}), ...(o.seed ? { seeds: o.seed } : {}) })
  if ("bad" in loaded) refuse(loaded.bad, io, o.json === true)
  const plan = loaded.ok
  const dir = o.out ?? `results/${plan.name}`
  const note = (text: string) => (o.quiet === true ? undefined : io.err(text))
  const runs = shardOf(plan.runs, o.shard)
  // A folder is made only for experiments that make sense.
  const fresh = !existsSync(dir)
  if (fresh && o.dryRun === true) return dryRun(plan, runs.length, new MemoryResults(), o, io)
  if (fresh) await sensible(plan, runs, o, io)
  const store = await openStore(dir, plan)
  let code: number = exit.done
  try {
    for (const c of store.said) note(`${c.path}: ${c.says}; ${c.fix}`)
    const todo = runs.filter((r) => o.force === true || !store.has(r.hash))
    if (!fresh && o.dryRun !== true) await sensible(plan, todo, o, io)
    if (o.dryRun === true) dryRun(plan, todo.length, store, o, io)
    else code = await perform(plan, store, o, io, note)
  } finally {
    for (const c of await store.close()) io.err(`${c.path}: ${c.says}; ${c.fix}`)
  }
  if (code !== exit.done) throw new Exit(code)
}

/** Builds every kind of network that is to be run, and refuses with places what does not fit together. */
async function sensible(plan: Plan, runs: readonly PlannedRun[], o: Options, io: Io): Promise<void> {
  if (runs.length === 0) return
  const bad = complaintsOf(runs, plan.folder, await loadSimulator(o.simulator))
  if (bad.length > 0) refuse(bad, io, o.json === true)
}

async function openStore(dir: string, plan: Plan): Promise<Store> {
  const opened = await Store.open(dir, { version: packageVersion, about: { title: plan.title, experiment: plan.name, file: plan.file } })
  if ("ok" in opened) return opened.ok
  throw new Exit(exit.wrongInput, opened.bad.map((c) => `${c.path}: ${c.says}\n  fix: ${c.fix}`).join("\n"))
}

function dryRun(plan: Plan, todo: number, store: Results, o: Options, io: Io): void {
  const guesses = plan.runs.map((r) => store.get(r.hash)?.provenance.seconds ?? estimateRun(r.spec).seconds)
  const mean = guesses.reduce((a, b) => a + b, 0) / Math.max(1, guesses.length)
  const each = shapes(plan.runs).map((r) => estimateRun(r.spec))
  const megabytes = Math.max(...each.map((e) => e.megabytes)) * Math.min(o.workers, plan.runs.length)
  const seconds = (mean * todo) / Math.min(o.workers, Math.max(1, todo))
  const told = {
    runs: plan.runs.length,
    known: plan.runs.length - todo,
    todo,
    seconds,
    megabytes,
    endpoints: Math.max(...each.map((e) => e.ends)),
  }
  if (o.json === true) io.out(JSON.stringify(told))
  else {
    io.out(`${plan.title}: ${told.runs} runs of up to ${told.endpoints} endpoints, ${told.known} known, ${todo} to do`)
    io.out(`about ${duration(seconds)} on ${o.workers} workers and ${Math.ceil(megabytes)} MB; guesses within a factor of a few`)
  }
}

async function perform(plan: Plan, store: Store, o: Options, io: Io, note: (text: string) => void): Promise<number> {
  const progress = new Progress({ live: io.live && o.quiet !== true, width: io.width, write: io.raw })
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once("SIGINT", interrupt)
  process.once("SIGTERM", interrupt)
  const done = await execute(plan, store, {
    workers: o.workers,
    force: o.force === true,
    audit: o.audit === true,
    signal: stop.signal,
    ...(o.shard ? { shard: o.shard } : {}),
    ...(o.simulator ? { simulator: o.simulator } : {}),
    onProgress: (state) => (o.quiet === true ? undefined : progress.show(state)),
    onRecord: (record, known) => {
      if (o.json !== true) return
      progress.clear()
      io.out(JSON.stringify(jsonLine(record, known)))
    },
    onFailure: ({ run, result }) => {
      progress.clear()
      const at = Object.entries(run.point).map(([k, v]) => `${k}=${v}`)
      io.err(`${io.paint.red(result.why)} ${[...at, `seed=${run.seed}`].join(" ")}: ${result.explains}`)
    },
  })
  process.off("SIGINT", interrupt)
  process.off("SIGTERM", interrupt)
  progress.clear()
  return conclude(plan, done, o, io, note)
}

function jsonLine(r: RunRecord, known: boolean): object {
  const { why, fingerprint, values, explains } = r.result
  return { hash: r.hash, point: r.point, seed: r.seed, why, fingerprint, values, explains, known, spec: r.spec }
}

function conclude(plan: Plan, done: Executed, o: Options, io: Io, note: (text: string) => void): number {
  const rows = summarise(done.records)
  const verdicts = done.interrupted || o.shard !== undefined ? [] : judge(plan.expect, rows)
  if (o.json === true) {
    for (const k of kneeRows(done.knees)) io.out(JSON.stringify({ search: "saturation", ...k, value: k.value.mean, half: k.value.half }))
    for (const v of verdicts) if (!v.holds) io.err(verdictLines([v], io.paint).join("\n"))
  } else if (rows.length > 0) {
    io.out(`\n${io.paint.bold(plan.title)}\n`)
    io.out(resultTable(rows, io.paint))
    const drawn = o.quiet === true ? "" : resultChart(rows, io.paint, io.width)
    if (drawn !== "") io.out(`\n${drawn}`)
    if (done.knees.length > 0) io.out(`\n${kneeTable(done.knees, io.paint)}`)
    if (verdicts.length > 0) io.out(`\n${verdictLines(verdicts, io.paint).join("\n")}`)
  }
  const fresh = done.records.length - done.known
  note(
    `\n${fresh} runs in ${duration(done.seconds)}${done.known > 0 ? `, ${done.known} were known${fresh === 0 ? " (all points were known)" : ""}` : ""}${done.failures.length > 0 ? `, ${done.failures.length} failed` : ""}`,
  )
  for (const c of done.trouble) io.err(`${c.path}: ${c.says}; ${c.fix}`)
  if (done.trouble.length > 0) return exit.failed
  if (done.interrupted) {
    io.err("interrupted; finished runs are kept, the same command goes on from here")
    return exit.interrupted
  }
  const stuck = done.records.filter((r) => r.result.why === "deadlock" || r.result.why === "starved")
  for (const r of stuck.slice(0, 3)) io.err(`${io.paint.red(r.result.why)} ${r.hash.slice(0, 10)} seed=${r.seed}: ${r.result.explains}`)
  if (stuck.length > 0) return exit.deadlock
  return done.failures.length > 0 || verdicts.some((v) => !v.holds) ? exit.failed : exit.done
}
