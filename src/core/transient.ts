// How a series of means of equal intervals gets over an event: its level before, its peak behind it, and how long it
// takes until it is back.

export type Transient = {
  /** mean of the intervals before the event */
  readonly level: number
  /** largest interval behind it */
  readonly peak: number
  /** intervals from the event until means of WIDE intervals stay near the level; Infinity if they do not */
  readonly settled: number
}

/** A moving mean of WIDE intervals must stay within the part NEAR of the level for STAYS intervals. */
export const WIDE = 10
export const NEAR = 0.1
export const STAYS = 20

/** `values`: intervals that have none (NaN) do not count. `event`: the first interval behind it; `from`: the first that
 *  counts before it. */
export function transientOf(values: readonly number[], event: number, from = 0): Transient {
  const level = meanOf(values.slice(from, event))
  let top = event
  for (let i = event; i < values.length; i++) if (values[i] > values[top] || Number.isNaN(values[top])) top = i
  const near = (i: number): boolean =>
    Math.abs(meanOf(values.slice(Math.max(event, i - WIDE + 1), i + 1)) - level) <= NEAR * level
  let stays = 0
  let settled = Number.POSITIVE_INFINITY
  for (let i = top; i < values.length && stays < STAYS; i++) {
    stays = near(i) ? stays + 1 : 0
    if (stays === STAYS) settled = i - STAYS + 1 - event
  }
  return { level, peak: values[top] ?? Number.NaN, settled }
}

function meanOf(values: readonly number[]): number {
  const there = values.filter((v) => !Number.isNaN(v))
  return there.reduce((a, b) => a + b, 0) / there.length
}
