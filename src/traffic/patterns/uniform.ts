// The pattern `uniform`: each packet goes to an endpoint drawn uniformly from all others, or from all with `self`.
import { complain } from "../../core/complaint.ts"
import { flag, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"

class Uniform implements TrafficPattern {
  readonly ends: number
  constructor(ends: number) {
    this.ends = ends
  }
  dest(_from: End, rng: Rng): End {
    return rng.below(this.ends)
  }
}

class UniformOther implements TrafficPattern {
  readonly others: number
  constructor(ends: number) {
    this.others = ends - 1
  }
  dest(from: End, rng: Rng): End {
    const d = rng.below(this.others)
    return d < from ? d : d + 1
  }
}

export default {
  kind: "pattern",
  name: "uniform",
  aliases: ["random"],
  about: "Each packet goes to a random endpoint.",
  params: schema({ self: flag({ about: "Let an endpoint also send to itself, as BookSim2 does", default: false }) }),
  check: (p, on) =>
    p.self || on.topology.graph.ends > 1
      ? []
      : [
          complain(
            "self",
            "the only endpoint has no other to send to",
            "build at least 2 endpoints, or set self: true",
          ),
        ],
  make: (p, on) => (p.self ? new Uniform(on.topology.graph.ends) : new UniformOther(on.topology.graph.ends)),
} satisfies PatternPlugin<{ self: boolean }>
