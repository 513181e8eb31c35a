// `lacewing validate codes`: compares lacewing with every measured run of CODES' Slim Fly, Fit Fly, dragonfly and
// dragonfly+, with the quirks of CODES switched on. The tolerances were proposed together with the measurements:
// - latency: 2 % up to load 0.5. Above it 5 % (minimal) or 8 % (adaptive), and 10 % when saturated.
// - accepted bandwidth: 1 %, and 5 % when saturated. Where messages arrive at random, three standard errors of CODES'
//   own count of messages are added.
// - hops: 1 %. Share of detours: 0.03 up to load 0.5, otherwise 0.05.
// - latency at zero load: 0.1 % of a formula, with messages so far apart that none meets another.
// CODES ran the small networks with one seed and few chunks. There, a bound is never narrower than three standard
// deviations between lacewing's seeds.
import { type CodesResult, type CodesRun, codesEntries, codesOthers } from "../codes/experiments.ts"
import { LINK_GIBPS } from "../codes/params.ts"
import { replay, replays } from "../codes/replays.ts"
import { average, runOrders } from "../codes/runs.ts"
import { type Row, type Validation, validation } from "./rows.ts"

export interface ValidateCodesOptions {
  /** seeds are averaged; else one is run for each workload */
  readonly full: boolean
  readonly match?: RegExp
  readonly workers?: number
  onRow?(row: Row, done: number, of: number): void
}

/** Small networks have few chunks: several runs are averaged, in any case eight of those. */
function seedsFor(e: CodesRun, full: boolean): number {
  return Number(e.network.slice(2)) < 1000 ? (full ? 12 : 8) : full ? 3 : 1
}

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

export async function validateCodes(o: ValidateCodesOptions): Promise<Validation> {
  const runs = codesEntries().filter((e) => o.match === undefined || o.match.test(e.id))
  const groups = new Map<string, CodesRun[]>()
  for (const e of runs) groups.set(workload(e), [...(groups.get(workload(e)) ?? []), e])
  const members = [...groups.values()]
  const measured = members.map(([run]) => ({
    run: run!,
    seeds: Array.from({ length: seedsFor(run!, o.full) }, (_, i) => i + 1),
  }))
  const idle = runs.filter(isQuiet).map((run) => ({ run, seeds: [1], spread: 1000 }))
  const rows = new Map<string, Row[]>(runs.map((e) => [e.id, []]))
  let done = 0
  const put = (e: CodesRun, found: readonly Row[]) => {
    rows.get(e.id)!.push(...found)
    for (const row of found) o.onRow?.(row, done, measured.length + idle.length)
  }
  await runOrders([...measured, ...idle], o.workers, (i, results) => {
    done++
    if (i >= measured.length) put(idle[i - measured.length].run, byFormula(idle[i - measured.length].run, results[0]))
    else for (const e of members[i]) put(e, rowsOf(e, average(results)))
  })
  const listed = runs.flatMap((e) => rows.get(e.id)!)
  const played = replayRows(o)
  return validation(
    "codes",
    o.match === undefined ? [...listed, ...played, ...others(), ...otherReplays()] : [...listed, ...played],
  )
}

/** Seeds of a replay: CODES ran each once, and detours are drawn. */
const REPLAY_SEEDS = [1, 2, 3, 4]

/** End times of replayed traces: 0.1 % for the ring, where every message is alone, 2 % and 5 % for the halo, where they
 *  meet. */
function replayRows(o: ValidateCodesOptions): Row[] {
  return replays()
    .filter((r) => o.match === undefined || o.match.test(r.id))
    .map((r) => {
      const seeds = r.trace.startsWith("ring") ? [1] : REPLAY_SEEDS
      const ends = seeds.map((seed) => replay(r, seed).end)
      const value = ends.some((t) => t < 0) ? -1 : ends.reduce((a, b) => a + b, 0) / ends.length
      const share = r.trace.startsWith("ring") ? 0.001 : r.trace === "halo27e" ? 0.02 : 0.05
      const [low, high] = [r.end * (1 - share), r.end * (1 + share)]
      const claim = `replay of ${r.trace}: end of the last rank, ns`
      const row: Row = { id: r.id, claim, reference: r.end, value, low, high, pass: value >= low && value <= high }
      o.onRow?.(row, 0, 1)
      return row
    })
}

/** Replays that are listed and not judged. */
function otherReplays(): Row[] {
  const small = [
    "slimfly_q5_p4_200n_adaptive",
    "dragonfly_dally_72n_prog",
    "dragonfly_plus_80n_prog",
    "fattree_k8_128n_adaptive",
    "torus_4x4x4",
  ]
  const large = [
    "slimfly_q13_p9_3042n_adaptive",
    "fitfly_2rail_3042n_adaptive",
    "dragonfly_dally_3078n_prog",
    "dragonfly_plus_3240n_prog",
  ]
  const all = [...small, ...large]
  const ids = [
    ...["testtrace-", "testbgp-", "testbgp-ccignore_"].flatMap((t) =>
      all.map((n) => [`${t}${n}`, "no trace"] as const),
    ),
    ...["ring8e", "ring8r", "halo27e", "halo27r"].flatMap((t) =>
      small.slice(3).map((n) => [`${t}_${n}`, "not modelled"] as const),
    ),
  ]
  return ids.flatMap(([id, note]) =>
    [0, 1].map(
      (dis): Row => ({
        id: `${id}_dis${dis}`,
        claim: "replay: end of the last rank, ns",
        reference: "",
        value: "",
        pass: "unchecked",
        note,
      }),
    ),
  )
}

type Averaged = ReturnType<typeof average>

/** A row for each number that CODES reported. */
function rowsOf(e: CodesRun, r: Averaged): Row[] {
  if (e.group === "zero_load") return zeroLoad(e, r)
  const offered = Math.min(e.load, e.rails) * LINK_GIBPS
  const saturated = e.accepted < 0.97 * offered && e.end > 1e4
  const load = e.load / e.rails
  const adaptive = e.routing.includes("adaptive")
  const share = saturated ? 0.1 : load <= 0.5 ? 0.02 : adaptive ? 0.08 : 0.05
  const note = e.mode === "opti" ? "CODES in its optimistic mode" : undefined
  const messages = e.chunks * (1 - e.warmup / e.end)
  const error = e.arrivals === "poisson" ? 3 / Math.sqrt(messages) : 0
  return [
    ...row(e, "latency", r, share * e.latency, note),
    ...row(e, "accepted", r, ((saturated ? 0.05 : 0.01) + error) * e.accepted, note),
    ...row(e, "hops", r, 0.01 * e.hops, note),
    ...(adaptive ? row(e, "detours", r, load <= 0.5 ? 0.03 : 0.05, note) : []),
  ]
}

const claims = {
  latency: "latency, us",
  accepted: "accepted, GiB/s",
  hops: "hops",
  detours: "share of detours",
} as const

function row(e: CodesRun, what: keyof typeof claims, r: Averaged, tolerance: number, note?: string): Row[] {
  const seeds = 3 * r.spread[what]
  const widened =
    seeds > tolerance
      ? `of one seed: ${((r.mean[what] - e[what]) / r.spread[what]).toFixed(1)} standard deviations away`
      : note
  return bounded(e, claims[what], e[what], r.mean[what], Math.max(tolerance, seeds), widened)
}

function bounded(
  e: CodesRun,
  claim: string,
  reference: number,
  value: number,
  tolerance: number,
  note?: string,
): Row[] {
  if (Number.isNaN(reference)) return []
  const [low, high] = [reference - tolerance, reference + tolerance]
  return [
    {
      id: e.id,
      claim,
      reference,
      value,
      low,
      high,
      pass: value >= low && value <= high,
      ...(note === undefined ? {} : { note }),
    },
  ]
}

/** One message of each endpoint, which hardly ever meets another. */
function isQuiet(e: CodesRun): boolean {
  return e.id.startsWith("zlnn") || (e.id.startsWith("zl_sf3k") && e.payload <= 4096 && e.chunk === 4096)
}

function zeroLoad(e: CodesRun, r: Averaged): Row[] {
  const hops = row(e, "hops", r, 0.01 * e.hops)
  if (isQuiet(e)) return [...row(e, "latency", r, Math.max(0.0005, 0.001 * e.latency)), ...hops]
  if (e.id === "zl_dfd3k_minimal_p4097") {
    const note = "1 byte behind 4096 in crowded queues: what CODES does with its order there is not known"
    return [
      { id: e.id, claim: claims.latency, reference: e.latency, value: r.mean.latency, pass: "unchecked", note },
      ...hops,
    ]
  }
  return [...row(e, "latency", r, 0.02 * e.latency, "contention of one burst"), ...hops]
}

/** Where nothing queues, latency is a formula of the routers visited. */
function byFormula(e: CodesRun, r: CodesResult): Row[] {
  const formula = zeroLoadLatency(e, r.hops)
  return bounded(
    e,
    "latency by formula, us",
    formula,
    r.latency,
    0.001 * formula,
    "at our own hops, messages far apart",
  )
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
  return codesOthers().map(({ id, network, latency }) => {
    const note = `report only: lacewing has no ${network} with the rules of CODES`
    return { id, claim: "latency, us", reference: latency, value: "", pass: "unchecked", note }
  })
}
