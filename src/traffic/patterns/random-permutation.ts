// A random permutation without fixed points, uniform among all of them. Shuffles (R. A. Fisher and F. Yates, 1938) are
// repeated until no point is fixed, which takes e tries on average.
import { complain } from "../../core/complaint.ts"
import { schema } from "../../core/schema.ts"
import type { PatternPlugin } from "../../model/plugin.ts"
import type { Rng } from "../../model/traffic.ts"
import { Table } from "../permutation.ts"

export function derangement(n: number, rng: Rng): Int32Array {
  const to = Int32Array.from({ length: n }, (_, i) => i)
  for (;;) {
    let fixed = false
    for (let i = n - 1; i >= 0; i--) {
      const j = rng.below(i + 1)
      const d = to[j]
      to[j] = to[i]
      to[i] = d
      if (d === i) fixed = true
    }
    if (!fixed) return to
  }
}

export default {
  kind: "pattern",
  permutation: true,
  name: "random-permutation",
  aliases: ["randperm"],
  about: "A fixed random partner for each endpoint, other than itself, drawn from the seed.",
  params: schema({}),
  check: (_p, on) =>
    on.topology.graph.ends > 1
      ? []
      : [complain("name", "the only endpoint has no partner", "build at least 2 endpoints")],
  make: (_p, on) => new Table(derangement(on.topology.graph.ends, on.rng)),
} satisfies PatternPlugin<Record<never, never>>
