// The pattern `transpose`, d_i = s_(i+b/2 mod b): the halves of the bits of the endpoint number are exchanged (Dally
// and Towles, section 3.2).
import { bitPattern } from "../permutation.ts"

export default bitPattern(
  {
    name: "transpose",
    about: "The destination is the source with the upper and the lower half of its bits exchanged.",
    step: 2,
  },
  (from, bits) => {
    const half = bits / 2
    return (from >>> half) | ((from & (2 ** half - 1)) << half)
  },
)
