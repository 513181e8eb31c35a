// `lacewing validate booksim-srp`: compares lacewing's `combined` switch, SRP and ECN with runs of BookSim2, branch
// SRP_IAR. A row is the mean packet latency, the accepted load or the mean number of hops of the victims, or of all
// traffic. The bound is 5 % (hops and accepted load: 2 %), and never narrower than two standard errors of the
// difference. With --full all runs are compared, otherwise those of 16 endpoints.
import { availableParallelism } from "node:os"
import { Moments } from "../../../core/stats.ts"
import { hostAt } from "../../../experiment/disk/host.ts"
import { plan } from "../../../experiment/plan.ts"
import { plainSource } from "../../../experiment/source.ts"
import type { RunResult } from "../../../model/experiment.ts"
import { Pool } from "../../../sweep/pool.ts"
import { endsOf, experimentOf, type SrpRun, sendersOf, srpRuns } from "../booksim-srp/experiments.ts"
import { type Row, type Validation, validation } from "./rows.ts"

export interface ValidateSrpOptions {
  readonly full: boolean
  readonly match?: RegExp
  readonly workers?: number
  onRow?(row: Row, done: number, of: number): void
}

const SEEDS = 3

export async function validateBookSimSrp(o: ValidateSrpOptions): Promise<Validation> {
  const chosen = srpRuns().filter((r) => (o.match === undefined ? o.full || r.id.startsWith("16") : o.match.test(r.id)))
  const pool = new Pool({ workers: o.workers ?? availableParallelism() })
  const rows = new Map<string, readonly Row[]>()
  await Promise.all(
    chosen.map(async (r) => {
      const found = await judge(r, pool)
      rows.set(r.id, found)
      for (const row of found) o.onRow?.(row, rows.size, chosen.length)
    }),
  )
  pool.close()
  return validation(
    "booksim-srp",
    chosen.flatMap((r) => rows.get(r.id) ?? []),
  )
}

async function judge(r: SrpRun, pool: Pool): Promise<readonly Row[]> {
  const planned = plan({ source: plainSource(r.id, experimentOf(r, SEEDS)), host: hostAt("."), name: r.id })
  if ("bad" in planned) return [failed(r, planned.bad.map((b) => `${b.path} ${b.says}`).join("; "))]
  const results: RunResult[] = []
  for (const outcome of await Promise.all(
    planned.ok.runs.map(({ spec }) => pool.run({ spec, folder: ".", workers: 1, audit: false })),
  )) {
    if (!("result" in outcome)) return [failed(r, "a run was refused or interrupted")]
    results.push(outcome.result)
  }
  const name = results.some((x) => x.values["victims.accepted"] !== undefined) ? "victims." : ""
  const of = (value: string) => {
    // lacewing counts loads for each endpoint, BookSim2 for each sender
    const scale = value === "accepted" ? endsOf(r.config) / sendersOf(r.config) : 1
    const m = new Moments().addAll(
      Float64Array.from(results, (x) => scale * (x.values[`${name}${value}`] ?? Number.NaN)),
    )
    return { mean: m.mean, error: Math.sqrt(m.variance / m.n) }
  }
  const [latency, accepted, hops] = ["latency.mean", "accepted", "hops.mean"].map(of)
  const both = (sd: number, ours: number) => 2 * Math.hypot(sd / Math.sqrt(r.seeds), ours)
  return [
    r.drained
      ? bounded(
          r,
          "latency",
          r.latency,
          latency.mean,
          Math.max(0.05 * r.latency, both(r.spread * r.latency, latency.error)),
        )
      : { ...whole(r, "latency", r.latency, latency.mean), pass: "unchecked", note: "BookSim2 did not drain" },
    bounded(r, "accepted", r.accepted, accepted.mean, Math.max(0.02 * r.accepted, both(r.acceptedSd, accepted.error))),
    bounded(r, "hops", r.hops, hops.mean, Math.max(0.02 * r.hops, both(r.hopsSd, hops.error))),
  ]
}

/** What lacewing does not model, by the kind of a run. It is the likely cause of a difference, and changes no bound. */
const causes: readonly (readonly [(r: SrpRun) => boolean, string])[] = [
  [(r) => r.config["ECN"] === "1", "BookSim2 marks by the queues of an output and by the next buffer"],
  [
    (r) => r.config["hotspot_reservation"] === "1",
    "a speculative packet of BookSim2 is dropped whenever it bids too late",
  ],
]

const whole = (r: SrpRun, claim: string, reference: number, value: number) => ({ id: r.id, claim, reference, value })

function bounded(r: SrpRun, claim: string, reference: number, value: number, margin: number): Row {
  const pass = Math.abs(value - reference) <= margin
  const row = { ...whole(r, claim, reference, value), low: reference - margin, high: reference + margin, pass }
  const off = `${((100 * (value - reference)) / reference).toFixed(1)} %`
  const cause = causes.find(([holds]) => holds(r))?.[1]
  return pass ? row : { ...row, note: cause === undefined ? off : `${off}; not modelled: ${cause}` }
}

function failed(r: SrpRun, note: string): Row {
  return { ...whole(r, "runs", 1, 0), pass: false, note }
}
