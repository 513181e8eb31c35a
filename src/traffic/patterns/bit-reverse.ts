import { bitPattern } from "../permutation.ts"

export default bitPattern(
  { name: "bit-reverse", aliases: ["bitrev"], about: "The bits of the endpoint number in reverse order.", step: 1 },
  (from, bits) => {
    let to = 0
    for (let i = 0; i < bits; i++) to |= ((from >>> i) & 1) << (bits - 1 - i)
    return to
  },
)
