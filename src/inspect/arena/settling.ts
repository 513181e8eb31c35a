// How long the victims need to settle after the hot flows start. The reference is the noise of the run with ideal
// isolation: the victims have settled when a moving mean of their latency stays below the largest moving mean of the
// reference. The reference itself therefore settles.
import { plainScale, quantity } from "../../core/units.ts"
import { type Found, type Judged, missing, tableOf } from "./judged.ts"

/** Intervals of the moving mean; intervals for which it must stay inside at the end; part by which it may exceed. */
export const WIDE = 10
export const STAYS = 20
export const MARGIN = 0.05

export interface Series {
  /** cycles of one interval, and the first interval after the start of the hot flows */
  readonly interval: number
  readonly onset: number
  /** mean latency of the packets that arrived in each interval up to the end of the window; NaN: none arrived */
  readonly latency: readonly number[]
}

/** Returns the series of the victims; undefined if the run has none, or if the hot flows run from the beginning. */
export function seriesOf(run: Judged): Series | undefined {
  const table = tableOf(run, "victims", "series")
  const hot = run.spec.traffic.find((t) => t.name === "hot")
  const cycles = (text: string | undefined) => {
    const got = text === undefined ? Number.NaN : quantity(text, "cycles", plainScale)
    return typeof got === "number" ? got : Number.NaN
  }
  const start = cycles(hot?.start)
  const end = cycles(run.spec.measure.warmup) + cycles(run.spec.measure.window)
  const [interval] = table?.["time"] ?? []
  if (table === undefined || interval === undefined || !(start > 0) || Number.isNaN(end)) return undefined
  const latency = table["latency"] ?? []
  const intervals = Math.floor(end / interval)
  return {
    interval,
    onset: Math.floor(start / interval),
    latency: Array.from({ length: intervals }, (_, i) => latency[i] ?? Number.NaN),
  }
}

/** Returns the moving mean that ends with interval i; NaN if no packet arrived in these intervals. */
export function movingMean({ latency }: Series, i: number): number {
  let [sum, n] = [0, 0]
  for (let k = Math.max(0, i - WIDE + 1); k <= i; k++)
    if (!Number.isNaN(latency[k])) {
      sum += latency[k]
      n++
    }
  return sum / n
}

/** Returns the latency below which victims count as settled; undefined without a reference. */
export function bandOf(references: readonly Series[]): number | undefined {
  let high = Number.NEGATIVE_INFINITY
  for (const s of references)
    for (let i = s.onset; i < s.latency.length; i++) {
      const mean = movingMean(s, i)
      if (mean > high) high = mean
    }
  return high > 0 ? high * (1 + MARGIN) : undefined
}

/** Returns the cycles from the start of the hot flows until the moving mean stays inside the band. */
export function settlingOf(s: Series, band: number): Found {
  let inside = s.onset
  // Intervals in which no victim arrives are outside.
  for (let i = s.onset; i < s.latency.length; i++) if (!(movingMean(s, i) <= band)) inside = i + 1
  if (s.latency.length - inside < STAYS) return missing("did not settle", true)
  return (inside - s.onset) * s.interval
}
