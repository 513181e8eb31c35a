// Gather at one rank and scatter from it. Both use binomial trees whose messages carry the blocks of whole subtrees.
// The v-forms send directly to and from the root, because only the root knows the sizes of all blocks.
import { type Algorithm, log2up, mod } from "./schedule.ts"

export const binomialGather: Algorithm = {
  name: "binomial",
  about: "Binomial tree towards the root: a message carries the blocks of a whole subtree.",
  rounds: (c) => log2up(c.p),
  round(c, k, out) {
    const relative = mod(c.me - c.root, c.p)
    const bit = 1 << k
    if ((relative & (bit - 1)) !== 0) return
    if ((relative & bit) !== 0) out.send(mod(c.me - bit, c.p), c.bytes * Math.min(bit, c.p - relative))
    else if (relative + bit < c.p) out.receive(mod(c.me + bit, c.p), c.bytes * Math.min(bit, c.p - relative - bit))
  },
}

export const binomialScatter: Algorithm = {
  name: "binomial",
  about: "Binomial tree from the root: a message carries the blocks of a whole subtree.",
  rounds: (c) => 1 + log2up(c.p),
  round(c, k, out) {
    const relative = mod(c.me - c.root, c.p)
    const low = relative === 0 ? 1 << log2up(c.p) : relative & -relative
    if (k === 0) {
      if (relative > 0) out.receive(mod(c.me - low, c.p), c.bytes * Math.min(low, c.p - relative))
      return
    }
    const bit = low >> k
    if (bit > 0 && relative + bit < c.p) out.send(mod(c.me + bit, c.p), c.bytes * Math.min(bit, c.p - relative - bit))
  },
}

export const linearGather: Algorithm = {
  name: "linear",
  about: "Every rank sends its block to the root.",
  rounds: () => 1,
  round(c, _, out) {
    if (c.me !== c.root) {
      out.send(c.root, c.bytes)
      return
    }
    for (let i = 1; i < c.p; i++) {
      const from = mod(c.root + i, c.p)
      out.receive(from, c.count > 0 ? c.values[c.at + from] : c.bytes)
    }
  },
}

export const linearScatter: Algorithm = {
  name: "linear",
  about: "The root sends each rank its block.",
  rounds: () => 1,
  round(c, _, out) {
    if (c.me !== c.root) {
      out.receive(c.root, c.bytes)
      return
    }
    for (let i = 1; i < c.p; i++) {
      const to = mod(c.root + i, c.p)
      out.send(to, c.count > 0 ? c.values[c.at + to] : c.bytes)
    }
  },
}
