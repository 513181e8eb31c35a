// VC assignment along dragonfly paths. A discipline is written as the longest path that it allows, with l for a local
// and g for a global link: "lgl", "lgllgl", "llgllgll". Each letter is a rung. The next hop takes the lowest rung of
// its kind above the current one. Every path ascends, so no cycle of dependencies closes. The VCs of a rung are:
//   `even`    The rungs of each kind divide all VCs evenly, in ascending order.
//   `rising`  A local rung has the VC of its number among local rungs; a global rung has the VC of the next local rung.
//             VC numbers then never fall along a path. Switches need this if local and global ports share their inner
//             buffers.
import { vcRanks } from "../vcs.ts"

/** The rung of a packet before its first hop. */
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
      return kind === "g" && numbers === "even" ? globals[count(before, "g")] : locals[count(before, "l")]
    })
    this.globals = Int32Array.from(`l${rungs}`, (kind) => (kind === "g" ? 1 : 0))
    this.above = new Int32Array((rungs.length + 1) * 2)
    for (let from = GROUND; from < rungs.length; from++) {
      this.above[(from + 1) * 2] = rungs.indexOf("l", from + 1)
      this.above[(from + 1) * 2 + 1] = rungs.indexOf("g", from + 1)
    }
  }

  /** Returns the rung of the next hop, from rung `from` (GROUND before the first). */
  climb(from: number, isGlobal: boolean): number {
    return this.above[(from + 1) * 2 + (isGlobal ? 1 : 0)]
  }

  /** Returns whether the hop of this rung leads to another group; false for the ground. */
  isGlobal(rung: number): boolean {
    return this.globals[rung + 1] === 1
  }

  /** Returns the VCs of a rung as a mask. */
  vcs(rung: number): number {
    return this.mask[rung]
  }
}

/** Returns the smallest number of VCs that separates the rungs of each kind. Local and global links are different
 *  channels, so a local and a global rung may share a VC. */
export function vcsFor(rungs: string): number {
  return Math.max(count(rungs, "l"), count(rungs, "g"))
}

function count(rungs: string, kind: string): number {
  return rungs.split(kind).length - 1
}
