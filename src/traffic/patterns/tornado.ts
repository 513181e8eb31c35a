import { digitPattern } from "../digits.ts"

export default digitPattern(
  { name: "tornado", about: "Every digit of the endpoint number goes nearly half way round: + ceil(radix / 2) - 1." },
  (radix) => Math.ceil(radix / 2) - 1,
)
