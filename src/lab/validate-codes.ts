// `lacewing validate codes`: every run of CODES' Slim Fly, Fit Fly, dragonfly and dragonfly+ that was measured, with the quirks of CODES on.
// Tolerances are those proposed with the measurements: latency 2 % up to load 0.5, above it 5 % (minimal) or 8 % (adaptive), 10 % when saturated;
// accepted bandwidth 1 %, saturated 5 %, plus three standard errors of CODES' own count of messages where they arrive at random; hops 1 %; share of
// detours 0.03 up to load 0.5, else 0.05; latency at zero load by formula to 0.1 %.

import { runOrders } from "./codes-runs.ts"
import { type Row, unchecked, within } from "./paper.ts"
import { type CodesResult, type CodesRun, codesEntries, LINK_GIBPS } from "./reference/codes.ts"
import { codesOthers } from "./reference/codes-table.ts"

export interface ValidateCodesOptions {
  readonly match?: RegExp
  readonly workers?: number
  onProgress?(done: number, of: number): void
}

/** Seeds: small networks have few chunks, so several runs are averaged. */
const seedsFor = (e: CodesRun): number => (Number(e.network.slice(2)) < 1000 ? 5 : 1)

/** Runs with the same workload (CODES' parallel modes and seeds) are one run of ours. */
function workload(e: CodesRun): string {
  return [
    e.network,
    e.routing,
    e.rails,
    e.select,
    e.chunk,
    e.noDelay,
    e.pattern,
    e.arrivals,
    e.load,
    e.payload,
    e.end,
    e.warmup,
    e.messages,
  ].join(" ")
}

export async function validateCodes(o: ValidateCodesOptions = {}): Promise<Row[]> {
  const runs = codesEntries().filter((e) => o.match === undefined || o.match.test(e.id))
  const unique = new Map<string, CodesRun>()
  for (const e of runs) if (!unique.has(workload(e))) unique.set(workload(e), e)
  const orders = [...unique.values()].flatMap((run) => Array.from({ length: seedsFor(run) }, (_, i) => ({ run, seed: i + 1 })))
  const results = await runOrders(orders, o.workers, (done) => o.onProgress?.(done, orders.length))
  const byWorkload = new Map<string, CodesResult[]>()
  orders.forEach(({ run }, i) => {
    const key = workload(run)
    byWorkload.set(key, [...(byWorkload.get(key) ?? []), results[i]!])
  })
  const rows = runs.flatMap((e) => rowsOf(e, average(byWorkload.get(workload(e))!)))
  return o.match === undefined ? [...rows, ...others()] : rows
}

function average(of: readonly CodesResult[]): CodesResult {
  const mean = (key: keyof CodesResult) => of.reduce((sum, r) => sum + r[key], 0) / of.length
  return {
    ...of[0]!,
    latency: mean("latency"),
    accepted: mean("accepted"),
    hops: mean("hops"),
    detours: mean("detours"),
    messageLatency: mean("messageLatency"),
  }
}

function rowsOf(e: CodesRun, r: CodesResult): Row[] {
  const rows: Row[] = []
  const put = (what: string, paper: number, value: number, tolerance: number, note?: string) => {
    if (Number.isNaN(paper)) return
    rows.push(
      within({
        claim: `${e.id}: ${what}`,
        paper,
        value,
        low: paper - tolerance,
        high: paper + tolerance,
        ...(note === undefined ? {} : { note }),
      }),
    )
  }
  if (e.group === "zero_load") return zeroLoad(e, r, put, rows)
  const offered = Math.min(e.load, e.rails) * LINK_GIBPS
  const saturated = e.accepted < 0.97 * offered && e.end > 1e4
  const load = e.load / e.rails
  const adaptive = e.routing.includes("adaptive")
  const share = saturated ? 0.1 : load <= 0.5 ? 0.02 : adaptive ? 0.08 : 0.05
  const noise = e.mode === "opti" ? "CODES' optimistic mode" : undefined
  put("latency, us", e.latency, r.latency, share * e.latency, noise)
  const messages = e.chunks * (1 - e.warmup / e.end)
  const error = e.arrivals === "poisson" ? 3 / Math.sqrt(messages) : 0
  put("accepted, GiB/s", e.accepted, r.accepted, ((saturated ? 0.05 : 0.01) + error) * e.accepted, noise)
  put("hops", e.hops, r.hops, 0.01 * e.hops, noise)
  if (adaptive) put("share of detours", e.detours, r.detours, load <= 0.5 ? 0.03 : 0.05, noise)
  return rows
}

/** One message of each endpoint: where nothing queues, latency is a formula of the routers visited. */
function zeroLoad(
  e: CodesRun,
  r: CodesResult,
  put: (what: string, paper: number, value: number, tolerance: number, note?: string) => void,
  rows: Row[],
): Row[] {
  const quiet = e.id.startsWith("zlnn") || (e.id.startsWith("zl_sf3k") && e.payload <= 4096 && e.chunk === 4096)
  if (quiet) {
    const formula = zeroLoadLatency(e, r.hops)
    const tolerance = Math.max(0.0005, 0.001 * formula)
    // 4 KiB over a third of the Slim Fly queue for 2 ns
    put(
      "latency by formula, us",
      formula,
      r.latency,
      e.id === "zl_sf3k_minimal_p4096" ? 0.002 * formula : tolerance,
      "formula at our own hops",
    )
    put("latency, us", e.latency, r.latency, Math.max(0.0005, 0.001 * e.latency))
  } else if (e.id === "zl_dfd3k_minimal_p4097") {
    rows.push(
      unchecked(`${e.id}: latency, us`, e.latency, `a packet of 1 byte behind one of 4096 in crowded queues; ours ${r.latency.toFixed(3)}`),
    )
  } else put("latency, us", e.latency, r.latency, 0.02 * e.latency, "contention of one burst")
  put("hops", e.hops, r.hops, 0.01 * e.hops)
  return rows
}

/** us; means of the noise included */
export function zeroLoadLatency(e: CodesRun, hops: number): number {
  const perByte = 1e9 / (LINK_GIBPS * 2 ** 30)
  const own = Math.min(e.payload, e.chunk) * perByte
  const wire = e.network.startsWith("df") && !e.noDelay ? e.chunk * perByte : 0
  const noise = e.network.startsWith("df") ? 0 : 1.26 * hops + 2.015
  return ((hops + 1) * (own + wire) + 90 * hops + noise) / 1000
}

function others(): Row[] {
  return codesOthers
    .trim()
    .split("\n")
    .map((line) => {
      const [id, network, latency] = line.split(" ")
      return unchecked(`${id}: latency, us`, Number(latency), `report only: lacewing has no ${network} with the rules of CODES`)
    })
}
