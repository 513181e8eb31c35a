// All-gather: each rank contributes a block, and every rank ends with the blocks of all ranks. Three algorithms: ring
// (few bytes in flight, p - 1 rounds), Bruck (log p rounds for any p) and recursive doubling (log p rounds for powers
// of two). Bruck: J. Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing
// systems", 1997.
import { type Algorithm, blocks, log2up, mod } from "./schedule.ts"

export const ring: Algorithm = {
  name: "ring",
  about: "p - 1 rounds: each rank forwards the block that it received last.",
  rounds: (c) => c.p - 1,
  round(c, k, out) {
    out.receive(mod(c.me - 1, c.p), blocks(c, c.me - k - 1 + c.p, c.me - k + c.p), k)
    out.send(mod(c.me + 1, c.p), blocks(c, c.me - k + c.p, c.me - k + 1 + c.p), k)
  },
}

export const bruck: Algorithm = {
  name: "bruck",
  about: "ceil(log2 p) rounds for any p: in round k, each rank sends all its blocks to the rank 2^k before it.",
  rounds: (c) => log2up(c.p),
  round(c, k, out) {
    const step = 1 << k
    // After round k a rank has 2^(k+1) blocks, from its own on. The last round sends only those that the receiver still
    // needs.
    const n = Math.min(step, c.p - step)
    out.receive(mod(c.me + step, c.p), blocks(c, c.me + step, c.me + step + n), k)
    out.send(mod(c.me - step, c.p), blocks(c, c.me, c.me + n), k)
  },
}

/** Recursive doubling; it exists for powers of two only, so other communicator sizes use Bruck's algorithm. */
export const doubling: Algorithm = {
  name: "doubling",
  about: "Powers of two: in round k, ranks that differ in bit k exchange all their blocks; other sizes use bruck.",
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
