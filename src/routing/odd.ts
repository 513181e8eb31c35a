// The parameter `odd` of routings in which two classes of packets divide the VCs: it decides who uses the middle VC of
// an odd number. torus.dimension-order and the HyperX routings share it.
import { choice } from "../core/schema.ts"

export type OddVcs = "one-class" | "shared"

export const oddVcs = choice(["one-class", "shared"], {
  about:
    "Use the middle one of an odd number of VCs for one class on each channel, or for both as in " +
    "BookSim2, which can deadlock for packets of several flits unless switch.flow is cut-through or " +
    "tailCredit is true",
  default: "one-class",
})
