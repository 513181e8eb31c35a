// The diagonal load of the switch-scheduling literature: two thirds of the packets go to the source's own number, one
// third to the next endpoint.
import { schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"

class Diagonal implements TrafficPattern {
  readonly ends: number
  constructor(ends: number) {
    this.ends = ends
  }
  dest(from: End, rng: Rng): End {
    return rng.below(3) === 0 ? (from + 1) % this.ends : from
  }
}

export default {
  kind: "pattern",
  name: "diagonal",
  about: "One packet in three goes to the next endpoint, and two go to the source itself.",
  params: schema({}),
  make: (_p, on) => new Diagonal(on.topology.graph.ends),
} satisfies PatternPlugin<Record<never, never>>
