// lacewing run FILE: reads an experiment, checks it, runs its plan on all cores and shows the results. Each finished
// run is stored in the results folder at once, so an interrupted sweep continues where it stopped. run-show.ts prints
// the results; with --on, cluster/on.ts submits the runs to a scheduler instead.
import { existsSync } from "node:fs"
import type { Command } from "commander"
import type { Complaint } from "../core/complaint.ts"
import { stopText } from "../core/wording.ts"
import { Catalog } from "../experiment/catalog.ts"
import { complaintsOf } from "../experiment/cross-checks.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { loadPlan } from "../experiment/load.ts"
import { oldNameLine, warningOf } from "../experiment/old-names.ts"
import { outsideOf } from "../experiment/outside/known.ts"
import type { Plan, PlannedRun } from "../experiment/plan.ts"
import type { Placed } from "../experiment/source.ts"
import { creditNotes } from "../inspect/credit-limit.ts"
import { deadlockComplaints, proofLines, quickProofs } from "../inspect/quick-proof.ts"
import { unbuildable } from "../predict/run.ts"
import { aboutOf } from "../results/about.ts"
import { othersAmong } from "../results/origin.ts"
import { MemoryResults } from "../results/results.ts"
import { Store } from "../results/store.ts"
import { type Executed, execute, shardOf } from "../sweep/execute.ts"
import { Progress } from "../sweep/progress.ts"
import { loadSimulator } from "../sweep/simulator.ts"
import { changed } from "../sweep/watch.ts"
import { addClusterOptions, withoutOn } from "./cluster/options.ts"
import { Exit, exit, type Io } from "./command.ts"
import { describe } from "./help.ts"
import {
  anyway,
  collect,
  experimentArgument,
  junitOption,
  noCode,
  refuse,
  seedList,
  settingsOf,
  shard,
  simulatorGiven,
  simulatorOption,
  timelineOption,
  traceChoices,
  wallTime,
  workersOption,
} from "./options.ts"
import { refusePlain, sayOnce, sayPlain } from "./plain.ts"
import type { RunOptions } from "./run-options.ts"
import { conclude, failedLine, jsonLine, tellEstimate } from "./run-show.ts"
import { onStop } from "./stops.ts"

export default function (command: Command, io: Io): void {
  command
    .argument("<experiment>", experimentArgument)
    .optionsGroup("What to run")
    .option(
      "--set <key=value>",
      "Override a key, e.g. traffic.load=0.4. Repeatable. Replaces a swept key by one value",
      collect,
    )
    .option("--seed <list>", "Override the seeds, e.g. 7 or 1,2,3", seedList)
    .option("--shard <i/n>", "Run only part i of n, e.g. 1/4. Combine the results with `lacewing merge`", shard)
    .option("--force", "Repeat runs that are already stored")
    .option("--dry-run", "Predict the number of runs, computing time and memory, then stop")
    .option(...anyway)
    .option(...noCode)
    .optionsGroup("How to run it")
    .addOption(workersOption())
    .option("--checkpoint <time>", "Save the state of each run at this interval, e.g. 10min, and on Ctrl-C", wallTime)
    .option("--watch", "Repeat the affected runs whenever the file changes, until Ctrl-C")
    .option("--audit", "Check conservation of credits, buffers and packets. Slower")
    .optionsGroup("Output")
    .option("--out <folder>", "Results folder (default: results/NAME)")
    .option("--no-report", "Do not write report.html and the CSV and JSON files")
    .option("--json", "Print one JSON object per run instead of the table")
    .option(...junitOption)
    .option(...timelineOption)
    .addOption(
      command
        .createOption("--trace <run>", "Write trace.html, which replays the end of the worst run without a server")
        .choices([...traceChoices]),
    )
    .option("--quiet", "Print only results, no progress or notes")
    .addOption(simulatorOption())
    .addOption(command.createOption("--resume").hideHelp())
    .action((file: string, given: RunOptions) => {
      if (given.resume === true)
        throw new Exit(
          exit.wrongInput,
          "--resume is not needed: lacewing never repeats a run that is already stored.\n  fix: remove --resume",
        )
      const options = { ...given, workersGiven: command.getOptionValueSource("workers") === "cli" }
      return options.watch === true && options.on === undefined ? watch(file, options, io) : once(file, options, io)
    })
  addClusterOptions(command, io)
  describe(command, {
    notes:
      "Finished runs are stored and skipped the next time, so you can interrupt a sweep with Ctrl-C and start it again. " +
      "A run in progress then starts from the beginning, unless you use --checkpoint.",
    examples: [
      "lacewing run first-curve",
      "lacewing run my.yaml --set network.switch.vcs=8 --seed 1,2,3",
      "lacewing run my.yaml --on slurm --partition cpu --time 2h",
    ],
    exits: {
      1: "an expectation or a run failed",
      2: "invalid input, or a network that can deadlock",
      3: "deadlock or starvation in a run",
      130: "interrupted",
    },
  })
}

/**
 * Executes the command once. Order: checks of the options, plan, proof of deadlock freedom, results folder, runs,
 * report. Everything that can be wrong with the input is reported before the folder exists.
 */
async function once(file: string, o: RunOptions, io: Io, signal?: AbortSignal): Promise<void> {
  simulatorGiven(o)
  const lonely = withoutOn(o)
  if (lonely.length > 0)
    throw new Exit(
      exit.wrongInput,
      `${lonely.join(", ")} only ${lonely.length === 1 ? "applies" : "apply"} to submitted runs.\n  fix: add --on slurm, or remove ${lonely.join(", ")}`,
    )
  const loaded = await loadPlan(file, {
    ...settingsOf(o),
    ...(o.seed ? { seeds: o.seed } : {}),
    ...(o.timeline === undefined ? {} : { probes: ["timeline"] }),
    code: o.code,
  })
  if ("bad" in loaded) refuse(loaded.bad, io, o.json === true)
  const plan = loaded.ok
  if (o.timeline !== undefined) timelinePossible(plan, o)
  if (o.trace !== undefined && o.on !== undefined)
    throw new Exit(exit.wrongInput, "--trace does not apply to submitted runs.\n  fix: remove --trace, or --on")
  for (const note of plan.renamed) {
    io.err(oldNameLine(note))
    if (o.json === true) io.out(JSON.stringify({ warning: warningOf(note) }))
  }
  if (o.quiet !== true) for (const line of [...executed(plan), ...plan.settled]) io.err(io.paint.dim(line))
  const dir = o.out ?? `results/${plan.name}`
  if (o.on !== undefined) {
    const { runOn } = await import("./cluster/on.ts")
    return runOn(plan, dir, { ...o, on: o.on }, io, (todo) => sensible(plan, todo, o, io))
  }
  const runs = shardOf(plan.runs, o.shard)
  // A folder is created only for experiments that can be built.
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

/** Rejects --timeline where no run has ranks, and for submitted runs, which finish later. */
function timelinePossible(plan: Plan, o: RunOptions): void {
  if (o.on !== undefined)
    throw new Exit(exit.wrongInput, "--timeline does not apply to submitted runs.\n  fix: remove --timeline, or --on")
  if (plan.runs.every((r) => r.spec.jobs === undefined))
    throw new Exit(exit.wrongInput, "--timeline needs jobs, and no run has any.\n  fix: add jobs, or remove --timeline")
}

/**
 * Returns lines about stored runs with the same specification as a run to do, which another revision of a model
 * produced. They are not reused, because the hash of a run contains the revisions.
 */
async function unused(store: Store, todo: readonly PlannedRun[]): Promise<string[]> {
  const stored = await store.records(false)
  if ("bad" in stored || stored.ok.length === 0) return []
  const asked = new Set(todo.map((r) => JSON.stringify(r.spec)))
  const same = stored.ok.filter((r) => asked.has(JSON.stringify(r.spec)))
  const fix = "this version repeats these runs and stores both results"
  return othersAmong(store.dir, same, new Catalog(), fix).map((c) => `${c.path}: ${c.says}; ${c.fix}`)
}

/** Returns a line for each module of the experiment that is executed, because code needs the user's attention. */
function executed(plan: Plan): string[] {
  return plan.modules.map(({ file, hash }) => {
    const brings = (outsideOf([{ file, hash }])?.plugins ?? []).map((p) => `${p.kind} ${p.name}`)
    return `Executes ${file}, which is code of this experiment (${brings.join(", ")}).`
  })
}

/**
 * Builds every kind of network of the plan, and rejects those that are inconsistent or can deadlock, with the places in
 * the file.
 */
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

const watched =
  "These runs start because measure.deadlock is watch. A deadlock ends a run, and the command with exit code 3.\n" +
  "The cycle is an example: a run may close it, another one, or none.\n" +
  "`lacewing check` prints how many VCs are enough, if more VCs help."

/** Prints whether the networks of these runs can deadlock, before cycle 0. `circles`: prints only those that can. */
function tellProofs(plan: Plan, runs: readonly PlannedRun[], io: Io, circles = false): void {
  const proofs = quickProofs(runs, plan.folder)
  for (const { warning, text } of proofLines(proofs))
    if (warning || !circles) io.err(warning ? io.paint.red(text) : io.paint.dim(text))
  if (circles) return
  if (proofs.some((p) => p.verdict === "not free")) io.err(io.paint.dim(watched))
  const specs = runs.map((r) => r.spec)
  for (const note of creditNotes(specs, (spec) => hostAt(plan.folder, spec.plugins))) io.err(io.paint.yellow(note))
}

async function openStore(dir: string, plan: Plan, o: RunOptions, io: Io): Promise<Store> {
  const opened = await Store.open(dir, { version: buildVersion, about: aboutOf(plan) })
  return "ok" in opened ? opened.ok : refusePlain(opened.bad, io, o.json === true)
}

/**
 * Executes the plan and stores the records. `held` collects the JSON lines of a search, because its result is printed
 * before them.
 */
async function perform(
  plan: Plan,
  store: Store,
  o: RunOptions,
  io: Io,
  held: string[],
  outer?: AbortSignal,
): Promise<Executed> {
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
        io.err(`${io.paint.red(stopText(result.why))} ${[...at, `seed=${run.seed}`].join(" ")}: ${result.explains}`)
      },
    })
  } finally {
    off()
    outer?.removeEventListener("abort", interrupt)
    progress.clear()
  }
}

/**
 * Runs the experiment, waits for a change of the file or of its includes, and runs it again. A change during a run
 * stops it; stored runs are not repeated.
 */
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
    if (!stop.signal.aborted) io.err(io.paint.dim(`Watching ${file}. Press Ctrl-C to stop.`))
    await touched
  }
}
