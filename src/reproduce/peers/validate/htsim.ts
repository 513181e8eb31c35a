// `lacewing validate htsim`: compares flow completion times with those of htsim, protocol by protocol. A scenario has
// two rows: the end of its last flow, and the median time of its flows. The bound is BOUND of the reference, and never
// narrower than two standard errors of the difference. With --full all scenarios are compared, otherwise those of 16
// endpoints.
//
// A time of htsim ends when the sender holds the last acknowledgement. The time of that acknowledgement in the idle
// network is added to the times of lacewing.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { Moments } from "../../../core/stats.ts"
import { hostAt } from "../../../experiment/disk/host.ts"
import { packageFolder } from "../../../experiment/places.ts"
import { plan } from "../../../experiment/plan.ts"
import { plainSource } from "../../../experiment/source.ts"
import type { RunResult } from "../../../model/experiment.ts"
import { Pool } from "../../../sweep/pool.ts"
import { experimentOf, unmapped } from "../htsim/experiments.ts"
import { connections, readScenarios, returnTime, type Scenario } from "../htsim/scenarios.ts"
import { type Row, type Validation, validation } from "./rows.ts"

export interface ValidateHtsimOptions {
  readonly full: boolean
  readonly match?: RegExp
  readonly workers?: number
  /** the folder with the reference runs */
  readonly folder?: string
  onRow?(row: Row, done: number, of: number): void
}

const SEEDS = 3
/** Largest relative difference of the end of the last flow, and of the median flow. */
export const BOUND = { last: 0.05, median: 0.1 } as const

export async function validateHtsim(o: ValidateHtsimOptions): Promise<Validation> {
  const scenarios = readScenarios(o.folder ?? join(packageFolder, "../shared/reference/htsim"))
  if (scenarios === undefined) return validation("htsim", [absent])
  const chosen = scenarios.filter((s) =>
    o.match === undefined ? o.full || s.topology.hosts === 16 : o.match.test(s.id),
  )
  const pool = new Pool({ workers: o.workers ?? availableParallelism() })
  const folder = mkdtempSync(join(tmpdir(), "lacewing-htsim-"))
  const rows = new Map<string, readonly Row[]>()
  try {
    await Promise.all(
      chosen.map(async (s) => {
        const found = await judge(s, pool, folder)
        rows.set(s.id, found)
        for (const row of found) o.onRow?.(row, rows.size, chosen.length)
      }),
    )
  } finally {
    pool.close()
    rmSync(folder, { recursive: true })
  }
  const all = chosen.flatMap((s) => rows.get(s.id) ?? [])
  return validation("htsim", [...all, ...countsOf(chosen, rows), ...notModelled(scenarios)])
}

const absent: Row = {
  id: "htsim",
  claim: "flow completion times of htsim",
  reference: "absent",
  value: "",
  pass: "unchecked",
  note: "the reference data are not installed",
}

async function judge(s: Scenario, pool: Pool, folder: string): Promise<readonly Row[]> {
  const none = unmapped(s)
  if (none !== undefined) return [{ ...failed(s, none), pass: "unchecked" }]
  const file = `${s.id}.cm`
  writeFileSync(join(folder, file), connections(s))
  const planned = plan({ source: plainSource(s.id, experimentOf(s, file, SEEDS)), host: hostAt(folder), name: s.id })
  if ("bad" in planned) return [failed(s, planned.bad.map((b) => `${b.path} ${b.says}`).join("; "))]
  const runs: Times[] = []
  for (const outcome of await Promise.all(
    planned.ok.runs.map(({ spec }) => pool.run({ spec, folder, workers: 1, audit: false })),
  )) {
    if ("refused" in outcome)
      return [failed(s, `a run was refused: ${outcome.refused.map((b) => `${b.path} ${b.says}`).join("; ")}`)]
    if (!("result" in outcome)) return [failed(s, "a run was interrupted")]
    if (outcome.result.why !== "drained") return [failed(s, `a run did not end: ${outcome.result.explains}`)]
    runs.push(timesOf(s, outcome.result))
  }
  const theirs = s.runs.map((r) => ({ last: r.last_us, median: medianOf(r.fct_us) }))
  return (["last", "median"] as const).map((what) => compared(s, what, theirs, runs))
}

interface Times {
  readonly last: number
  readonly median: number
}

/** Returns the end of the last flow and the median flow time of a run of lacewing, in microseconds. */
function timesOf(s: Scenario, { tables }: RunResult): Times {
  const table = tables["jobs-flows"]
  const us = (8 * 64) / (1000 * s.gbps)
  const back = s.flows.map(([src, dst]) => returnTime(s, src, dst))
  const column = (name: string) => (table?.[name] ?? []).map(Number)
  const ends = column("finish").map((t, i) => t * us + back[i])
  const took = ends.map((t, i) => t - column("start")[i] * us)
  return { last: Math.max(...ends), median: medianOf(took) }
}

export function medianOf(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

const claims = { last: "end of the last flow, us", median: "median flow time, us" } as const

function compared(s: Scenario, what: keyof Times, theirs: readonly Times[], ours: readonly Times[]): Row {
  const of = (list: readonly Times[]) => {
    const m = new Moments().addAll(Float64Array.from(list, (t) => t[what]))
    return { mean: m.mean, error: m.n < 2 ? 0 : Math.sqrt(m.variance / m.n) }
  }
  const [reference, value] = [of(theirs), of(ours)]
  const margin = Math.max(BOUND[what] * reference.mean, 2 * Math.hypot(reference.error, value.error))
  const pass = Math.abs(value.mean - reference.mean) <= margin
  const off = `${((100 * (value.mean - reference.mean)) / reference.mean).toFixed(1)} %`
  return {
    ...{ id: s.id, claim: claims[what], reference: reference.mean, value: value.mean },
    ...{ low: reference.mean - margin, high: reference.mean + margin, pass, note: off },
  }
}

/** Returns a row for each protocol: the number of rows within the bounds, of those that were compared. */
function countsOf(chosen: readonly Scenario[], rows: ReadonlyMap<string, readonly Row[]>): Row[] {
  return [...new Set(chosen.map((s) => s.cc))].sort().flatMap((cc): Row[] => {
    const all = chosen.filter((s) => s.cc === cc).flatMap((s) => rows.get(s.id) ?? [])
    const judged = all.filter((r) => r.pass !== "unchecked").length
    if (judged === 0) return []
    const value = all.filter((r) => r.pass === true).length
    const id = `aggregate ${cc}`
    return [{ id, claim: "rows within the bounds", reference: judged, value, pass: "unchecked", note: "count" }]
  })
}

/** Returns a row for each protocol without a counterpart, with the reason, whether or not its scenarios were chosen. */
function notModelled(scenarios: readonly Scenario[]): Row[] {
  const none = scenarios.filter((s) => unmapped(s) !== undefined)
  return [...new Set(none.map((s) => s.cc))].sort().map((cc): Row => {
    const own = none.filter((s) => s.cc === cc)
    const claim = "scenarios that are not modelled"
    const [id, note] = [`aggregate ${cc}`, unmapped(own[0]) ?? ""]
    return { id, claim, reference: own.length, value: 0, pass: "unchecked", note }
  })
}

function failed(s: Scenario, note: string): Row {
  return { id: s.id, claim: "flow times", reference: s.flows.length, value: "", pass: false, note }
}
