// The pattern `tornado` moves every coordinate almost half of its ring further, which is the worst case of minimal
// routing on a torus (Dally and Towles, section 3.2). digits.ts computes the destinations.
import { digitPattern } from "../digits.ts"

export default digitPattern(
  {
    name: "tornado",
    about: "Every digit of the endpoint number moves nearly half of the ring: + ceil(radix / 2) - 1.",
  },
  (radix) => Math.ceil(radix / 2) - 1,
)
