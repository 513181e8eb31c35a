import { complain } from "../../core/complaint.ts"
import { flag, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"
import { ends, outside } from "../ends.ts"
import { SILENT } from "../permutation.ts"

class ToSet implements TrafficPattern {
  readonly set: Int32Array
  /** [endpoint] -> its place in the set, -1 if it is not in it or may send to itself */
  readonly place: Int32Array
  constructor(set: readonly End[], ends: number, self: boolean) {
    this.set = Int32Array.from(set)
    this.place = new Int32Array(ends).fill(-1)
    if (!self) for (let i = 0; i < set.length; i++) this.place[set[i]!] = i
  }
  dest(from: End, rng: Rng): End {
    const place = this.place[from]!
    if (place < 0) return this.set[rng.below(this.set.length)]!
    if (this.set.length === 1) return SILENT
    const i = rng.below(this.set.length - 1)
    return this.set[i < place ? i : i + 1]!
  }
}

export default {
  kind: "pattern",
  name: "to-set",
  about: "Each packet to an endpoint drawn uniformly from a set.",
  params: schema({
    set: ends("endpoints that receive"),
    self: flag({ about: "an endpoint of the set may draw itself", default: false }),
  }),
  check(p, on) {
    const bad = outside(p.set, on, "set")
    if (new Set(p.set).size < p.set.length) bad.push(complain("set", "names an endpoint twice", "name each endpoint once"))
    return bad
  },
  make: (p, on) => new ToSet(p.set, on.topology.graph.ends, p.self),
} satisfies PatternPlugin<{ set: readonly End[]; self: boolean }>
