// Packet sizes: uniform over a range of sizes.
import { complain } from "../../core/complaint.ts"
import { schema } from "../../core/schema.ts"
import type { SizesPlugin } from "../../model/plugin.ts"
import type { Rng } from "../../model/traffic.ts"
import { count } from "../count.ts"

export default {
  kind: "sizes",
  name: "range",
  aliases: ["uniform"],
  about: "Uniform between a minimum and a maximum size, both included.",
  params: schema({ min: count("least size"), max: count("largest size") }),
  check: (p) =>
    p.min <= p.max ? [] : [complain("min", `${p.min} is above the largest size, ${p.max}`, "exchange them")],
  make: ({ min, max }) => ({
    mean: (min + max) / 2,
    max,
    ...(min === max ? { fixed: min } : {}),
    size: (rng: Rng) => min + rng.below(max - min + 1),
  }),
} satisfies SizesPlugin<{ min: number; max: number }>
