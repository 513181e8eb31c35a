// `lacewing validate booksim2`: compares lacewing with the recorded results of BookSim2. Each recorded result gives
// some rows with bounds, and aggregates follow. Without --full it takes a sample of the results that runs in about a
// minute.
import { availableParallelism } from "node:os"
import { Moments } from "../../../core/stats.ts"
import type { RunResult } from "../../../model/experiment.ts"
import { Pool } from "../../../sweep/pool.ts"
import { type Entry, entries, refused, specOf } from "../booksim2/config.ts"
import { type Row, type Validation, validation } from "./rows.ts"

export interface ValidateOptions {
  /** all entries; else every one of a spread that takes about a minute */
  readonly full: boolean
  readonly match?: RegExp
  readonly workers?: number
  onRow?(row: Row, done: number, of: number): void
}

/** Cycles that the seeds of a micro entry of the sample have together. */
const MICRO_CYCLES = 32_000

/** Seeds of ours for one entry: cheap entries get more, so that the noise left is the reference's own. */
function seedsFor(e: Entry, full: boolean): number {
  const work = e.nodes * e.cycles * (e.group === "zero-load" ? 0.02 : 1)
  if (e.group === "micro") return full ? 16 : Math.max(2, Math.min(16, Math.round(MICRO_CYCLES / e.cycles)))
  if (!full) return 3
  // overload just above saturation differs by 3 % from seed to seed
  return e.group === "zero-load" || work < 2e5 || (e.saturated && work < 1e6) ? 12 : work < 1e6 || e.saturated ? 6 : 3
}

/** What a mean of ours and one of the reference may differ by. */
interface Seen {
  readonly mean: number
  readonly error: number
}

export async function validateBookSim2(o: ValidateOptions): Promise<Validation> {
  const chosen = entries().filter((e, i) => (o.match !== undefined ? o.match.test(e.id) : o.full || quick(e, i)))
  const pool = new Pool({ workers: o.workers ?? availableParallelism() })
  const rows: Row[] = []
  const near: Judged[] = []
  let done = 0
  await Promise.all(
    chosen.map(async (e) => {
      const judged = exempt(e) ?? (await judge(e, pool, o.full))
      rows.push(...judged.rows)
      near.push(judged)
      done++
      for (const row of judged.rows) o.onRow?.(row, done, chosen.length)
    }),
  )
  pool.close()
  const order = new Map(chosen.map((e, i) => [e.id, i]))
  rows.sort((a, b) => order.get(a.id)! - order.get(b.id)!)
  return validation("booksim2", [...rows, ...aggregates(near)])
}

/** A spread over all groups and networks that is small. */
function quick(e: Entry, i: number): boolean {
  return e.group === "micro" || (i % 9 === 0 && e.nodes * e.cycles * Math.max(0.05, e.offered) < 3e5)
}

interface Judged {
  readonly rows: readonly Row[]
  /** for the aggregates: relative difference, and whether two standard errors cover it */
  readonly below?: { difference: number; covered: boolean }
  readonly over?: number
}

function exempt(e: Entry): Judged | undefined {
  const bad = refused(e.config)
  if (bad.length === 0) return undefined
  return { rows: bad.map((b) => row(e, b.path, e.config[b.path] ?? "-", "-", undefined, "unchecked", b.says)) }
}

async function judge(e: Entry, pool: Pool, full: boolean): Promise<Judged> {
  const seeds = Array.from({ length: seedsFor(e, full) }, (_, i) => i + 1)
  const outcomes = await Promise.all(
    seeds.map((seed) => pool.run({ spec: specOf(e, seed), folder: ".", workers: 1, audit: false })),
  )
  const results: RunResult[] = []
  for (const outcome of outcomes) {
    if ("result" in outcome && outcome.result.why !== "crashed") results.push(outcome.result)
    else
      return {
        rows: [
          row(
            e,
            "runs",
            1,
            0,
            undefined,
            false,
            "refused" in outcome ? outcome.refused.map((c) => `${c.path} ${c.says}`).join("; ") : "did not run",
          ),
        ],
      }
  }
  const seen = (name: string): Seen => {
    const m = new Moments().addAll(Float64Array.from(results, (r) => r.values[name] ?? Number.NaN))
    return { mean: m.mean, error: Math.sqrt(m.variance / m.n) }
  }
  const smallest = Math.min(...results.map((r) => r.values["latency.min"] ?? Number.NaN))
  return compare(e, seen, smallest, packetError(e, results))
}

/** Standard error of the reference's mean latency from our spread of single packets: steadier than a deviation over
 *  three seeds. */
function packetError(e: Entry, results: readonly RunResult[]): number {
  const sd = results[0].values["latency.sd"] ?? Number.NaN
  const flits = Number(e.config["packet_size"] ?? 1)
  const period = Number(e.config["sample_period"] ?? 1000)
  const samples = Number(e.config["max_samples"] ?? 6) - Number(e.config["warmup_periods"] ?? 3)
  return sd / Math.sqrt((e.seeds * e.nodes * samples * period * e.offered) / flits)
}

const adaptive = (e: Entry): boolean => ["ugal", "anca"].includes(e.config["routing_function"] ?? "")

function compare(e: Entry, seen: (name: string) => Seen, smallest: number, errorOfOne: number): Judged {
  const latency = seen("latency.mean")
  const accepted = seen("accepted")
  if (e.deadlocked || e.neverDrained)
    return {
      rows: [
        row(
          e,
          "accepted",
          e.accepted,
          accepted.mean,
          undefined,
          "unchecked",
          "the reference deadlocked or never drained",
        ),
      ],
    }
  if (e.group === "zero-load") {
    const rows = [row(e, "least latency", e.latencyMin, smallest, 0, smallest === e.latencyMin)]
    const error = Math.hypot(Math.max(e.latencySd / Math.sqrt(e.seeds), errorOfOne), latency.error)
    rows.push(bounded(e, "mean latency", e.latency, latency.mean, Math.max(0.005 * e.latency, 2 * error)))
    return {
      rows,
      below: { difference: latency.mean / e.latency - 1, covered: Math.abs(latency.mean - e.latency) <= 2 * error },
    }
  }
  const noise =
    `two standard errors of the record (${e.seeds} seeds) are ` +
    `${((200 * e.acceptedSd) / Math.sqrt(e.seeds) / e.accepted).toFixed(2)} %`
  if (e.group === "micro")
    return { rows: [bounded(e, "accepted", e.accepted, accepted.mean, 0.005 * e.accepted, undefined, noise)] }
  const over = accepted.mean / e.accepted - 1
  if (e.saturated || e.group === "throughput") {
    const r = bounded(e, "accepted", e.accepted, accepted.mean, 0.05 * e.accepted, undefined, noise)
    return e.saturated ? { rows: [r], over } : { rows: [r] }
  }
  const lookahead =
    adaptive(e) && e.config["routing_delay"] === "0"
      ? "look-ahead with adaptive routing: BookSim2's answer depends on the order in which it visits routers"
      : undefined
  const error = Math.hypot(e.latencySd / Math.sqrt(e.seeds), latency.error)
  const rows =
    e.config["sim_type"] === "throughput"
      ? [bounded(e, "accepted", e.accepted, accepted.mean, 0.05 * e.accepted, undefined, noise)]
      : [
          bounded(
            e,
            "mean latency",
            e.latency,
            latency.mean,
            0.08 * e.latency,
            undefined,
            `two standard errors are ${((200 * error) / e.latency).toFixed(1)} %`,
          ),
        ]
  const hops = seen("hops.mean")
  if (e.hops > 0 && e.config["sim_type"] === "latency")
    rows.push(
      bounded(
        e,
        "hops",
        e.hops,
        hops.mean,
        Math.max(0.005 * e.hops, 2 * Math.hypot(e.hopsSd / Math.sqrt(e.seeds), hops.error)),
        lookahead,
      ),
    )
  const measured = e.config["sim_type"] === "latency" && lookahead === undefined
  return measured
    ? {
        rows,
        below: { difference: latency.mean / e.latency - 1, covered: Math.abs(latency.mean - e.latency) <= 2 * error },
      }
    : { rows }
}

function bounded(
  e: Entry,
  claim: string,
  reference: number,
  value: number,
  margin: number,
  exception?: string,
  note?: string,
): Row {
  const inside = Math.abs(value - reference) <= margin
  const why = exception ?? (inside ? undefined : note)
  return row(e, claim, reference, value, margin, inside ? true : exception !== undefined ? "unchecked" : false, why)
}

function row(
  e: Entry,
  claim: string,
  reference: number | string,
  value: number | string,
  margin: number | undefined,
  pass: Row["pass"],
  note?: string,
): Row {
  const range =
    margin !== undefined && typeof reference === "number" ? { low: reference - margin, high: reference + margin } : {}
  return { id: e.id, claim, reference, value, ...range, pass, ...(note !== undefined ? { note } : {}) }
}

function aggregates(all: readonly Judged[]): Row[] {
  const below = all.flatMap((j) => (j.below !== undefined ? [j.below] : []))
  const over = all.flatMap((j) => (j.over !== undefined ? [j.over] : []))
  const share = (n: number, of: number) => (of === 0 ? Number.NaN : n / of)
  const near = share(below.filter((b) => Math.abs(b.difference) <= 0.03 || b.covered).length, below.length)
  const close = share(over.filter((x) => Math.abs(x) <= 0.02).length, over.length)
  const rowOf = (id: string, claim: string, value: number): Row => ({
    id,
    claim,
    reference: 0.95,
    value,
    low: 0.95,
    high: 1,
    pass: Number.isNaN(value) ? "unchecked" : value >= 0.95,
  })
  return [
    rowOf(
      "aggregate-below-saturation",
      `share of ${below.length} points below saturation within 3 % or two standard errors`,
      near,
    ),
    rowOf("aggregate-overload", `share of ${over.length} overload entries within 2 %`, close),
  ]
}
