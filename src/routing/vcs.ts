// Sets of virtual channels as bit masks. A routing divides the VCs of its traffic class into ranks that a packet
/** Returns the mask of n VCs. */
export function allVcs(n: number): number {
  return vcRange(0, n)
}

/** Returns the mask of the VCs from `from` to `to` - 1. */
export function vcRange(from: number, to: number): number {
  let mask = 0
  for (let v = from; v < to; v++) mask |= 1 << v
  return mask
}

/** Returns the mask of each rank when n VCs are divided evenly among `ranks` ranks in ascending order. With fewer VCs
 *  than ranks, ranks share VCs and the order is lost; the proof of the experiment then finds the cycle. */
export function vcRanks(n: number, ranks: number): Int32Array {
  const masks = new Int32Array(ranks)
  for (let i = 0; i < ranks; i++) {
    const from = Math.min(n - 1, Math.floor((i * n) / ranks))
    masks[i] = vcRange(from, Math.max(from + 1, Math.floor(((i + 1) * n) / ranks)))
  }
  return masks
}
