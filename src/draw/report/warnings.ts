// What a reader must know before trusting the figures: points that saturated, did not reach the requested precision, or
// broke.

import { stoodStill } from "../../core/saturation.ts"
import { Catalog } from "../../experiment/catalog.ts"
import { deadlockFix } from "../../experiment/conditions.ts"
import type { StopReason } from "../../model/experiment.ts"
import { hasFailed, isSaturated, pointsOf } from "../../results/compare/points.ts"
import { limitOf } from "../../results/findings/limited.ts"
import { buildsAndRevisions } from "../../results/origin.ts"
import type { RunRecord } from "../../results/record.ts"
import { endText, packetsIn } from "../../results/summary.ts"
import { shortKey, shown } from "../figure/format.ts"

export type WarnedPoint = {
  readonly point: string
  readonly says: string
  /** one line each: the packets of a deadlock */
  readonly list?: readonly string[]
  /** what to set against it */
  readonly cure?: string
}

export type Warning = {
  readonly level: "warn" | "bad"
  readonly title: string
  readonly text: string
  /** the points it is about, each in words with what the first of its runs says */
  readonly points: readonly WarnedPoint[]
  /** they are shown without a click */
  readonly open?: boolean
}

const broken: readonly StopReason[] = ["memory", "crashed"]
const cutShort: readonly StopReason[] = ["limit", "time"]

export function warningsOf(records: readonly RunRecord[]): Warning[] {
  const points = pointsOf(records)
  const each = (wanted: (r: RunRecord) => boolean, made: (r: RunRecord) => Omit<WarnedPoint, "point">): WarnedPoint[] =>
    points.flatMap((p) => {
      const run = p.runs.find(wanted)
      return run === undefined ? [] : [{ point: pointText(p.point), ...made(run) }]
    })
  const where = (wanted: (r: RunRecord) => boolean, says = (r: RunRecord) => r.result.explains): WarnedPoint[] =>
    each(wanted, (r) => ({ says: says(r) }))
  const of = (n: number): string => `${n} of ${points.length} ${points.length === 1 ? "point" : "points"}`
  const bad = where((r) => broken.includes(r.result.why))
  const unsure = where((r) => cutShort.includes(r.result.why) && !asAsked(r) && !precise(r) && !isSaturated(r))
  const saturated = where(isSaturated, shortfall)
  const failed = each(hasFailed, failure)
  const made: Warning[] = []
  const met = buildsAndRevisions([{ name: "these results", records }])
  if (met.length > 0)
    made.push({
      level: "bad",
      title: "Runs of several builds or revisions are shown together",
      text:
        `They may give different results: ${met.join("; ")}. ` +
        "Run the experiment again with one version to replace the others.",
      points: [],
    })
  if (failed.length > 0) {
    const ends = new Set(
      records.filter(hasFailed).map((r) => (stoodStill(r.result.why) ? r.result.why : "packets lost")),
    )
    made.push({
      level: "bad",
      title: `The network fails${points.length === 1 ? "" : ` at ${of(failed.length)}`}: ${[...ends].join(", ")}`,
      text: [...ends].map((end) => meanings[end]).join(" "),
      points: failed,
      open: true,
    })
  }
  if (bad.length > 0)
    made.push({
      level: "bad",
      title: `${of(bad.length)} did not finish`,
      text: "Their values describe an incomplete run.",
      points: bad,
    })
  if (unsure.length > 0) {
    const text =
      "A run of each of these points reached its limit before the confidence interval had the requested " +
      "precision. Runs of other points may have reached their limit with the requested precision. Raise " +
      "measure.limit, or relax measure.precision."
    made.push({
      level: "warn",
      title: `${of(unsure.length)} did not reach the requested precision`,
      text,
      points: unsure,
    })
  }
  if (saturated.length > 0) {
    const text =
      "The offered load exceeds the load that the network accepts. The latency of these points grows " +
      "with the length of the run and does not describe the network. Their accepted load is valid. " +
      "Their network latency and hops cover only the packets that arrived in time."
    made.push({
      level: "warn",
      title: `${of(saturated.length)} ${saturated.length === 1 ? "is" : "are"} saturated`,
      text,
      points: saturated,
    })
  }
  return made
}

const meanings: Readonly<Record<string, string>> = {
  deadlock:
    "The network deadlocks at these loads: packets stop moving for ever. " +
    "The values of these points do not describe the network.",
  starved: "Some packets are never sent at these loads. The values of these points do not describe the network.",
  "packets lost": "The network loses packets at these loads. Latency and accepted load do not include them.",
}

/** How a run failed, the packets of the cycle, and the fix. */
function failure(r: RunRecord): Omit<WarnedPoint, "point"> {
  const { says, packets } = packetsIn(r.result.explains)
  const cure = r.result.why === "deadlock" ? { cure: deadlockFix(r.spec.network, new Catalog()) } : {}
  return { says: `${endText(r)}: ${says.join("; ")}`, list: packets, ...cure }
}

function shortfall(record: RunRecord): string {
  const { result } = record
  const { offered, accepted } = result.values
  const found = limitOf(record)
  const limited = found === undefined ? "" : `; ${found.says}`
  if (result.why === "saturated" || offered === undefined || accepted === undefined) return result.explains + limited
  return `${shown(accepted)} accepted of ${shown(offered)} offered${limited}`
}

/**
 * A window of a given length whose packets are not drained ends at its last cycle, as requested, and has no interval.
 */
function asAsked({ result, spec: { measure } }: RunRecord): boolean {
  return result.why === "limit" && measure.window !== "auto" && measure.drain === "none" && measure.until !== "jobs"
}

/** The interval is as narrow as the experiment requires, although a limit ended the run. */
function precise(r: RunRecord): boolean {
  const { "latency.ci": half, "latency.mean": mean } = r.result.values
  return half !== undefined && mean !== undefined && half <= r.spec.measure.precision * mean
}

export function pointText(point: RunRecord["point"]): string {
  return Object.entries(point)
    .map(([k, v]) => (typeof v === "number" ? `${shortKey(k)} ${v}` : v))
    .join(", ")
}
