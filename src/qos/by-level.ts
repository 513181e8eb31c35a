// Service levels that share virtual lanes: a scheduler of VLs serves levels. Levels that share a VL share its turns
// round-robin, in an endpoint; in a switch only one of them can be first in the queue of the VL.
import type { QosScheduler, QosSite } from "../model/scheduler.ts"
import { from, lowest } from "./bits.ts"

/** Returns [level] -> VL. Levels that the table does not name have the VL of their number. */
export function vlsOf(sl2vl: readonly number[], levels: number): number[] {
  return Array.from({ length: levels }, (_, q) => sl2vl[q] ?? q)
}

/** Returns `build(site)`, whose queues are VLs, as a scheduler of levels; itself if no table maps them. */
export function byLevel(site: QosSite, sl2vl: readonly number[], build: (site: QosSite) => QosScheduler): QosScheduler {
  if (sl2vl.length === 0) return build(site)
  const vlOf = vlsOf(sl2vl, site.queues)
  const inner = build({ ...site, queues: Math.max(site.queues, ...vlOf.map((vl) => vl + 1)) })
  const levelsOf = new Int32Array(32)
  for (const [level, vl] of vlOf.entries()) levelsOf[vl] |= 1 << level
  /** [row] -> 1 + the level that was served last */
  const last = site.ints(site.rows)
  // [VL] -> its next level, and size and creation time of the message of that level
  const next = new Int32Array(32)
  const sizeOf = new Int32Array(32)
  const createdOf = new Int32Array(32)
  return {
    columns: { ...inner.columns, last },
    hears: inner.hears,
    arrived(row, level, size, now) {
      inner.arrived(row, vlOf[level], size, now)
    },
    pick(row, sendable, sizes, created, at) {
      let vls = 0
      for (let left = sendable; left !== 0; left &= left - 1) vls |= 1 << vlOf[lowest(left)]
      for (let left = vls; left !== 0; left &= left - 1) {
        const vl = lowest(left)
        const level = from(levelsOf[vl] & sendable, last[row])
        next[vl] = level
        sizeOf[vl] = sizes[at + level]
        createdOf[vl] = created[at + level]
      }
      const vl = inner.pick(row, vls, sizeOf, createdOf, 0)
      return vl < 0 ? vl : next[vl]
    },
    sent(row, level, size, now) {
      last[row] = level + 1
      inner.sent(row, vlOf[level], size, now)
    },
  }
}
