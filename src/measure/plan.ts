// The measurement plan: the section `measure` of an experiment converted to cycles and checked, for all engines. It
// determines how long a run warms up, measures and may take.
import { bitsFor } from "../core/bitset.ts"
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { quantity, type Scale } from "../core/units.ts"
import type { MeasureSpec } from "../model/experiment.ts"

export interface MeasurePlan {
  /** the run ends when all jobs have ended */
  readonly untilJobs: boolean
  /** cycles, or -1 for automatic */
  readonly warmup: number
  readonly window: number
  readonly limit: number
  readonly precision: number
  readonly drain: MeasureSpec["drain"]
  readonly early: boolean
  /** before this cycle a network that is not proved deadlock-free is not reported as saturated; 0: proved */
  readonly watch: number
  /** cycles of an interval of the time series, which is also the batch of automatic decisions */
  readonly interval: number
  /** cycles that the time series can hold */
  readonly horizon: number
}

/**
 * A network that is not proved deadlock-free is not reported as saturated before this cycle. docs/guide/measuring.md
 * gives the reason.
 */
const WATCHED = 100_000

/** Cycles of a batch of an automatic measurement: short enough to end soon, long enough to contain packets. */
const BATCH = 256

/** Returns the plan, or complaints about durations that are invalid or do not fit into the limit. */
export function planOf(m: MeasureSpec, scale: Scale): Checked<MeasurePlan> {
  const bad: Complaint[] = []
  const duration = (key: "warmup" | "window" | "limit" | "series", auto: number): number => {
    if (m[key] === "auto") return auto
    const v = quantity(m[key], "cycles", scale)
    if (typeof v === "number" && v >= 0 && v < 2 ** 30) return Math.round(v)
    bad.push(
      complain(
        `measure.${key}`,
        typeof v === "string" ? v : `${v} cycles`,
        "write a duration such as 10kcycles, below 2^30 cycles",
      ),
    )
    return 0
  }
  const limit = duration("limit", 200_000)
  const warmup = duration("warmup", -1)
  const window = duration("window", -1)
  const interval = seriesOf(m.series, scale, bad)
  if (limit < 1)
    bad.push(complain("measure.limit", "This value leaves no cycle to simulate.", "set it to at least 1cycle"))
  if (window === 0)
    bad.push(complain("measure.window", "This window measures nothing.", "set it to at least 1cycle, or to auto"))
  if (bad.length === 0 && window > 0 && Math.max(0, warmup) + window > limit)
    bad.push(
      complain(
        "measure.limit",
        `${limit} cycles are fewer than the warm-up and the window together`,
        `set it to at least ${Math.max(0, warmup) + window}cycles`,
      ),
    )
  if (bad.length > 0) return { bad }
  const automatic = warmup < 0 || window < 0
  const usual = automatic ? BATCH : 2 ** Math.max(4, bitsFor(limit / 4096))
  return {
    ok: {
      warmup,
      window,
      limit,
      precision: m.precision,
      drain: m.drain,
      early: m.saturation === "early",
      watch: m.deadlock === "watch" ? WATCHED : 0,
      untilJobs: m.until === "jobs",
      interval: interval > 0 ? interval : usual,
      horizon: limit,
    },
  }
}

/**
 * Returns the interval of the time series. It must be a whole number of cycles, because rounding would silently change
 * it.
 */
function seriesOf(raw: string, scale: Scale, bad: Complaint[]): number {
  const v = quantity(raw, "cycles", scale)
  const cycles = typeof v === "number" ? Math.round(v) : 0
  if (typeof v === "string" || v < 0 || v >= 2 ** 30)
    bad.push(
      complain(
        "measure.series",
        typeof v === "string" ? v : `${v} cycles`,
        "write a duration such as 1kcycles, below 2^30 cycles",
      ),
    )
  else if (Math.abs(v - cycles) > 1e-9 * v) {
    const least = Math.floor(v)
    bad.push(
      complain(
        "measure.series",
        `${raw} is ${Number(v.toPrecision(9))} cycles, but an interval needs a whole number`,
        `write ${least > 0 ? `${least}cycles or ` : ""}${least + 1}cycles`,
      ),
    )
  }
  return cycles
}
