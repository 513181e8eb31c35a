// Packet sizes: two sizes with given shares, such as short requests and long replies.
import { complain } from "../../core/complaint.ts"
import { fraction, schema } from "../../core/schema.ts"
import type { SizesPlugin } from "../../model/plugin.ts"
import { count } from "../count.ts"
import { weighted } from "./weighted.ts"

export default {
  kind: "sizes",
  name: "bimodal",
  about: "Two sizes, such as control and data packets.",
  params: schema({
    short: count("size of a short one"),
    long: count("size of a long one"),
    share: fraction({ default: 0.5, about: "Fraction of the packets (messages) that is short" }),
  }),
  check: (p) => (p.short <= p.long ? [] : [complain("short", `${p.short} is above long, ${p.long}`, "exchange them")]),
  make: (p) => weighted({ sizes: [p.short, p.long], weights: [p.share, 1 - p.share] }),
} satisfies SizesPlugin<{ short: number; long: number; share: number }>
