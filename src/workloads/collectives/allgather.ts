// All-gather: every rank ends with the blocks of all. Bruck: "Efficient algorithms for all-to-all communications in multiport message-passing systems", J. Bruck et al., 1997.
import { type Algorithm, blocks, log2up, mod } from "./schedule.ts"

export const ring: Algorithm = {
  name: "ring",
  about: "p - 1 rounds: pass on the block that came last.",
  rounds: (c) => c.p - 1,
  round(c, k, out) {
    out.receive(mod(c.me - 1, c.p), blocks(c, c.me - k - 1 + c.p, c.me - k + c.p), k)
    out.send(mod(c.me + 1, c.p), blocks(c, c.me - k + c.p, c.me - k + 1 + c.p), k)
  },
}

export const bruck: Algorithm = {
  name: "bruck",
  about: "ceil(log2 p) rounds for any p: round k sends what one has to the rank 2^k behind.",
  rounds: (c) => log2up(c.p),
  round(c, k, out) {
    const step = 1 << k
    const n = Math.min(step, c.p - step)
    out.receive(mod(c.me + step, c.p), blocks(c, c.me + step, c.me + step + n), k)
    out.send(mod(c.me - step, c.p), blocks(c, c.me, c.me + n), k)
  },
}

/** Powers of two only: others take Bruck's. */
export const doubling: Algorithm = {
  name: "doubling",
  about: "Powers of two: round k exchanges all one has with the rank whose bit k differs; other numbers as bruck.",
  rounds: (c) => log2up(c.p),
  round(c, k, out) {
    if ((c.p & (c.p - 1)) !== 0) {
      bruck.round(c, k, out)
      return
    }
    const step = 1 << k
    const peer = c.me ^ step
    const mine = c.me & ~(step - 1)
    const theirs = peer & ~(step - 1)
    out.receive(peer, blocks(c, theirs, theirs + step), k)
    out.send(peer, blocks(c, mine, mine + step), k)
  },
}
