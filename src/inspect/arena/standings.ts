// The standings of one scenario: every score of every participant, as a mean over the grid points with the interval
// over the seeds, and the Pareto front. All participants have the same seeds, so that differences are compared seed by
// seed.
import { Moments } from "../../core/stats.ts"
import type { RunRecord } from "../../results/record.ts"
import { withSlowdowns } from "../../results/references.ts"
import {
  type Found,
  type GridPoint,
  gridOf,
  hasStream,
  isMissing,
  type Judged,
  type Missing,
  missing,
  tableOf,
} from "./judged.ts"
import { type Ground, type Score, scores } from "./scores.ts"
import { bandOf, seriesOf } from "./settling.ts"

/** Participants that no other is compared with: the victims alone, and ideal isolation. */
export const ALONE = "alone"
export const IDEAL = "ideal"
export const references: readonly string[] = [ALONE, IDEAL]

/** Relative difference below which two means count as equal. */
export const TOLERANCE = 0.01

export interface Estimate {
  readonly mean: number
  /** half width of the 95 % interval over the seeds; absent with one seed */
  readonly half?: number
  /** [seed] -> mean over the grid points */
  readonly seeds: readonly number[]
}

export type Scored = Estimate | Missing

export interface Standing {
  readonly participant: string
  readonly scores: Readonly<Record<string, Scored>>
  /** it does not fail, and no other is better in one criterion and at least as good in all; absent for references */
  readonly front?: boolean
}

export interface PointStandings {
  readonly point: RunRecord["point"]
  readonly standings: readonly Standing[]
}

export interface Standings {
  /** over all grid points */
  readonly standings: readonly Standing[]
  readonly points: readonly PointStandings[]
  /** criteria of the front that the scenario has */
  readonly criteria: readonly string[]
}

/** Criteria of the front, unless others are requested. */
export const usualCriteria: readonly string[] = ["tail", "hot", "fairness", "control", "time"]

/** `order`: the participants in the order of the tables. */
export function standingsOf(
  records: readonly RunRecord[],
  order: readonly string[],
  criteria: readonly string[] = usualCriteria,
): Standings {
  const grid = gridOf(withSlowdowns(records))
  const found = grid.map((at) => ({ at, scored: scoresAt(at, order) }))
  const points = found.map(({ at, scored }) => ({
    point: at.point,
    standings: withFront(
      standingsFrom(order, (name, score) => over([scored.get(name)?.get(score.name)], score)),
      criteria,
    ),
  }))
  const all = standingsFrom(order, (name, score) =>
    over(
      found.map(({ scored }) => scored.get(name)?.get(score.name)),
      score,
    ),
  )
  const used = criteria.filter((c) => all.some((s) => s.scores[c] !== undefined && !isMissingScore(s.scores[c])))
  return { standings: withFront(all, criteria), points, criteria: used }
}

export function isMissingScore(s: Scored): s is Missing {
  return "missing" in s
}

function standingsFrom(order: readonly string[], of: (name: string, score: Score) => Scored): Standing[] {
  return order.map((participant) => ({
    participant,
    scores: Object.fromEntries(scores.map((score) => [score.name, of(participant, score)])),
  }))
}

type BySeed = readonly Found[]

/** Returns [participant] -> [score] -> the value of each seed. */
function scoresAt(at: GridPoint, order: readonly string[]): Map<string, Map<string, BySeed>> {
  const made = new Map<string, Map<string, BySeed>>()
  const grounds = groundsOf(at)
  for (const name of order) {
    const runs = at.runs.get(name)
    if (runs === undefined) continue
    made.set(
      name,
      new Map(
        scores.map((score) => [
          score.name,
          at.seeds.map((seed): Found => {
            const run = runs.get(seed)
            return run === undefined ? missing("not run") : score.of(run, grounds(seed, run))
          }),
        ]),
      ),
    )
  }
  return made
}

/** Returns the function that finds what the runs of a seed are compared with. */
function groundsOf(at: GridPoint): (seed: number, run: Judged) => Ground {
  const some = [...at.runs.values()][0]?.values().next().value
  const hasHot = some !== undefined && hasStream(some, "hot")
  const quiet = at.runs.get(hasHot ? ALONE : "none")
  // The victims alone are no reference of the settling time: victims that share a link with hot flows stay slower.
  const still = at.runs.get(IDEAL)
  const hot = some?.spec.traffic.find((t) => t.name === "hot")
  const band = bandOf([...(still?.values() ?? [])].flatMap((run) => seriesOf(withStart(run, hot)) ?? []))
  const ends = new Map(at.seeds.map((seed) => [seed, endsOf(at, seed, hasHot ? "hot" : "victims")]))
  return (seed, run) => ({ reference: quiet?.get(seed), ...ends.get(seed)!, series: seriesOf(run), band })
}

/** Returns the run with the hot stream of the others, because the victims alone have one that never sends. */
function withStart(run: Judged, hot: Judged["spec"]["traffic"][number] | undefined): Judged {
  return hot === undefined
    ? run
    : { ...run, spec: { ...run.spec, traffic: run.spec.traffic.map((t) => (t.name === "hot" ? hot : t)) } }
}

/** Returns the endpoints that sent or received packets of a stream under any participant. */
function endsOf(at: GridPoint, seed: number, stream: string): Pick<Ground, "senders" | "receivers"> {
  const [senders, receivers] = [new Set<number>(), new Set<number>()]
  for (const runs of at.runs.values()) {
    const run = runs.get(seed)
    const ends = run === undefined ? undefined : tableOf(run, stream, "endpoints")
    for (const [i, load] of (ends?.["injected"] ?? []).entries()) if (load > 0) senders.add(i)
    for (const [i, load] of (ends?.["accepted"] ?? []).entries()) if (load > 0) receivers.add(i)
  }
  return { senders: [...senders], receivers: [...receivers] }
}

/** Returns the mean over the grid points of each seed, then the estimate over the seeds; missing if one is missing. */
function over(points: readonly (BySeed | undefined)[], score: Score): Scored {
  const there = points.filter((p) => p !== undefined)
  if (there.length < points.length) return missing("not run")
  const gaps = there.flatMap((p) => {
    const missed = p.filter(isMissing)
    return missed.length === 0 ? [] : [missed.find((m) => m.worst) ?? missed[0]]
  })
  if (gaps.length > 0) {
    const reasons = [...new Set(gaps.map((g) => g.missing))].join(", ")
    const where =
      points.length === 1 || gaps.length === points.length ? "" : ` at ${gaps.length} of ${points.length} points`
    return missing(
      `${reasons}${where}`,
      gaps.some((g) => g.worst),
    )
  }
  const values = there as readonly (readonly number[])[]
  const seeds = (values[0] ?? []).map((_, i) =>
    meanOf(
      values.map((v) => v[i]),
      score,
    ),
  )
  const moments = new Moments().addAll(seeds)
  const half = moments.half()
  return { mean: moments.mean, ...(Number.isFinite(half) ? { half } : {}), seeds }
}

function meanOf(values: readonly number[], { mean }: Score): number {
  const sum = values.reduce((s, v) => s + (mean === "geometric" ? Math.log(v) : v), 0) / values.length
  return mean === "geometric" ? Math.exp(sum) : sum
}

/** Marks the Pareto front among the participants that are no references. */
export function withFront(all: readonly Standing[], criteria: readonly string[]): Standing[] {
  const used = scores.filter((s) => criteria.includes(s.name))
  const rivals = all.filter((s) => !references.includes(s.participant) && isRanked(s, used))
  return all.map((s) =>
    rivals.includes(s)
      ? { ...s, front: !fails(s, used) && !rivals.some((other) => other !== s && dominates(other, s, used)) }
      : s,
  )
}

/** A participant under which the network did not carry the traffic is not recommended, whatever it does well. */
function fails({ scores: own }: Standing, used: readonly Score[]): boolean {
  return used.some(({ name }) => {
    const scored = own[name]
    return scored !== undefined && isMissingScore(scored) && scored.worst
  })
}

/** A participant is ranked if it has a value of some criterion, or failed in it. */
function isRanked({ scores: own }: Standing, used: readonly Score[]): boolean {
  const usable = used.flatMap((s) => own[s.name] ?? [])
  return usable.some((s) => !isMissingScore(s) || s.worst)
}

function dominates(a: Standing, b: Standing, used: readonly Score[]): boolean {
  const signs = used.map((score) => compared(a.scores[score.name], b.scores[score.name], score))
  return signs.every((s) => s >= 0) && signs.some((s) => s > 0)
}

/** Returns 1 if a is better, -1 if b is better, 0 if they are equal within the noise or cannot be compared. */
export function compared(a: Scored | undefined, b: Scored | undefined, score: Pick<Score, "better">): number {
  if (a === undefined || b === undefined) return 0
  if (isMissingScore(a) || isMissingScore(b)) {
    const [failsA, failsB] = [isMissingScore(a) && a.worst, isMissingScore(b) && b.worst]
    return failsA === failsB ? 0 : failsA ? -1 : 1
  }
  const difference = new Moments().addAll(a.seeds.map((v, i) => v - (b.seeds[i] ?? Number.NaN)))
  const [mean, half] = [difference.mean, a.seeds.length > 1 ? difference.half() : 0]
  const scale = Math.max(Math.abs(a.mean), Math.abs(b.mean))
  if (!(Math.abs(mean) > half) || Math.abs(mean) <= TOLERANCE * scale) return 0
  return mean > 0 === (score.better === "more") ? 1 : -1
}
