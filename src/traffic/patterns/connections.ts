// Connections that stay for the whole run. Each endpoint has a given number of partners and is the partner of as many
// others, because partners are drawn as permutations without fixed points. With one connection this is
// random-permutation. With several, messages take them round-robin: if messages are periodic, each connection has a
// constant rate and a phase of its own. They can also take one at random.
import { complain } from "../../core/complaint.ts"
import { choice, int, schema } from "../../core/schema.ts"
import type { End } from "../../model/ids.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Rng, TrafficPattern } from "../../model/traffic.ts"
import { derangement } from "./random-permutation.ts"

interface Params {
  readonly count: number
  readonly order: "turns" | "random"
}

class Connections implements TrafficPattern {
  private readonly ends: number
  private readonly count: number
  /** [connection * ends + from] -> its destination */
  private readonly to: Int32Array
  private readonly turns: boolean
  constructor(ends: number, { count, order }: Params, rng: Rng) {
    this.ends = ends
    this.count = count
    this.turns = order === "turns"
    this.to = new Int32Array(ends * count)
    for (let c = 0; c < count; c++) this.to.set(derangement(ends, rng), c * ends)
  }
  dest(from: End, rng: Rng, n?: number): End {
    const c = this.count === 1 ? 0 : this.turns && n !== undefined ? n % this.count : rng.below(this.count)
    return this.to[c * this.ends + from]
  }
}

export default {
  kind: "pattern",
  name: "connections",
  about:
    "Fixed random connections, as many from each endpoint as to it; the messages of an endpoint take its connections " +
    "round-robin, or one at random.",
  limits: "two connections of an endpoint may have the same destination; turns count packets",
  revision: 2,
  params: schema({
    count: int({ about: "Number of connections of each endpoint", min: 1, max: 1024, default: 1 }),
    order: choice(["turns", "random"], {
      about:
        "Connection of a message: the connections round-robin, so that periodic messages give each one a constant rate, " +
        "or one at random",
      default: "turns",
    }),
  }),
  check: (_p, on) =>
    on.topology.graph.ends > 1
      ? []
      : [complain("name", "the only endpoint has no partner", "build at least 2 endpoints")],
  make: (p, on) => new Connections(on.topology.graph.ends, p, on.rng),
} satisfies PatternPlugin<Params>
