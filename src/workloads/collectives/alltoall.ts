// All-to-all: every rank has a block for each other rank. The v-form has p byte counts to send, then p to receive, and
// sends no message for an empty block. Bruck combines blocks for few rounds; pairwise and direct send each block once.
import { type Algorithm, type Call, isPower, log2up, type Moves, mod } from "./schedule.ts"

export const bruck: Algorithm = {
  name: "bruck",
  about: "ceil(log2 p) rounds: in round k, each rank sends the blocks whose distance has bit k to the rank 2^k ahead.",
  rounds: (c) => log2up(c.p),
  round(c, k, out) {
    const step = 1 << k
    // The number of distances below p that have bit k: whole periods of 2^(k+1), and the rest.
    const whole = Math.floor(c.p / (2 * step)) * step
    const bytes = c.bytes * (whole + Math.max(0, (c.p % (2 * step)) - step))
    out.receive(mod(c.me - step, c.p), bytes, k)
    out.send(mod(c.me + step, c.p), bytes, k)
  },
}

/** Adds the exchange of one block in each direction. */
function exchange(c: Call, to: number, from: number, tag: number, out: Moves): void {
  if (c.count === 0) {
    out.receive(from, c.bytes, tag)
    out.send(to, c.bytes, tag)
    return
  }
  const into = c.values[c.at + c.p + from]
  const outOf = c.values[c.at + to]
  if (into > 0) out.receive(from, into, tag)
  if (outOf > 0) out.send(to, outOf, tag)
}

export const pairwise: Algorithm = {
  name: "pairwise",
  about:
    "p - 1 rounds: in round i, a rank exchanges with rank me XOR i (powers of two), or sends i ahead and receives " +
    "from i behind.",
  rounds: (c) => c.p - 1,
  round(c, k, out) {
    const i = k + 1
    if (isPower(c.p)) exchange(c, c.me ^ i, c.me ^ i, k, out)
    else exchange(c, mod(c.me + i, c.p), mod(c.me - i, c.p), k, out)
  },
}

export const direct: Algorithm = {
  name: "direct",
  about: "Linear: p - 1 receives and p - 1 sends in one round.",
  rounds: (c) => (c.p > 1 ? 1 : 0),
  round(c, _, out) {
    for (let i = 1; i < c.p; i++) {
      const from = mod(c.me - i, c.p)
      const bytes = c.count === 0 ? c.bytes : c.values[c.at + c.p + from]
      if (c.count === 0 || bytes > 0) out.receive(from, bytes)
    }
    for (let i = 1; i < c.p; i++) {
      const to = mod(c.me + i, c.p)
      const bytes = c.count === 0 ? c.bytes : c.values[c.at + to]
      if (c.count === 0 || bytes > 0) out.send(to, bytes)
    }
  },
}
