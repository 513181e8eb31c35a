// What becomes of the middle VC when two classes of packets share an odd number of them.
import { choice } from "../core/schema.ts"

export type OddVcs = "one-class" | "shared"

export const oddVcs = choice(["one-class", "shared"], {
  about:
    "the middle one of an odd number of VCs: for one of the two classes on each channel, or for both as in BookSim2 (packets of several flits can then deadlock, unless switch.flow is cut-through or tailCredit is on)",
  default: "one-class",
})
