// The common part of fair queueing by tags (scfq.ts, wfq.ts).
/** Returns the queue of `active` whose head has the smallest tag, start + size / share; among equals the lowest number;
 *  -1 if there is none. */
export function smallestTag(
  start: Float64Array,
  share: Float64Array,
  first: number,
  active: number,
  sizes: Int32Array,
  at: number,
): number {
  let best = -1
  let least = 0
  for (let left = active; left !== 0; left &= left - 1) {
    const queue = 31 - Math.clz32(left & -left)
    const tag = start[first + queue] + sizes[at + queue] / share[queue]
    if (best >= 0 && tag >= least) continue
    best = queue
    least = tag
  }
  return best
}
