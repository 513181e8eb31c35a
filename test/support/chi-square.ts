// Pearson's test: is what was counted what was expected?

/** Sum of (seen - expected)^2 / expected over bins that expect anything; a count where nothing is expected makes it
 *  infinite. */
export function chiSquare(seen: ArrayLike<number>, expected: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < seen.length; i++) {
    if (expected[i] > 0) sum += (seen[i] - expected[i]) ** 2 / expected[i]
    else if (seen[i] > 0) return Number.POSITIVE_INFINITY
  }
  return sum
}

/** Exceeded once in about 30,000 by a true null (z = 4; E. B. Wilson and M. M. Hilferty, 1931). */
export function limit(freedom: number): number {
  const a = 2 / (9 * freedom)
  return freedom * (1 - a + 4 * Math.sqrt(a)) ** 3
}
