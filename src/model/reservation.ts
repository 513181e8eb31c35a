// The reservation rule of a channel: a request gets the first free time, extended by a fraction `eps`. Destinations
// (congestion/reservation) and last-hop routers use it.

/** Returns the start time for this many flits and advances `next[i]`, the first free cycle. */
export function reserve(next: Int32Array, i: number, now: number, flits: number, eps: number): number {
  const at = next[i] > now ? next[i] : now
  // The small constant keeps products that are integers up to rounding errors from being rounded up.
  next[i] = at + Math.ceil(flits * (1 + eps) - 1e-9)
  return at
}
