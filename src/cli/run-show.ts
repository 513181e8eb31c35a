// What `run` says before and after: the estimate, the table, the chart, the verdicts, where the files are, and the exit code.
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Complaint } from "../core/complaint.ts"
import { duration } from "../core/duration.ts"
import { stoodStill } from "../core/saturation.ts"
import type { Plan, PlannedRun } from "../experiment/plan.ts"
import type { RunResult } from "../model/experiment.ts"
import { aboutOf } from "../results/about.ts"
import { toldValues } from "../results/json.ts"
import { kneeRows } from "../results/knees.ts"
import type { RunRecord } from "../results/record.ts"
import type { Results } from "../results/results.ts"
import type { Store } from "../results/store.ts"
import { judge, packetsIn, summarise, type Verdict } from "../results/summary.ts"
import { basisOf, estimatePlan, foreseen, lengthOf } from "../run/estimate.ts"
import type { Executed } from "../run/execute.ts"
import { failureLine, kneeTable, resultChart, resultTable, skippedLines, verdictLines } from "../terminal/show.ts"
import { exit, type Io } from "./command.ts"
import type { RunOptions } from "./run-options.ts"

/** `runs`: what is asked for of the plan; of these, what is known need not be done. */
export function tellEstimate(plan: Plan, runs: readonly PlannedRun[], results: Results, o: RunOptions, io: Io): void {
  const e = estimatePlan(plan, runs, { workers: o.workers, force: o.force === true, get: (run) => results.get(run.hash) })
  const { runs: count, todo, endpoints, atOnce, unforeseen } = e
  const megabytes = e.megabytes * atOnce
  if (o.json === true) {
    const [seconds, flitHops] = [foreseen(e, e.wall), foreseen(e, e.flitHops)]
    io.out(JSON.stringify({ runs: count, todo, unforeseen, seconds, megabytes, endpoints, flitHops, basis: basisOf(e) }))
    return
  }
  const about = plan.search === undefined ? "" : "about "
  io.out(`${plan.title}: ${about}${count === 1 ? "1 run" : `${count} runs`} of up to ${endpoints} endpoints, ${todo} to do`)
  io.out(`${Math.ceil(megabytes)} MB; ${lengthOf(e, `about ${duration(e.wall)} with ${atOnce} at once`)}`)
}

/** Shows the results (`held`: JSON lines of the runs of a search, which come after its answer), writes the report, and answers the exit code and what could not be written. */
export async function conclude(
  plan: Plan,
  done: Executed,
  store: Store,
  o: RunOptions,
  io: Io,
  held: readonly string[] = [],
): Promise<{ code: number; trouble: readonly Complaint[] }> {
  const rows = summarise(done.records)
  const verdicts = done.interrupted || o.shard !== undefined ? [] : judge(plan.expect, rows)
  if (o.json === true) showJson(plan, done, verdicts, held, io)
  else if (rows.length > 0) {
    const knees = done.knees.length > 0 ? kneeTable(done.knees, io.paint, io.fits) : ""
    const parts = [failureLine(rows, io.paint), io.paint.bold(plan.title), knees, resultTable(rows, io.paint, io.fits)]
    if (o.quiet !== true) parts.push(resultChart(rows, io.paint, io.width))
    const judged = [...verdictLines(verdicts, io.paint), ...skippedLines(plan.skipped, io.paint)]
    if (judged.length > 0) parts.push(judged.join("\n"))
    io.out(`\n${parts.filter((p) => p !== "").join("\n\n")}`)
  }
  if (o.quiet !== true) {
    for (const line of lossText(done)) io.err(`${io.paint.yellow("abandoned")} ${line}`)
    io.err(`\n${countText(done)}`)
  }
  for (const line of stuckLines(done)) io.err(line.replace(/^\w+/, (word) => io.paint.red(word)))
  const unwritten = o.report && !done.interrupted && done.records.length > 0 ? await writeFiles(plan, done, store, o, io) : []
  return { code: codeOf(done, verdicts, io, o.json === true), trouble: [...done.trouble, ...unwritten] }
}

/** `held`: lines of runs that waited for what the search found. */
function showJson(plan: Plan, done: Executed, verdicts: readonly Verdict[], held: readonly string[], io: Io): void {
  for (const { value, ...knee } of kneeRows(done.knees))
    io.out(
      JSON.stringify({ search: "saturation", ...knee, value: value.mean, ...(Number.isFinite(value.half) ? { half: value.half } : {}) }),
    )
  for (const line of held) io.out(line)
  for (const line of skippedLines(plan.skipped, io.paint)) io.err(line)
  for (const v of verdicts) {
    io.out(JSON.stringify({ expect: v.expectation.text, holds: v.holds, failures: v.failures }))
    if (!v.holds) io.err(verdictLines([v], io.paint).join("\n"))
  }
}

function countText(done: Executed): string {
  const fresh = done.records.length - done.known
  const parts = [`${fresh} ${fresh === 1 ? "run" : "runs"} in ${duration(done.seconds)}`]
  if (done.known > 0) parts.push(fresh === 0 ? `all ${done.known} points were known` : `${done.known} were known`)
  if (done.failures.length > 0) parts.push(`${done.failures.length} failed`)
  return parts.join(", ")
}

/** Runs that stood still: the first with the packets that wait for one another, others in a line, so that what follows stays on the screen. */
function stuckLines(done: Executed): string[] {
  const stuck = done.records.filter((r) => stoodStill(r.result.why))
  const each = stuck.slice(0, STUCK).flatMap((r, i) => {
    const { says, packets } = packetsIn(r.result.explains)
    const at = [...Object.entries(r.point).map(([k, v]) => `${k}=${v}`), `seed=${r.seed}`].join(" ")
    const head = `${r.result.why} ${r.hash.slice(0, 10)} ${at}: ${says.join("; ")}`
    if (i > 0) return [head]
    const rest = packets.length - PACKETS
    const more = rest > 0 ? [`  and ${rest} more packets: the report lists them`] : []
    return [head, ...packets.slice(0, PACKETS).map((p) => `  ${p}`), ...more]
  })
  return stuck.length > STUCK ? [...each, `and ${stuck.length - STUCK} more runs stood still: the report lists them`] : each
}

/** Runs that are named, and packets of the first. */
const STUCK = 3
const PACKETS = 6

/** Runs whose packets were given up: neither latency nor accepted load shows it. */
function lossText(done: Executed): string[] {
  const lossy = done.records.filter((r) => (r.result.values["abandoned"] ?? 0) > 0)
  const told = lossy.slice(0, 3).map((r) => `${r.hash.slice(0, 10)} seed=${r.seed}: ${r.result.explains}`)
  return lossy.length > 3 ? [...told, `and ${lossy.length - 3} more runs`] : told
}

/** report.html, CSV and JSON of this experiment's runs; left alone when nothing is new. */
async function writeFiles(plan: Plan, done: Executed, store: Store, o: RunOptions, io: Io): Promise<readonly Complaint[]> {
  const page = join(store.dir, "report.html")
  if (done.known === done.records.length && existsSync(page)) {
    if (o.quiet !== true) io.err(`report: ${page}`)
    return []
  }
  const { writeReport } = await import("../draw/report/files.ts")
  const stored = await store.records()
  if ("bad" in stored) return stored.bad
  const points = new Map(done.records.map((r) => [r.hash, r.point]))
  const records = stored.ok.filter((r) => points.has(r.hash)).map((r) => ({ ...r, point: points.get(r.hash)! }))
  const written = await writeReport({ records, about: aboutOf(plan), said: [] }, store.dir, ["csv", "json"])
  if ("bad" in written) return written.bad
  if (o.quiet !== true) io.err(`report: ${page}, with CSV and JSON beside it`)
  return []
}

function codeOf(done: Executed, verdicts: readonly Verdict[], io: Io, json: boolean): number {
  if (json && done.trouble.length > 0) io.out(JSON.stringify({ ok: false, complaints: done.trouble }))
  if (done.trouble.length > 0) return exit.failed
  if (done.interrupted) {
    if (json) io.out(JSON.stringify({ ok: false, interrupted: true }))
    io.err("interrupted; finished runs are kept, the same command goes on from here")
    return exit.interrupted
  }
  if (done.records.some((r) => stoodStill(r.result.why))) return exit.deadlock
  return done.failures.length > 0 || verdicts.some((v) => !v.holds) ? exit.failed : exit.done
}

/** A run without a result: nothing is kept of it. */
export function failedLine(run: PlannedRun, { why, explains }: RunResult): object {
  return { hash: run.hash, point: run.point, seed: run.seed, why, explains, known: false, spec: run.spec }
}

export function jsonLine(r: RunRecord, known: boolean): object {
  const { why, fingerprint, explains } = r.result
  return { hash: r.hash, point: r.point, seed: r.seed, why, fingerprint, ...toldValues(r.result), explains, known, spec: r.spec }
}
