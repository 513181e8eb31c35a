// Measurement control: decides after each batch of cycles whether the warm-up has ended, whether the mean latency is
// known precisely enough, whether the network is saturated, or whether to continue. All functions depend only on the
// batches so far, so a run can be evaluated again from its time series. run/ calls `decide`; reports call `throughput`.
//
// Warm-up: MSER (K. P. White, M. J. Cobb and S. C. Spratt, 2000) on batch means, and no rise in their second half. All
// batches up to the decision are discarded, at least twice the number that MSER suggests.
//
// Precision of latency: batch means of a ratio (core/batches.ts). They are evaluated when the window has grown by a
// fifth. A run that is evaluated after every batch would stop when its interval happens to be narrow. What remains of
// that effect widens the interval of a run that has stopped.
//
// Precision of the accepted load: batch means (A. M. Law and J. S. Carson, 1979), joined until neighbours
// are nearly uncorrelated; the remaining correlation widens the interval.
//
// Saturation: the backlog grows significantly, materially and linearly, and consists of packets that were created. A
// queue that only fills slowly grows at a decreasing rate. The test uses the requested load, because it has less noise
// than the created load; packets that were never created are not backlog.
//
// Limits: a source that changes its rate during the run has no steady state.
import { batchMeans, type Estimate, halfAfterStopping, mser, ratioEstimate } from "../core/batches.ts"
import { isMissed } from "../core/saturation.ts"
import { autocorrelation, Moments, trend } from "../core/stats.ts"

/** Statistics of one batch of cycles. All batches are equally long. */
export interface Batch {
  /** mean latency of the packets that arrived in it; NaN if none did */
  readonly latency: number
  /** their number */
  readonly packets: number
  /** flits per cycle (of all endpoints, or per endpoint) of the streams with an offered load: requested, created, and
   *  delivered */
  readonly offered: number
  readonly created: number
  readonly accepted: number
  /** delivered by all streams, including replies and messages of ranks */
  readonly delivered: number
  /** flits (or packets) requested and not yet delivered, at the end of the batch */
  readonly backlog: number
  /** those of them that were created */
  readonly waiting: number
}

export interface Goal {
  /** half width of the confidence interval of mean latency, relative to the mean */
  readonly precision: number
  readonly confidence?: number
}

export type Decision = {
  readonly next: "warm up" | "measure" | "go on" | "steady" | "saturated"
  /** the reason as one sentence for the report */
  readonly says: string
  /** of the mean latency since the measurement began */
  readonly estimate?: Estimate
}

/** Minimum number of batches for a warm-up, a latency estimate, a throughput estimate, and a verdict of saturation. */
const WARM = 6
const GROUPS = 30
const FEWEST = 10
const GROWING = 12
/**
 * A window is first evaluated at this many batches (or at twice the length of the warm-up), then each time it has grown
 * by this factor.
 */
const FIRST = GROUPS
const GROWTH = 1.2
/** Maximum correlation of joined batch means; the interval is widened to compensate for it. */
const CORRELATED = 0.4
/** A backlog that grows by less than this fraction of the offered load is not saturation. */
const MATERIAL = 0.005
/**
 * The growth in the second half divided by the growth in the first is 1 for a straight line. It is 0.41 for a queue
 * exactly at its capacity, which grows with the square root of time. It must exceed this value, by SURE standard
 * errors.
 */
const LINEAR = 0.6
const SURE = 4
/** A slope below this many standard errors is not a rise. */
const RISE = 1
/**
 * A slope of the accepted load above this many standard errors is a drift. Without drift, ten means exceed it in one
 * window of fifty.
 */
const DRIFT = 3

/**
 * Decides what to do after the last batch. `from`: the batch in which the measurement began; -1 during the warm-up.
 * "measure" means that the measurement begins with the next batch.
 */
export function decide(batches: readonly Batch[], from: number, goal: Goal): Decision {
  const deficit = growth(batches)
  if (deficit > 0)
    return {
      next: "saturated",
      says: `the backlog grows steadily by ${(100 * deficit).toFixed(1)} % of the offered load`,
    }
  if (from < 0) {
    return warm(batches)
      ? { next: "measure", says: `warm after ${batches.length} batches` }
      : { next: "warm up", says: `latency is not steady after ${batches.length} batches` }
  }
  const estimate = latencyOf(batches, from, goal.confidence ?? 0.95)
  if (estimate === undefined)
    return { next: "go on", says: `${batches.length - from} batches are too few for an estimate` }
  const narrow = isJudged(batches.length - from, from) && estimate.half <= goal.precision * estimate.mean
  const steady = narrow && !rises(estimate.rest, 0)
  // A run that ends at its limit did not choose its end.
  const half = steady ? halfAfterStopping(estimate) : estimate.half
  const known = `mean latency ${estimate.mean.toPrecision(4)} is known to ${percent(half / estimate.mean)}`
  return {
    next: steady ? "steady" : "go on",
    says: `${known} from ${estimate.batches} batches`,
    estimate: { ...estimate, half },
  }
}

const percent = (fraction: number): string => `${(100 * fraction).toPrecision(2)} %`

/** Returns the mean latency of the packets since batch `from`, or undefined while too few batches have packets. */
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

/** Returns true if a window of this many batches, begun with batch `from`, is evaluated. */
export function isJudged(batches: number, from: number): boolean {
  let at = Math.max(FIRST, 2 * from)
  while (at < batches) at = Math.ceil(at * GROWTH)
  return at === batches
}

function latencies(batches: readonly Batch[], from: number): Float64Array {
  return Float64Array.from(batches.slice(from), (b) => b.latency).filter((l) => !Number.isNaN(l))
}

/** Returns true if the warm-up has ended. */
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

/** Returns the mean and confidence interval of a correlated series, or undefined while it is too short. */
export function precision(series: Float64Array, confidence: number): Estimate | undefined {
  for (let batches = series.length; batches >= FEWEST; batches = Math.floor(batches / 2)) {
    const means = batchMeans(series, batches)
    const correlation = autocorrelation(means, 1)
    if (correlation > CORRELATED) continue
    const moments = new Moments().addAll(means)
    // A first-order autoregressive process with correlation r has (1 + r) / (1 - r) times the variance in its mean. The
    // estimate of the correlation is biased low by about 1/n.
    const r = Math.max(0, (Number.isNaN(correlation) ? 0 : correlation) + 1 / batches)
    return { mean: moments.mean, half: moments.half(confidence) * Math.sqrt((1 + r) / (1 - r)), batches, correlation }
  }
  return undefined
}

export type Throughput = Estimate & { readonly drifts: boolean }

/**
 * Returns the accepted load from batch `from` on, or the load that all streams delivered. `drifts`: it still rises or
 * falls, and the interval is widened accordingly. Returns undefined while there are too few batches.
 */
export function throughput(
  batches: readonly Batch[],
  from: number,
  of: "accepted" | "delivered" = "accepted",
): Throughput | undefined {
  const series = Float64Array.from(batches.slice(from), (b) => b[of])
  const known = precision(series, 0.95)
  // A network that delivers nothing has no variance, so an interval would be meaningless.
  if (known === undefined || known.mean === 0) return undefined
  const means = batchMeans(series, FEWEST)
  const { slope, error } = trend(means)
  const drifts = Math.abs(slope) > DRIFT * error
  return { ...known, half: drifts ? Math.max(known.half, (Math.abs(slope) * FEWEST) / 2) : known.half, drifts }
}

/** Returns the flits per cycle that were created from batch `from` on. */
export function createdIn(batches: readonly Batch[], from: number): number {
  let sum = 0
  for (let i = from; i < batches.length; i++) sum += batches[i].created
  return sum / Math.max(1, batches.length - from)
}

/** Returns the fraction of the offered load that accumulates if the backlog grows linearly; otherwise 0. */
export function growth(batches: readonly Batch[]): number {
  const half = Math.floor(batches.length / 2)
  if (batches.length < GROWING) return 0
  const steps = Float64Array.from({ length: batches.length - 1 }, (_, i) => batches[i + 1].backlog - batches[i].backlog)
  const early = new Moments().addAll(steps, 0, half)
  const late = new Moments().addAll(steps, half)
  const error = Math.sqrt(late.variance / late.n + (LINEAR * LINEAR * early.variance) / early.n)
  if (!(late.mean - LINEAR * early.mean > SURE * error)) return 0
  const offered = new Moments()
  const accepted = new Moments()
  for (let i = half; i < batches.length; i++) {
    offered.add(batches[i].offered)
    accepted.add(batches[i].accepted)
  }
  const deficit = 1 - accepted.mean / offered.mean
  return deficit > MATERIAL && isCreated(batches) ? deficit : 0
}

/** Returns true if most of the backlog was created, and not only requested. */
export function isCreated(batches: readonly Batch[]): boolean {
  const { backlog, waiting } = batches.at(-1)!
  return isMissed(backlog, waiting)
}
