// Reductions to one rank, and prefix sums.
import { type Algorithm, log2up, mod } from "./schedule.ts"

export const binomial: Algorithm = {
  name: "binomial",
  about: "The binomial tree of a broadcast, upwards.",
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
  about: "Prefix sums: round k exchanges with the rank whose bit k differs.",
  rounds: (c) => log2up(c.p),
  round(c, k, out) {
    const peer = c.me ^ (1 << k)
    if (peer >= c.p) return
    out.receive(peer, c.bytes, k)
    out.send(peer, c.bytes, k)
  },
}
