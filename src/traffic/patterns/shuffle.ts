import { bitPattern } from "../permutation.ts"

export default bitPattern(
  { name: "shuffle", about: "The bits of the endpoint number rotated left by one.", step: 1 },
  (from, bits) => ((from << 1) & (2 ** bits - 1)) | (from >>> (bits - 1)),
)
