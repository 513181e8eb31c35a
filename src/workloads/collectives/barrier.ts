// Barrier: dissemination, after D. Hensgen, R. Finkel and U. Manber, "Two algorithms for barrier synchronization",
// 1988. Its messages have 0 bytes, so each travels as a header.
import { type Algorithm, log2up, mod } from "./schedule.ts"

export const dissemination: Algorithm = {
  name: "dissemination",
  about: "In round k, each rank sends to the rank 2^k ahead and receives from the one 2^k behind.",
  rounds: (c) => log2up(c.p),
  round(c, k, out) {
    out.receive(mod(c.me - (1 << k), c.p), 0, k)
    out.send(mod(c.me + (1 << k), c.p), 0, k)
  },
}
