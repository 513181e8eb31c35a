// lacewing run FILE: reads, checks, runs on all cores, keeps every finished run, and shows what came out.
import { existsSync } from "node:fs"
import { type Command, Option } from "commander"
import type { Complaint } from "../core/complaint.ts"
import { Catalog } from "../experiment/catalog.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { loadPlan } from "../experiment/load.ts"
import { outsideOf } from "../experiment/outside/known.ts"
import type { Plan, PlannedRun } from "../experiment/plan.ts"
import { complaintsOf } from "../experiment/sense.ts"
import type { Placed } from "../experiment/source.ts"
import { deadlockComplaints, proofLines, quickProofs } from "../inspect/quick-proof.ts"
import { aboutOf } from "../results/about.ts"
import { othersAmong } from "../results/origin.ts"
import { MemoryResults } from "../results/results.ts"
import { Store } from "../results/store.ts"
import { type Executed, execute, shardOf } from "../run/execute.ts"
import { unbuildable } from "../run/predict/run.ts"
import { Progress } from "../run/progress.ts"
import { loadSimulator } from "../run/simulator.ts"
import { changed } from "../run/watch.ts"
import { addClusterOptions, withoutOn } from "./cluster/options.ts"
import { Exit, exit, type Io } from "./command.ts"
import { allCores, anyway, collect, noCode, refuse, seedList, settingsOf, shard, simulatorGiven, wallTime, workerCount } from "./options.ts"
import { refusePlain, sayOnce, sayPlain } from "./plain.ts"
import type { RunOptions } from "./run-options.ts"
import { conclude, failedLine, jsonLine, tellEstimate } from "./run-show.ts"
import { onStop } from "./stops.ts"

export default function (command: Command, io: Io): void {
  command
    .argument(
      "<file>",
      "experiment (.yaml, .json, .mjs), a folder with an experiment.yaml, or a name that `lacewing list experiments` shows",
    )
    .option("--set <key=value>", "set a key, for example traffic.load=0.4 (may be repeated); a swept key is pinned", collect)
    .option("--seed <n>", "run these seeds instead of those of the file: 7, or 1,2,3", seedList)
    .option("--workers <n>", "runs at the same time", workerCount, allCores)
    .option("--out <folder>", "results folder (default: results/NAME)")
    .option("--resume", "go on from what is there; this is what happens anyway, finished runs are never run twice")
    .option("--force", "run again what is known")
    .option(
      "--checkpoint <time>",
      "write the state of each run down this often (10min), and when interrupted, to go on from there",
      wallTime,
    )
    .option("--shard <i/n>", "only the i-th of n parts of the runs; merge the folders afterwards", shard)
    .option("--dry-run", "predict how many runs, how long and how much memory, say what that rests on, and stop")
    .option("--audit", "check in every run that credits, buffers and packets are conserved")
    .option(...anyway)
    .option("--no-report", "write no report.html and no tables")
    .option("--watch", "run again what a change of the file touches, until Ctrl-C")
    .option("--json", "print one JSON object for each run instead of the table")
    .option("--quiet", "print results only: no progress, no notes")
    .option(...noCode)
    .option("--allow-commands", "with --on: execute commands that the experiment names under cluster (setup, submit, …)")
    .addOption(new Option("--simulator <url>", "another simulator module, for tests").hideHelp())
    .action((file: string, given: RunOptions) => {
      const options = { ...given, workersGiven: command.getOptionValueSource("workers") === "cli" }
      return options.watch === true && options.on === undefined ? watch(file, options, io) : once(file, options, io)
    })
  addClusterOptions(command)
}

async function once(file: string, o: RunOptions, io: Io, signal?: AbortSignal): Promise<void> {
  simulatorGiven(o)
  const lonely = withoutOn(o)
  if (lonely.length > 0)
    throw new Exit(exit.wrongInput, `${lonely.join(", ")}: is for tasks of a scheduler\n  fix: say which with --on slurm`)
  const loaded = await loadPlan(file, { ...settingsOf(o), ...(o.seed ? { seeds: o.seed } : {}), code: o.code })
  if ("bad" in loaded) refuse(loaded.bad, io, o.json === true)
  const plan = loaded.ok
  if (o.quiet !== true) for (const line of [...executed(plan), ...plan.settled]) io.err(io.paint.dim(line))
  const dir = o.out ?? `results/${plan.name}`
  if (o.on !== undefined) {
    const { runOn } = await import("./cluster/on.ts")
    return runOn(plan, dir, { ...o, on: o.on }, io, (todo) => sensible(plan, todo, o, io))
  }
  const runs = shardOf(plan.runs, o.shard)
  // A folder is made only for experiments that make sense.
  const fresh = !existsSync(dir)
  if (o.dryRun === true && o.simulator === undefined) refuseAny(unbuildable(runs, plan.folder), o, io)
  if (fresh && o.dryRun === true) return tellEstimate(plan, runs, new MemoryResults(), o, io)
  if (fresh) await sensible(plan, runs, o, io)
  const store = await openStore(dir, plan, o, io)
  let code: number = exit.done
  let trouble: readonly Complaint[] = []
  try {
    if (o.quiet !== true) for (const c of store.said) sayPlain(c, io)
    const todo = runs.filter((r) => o.force === true || !store.has(r.hash))
    if (o.quiet !== true && !fresh) for (const line of await unused(store, todo)) io.err(io.paint.dim(line))
    if (!fresh && o.dryRun !== true) await sensible(plan, todo, o, io)
    if (o.dryRun === true) tellEstimate(plan, runs, store, o, io)
    else {
      if (o.quiet !== true && o.simulator === undefined) tellProofs(plan, todo, io)
      const held: string[] = []
      ;({ code, trouble } = await conclude(plan, await perform(plan, store, o, io, held, signal), store, o, io, held))
    }
  } finally {
    trouble = [...trouble, ...(await store.close())]
    sayOnce(trouble, io)
  }
  if (trouble.length > 0 && code === exit.done) code = exit.failed
  if (code !== exit.done) throw new Exit(code)
}

/** Runs of the folder that ask the same as one that is to be run, and that another model made. */
async function unused(store: Store, todo: readonly PlannedRun[]): Promise<string[]> {
  const stored = await store.records(false)
  if ("bad" in stored || stored.ok.length === 0) return []
  const asked = new Set(todo.map((r) => JSON.stringify(r.spec)))
  const same = stored.ok.filter((r) => asked.has(JSON.stringify(r.spec)))
  const fix = "this version runs its own, and keeps both"
  return othersAmong(store.dir, same, new Catalog(), fix).map((c) => `${c.path}: ${c.says}; ${c.fix}`)
}

/** Code of the experiment's own that was and will be executed. */
function executed(plan: Plan): string[] {
  return plan.modules.map(({ file, hash }) => {
    const brings = (outsideOf([{ file, hash }])?.plugins ?? []).map((p) => `${p.kind} ${p.name}`)
    return `executes ${file}, code of this experiment: ${brings.join(", ")}`
  })
}

/** Builds every kind of network that is to be run, and refuses with places what does not fit together or can deadlock. */
async function sensible(plan: Plan, runs: readonly PlannedRun[], o: RunOptions, io: Io): Promise<void> {
  if (runs.length === 0) return
  refuseAny(complaintsOf(runs, hostAt(plan.folder), await loadSimulator(simulatorGiven(o))), o, io)
  if (o.simulator !== undefined || o.anyway === true) return
  const deadlocks = deadlockComplaints(runs, plan.folder)
  if (deadlocks.length > 0 && o.quiet !== true) tellProofs(plan, runs, io, true)
  refuseAny(deadlocks, o, io)
}

function refuseAny(bad: readonly Placed[], o: RunOptions, io: Io): void {
  if (bad.length > 0) refuse(bad, io, o.json === true)
}

/** Before cycle 0: can the networks of these runs deadlock? `circles`: only of those that can. */
function tellProofs(plan: Plan, runs: readonly PlannedRun[], io: Io, circles = false): void {
  for (const { warning, text } of proofLines(quickProofs(runs, plan.folder)))
    if (warning || !circles) io.err(warning ? io.paint.red(text) : io.paint.dim(text))
}

async function openStore(dir: string, plan: Plan, o: RunOptions, io: Io): Promise<Store> {
  const opened = await Store.open(dir, { version: buildVersion, about: aboutOf(plan) })
  return "ok" in opened ? opened.ok : refusePlain(opened.bad, io, o.json === true)
}

/** `held`: where the lines of a search wait, so that its answer can come first. */
async function perform(plan: Plan, store: Store, o: RunOptions, io: Io, held: string[], outer?: AbortSignal): Promise<Executed> {
  const progress = new Progress({ live: io.live && o.quiet !== true, width: io.width, write: (text) => io.raw(text) })
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  const off = onStop(interrupt)
  outer?.addEventListener("abort", interrupt)
  try {
    return await execute(plan, store, {
      workers: o.workers,
      force: o.force === true,
      audit: o.audit === true,
      signal: stop.signal,
      ...(o.shard ? { shard: o.shard } : {}),
      ...(o.checkpoint ? { checkpoint: o.checkpoint } : {}),
      ...(o.simulator ? { simulator: o.simulator } : {}),
      onProgress: (state) => (o.quiet === true ? undefined : progress.show(state)),
      onRecord: (record, known) => {
        if (o.json !== true) return
        const line = JSON.stringify(jsonLine(record, known))
        if (plan.search !== undefined) {
          held.push(line)
          return
        }
        progress.clear()
        io.out(line)
      },
      onNote: (text) => {
        if (o.quiet === true) return
        progress.clear()
        io.err(io.paint.dim(text))
      },
      onFailure: ({ run, result }) => {
        progress.clear()
        if (o.json === true) io.out(JSON.stringify(failedLine(run, result)))
        const at = Object.entries(run.point).map(([k, v]) => `${k}=${v}`)
        io.err(`${io.paint.red(result.why)} ${[...at, `seed=${run.seed}`].join(" ")}: ${result.explains}`)
      },
    })
  } finally {
    off()
    outer?.removeEventListener("abort", interrupt)
    progress.clear()
  }
}

/** Runs, waits for a change of the file or of what it includes, and runs again; a change in the middle starts over with what is left. */
async function watch(file: string, o: RunOptions, io: Io): Promise<void> {
  for (;;) {
    const stop = new AbortController()
    const touched = changed(file, stop.signal)
    void touched.then(() => stop.abort())
    try {
      await once(file, o, io, stop.signal)
    } catch (e) {
      if (!(e instanceof Exit)) throw e
      if (e.message !== "") io.err(e.message)
      if (e.code === exit.interrupted && !stop.signal.aborted) throw new Exit(exit.interrupted)
    }
    if (!stop.signal.aborted) io.err(io.paint.dim(`watching ${file}; Ctrl-C ends`))
    await touched
  }
}
