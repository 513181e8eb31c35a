import { bitPattern } from "../permutation.ts"

export default bitPattern(
  { name: "transpose", about: "The upper and the lower half of the bits of the endpoint number are swapped.", step: 2 },
  (from, bits) => {
    const half = bits / 2
    return (from >>> half) | ((from & (2 ** half - 1)) << half)
  },
)
