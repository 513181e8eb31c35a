// The output of `run` before and after the runs: the estimate, the table, the chart, the verdicts, the paths of the
// files, and the exit code. cluster/on.ts uses the same functions for submitted sweeps.

import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Complaint } from "../core/complaint.ts"
import { duration } from "../core/duration.ts"
import { stoodStill } from "../core/saturation.ts"
import { counted } from "../core/wording.ts"
import { Catalog } from "../experiment/catalog.ts"
import { deadlockFix } from "../experiment/conditions.ts"
import type { Plan, PlannedRun } from "../experiment/plan.ts"
import type { RunResult } from "../model/experiment.ts"
import { basisOf, estimatePlan, foreseen, lengthOf } from "../predict/estimate.ts"
import { aboutOf } from "../results/about.ts"
import { writeChromeTrace } from "../results/chrome-trace.ts"
import { attempt } from "../results/disk.ts"
import { firstLimits, limitOf } from "../results/findings/limited.ts"
import { saturationRows } from "../results/findings/saturation.ts"
import { jobsOfPoints } from "../results/findings/stragglers.ts"
import { toldValues } from "../results/json.ts"
import { writeJunit } from "../results/junit.ts"
import type { RunRecord } from "../results/record.ts"
import { withSlowdowns } from "../results/references.ts"
import type { Results } from "../results/results.ts"
import type { Store } from "../results/store.ts"
import { judge, packetsIn, summarise, type Verdict } from "../results/summary.ts"
import type { Executed } from "../sweep/execute.ts"
import {
  failureLine,
  jobLines,
  limitLines,
  resultChart,
  resultTable,
  saturationTable,
  skippedLines,
  verdictLines,
} from "../terminal/show.ts"
import { streamTable } from "../terminal/streams.ts"
import { exit, type Io, interruptedText } from "./command.ts"
import type { RunOptions } from "./run-options.ts"
import { siteFolder } from "./studio/site.ts"
import { traceOf, unpackable, worstOf } from "./studio/trace.ts"

/**
 * Prints the estimate of time and memory. `runs` are the selected runs of the plan; stored ones need not be run again.
 */
export function tellEstimate(plan: Plan, runs: readonly PlannedRun[], results: Results, o: RunOptions, io: Io): void {
  const e = estimatePlan(plan, runs, {
    workers: o.workers,
    force: o.force === true,
    get: (run) => results.get(run.hash),
  })
  const { runs: count, todo, endpoints, atOnce, unforeseen } = e
  const megabytes = e.megabytes * atOnce
  if (o.json === true) {
    const [seconds, flitHops] = [foreseen(e, e.wall), foreseen(e, e.flitHops)]
    io.out(
      JSON.stringify({ runs: count, todo, unforeseen, seconds, megabytes, endpoints, flitHops, basis: basisOf(e) }),
    )
    return
  }
  const about = plan.search === undefined ? "" : "about "
  io.out(
    `${plan.title}: ${about}${counted(count, "run")} of up to ${counted(endpoints, "endpoint")}, ${todo} not stored yet`,
  )
  io.out(
    `${Math.ceil(megabytes)} MB; ${lengthOf(e, `about ${duration(e.wall)} with ${counted(atOnce, "parallel run")}`)}`,
  )
}

/**
 * Prints the results and writes the report. Returns the exit code and the complaints about files that could not be
 * written. `held` are the JSON lines of the runs of a search, which follow its result.
 */
export async function conclude(
  plan: Plan,
  done: Executed,
  store: Store,
  o: RunOptions,
  io: Io,
  held: readonly string[] = [],
): Promise<{ code: number; trouble: readonly Complaint[] }> {
  const rows = summarise(withSlowdowns(done.records))
  const verdicts = done.interrupted || o.shard !== undefined ? [] : judge(plan.expect, rows)
  const wanted = done.interrupted ? undefined : o.junit
  const junit = wanted === undefined ? undefined : await attempt(wanted, () => toJunit(wanted, plan, done, verdicts))
  const line = done.interrupted ? undefined : o.timeline
  const timeline = line === undefined ? undefined : await attempt(line, () => writeTimeline(line, done, o, io))
  if (o.json === true) showJson(plan, done, verdicts, held, io)
  else if (rows.length > 0) {
    const knees = done.knees.length > 0 ? saturationTable(done.knees, io.paint, io.fits) : ""
    const parts = [failureLine(rows, io.paint), io.paint.bold(plan.title), knees, resultTable(rows, io.paint, io.fits)]
    parts.push(streamTable(rows, io.paint, io.fits))
    if (o.quiet !== true) parts.push(resultChart(rows, io.paint, io.width))
    parts.push(jobLines(jobsOfPoints(withSlowdowns(done.records)), io.width).join("\n"))
    parts.push(limitLines(firstLimits(done.records), io.paint).join("\n"))
    const judged = [...verdictLines(verdicts, io.paint), ...skippedLines(plan.skipped, io.paint)]
    if (judged.length > 0) parts.push(judged.join("\n"))
    io.out(`\n${parts.filter((p) => p !== "").join("\n\n")}`)
  }
  if (o.quiet !== true) {
    for (const line of lossText(done)) io.err(`${io.paint.yellow("lost packets")} ${line}`)
    io.err(`\n${countText(done)}`)
  }
  for (const line of stuckLines(done)) io.err(line.replace(/^\w+/, (word) => io.paint.red(word)))
  const unwritten =
    o.report && !done.interrupted && done.records.length > 0 ? await writeFiles(plan, done, store, o, io) : []
  const files = [junit, timeline].flatMap((f) => (f !== undefined && "bad" in f ? f.bad : []))
  const page = join(store.dir, "trace.html")
  const trace =
    o.trace === undefined || done.interrupted
      ? undefined
      : await attempt(page, () => writeTrace(page, plan, done, o, io))
  if (trace !== undefined && "bad" in trace) files.push(...trace.bad)
  const trouble = [...done.trouble, ...unwritten, ...files]
  return { code: codeOf(done, verdicts, io, o.json === true), trouble }
}

/** Writes the time line of ranks, and prints how many operations did not fit. */
function writeTimeline(file: string, done: Executed, o: RunOptions, io: Io): void {
  const slices = writeChromeTrace(file, done.records)
  const lost = done.records.reduce((n, r) => n + (r.result.values["timeline.lost"] ?? 0), 0)
  if (o.quiet === true) return
  io.err(`time line: ${file} (${counted(slices, "slice")}; open it in https://ui.perfetto.dev or chrome://tracing)`)
  if (lost > 0)
    io.err(`${counted(lost, "operation")} did not fit; more rows store more: probes: [{ name: timeline, rows: 65536 }]`)
}

/** Writes the replay of the worst run, or prints why there is none. */
function writeTrace(file: string, plan: Plan, done: Executed, o: RunOptions, io: Io): void {
  const worst = worstOf(done.records)
  const folder = worst === undefined ? undefined : unpackable(plan)
  if (worst === undefined || folder !== undefined) {
    const ideal = "the studio cannot replay runs of the ideal engine, or of custom plug-ins"
    const none = done.records.length === 0 ? "no run has a result" : ideal
    io.err(`no trace: ${folder === undefined ? none : `a page cannot contain ${folder}, which has several files`}`)
    return
  }
  const { html, says } = traceOf(worst, plan, siteFolder())
  writeFileSync(file, html)
  if (o.quiet !== true) io.err(`trace: ${file}. ${says}`)
}

/** Writes a test case for each line of `expect`, and one for the runs themselves. */
function toJunit(file: string, plan: Plan, done: Executed, verdicts: readonly Verdict[]): void {
  const failed = [
    ...done.failures.map((f) => f.result.why),
    ...done.records.map((r) => r.result.why).filter(stoodStill),
  ]
  const runs = { group: plan.name, name: `${counted(done.records.length + done.failures.length, "run")} finish` }
  writeJunit(
    file,
    plan.title,
    [
      { ...runs, ...(failed.length === 0 ? {} : { failed: [...new Set(failed)].join(", ") }) },
      ...verdicts.map((v) => ({
        group: plan.name,
        name: v.expectation.text,
        ...(v.holds ? {} : { failed: v.failures.join("\n") }),
      })),
      ...plan.skipped.map((s) => ({ group: plan.name, name: s.text, skipped: s.says })),
    ],
    done.seconds,
  )
}

/** Prints the results as JSON: the result of a search first, then its runs (`held`). */
function showJson(plan: Plan, done: Executed, verdicts: readonly Verdict[], held: readonly string[], io: Io): void {
  for (const { value, ...knee } of saturationRows(done.knees))
    io.out(
      JSON.stringify({
        search: "saturation",
        ...knee,
        value: value.mean,
        ...(Number.isFinite(value.half) ? { half: value.half } : {}),
      }),
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
  const parts = [`${counted(fresh, "run")} in ${duration(done.seconds)}`]
  if (done.known > 0) parts.push(fresh === 0 ? `all ${done.known} were already stored` : `${done.known} already stored`)
  if (done.failures.length > 0) parts.push(`${done.failures.length} failed`)
  return parts.join(", ")
}

/**
 * Returns lines about runs without progress: the first one with the packets of its cyclic dependency, the others in one
 * line each, so that the results stay on the screen.
 */
function stuckLines(done: Executed): string[] {
  const stuck = done.records.filter((r) => stoodStill(r.result.why))
  const each = stuck.slice(0, STUCK).flatMap((r, i) => {
    const { says, packets } = packetsIn(r.result.explains)
    const at = [...Object.entries(r.point).map(([k, v]) => `${k}=${v}`), `seed=${r.seed}`].join(" ")
    const head = `${r.result.why} in run ${r.hash.slice(0, 10)} (${at}): ${says.join("; ")}`
    if (i > 0) return [head]
    const fix = r.result.why === "deadlock" ? [`  fix: ${deadlockFix(r.spec.network, new Catalog())}`] : []
    const rest = packets.length - PACKETS
    const more = rest > 0 ? [`  and ${counted(rest, "more packet")}, see the report`] : []
    return [head, ...packets.slice(0, PACKETS).map((p) => `  ${p}`), ...more, ...fix]
  })
  return stuck.length > STUCK
    ? [...each, `and ${counted(stuck.length - STUCK, "more run")} without progress, see the report`]
    : each
}

/** Maximum number of runs shown, and of packets of the first one. */
const STUCK = 3
const PACKETS = 3

/** Returns lines about runs with abandoned packets. Neither latency nor accepted load shows the loss. */
function lossText(done: Executed): string[] {
  const lossy = done.records.filter((r) => (r.result.values["abandoned"] ?? 0) > 0)
  const told = lossy.slice(0, 3).map((r) => `in run ${r.hash.slice(0, 10)} (seed=${r.seed}): ${r.result.explains}`)
  return lossy.length > 3 ? [...told, `and ${counted(lossy.length - 3, "more run")}`] : told
}

/** Writes report.html, CSV and JSON of the runs of this experiment. Does nothing if no run is new. */
async function writeFiles(
  plan: Plan,
  done: Executed,
  store: Store,
  o: RunOptions,
  io: Io,
): Promise<readonly Complaint[]> {
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
  if (o.quiet !== true) io.err(`report: ${page} (also as CSV and JSON in the same folder)`)
  return []
}

/** Returns the exit code: failure to write first, then interruption, deadlock, failed expectations. */
function codeOf(done: Executed, verdicts: readonly Verdict[], io: Io, json: boolean): number {
  if (json && done.trouble.length > 0) io.out(JSON.stringify({ ok: false, complaints: done.trouble }))
  if (done.trouble.length > 0) return exit.failed
  if (done.interrupted) {
    if (json) io.out(JSON.stringify({ ok: false, interrupted: true }))
    io.err(interruptedText)
    return exit.interrupted
  }
  if (done.records.some((r) => stoodStill(r.result.why))) return exit.deadlock
  return done.failures.length > 0 || verdicts.some((v) => !v.holds) ? exit.failed : exit.done
}

/** Returns the JSON object of a run without a result. Such a run is not stored, so it is repeated the next time. */
export function failedLine(run: PlannedRun, { why, explains }: RunResult): object {
  return { hash: run.hash, point: run.point, seed: run.seed, why, explains, known: false, spec: run.spec }
}

export function jsonLine(r: RunRecord, known: boolean): object {
  const { why, fingerprint, explains } = r.result
  const limited = limitOf(r)
  return {
    hash: r.hash,
    point: r.point,
    seed: r.seed,
    why,
    fingerprint,
    ...toldValues(r.result),
    explains,
    ...(limited === undefined ? {} : { "limited by": limited }),
    known,
    spec: r.spec,
  }
}
