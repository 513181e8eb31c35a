// `lacewing run --trace worst`: the studio as one HTML file that replays the end of the worst run. The page simulates
// the run again, with the same bits, so the file contains no recording.
import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { stoodStill } from "../../core/saturation.ts"
import { stopText } from "../../core/wording.ts"
import type { Plan } from "../../experiment/plan.ts"
import { experimentOfRun, isShowable } from "../../results/experiment-of-run.ts"
import type { RunRecord } from "../../results/record.ts"
import { embedded } from "./single-file.ts"

/**
 * Cycles that a replay shows. A run is tested for deadlock every 4,096 cycles, so the first cycle of a deadlock is
 * shown, too.
 */
export const REPLAYED = 5120

/** 0: without progress; 1: saturated; 2: any other. */
function severity({ result: { why, values } }: RunRecord): number {
  if (stoodStill(why) || why === "waiting") return 0
  return values["saturated"] === 1 ? 1 : 2
}

/** Returns the run whose end is replayed: without progress, or saturated at the lowest load, or the slowest one. */
export function worstOf(records: readonly RunRecord[]): RunRecord | undefined {
  const load = (r: RunRecord) => r.result.values["offered"] ?? 0
  const slow = (r: RunRecord) => r.result.values["latency.p99"] ?? 0
  const order = (a: RunRecord, b: RunRecord) =>
    severity(a) - severity(b) || (severity(a) === 2 ? slow(b) - slow(a) : load(a) - load(b))
  return records.filter(isReplayable).toSorted(order)[0]
}

function isReplayable({ spec, result }: RunRecord): boolean {
  return isShowable(spec) && (result.values["cycles"] ?? 0) > 0
}

/** Returns a file of the plan that a page cannot contain: a folder, or a trace of several files. */
export function unpackable(plan: Plan): string | undefined {
  return filesOf(plan).find((f) => f.endsWith(".meta") || statSync(resolve(plan.folder, f)).isDirectory())
}

/** The files of all runs, because the loads of a search are not in the plan. */
function filesOf(plan: Plan): string[] {
  return [...new Set(plan.runs.flatMap((r) => Object.keys(r.files)))]
}

export interface Trace {
  readonly html: string
  /** what the page replays, in one sentence */
  readonly says: string
}

/** Returns the page. `site`: the folder of the built studio. */
export function traceOf(record: RunRecord, plan: Plan, site: string): Trace {
  const end = Math.floor(record.result.values["cycles"] ?? 0)
  const from = Math.max(0, end - REPLAYED)
  const at = [...Object.entries(record.point).map(([k, v]) => `${k}=${v}`), `seed=${record.seed}`].join(" ")
  const cycles = [from, end].map((c) => c.toLocaleString("en"))
  const reasons = [`ended by: ${stopText(record.result.why)}`, "saturated", "the slowest"] as const
  const says = `Replays cycles ${cycles[0]} to ${cycles[1]} of the run ${at} (${reasons[severity(record)]}).`
  const files = filesOf(plan)
  let experiment = `${plan.name}.json`
  while (files.includes(experiment)) experiment = `trace-${experiment}`
  const contents = {
    [experiment]: Buffer.from(JSON.stringify({ title: plan.title, ...experimentOfRun(record.spec) }, undefined, 2)),
    ...Object.fromEntries(files.map((f) => [f, readFileSync(resolve(plan.folder, f))])),
  }
  return { html: embedded(site, { experiment, files, trace: { from, says } }, contents), says }
}
