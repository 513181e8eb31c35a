// The pattern `bit-complement`, d_i = not s_i: every bit of the endpoint number is inverted (Dally and Towles, section
// 3.2).
import { bitPattern } from "../permutation.ts"

export default bitPattern(
  {
    name: "bit-complement",
    aliases: ["bitcomp"],
    about: "The destination is the source with all bits inverted.",
    step: 1,
  },
  (from, bits) => 2 ** bits - 1 - from,
)
