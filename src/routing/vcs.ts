// Sets of virtual channels as bit masks. Routings divide the VCs of their class of traffic into ranks that a packet climbs and never descends:
// that is what keeps them free of deadlock.

/** All of `n` VCs. */
export function allVcs(n: number): number {
  return vcRange(0, n)
}

/** VCs from..to-1. */
export function vcRange(from: number, to: number): number {
  let mask = 0
  for (let v = from; v < to; v++) mask |= 1 << v
  return mask
}

/** [rank] -> its VCs, when `n` VCs are dealt evenly to `ranks` ranks in order. With fewer VCs than ranks, ranks share and the order is lost. */
export function vcRanks(n: number, ranks: number): Int32Array {
  const masks = new Int32Array(ranks)
  for (let i = 0; i < ranks; i++) {
    const from = Math.min(n - 1, Math.floor((i * n) / ranks))
    masks[i] = vcRange(from, Math.max(from + 1, Math.floor(((i + 1) * n) / ranks)))
  }
  return masks
}
