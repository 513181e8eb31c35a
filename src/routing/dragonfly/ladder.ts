// VCs of dragonfly paths. A discipline is written as the longest path it allows, l = local and g = global link: "lgl", "lgllgl", "llgllgll".
// Each letter is a rung; the next hop takes the lowest rung of its kind above the one it stands on, so every path climbs and no cycle of waits closes.
// Which VCs a rung has:
//   even    the rungs of each kind share all VCs evenly, in order
//   rising  a local rung has the VC of its number among local rungs, a global one the VC that the next local rung has: VC numbers never fall along a
//           path, which switches need whose inner buffers are shared by local and global ports
import { vcRanks } from "../vcs.ts"

export const GROUND = -1

export class Ladder {
  readonly rungs: string
  readonly firstGlobal: number
  private readonly mask: Int32Array
  /** [rung + 1] -> 1 for g */
  private readonly globals: Int32Array
  /** [(rung + 1) * 2 + kind] -> the next rung of that kind */
  private readonly above: Int32Array

  constructor(rungs: string, vcs: number, numbers: "even" | "rising" = "even") {
    this.rungs = rungs
    this.firstGlobal = rungs.indexOf("g")
    const locals = vcRanks(vcs, count(rungs, "l"))
    const globals = vcRanks(vcs, count(rungs, "g"))
    this.mask = Int32Array.from(rungs, (kind, i) => {
      const before = rungs.slice(0, i)
      return kind === "g" && numbers === "even" ? globals[count(before, "g")]! : locals[count(before, "l")]!
    })
    this.globals = Int32Array.from(`l${rungs}`, (kind) => (kind === "g" ? 1 : 0))
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

  /** Does the hop of this rung lead to another group? No for the ground. */
  isGlobal(rung: number): boolean {
    return this.globals[rung + 1] === 1
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
