// The pattern `shuffle`, d_i = s_(i-1 mod b): the bits of the endpoint number are rotated by one (Dally and Towles,
// section 3.2).
import { bitPattern } from "../permutation.ts"

export default bitPattern(
  { name: "shuffle", about: "The destination is the source with its bits rotated left by one.", step: 1 },
  (from, bits) => ((from << 1) & (2 ** bits - 1)) | (from >>> (bits - 1)),
)
