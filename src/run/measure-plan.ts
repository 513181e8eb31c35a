// How long a run warms up, measures and may take: what `measure` of an experiment says, in cycles, for all engines.
import { bitsFor } from "../core/bitset.ts"
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { quantity, type Scale } from "../core/units.ts"
import type { MeasureSpec } from "../model/experiment.ts"

export interface MeasurePlan {
  /** the run ends when all jobs have */
  readonly untilJobs: boolean
  /** cycles, or -1 for automatic */
  readonly warmup: number
  readonly window: number
  readonly limit: number
  readonly precision: number
  readonly drain: MeasureSpec["drain"]
  readonly early: boolean
  /** not proved free of deadlock: saturation is not the last word before this cycle */
  readonly watch: number
  /** cycles of an interval of the time series, which is also the batch of the automatic decisions */
  readonly interval: number
  /** cycles that the time series can hold */
  readonly horizon: number
}

/** A network that is not proved free of deadlock is not called saturated before this cycle: docs/numbers.md has the reason. */
const WATCHED = 100_000

/** Batches of an automatic measurement: short enough to end soon, long enough to hold packets. */
const BATCH = 256

export function planOf(m: MeasureSpec, scale: Scale): Checked<MeasurePlan> {
  const bad: Complaint[] = []
  const duration = (key: "warmup" | "window" | "limit" | "series", auto: number): number => {
    if (m[key] === "auto") return auto
    const v = quantity(m[key], "cycles", scale)
    if (typeof v === "number" && v >= 0 && v < 2 ** 30) return Math.round(v)
    bad.push(complain(`measure.${key}`, typeof v === "string" ? v : `${v} cycles`, "write a duration such as 10kcycles, below 2^30 cycles"))
    return 0
  }
  const limit = duration("limit", 200_000)
  const warmup = duration("warmup", -1)
  const window = duration("window", -1)
  const interval = seriesOf(m.series, scale, bad)
  if (limit < 1) bad.push(complain("measure.limit", "leaves no cycle to run", "set it to at least 1cycle"))
  if (window === 0) bad.push(complain("measure.window", "measures nothing", "set it to at least 1cycle, or to auto"))
  if (bad.length === 0 && window > 0 && Math.max(0, warmup) + window > limit)
    bad.push(
      complain(
        "measure.limit",
        `${limit} cycles are fewer than warm-up and window together`,
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

/** A time series has whole cycles in each interval: others would be another interval than the one that was asked for. */
function seriesOf(raw: string, scale: Scale, bad: Complaint[]): number {
  const v = quantity(raw, "cycles", scale)
  const cycles = typeof v === "number" ? Math.round(v) : 0
  if (typeof v === "string" || v < 0 || v >= 2 ** 30)
    bad.push(complain("measure.series", typeof v === "string" ? v : `${v} cycles`, "write a duration such as 1kcycles, below 2^30 cycles"))
  else if (Math.abs(v - cycles) > 1e-9 * v) {
    const least = Math.floor(v)
    bad.push(
      complain(
        "measure.series",
        `${raw} is ${Number(v.toPrecision(9))} cycles, and an interval has whole ones`,
        `write ${least > 0 ? `${least}cycles or ` : ""}${least + 1}cycles`,
      ),
    )
  }
  return cycles
}
