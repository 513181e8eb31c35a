import { complain } from "../../core/complaint.ts"
import { schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"

class Asymmetric implements TrafficPattern {
  readonly half: number
  constructor(ends: number) {
    this.half = ends / 2
  }
  dest(from: End, rng: Rng): End {
    return (from % this.half) + rng.below(2) * this.half
  }
}

export default {
  kind: "pattern",
  name: "asymmetric",
  about: "To the endpoint with the same number in the lower or the upper half, each with probability 1/2.",
  limits: "needs an even number of endpoints; half of the packets go to the source itself",
  params: schema({}),
  check(_p, on) {
    const n = on.topology.graph.ends
    return n % 2 === 0
      ? []
      : [
          complain(
            "name",
            `"asymmetric" needs an even number of endpoints, but this network has ${n}`,
            `build it with ${n + 1}`,
          ),
        ]
  },
  make: (_p, on) => new Asymmetric(on.topology.graph.ends),
} satisfies PatternPlugin<Record<never, never>>
