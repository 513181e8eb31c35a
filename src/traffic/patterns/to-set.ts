// The pattern `to-set`: each packet goes to an endpoint drawn uniformly from a given set, except to the source itself
// and, if requested, to its block. The excluded members are adjacent in the set, so one draw and one comparison are
// enough.
import { complain } from "../../core/complaint.ts"
import { flag, int, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"
import { ends, outside } from "../endpoint-lists.ts"
import { SILENT } from "../permutation.ts"

class ToSet implements TrafficPattern {
  readonly set: Int32Array
  /** [endpoint] -> members of the set that it never sends to (itself, its block): how many, and the place of the first;
   *  they lie side by side */
  readonly place: Int32Array
  readonly skips: Int32Array
  constructor(set: readonly End[], ends: number, self: boolean, block: number) {
    this.set = Int32Array.from(set)
    // the members of a block side by side
    if (block > 1) this.set.sort()
    this.place = new Int32Array(ends)
    this.skips = new Int32Array(ends)
    if (self) return
    this.set.forEach((member, i) => {
      const first = member - (member % block)
      for (let e = first; e < Math.min(ends, first + block); e++) if (this.skips[e]++ === 0) this.place[e] = i
    })
  }
  dest(from: End, rng: Rng): End {
    const skips = this.skips[from]
    if (skips === 0) return this.set[rng.below(this.set.length)]
    if (this.set.length === skips) return SILENT
    const i = rng.below(this.set.length - skips)
    return this.set[i < this.place[from] ? i : i + skips]
  }
}

export default {
  kind: "pattern",
  name: "to-set",
  about: "Each packet goes to a random endpoint of a set.",
  params: schema({
    set: ends("Endpoints that receive"),
    self: flag({ about: "Let an endpoint of the set send to itself", default: false }),
    block: int({
      about: "Exclude the source's own block of this many consecutive endpoints as destinations, unless self is true",
      min: 1,
      default: 1,
    }),
  }),
  check(p, on) {
    const bad = outside(p.set, on, "set")
    if (new Set(p.set).size < p.set.length)
      bad.push(complain("set", "names an endpoint twice", "name each endpoint once"))
    return bad
  },
  make: (p, on) => new ToSet(p.set, on.topology.graph.ends, p.self, p.block),
} satisfies PatternPlugin<{ set: readonly End[]; self: boolean; block: number }>
