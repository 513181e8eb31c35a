// Reduce-scatter: block i of the sum ends at rank i. The algorithms are the inverse of those of the all-gather. The
// additions themselves take no time.
import {
  type Algorithm,
  blocks,
  type Call,
  fold,
  folded,
  log2up,
  mod,
  powerBelow,
  unfold,
  unfolded,
} from "./schedule.ts"

export const ring: Algorithm = {
  name: "ring",
  about: "p - 1 rounds: each rank adds to the block that it received last and forwards it.",
  rounds: (c) => c.p - 1,
  round(c, k, out) {
    out.receive(mod(c.me - 1, c.p), blocks(c, mod(c.me - k - 2, c.p), mod(c.me - k - 2, c.p) + 1), k)
    out.send(mod(c.me + 1, c.p), blocks(c, mod(c.me - k - 1, c.p), mod(c.me - k - 1, c.p) + 1), k)
  },
}

export const bruck: Algorithm = {
  name: "bruck",
  about: "Bruck's all-gather in reverse: ceil(log2 p) rounds for any p.",
  rounds: (c) => log2up(c.p),
  round(c, k, out) {
    const step = 1 << (log2up(c.p) - 1 - k)
    const n = Math.min(step, c.p - step)
    out.receive(mod(c.me - step, c.p), blocks(c, c.me, c.me + n), k)
    out.send(mod(c.me + step, c.p), blocks(c, c.me + step, c.me + step + n), k)
  },
}

export const pairwise: Algorithm = {
  name: "pairwise",
  about: "p - 1 rounds: in round i, each rank sends its block to the rank i ahead.",
  rounds: (c) => c.p - 1,
  round(c, k, out) {
    const to = mod(c.me + k + 1, c.p)
    out.receive(mod(c.me - k - 1, c.p), blocks(c, c.me, c.me + 1), k)
    out.send(to, blocks(c, to, to + 1), k)
  },
}

/**
 * Returns the bytes of the blocks of the ranks that the numbers from … to - 1 represent, including those of idle ranks.
 */
function held(c: Call, from: number, to: number): number {
  const rest = c.p - powerBelow(c.p)
  const old = (i: number) => (i < rest ? 2 * i : i + rest)
  return blocks(c, old(from), old(to))
}

export const halving: Algorithm = {
  name: "halving",
  about:
    "Recursive halving: in each round, a rank sends the half that the other side keeps; ranks beyond a power of two " +
    "fold.",
  rounds: (c) => (c.p === 1 ? 0 : 2 + log2up(powerBelow(c.p))),
  round(c, k, out) {
    const power = powerBelow(c.p)
    const steps = log2up(power)
    if (k === 0) fold(c, blocks(c, 0, c.p), out, 0)
    else if (k === steps + 1) unfold(c, blocks(c, c.me & ~1, (c.me & ~1) + 1), out, k)
    else {
      const i = folded(c)
      if (i < 0) return
      const half = power >> k
      const base = i & ~(2 * half - 1)
      const upper = (i & half) !== 0
      const peer = unfolded(c, i ^ half)
      out.receive(peer, upper ? held(c, base + half, base + 2 * half) : held(c, base, base + half), k)
      out.send(peer, upper ? held(c, base, base + half) : held(c, base + half, base + 2 * half), k)
    }
  },
}
