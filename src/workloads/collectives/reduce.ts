// Reduction to one rank (binomial tree) and prefix sums (recursive doubling). The additions themselves take no time.
import { type Algorithm, log2up, mod } from "./schedule.ts"

export const binomial: Algorithm = {
  name: "binomial",
  about: "The binomial tree of a broadcast in the opposite direction.",
  rounds: (c) => log2up(c.p),
  round(c, k, out) {
    const relative = mod(c.me - c.root, c.p)
    const bit = 1 << k
    if ((relative & (bit - 1)) !== 0) return
    if ((relative & bit) !== 0) out.send(mod(c.me - bit, c.p), c.bytes)
    else if (relative + bit < c.p) out.receive(mod(c.me + bit, c.p), c.bytes)
  },
}

export const scanDoubling: Algorithm = {
  name: "doubling",
  about: "Prefix sums: in round k, ranks that differ in bit k exchange their partial sums.",
  rounds: (c) => log2up(c.p),
  round(c, k, out) {
    const peer = c.me ^ (1 << k)
    if (peer >= c.p) return
    out.receive(peer, c.bytes, k)
    out.send(peer, c.bytes, k)
  },
}
