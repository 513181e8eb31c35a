// VCs of dragonfly paths. A discipline is written as the longest path it allows, l = local and g = global link: "lgl", "lgllgl", "llgllgll".
// Each letter is a rung; the next hop takes the lowest rung of its kind above the one it stands on, so every path climbs and no cycle of waits closes.
// The VC of a rung is its number among the rungs of its kind; spare VCs are dealt evenly to the rungs of each kind.
import { vcRanks } from "../vcs.ts"

export const GROUND = -1

export class Ladder {
  readonly rungs: string
  private readonly mask: Int32Array
  /** [(rung + 1) * 2 + kind] -> the next rung of that kind */
  private readonly above: Int32Array

  constructor(rungs: string, vcs: number) {
    this.rungs = rungs
    const masks = { l: vcRanks(vcs, count(rungs, "l")), g: vcRanks(vcs, count(rungs, "g")) }
    const seen = { l: 0, g: 0 }
    this.mask = Int32Array.from(rungs, (kind) => (kind === "g" ? masks.g[seen.g++]! : masks.l[seen.l++]!))
    this.above = new Int32Array((rungs.length + 1) * 2)
    for (let from = GROUND; from < rungs.length; from++) {
      this.above[(from + 1) * 2] = rungs.indexOf("l", from + 1)
      this.above[(from + 1) * 2 + 1] = rungs.indexOf("g", from + 1)
    }
  }

  /** The rung of the next hop, from rung `from` (GROUND before the first). */
  climb(from: number, isGlobal: boolean): number {
    return this.above[(from + 1) * 2 + (isGlobal ? 1 : 0)]!
  }

  /** VCs of a rung. */
  vcs(rung: number): number {
    return this.mask[rung]!
  }
}

/** Fewest VCs that keep the rungs of each kind apart. */
export function vcsFor(rungs: string): number {
  return Math.max(count(rungs, "l"), count(rungs, "g"))
}

function count(rungs: string, kind: string): number {
  return rungs.split(kind).length - 1
}
