import { bitPattern } from "../permutation.ts"

export default bitPattern(
  { name: "bit-complement", aliases: ["bitcomp"], about: "Every bit of the endpoint number is inverted.", step: 1 },
  (from, bits) => 2 ** bits - 1 - from,
)
