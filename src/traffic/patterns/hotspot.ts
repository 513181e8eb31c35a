import { type Complaint, complain } from "../../core/complaint.ts"
import { flag, fraction, list, maybe, real, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"
import { Alias } from "../alias.ts"
import { ends, outside } from "../ends.ts"
import { SILENT } from "../permutation.ts"

type Params = { targets: readonly End[]; rates: readonly number[] | undefined; share: number; self: boolean }

class Hotspot implements TrafficPattern {
  readonly targets: Int32Array
  readonly share: number
  readonly self: boolean
  readonly ends: number
  /** the only target, which is then silent unless it may send to itself or spreads a share; SILENT if there are several */
  readonly only: End
  private readonly alias: Alias
  constructor(p: Params, ends: number) {
    this.targets = Int32Array.from(p.targets)
    this.share = p.share
    this.self = p.self
    this.ends = ends
    this.only = new Set(p.targets).size === 1 ? p.targets[0]! : SILENT
    this.alias = new Alias(p.targets.length)
    this.alias.set(0, p.rates ?? p.targets.map(() => 1))
  }
  dest(from: End, rng: Rng): End {
    const { targets, share, self, ends, only } = this
    if (share < 1 && rng.unit() > share) {
      const d = rng.below(self ? ends : ends - 1)
      return self || d < from ? d : d + 1
    }
    if (from === only && !self) return SILENT
    for (;;) {
      const d = targets[this.alias.draw(0, targets.length, rng)]!
      if (d !== from || self) return d
    }
  }
}

export default {
  kind: "pattern",
  name: "hotspot",
  about: "Packets to a few hot endpoints in given proportions; the rest of them, if any, uniformly.",
  params: schema({
    targets: ends("the hot endpoints"),
    rates: maybe(list(real({ min: 0 }), { about: "relative rate of each target; absent = all alike" })),
    share: fraction({ about: "part of the packets that goes to the hot endpoints; the rest is uniform", default: 1 }),
    self: flag({ about: "a hot endpoint sends to itself too, as in BookSim", default: false }),
  }),
  check(p, on): Complaint[] {
    const bad = outside(p.targets, on, "targets")
    if (p.rates !== undefined && p.rates.length !== p.targets.length)
      bad.push(complain("rates", `has ${p.rates.length} entries for ${p.targets.length} targets`, "give one rate for each target"))
    else if (p.rates?.every((r) => r === 0)) bad.push(complain("rates", "are all 0", "give at least one target a rate above 0"))
    else if (p.rates?.includes(0)) bad.push(complain("rates", "names a target that is never drawn", "leave targets of rate 0 out"))
    if (p.share < 1 && !p.self && on.topology.graph.ends < 2)
      bad.push(complain("share", "the only endpoint has no other to send to", "build at least 2 endpoints"))
    return bad
  },
  make: (p, on) => new Hotspot(p, on.topology.graph.ends),
} satisfies PatternPlugin<Params>
