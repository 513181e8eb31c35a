// The pattern `hotspot`: a share of the packets goes to a few hot endpoints in given proportions, the rest is uniform.
// A destination is drawn by inversion: one random number on the cumulated rates, and a binary search.
import { type Complaint, complain } from "../../core/complaint.ts"
import { flag, fraction, list, maybe, real, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"
import { ends, outside } from "../endpoint-lists.ts"
import { SILENT } from "../permutation.ts"

type Params = { targets: readonly End[]; rates: readonly number[] | undefined; share: number; self: boolean }

class Hotspot implements TrafficPattern {
  /** distinct targets in ascending order, and the sum of the rates up to and including each */
  private readonly targets: Int32Array
  private readonly sums: Float64Array
  private readonly share: number
  private readonly self: boolean
  private readonly ends: number
  /** [endpoint] -> its place among the targets, -1 if it is none or may send to itself */
  private readonly place: Int32Array

  constructor(p: Params, ends: number) {
    const rate = new Map<End, number>()
    for (const [i, t] of p.targets.entries()) rate.set(t, (rate.get(t) ?? 0) + (p.rates?.[i] ?? 1))
    const pairs = [...rate].sort((a, b) => a[0] - b[0])
    let sum = 0
    this.targets = Int32Array.from(pairs, ([t]) => t)
    this.sums = Float64Array.from(pairs, ([, r]) => (sum += r))
    this.share = p.share
    this.self = p.self
    this.ends = ends
    this.place = new Int32Array(ends).fill(-1)
    if (!p.self) for (const [i, t] of this.targets.entries()) this.place[t] = i
  }

  dest(from: End, rng: Rng): End {
    const { targets, sums, share, self, ends } = this
    const own = this.place[from]
    const alone = own >= 0 && targets.length === 1
    if (share < 1 && (rng.unit() > share || alone)) {
      // uniform over the others: numbers from the source on move up by one
      const d = rng.below(self ? ends : ends - 1)
      return self || d < from ? d : d + 1
    }
    if (alone) return SILENT
    // one draw over the cumulated rates without the part of the source itself: a value beyond its start skips it
    const total = sums[sums.length - 1]
    const start = own > 0 ? sums[own - 1] : 0
    const gap = own < 0 ? 0 : sums[own] - start
    let at = rng.unit() * (total - gap)
    if (gap > 0 && at > start) at += gap
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle] < at) low = middle + 1
      else high = middle
    }
    return targets[low]
  }
}

export default {
  kind: "pattern",
  name: "hotspot",
  about:
    "Packets go to a few hot endpoints in given proportions, and the rest uniformly. A single hot " +
    "endpoint sends uniformly, or not at all.",
  params: schema({
    targets: ends("Hot endpoints"),
    rates: maybe(list(real({ min: 0 }), { about: "Relative rate of each target (default: equal rates)" })),
    share: fraction({
      about: "Fraction of the packets that goes to the hot endpoints; the rest is uniform",
      default: 1,
    }),
    self: flag({ about: "Let a hot endpoint send to itself too, as in BookSim2", default: false }),
  }),
  check(p, on): Complaint[] {
    const bad = outside(p.targets, on, "targets")
    if (p.rates !== undefined && p.rates.length !== p.targets.length)
      bad.push(
        complain(
          "rates",
          `has ${p.rates.length} entries for ${p.targets.length} targets`,
          "give one rate for each target",
        ),
      )
    else if (p.rates?.includes(0))
      bad.push(complain("rates", "has a rate of 0 for a target", "leave targets of rate 0 out"))
    if (p.share < 1 && !p.self && on.topology.graph.ends < 2)
      bad.push(complain("share", "the only endpoint has no other to send to", "build at least 2 endpoints"))
    return bad
  },
  make: (p, on) => new Hotspot(p, on.topology.graph.ends),
} satisfies PatternPlugin<Params>
