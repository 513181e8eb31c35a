/** The same list in an order in which any beginning is spread over the whole. */
/** Returns the list in an order in which any beginning is spread over the whole list. A step near the golden ratio that
 *  is coprime to the length visits every element once. Walks that are cut short use it. */
export function spaced<T>(list: readonly T[]): T[] {
  let step = Math.max(1, Math.floor(list.length * 0.618))
  while (gcd(step, list.length) > 1) step++
  return list.map((_, i) => list[(i * step) % list.length])
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b)
}
