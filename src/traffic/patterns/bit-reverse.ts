// The pattern `bit-reverse`, d_i = s_(b-i-1): the bits of the endpoint number are reversed (Dally and Towles, section
// 3.2).
import { bitPattern } from "../permutation.ts"

export default bitPattern(
  {
    name: "bit-reverse",
    aliases: ["bitrev"],
    about: "The destination is the source with its bits in reverse order.",
    step: 1,
  },
  (from, bits) => {
    let to = 0
    for (let i = 0; i < bits; i++) to |= ((from >>> i) & 1) << (bits - 1 - i)
    return to
  },
)
