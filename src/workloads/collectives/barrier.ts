// Barriers. "Two algorithms for barrier synchronization", D. Hensgen, R. Finkel and U. Manber, 1988.
import { type Algorithm, log2up, mod } from "./schedule.ts"

export const dissemination: Algorithm = {
  name: "dissemination",
  about: "Round k: tell the rank 2^k ahead, hear of the one 2^k behind.",
  rounds: (c) => log2up(c.p),
  round(c, k, out) {
    out.receive(mod(c.me - (1 << k), c.p), 0, k)
    out.send(mod(c.me + (1 << k), c.p), 0, k)
  },
}
