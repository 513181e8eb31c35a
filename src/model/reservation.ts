// The rule by which a channel is reserved: whoever asks gets the first time that nobody else has, and some more of it than it needs.

/** Answers the time granted for so many flits; `next[i]`: the first cycle that nobody has. */
export function reserve(next: Int32Array, i: number, now: number, flits: number, eps: number): number {
  const at = next[i]! > now ? next[i]! : now
  // what is a whole number but for the last bits of the product stays one
  next[i] = at + Math.ceil(flits * (1 + eps) - 1e-9)
  return at
}
