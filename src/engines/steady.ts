// Measurement control: given what each batch of cycles showed, is the warm-up over, is the mean latency known well enough, is the network
// saturated, or must it go on? Pure functions of the batches so far, so that a run can be judged again from its time series.
//
// Warm-up: MSER (K. P. White, M. J. Cobb and S. C. Spratt, 2000) on batch means, and no rise left in their second half. All batches up to the
// decision are discarded, at least twice what MSER asks for. Precision of latency: batch means of a ratio (core/batches.ts), looked at when the window has
// grown by a fifth: a run that is looked at after every batch stops when its interval happens to be narrow. Precision of the accepted load: batch means
// (A. M. Law and J. S. Carson, 1979), joined until neighbours are nearly uncorrelated; what correlation is left widens the interval. Saturation: the
// backlog grows, significantly, materially and in a straight line (a queue that is only slow to fill grows ever more slowly), and was created. The test is
// made with the load that was asked for, because that has less noise than what was created; packets that were never created are no backlog.
// Limits: a source that changes its rate during the run is not steady.
import { batchMeans, type Estimate, mser, ratioEstimate } from "../core/batches.ts"
import { isMissed } from "../core/saturation.ts"
import { autocorrelation, Moments, trend } from "../core/stats.ts"

/** What one batch of cycles showed. All batches are equally long. */
export interface Batch {
  /** mean latency of the packets that arrived in it; NaN if none did */
  readonly latency: number
  /** their number */
  readonly packets: number
  /** flits per cycle (of all endpoints, or per endpoint): asked for, created, and arrived */
  readonly offered: number
  readonly created: number
  readonly accepted: number
  /** flits (or packets) asked for and not yet arrived, at its end */
  readonly backlog: number
  /** those that were created and have not arrived */
  readonly waiting: number
}

export interface Goal {
  /** half width of the confidence interval of mean latency, relative to the mean */
  readonly precision: number
  readonly confidence?: number
}

export type Decision = {
  readonly next: "warm up" | "measure" | "go on" | "steady" | "saturated"
  /** one sentence for people */
  readonly says: string
  /** of mean latency since the measurement began */
  readonly estimate?: Estimate
}

/** Fewest batches of a warm-up, of a measured latency, of a measured accepted load, and of a verdict of saturation. */
const WARM = 6
const GROUPS = 30
const FEWEST = 10
const GROWING = 12
/** A window is judged at this many batches for the first time (or twice those of the warm-up), then each time it has grown by this factor. */
const FIRST = GROUPS
const GROWTH = 1.2
/** Joined batch means may be correlated by this much; the interval is widened for it. */
const CORRELATED = 0.4
/** A backlog that grows by less than this part of the offered load is not called saturation. */
const MATERIAL = 0.005
/** Growth in the second half over growth in the first is 1 for a straight line and 0.41 for a queue exactly at its capacity (square root of time): it must be above this, by so many standard errors. */
const LINEAR = 0.6
const SURE = 4
/** A slope of less than this many standard errors is no rise. */
const RISE = 1
/** A slope of the accepted load of more than this many is a drift: of ten means, one window in fifty that has none. */
const DRIFT = 3

/** `from`: the batch with which the measurement began; -1 while warming up ("measure" asks to begin with the next batch). */
export function decide(batches: readonly Batch[], from: number, goal: Goal): Decision {
  const deficit = growth(batches)
  if (deficit > 0)
    return { next: "saturated", says: `the backlog grows by ${(100 * deficit).toFixed(1)} % of the offered load, without end in sight` }
  if (from < 0) {
    return warm(batches)
      ? { next: "measure", says: `warm after ${batches.length} batches` }
      : { next: "warm up", says: `latency is not steady after ${batches.length} batches` }
  }
  const estimate = latencyOf(batches, from, goal.confidence ?? 0.95)
  if (estimate === undefined) return { next: "go on", says: `${batches.length - from} batches say too little` }
  const relative = estimate.half / estimate.mean
  const known = `mean latency ${estimate.mean.toPrecision(4)} is known to ${(100 * relative).toPrecision(2)} %`
  const judged = isJudged(batches.length - from, from)
  return {
    next: judged && relative <= goal.precision && !rises(estimate.rest, 0) ? "steady" : "go on",
    says: `${known} from ${estimate.batches} batches`,
    estimate,
  }
}

/** Mean latency of the packets since batch `from`; undefined while too few batches have any. */
function latencyOf(batches: readonly Batch[], from: number, confidence: number): ReturnType<typeof ratioEstimate> {
  const measured = batches.slice(from)
  if (measured.filter((b) => b.packets > 0).length < GROUPS) return undefined
  const sums = measured.map((b) => (b.packets > 0 ? b.packets * b.latency : 0))
  return ratioEstimate(
    sums,
    measured.map((b) => b.packets),
    GROUPS,
    confidence,
  )
}

/** Is a window of so many batches, begun with batch `from`, one at which it may end? */
export function isJudged(batches: number, from: number): boolean {
  let at = Math.max(FIRST, 2 * from)
  while (at < batches) at = Math.ceil(at * GROWTH)
  return at === batches
}

function latencies(batches: readonly Batch[], from: number): Float64Array {
  return Float64Array.from(batches.slice(from), (b) => b.latency).filter((l) => !Number.isNaN(l))
}

/** Is the warm-up over? */
export function warm(batches: readonly Batch[]): boolean {
  const series = latencies(batches, 0)
  if (series.length < WARM) return false
  if (mser(series, 1) < 0) return false
  return !rises(series, Math.floor(series.length / 2))
}

function rises(series: Float64Array, from: number): boolean {
  const { slope, error } = trend(series, from)
  return slope > RISE * error
}

/** Mean and confidence interval of a correlated series; undefined while it is too short to tell. */
export function precision(series: Float64Array, confidence: number): Estimate | undefined {
  for (let batches = series.length; batches >= FEWEST; batches = Math.floor(batches / 2)) {
    const means = batchMeans(series, batches)
    const correlation = autocorrelation(means, 1)
    if (correlation > CORRELATED) continue
    const moments = new Moments().addAll(means)
    // a first-order process with this correlation has so much more variance in its mean; the estimate of the correlation is itself low by about 1/n
    const r = Math.max(0, (Number.isNaN(correlation) ? 0 : correlation) + 1 / batches)
    return { mean: moments.mean, half: moments.half(confidence) * Math.sqrt((1 + r) / (1 - r)), batches, correlation }
  }
  return undefined
}

export type Throughput = Estimate & { readonly drifts: boolean }

/** What is accepted from batch `from` on. `drifts`: it still rises or falls, so that the interval is widened by how much. Undefined while that is too little to tell. */
export function throughput(batches: readonly Batch[], from: number, confidence = 0.95): Throughput | undefined {
  const series = Float64Array.from(batches.slice(from), (b) => b.accepted)
  const known = precision(series, confidence)
  // nothing arrived: that has no spread, and says nothing
  if (known === undefined || known.mean === 0) return undefined
  const means = batchMeans(series, FEWEST)
  const { slope, error } = trend(means)
  const drifts = Math.abs(slope) > DRIFT * error
  return { ...known, half: drifts ? Math.max(known.half, (Math.abs(slope) * FEWEST) / 2) : known.half, drifts }
}

/** Flits per cycle that were created from batch `from` on. */
export function createdIn(batches: readonly Batch[], from: number): number {
  let sum = 0
  for (let i = from; i < batches.length; i++) sum += batches[i]!.created
  return sum / Math.max(1, batches.length - from)
}

/** The part of the offered load that piles up, if the backlog grows in a straight line; else 0. */
export function growth(batches: readonly Batch[]): number {
  const half = Math.floor(batches.length / 2)
  if (batches.length < GROWING) return 0
  const steps = Float64Array.from({ length: batches.length - 1 }, (_, i) => batches[i + 1]!.backlog - batches[i]!.backlog)
  const early = new Moments().addAll(steps, 0, half)
  const late = new Moments().addAll(steps, half)
  const error = Math.sqrt(late.variance / late.n + (LINEAR * LINEAR * early.variance) / early.n)
  if (!(late.mean - LINEAR * early.mean > SURE * error)) return 0
  const offered = new Moments()
  const accepted = new Moments()
  for (let i = half; i < batches.length; i++) {
    offered.add(batches[i]!.offered)
    accepted.add(batches[i]!.accepted)
  }
  const deficit = 1 - accepted.mean / offered.mean
  return deficit > MATERIAL && isCreated(batches) ? deficit : 0
}

/** Most of the backlog was created, rather than only asked for. */
export function isCreated(batches: readonly Batch[]): boolean {
  const { backlog, waiting } = batches.at(-1)!
  return isMissed(backlog, waiting)
}
