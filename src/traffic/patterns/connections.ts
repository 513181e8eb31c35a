// Connections that stay for the whole run. Each endpoint has a given number of partners and is the partner of as many
// others, because partners are drawn as permutations without fixed points. With one connection this is
// random-permutation; with several, each message goes to one of them at random.
import { complain } from "../../core/complaint.ts"
import { int, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"
import { derangement } from "./random-permutation.ts"

class Connections implements TrafficPattern {
  private readonly ends: number
  private readonly count: number
  /** [connection * ends + from] -> its destination */
  private readonly to: Int32Array
  constructor(ends: number, count: number, rng: Rng) {
    this.ends = ends
    this.count = count
    this.to = new Int32Array(ends * count)
    for (let c = 0; c < count; c++) this.to.set(derangement(ends, rng), c * ends)
  }
  dest(from: End, rng: Rng): End {
    return this.to[(this.count === 1 ? 0 : rng.below(this.count)) * this.ends + from]
  }
}

export default {
  kind: "pattern",
  name: "connections",
  about:
    "Fixed random connections, as many from each endpoint as to it; each message uses a random one of its endpoint.",
  limits: "two connections of an endpoint may have the same destination",
  params: schema({ count: int({ about: "Number of connections of each endpoint", min: 1, max: 1024, default: 1 }) }),
  check: (_p, on) =>
    on.topology.graph.ends > 1
      ? []
      : [complain("name", "the only endpoint has no partner", "build at least 2 endpoints")],
  make: (p, on) => new Connections(on.topology.graph.ends, p.count, on.rng),
} satisfies PatternPlugin<{ count: number }>
