/** The same list in an order in which any beginning is spread over the whole. */
export function spaced<T>(list: readonly T[]): T[] {
  let step = Math.max(1, Math.floor(list.length * 0.618))
  while (gcd(step, list.length) > 1) step++
  return list.map((_, i) => list[(i * step) % list.length]!)
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}
