// Packet sizes: several sizes with weights, drawn in constant time by the alias method (alias.ts).
import { type Complaint, complain } from "../../core/complaint.ts"
import { list, real, schema } from "../../core/schema.ts"
import type { SizesPlugin } from "../../model/plugin.ts"
import type { Rng, Sizes } from "../../model/traffic.ts"
import { Alias } from "../alias.ts"
import { count } from "../count.ts"

type Params = { sizes: readonly number[]; weights: readonly number[] }

/** One of `sizes`, in the proportions of `weights`. */
export function weighted({ sizes, weights }: Params): Sizes {
  const alias = new Alias(sizes.length)
  const sum = alias.set(0, weights)
  const drawn = new Set(sizes.filter((_, i) => weights[i] > 0))
  return {
    mean: sizes.reduce((m, s, i) => m + s * weights[i], 0) / sum,
    max: Math.max(...drawn),
    ...(drawn.size === 1 ? { fixed: [...drawn][0] } : {}),
    size: (rng: Rng) => sizes[alias.draw(0, sizes.length, rng)],
  }
}

export default {
  kind: "sizes",
  name: "weighted",
  about: "One of a list of sizes, in given proportions.",
  params: schema({
    sizes: list(count("a size"), { about: "List of sizes", atLeast: 1 }),
    weights: list(real({ min: 0 }), { about: "Relative frequency of each size", atLeast: 1 }),
  }),
  check(p): Complaint[] {
    if (p.sizes.length !== p.weights.length)
      return [
        complain(
          "weights",
          `has ${p.weights.length} entries for ${p.sizes.length} sizes`,
          "give one weight for each size",
        ),
      ]
    return p.weights.some((w) => w > 0)
      ? []
      : [complain("weights", "are all 0", "give at least one size a weight above 0")]
  },
  make: weighted,
} satisfies SizesPlugin<Params>
