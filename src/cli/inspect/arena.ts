// lacewing arena [EXPERIMENT...]: compares congestion controls under the same traffic and seeds, in a grid of
// scenarios. Each scenario is an experiment file with its own results folder, so finished runs are stored and never
// repeated.
import { join, resolve } from "node:path"
import { type Command, Option } from "commander"
import { check, run } from "../../api.ts"
import { complain } from "../../core/complaint.ts"
import { duration } from "../../core/duration.ts"
import { counted } from "../../core/wording.ts"
import { findFile } from "../../experiment/read.ts"
import { arenaPage } from "../../inspect/arena/page.ts"
import { scores } from "../../inspect/arena/scores.ts"
import { isMissingScore, standingsOf, usualCriteria } from "../../inspect/arena/standings.ts"
import { type Arena, arenaText, type Contest } from "../../inspect/arena/text.ts"
import { type Timelines, timelinesOf } from "../../inspect/arena/timelines.ts"
import { estimatePlan } from "../../predict/estimate.ts"
import { makeFolder, writeAtomic } from "../../results/disk.ts"
import { readResults } from "../../results/read.ts"
import { Exit, exit, type Io, interruptedText } from "../command.ts"
import { describe } from "../help.ts"
import { anyway, collect, noCode, refuse, workerCount, workersOption } from "../options.ts"
import { refusePlain } from "../plain.ts"
import { onStop } from "../stops.ts"
import { type Scenario, scenariosOf } from "./arena-scenarios.ts"

type Options = {
  readonly quick?: boolean
  readonly full?: boolean
  readonly plugins?: readonly string[]
  readonly participants?: string
  readonly only?: readonly string[]
  readonly criteria?: readonly string[]
  readonly out: string
  readonly record?: string
  readonly seeds: number
  readonly workers: number
  readonly dryRun?: boolean
  readonly anyway?: boolean
  readonly json?: boolean
  readonly code: boolean
}

const names = (text: string) => text.split(",").map((s) => s.trim())

export default function (command: Command, io: Io): void {
  describe(command, {
    notes:
      "All participants run under the same traffic and the same seeds. Without a scenario, the arena runs the quick set of the package.",
    examples: [
      "lacewing arena",
      "lacewing arena --plugins my-protocol.mjs --only none,nscc,my.protocol",
      "lacewing arena --full --dry-run",
      "lacewing arena my-scenario.yaml --seeds 5 --json",
    ],
    exits: { 1: "a run failed", 130: "interrupted" },
  })
  command
    .argument(
      "[experiment...]",
      "Scenarios: experiments with the streams victims and hot, or folders of them (default: --quick)",
    )
    .optionsGroup("Scenarios and participants")
    .addOption(
      new Option("--quick", "Run the quick set of the package: 64 endpoints, minutes on two cores (default)").conflicts(
        "full",
      ),
    )
    .option("--full", "Run the full set of the package: 64 to 1,024 endpoints. --dry-run predicts the time")
    .option(
      "--plugins <module>",
      "Add the congestion controls of this module, with the VCs that they declare. Executes it. Repeatable",
      collect,
    )
    .option("--participants <file>", "File with further participants (default: those of the package)")
    .option("--only <list>", "Only these participants and the references, separated by commas (default: all)", names)
    .option("--seeds <n>", "Number of seeds per participant", workerCount, 3)
    .option("--criteria <list>", `Criteria of the Pareto front (default: ${usualCriteria.join(",")})`, names)
    .optionsGroup("Runs and output")
    .addOption(workersOption())
    .option("--dry-run", "Predict the number of runs and the time, then stop")
    .option("--out <folder>", "Results folder, with one folder per scenario and the report", "results/arena")
    .option("--record <file>", "Also write the standings to this JSON file")
    .option(...anyway)
    .option("--json", "Print one JSON object")
    .option(...noCode)
    .action((paths: readonly string[], o: Options) => arenaCommand(paths, o, io))
}

/** The folders of the package: one set of scenarios each. */
function bundled(sets: readonly string[], io: Io): string[] {
  const found = findFile("arena")
  if ("bad" in found) refuse(found.bad, io, false)
  return sets.map((set) => join(found.ok, "..", set))
}

async function arenaCommand(paths: readonly string[], o: Options, io: Io): Promise<void> {
  const json = o.json === true
  const wrong = o.criteria?.find((c) => !scores.some((s) => s.name === c))
  if (wrong !== undefined)
    refusePlain(
      [complain("--criteria", `There is no score "${wrong}".`, `choose from ${scores.map((s) => s.name).join(", ")}`)],
      io,
      json,
    )
  const set = o.full === true ? "--full" : o.quick === true ? "--quick" : undefined
  if (set !== undefined && paths.length > 0)
    refusePlain([complain(set, "is a set of the package.", "leave out the scenarios, or this option")], io, json)
  const sets = o.full === true ? ["64", "256", "1024"] : ["quick"]
  const got = await scenariosOf({
    paths: paths.length > 0 ? paths : bundled(sets, io),
    plugins: o.plugins ?? [],
    participants: resolve(o.participants ?? bundled(["participants.yaml"], io)[0]),
    ...(o.only === undefined ? {} : { only: o.only }),
    seeds: Array.from({ length: o.seeds }, (_, i) => i + 1),
    code: o.code,
  })
  if ("bad" in got) refusePlain(got.bad, io, json)
  if (o.dryRun === true) return tellPlan(got.ok, o, io)
  const contests: Contest[] = []
  const timelines = new Map<string, Timelines>()
  let version = ""
  let failures = 0
  const stop = new AbortController()
  const off = onStop(() => stop.abort())
  for (const [i, scenario] of got.ok.entries()) {
    if (!json) io.err(`${i + 1}/${got.ok.length} ${scenario.name}`)
    const out = join(o.out, scenario.name)
    const options = {
      workers: o.workers,
      folder: scenario.folder,
      code: o.code,
      anyway: o.anyway === true,
      out: resolve(out),
      signal: stop.signal,
    }
    const done = await run(scenario.experiment, options)
    if ("bad" in done) refusePlain(done.bad, io, json)
    if (done.ok.interrupted) throw new Exit(exit.interrupted, interruptedText)
    const read = await readResults(out)
    if ("bad" in read) refusePlain(read.bad, io, json)
    const { records } = read.ok
    const reasons = new Map<string, string[]>()
    for (const { run: r, result } of done.ok.failures) {
      const name = String(r.point["variant"] ?? "")
      reasons.set(name, [...(reasons.get(name) ?? []), result.explains])
    }
    failures += done.ok.failures.length
    const failed = [...reasons].map(([name, all]) => ({
      name,
      says: `${counted(all.length, "run")} failed: ${all[0]}`,
    }))
    contests.push({
      name: scenario.name,
      title: scenario.title,
      runs: records.length,
      seconds: records.reduce((sum, r) => sum + r.provenance.seconds, 0),
      standings: standingsOf(records, scenario.participants, o.criteria),
      left: [...scenario.left, ...failed],
    })
    const lines = timelinesOf(records, scenario.participants)
    if (lines !== undefined) timelines.set(scenario.name, lines)
    version = records[0]?.provenance.version ?? version
  }
  off()
  const seeds = Array.from({ length: o.seeds }, (_, i) => i + 1)
  const constants =
    "All participants have default parameters, unless the scenario or the participants file sets others."
  const arena: Arena = { contests, seeds, constants, version }
  makeFolder(o.out)
  writeAtomic(join(o.out, "arena.json"), `${recorded(arena)}\n`)
  writeAtomic(join(o.out, "report.html"), arenaPage(arena, timelines))
  if (o.record !== undefined) writeAtomic(o.record, `${JSON.stringify(JSON.parse(recorded(arena)), null, 1)}\n`)
  io.out(json ? recorded(arena) : arenaText(arena, io.paint, io.fits))
  if (!json) io.out(`\n${join(o.out, "report.html")}\n${join(o.out, "arena.json")}`)
  if (failures > 0) throw new Exit(exit.failed)
}

/** Returns the arena as JSON, with six digits and without the values of each seed. */
function recorded({ contests, ...rest }: Arena): string {
  const rounded = (v: number) => Number(v.toPrecision(6))
  return JSON.stringify({
    ...rest,
    contests: contests.map((c) => ({
      ...c,
      seconds: Math.round(c.seconds),
      standings: c.standings.standings.map(({ scores: own, ...s }) => ({
        ...s,
        scores: Object.fromEntries(
          Object.entries(own).map(([name, v]) => [
            name,
            isMissingScore(v)
              ? { missing: v.missing }
              : { mean: rounded(v.mean), ...(v.half === undefined ? {} : { half: rounded(v.half) }) },
          ]),
        ),
      })),
      criteria: c.standings.criteria,
      points: c.standings.points.length,
    })),
  })
}

async function tellPlan(scenarios: readonly Scenario[], o: Options, io: Io): Promise<void> {
  let [runs, seconds] = [0, 0]
  for (const s of scenarios) {
    const got = await check(s.experiment, { code: o.code, folder: s.folder })
    if ("bad" in got) refusePlain(got.bad, io, o.json === true)
    const e = estimatePlan(got.ok, got.ok.runs, { workers: o.workers })
    runs += e.runs
    seconds += e.seconds
    const left = s.left.map((l) => l.name)
    if (o.json !== true)
      io.out(
        `${s.name}: ${counted(e.runs, "run")} of up to ${counted(e.endpoints, "endpoint")}, about ` +
          `${duration(e.seconds)} on one core${left.length === 0 ? "" : `; without ${left.join(", ")}`}`,
      )
  }
  const wall = seconds / Math.max(1, o.workers)
  io.out(
    o.json === true
      ? JSON.stringify({ scenarios: scenarios.length, runs, seconds: wall })
      : `${counted(runs, "run")}, about ${duration(wall)} with ${counted(o.workers, "worker")}`,
  )
}
