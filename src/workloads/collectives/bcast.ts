// Broadcast: a binomial tree for short vectors. Long vectors are scattered down that tree and then all-gathered, so
// each rank sends about twice the vector instead of log p times.
import { doubling as gatherDoubling, ring as gatherRing } from "./allgather.ts"
import { type Algorithm, type Call, cut, log2up, type Moves, mod, PART, piece } from "./schedule.ts"

/** Returns the bit that separates a rank from its parent; for the root, a power of two that is at least p. */
function lowBit(c: Call, relative: number): number {
  return relative === 0 ? 1 << log2up(c.p) : relative & -relative
}

export const binomial: Algorithm = {
  name: "binomial",
  about: "Binomial tree: each rank that has the vector sends it to the rank half as far ahead as in the round before.",
  rounds: (c) => 1 + log2up(c.p),
  round(c, k, out) {
    const relative = mod(c.me - c.root, c.p)
    const low = lowBit(c, relative)
    // Round 0 receives from the parent, round k sends to the k-th child, the one with the largest subtree first.
    if (k === 0) {
      if (relative > 0) out.receive(mod(c.me - low, c.p), c.bytes)
      return
    }
    const bit = low >> k
    if (bit > 0 && relative + bit < c.p) out.send(mod(c.me + bit, c.p), c.bytes)
  },
}

/** Returns the bytes for `relative` and the ranks below it in the tree. */
function share(c: Call, relative: number, bit: number): number {
  return cut(c.bytes, c.p, Math.min(relative + bit, c.p)) - cut(c.bytes, c.p, relative)
}

/** Adds round k of the scatter down the binomial tree. Each message carries the pieces of a whole subtree. */
function scatterRound(c: Call, k: number, out: Moves): void {
  const relative = mod(c.me - c.root, c.p)
  const low = lowBit(c, relative)
  if (k === 0) {
    if (relative > 0) out.receive(mod(c.me - low, c.p), share(c, relative, low))
    return
  }
  const bit = low >> k
  if (bit > 0 && relative + bit < c.p) out.send(mod(c.me + bit, c.p), share(c, relative + bit, bit))
}

/**
 * Returns the algorithm that scatters a vector and all-gathers its pieces with `of`. Pieces belong to ranks counted
 * from the root.
 */
function gathered(of: Algorithm, name: string, about: string): Algorithm {
  const inner: Call = { p: 1, me: 0, root: 0, bytes: 0, node: 1, values: new Int32Array(0), at: 0, count: 0 }
  /** Returns the call as the all-gather sees it: ranks relative to the root, and pieces of unequal size as values. */
  function turned(c: Call): Call {
    inner.p = c.p
    inner.me = mod(c.me - c.root, c.p)
    inner.bytes = c.bytes / c.p
    if (inner.values.length < c.p) inner.values = new Int32Array(2 * c.p)
    for (let i = 0; i < c.p; i++) inner.values[i] = piece(c.bytes, c.p, i)
    inner.count = c.p
    return inner
  }
  return {
    name,
    about,
    rounds: (c) => 1 + log2up(c.p) + of.rounds(c),
    round(c, k, out) {
      const tree = 1 + log2up(c.p)
      if (k < tree) {
        scatterRound(c, k, out)
        return
      }
      const first = out.n
      of.round(turned(c), k - tree, out)
      // Translate the relative ranks back, and separate the tags from those of the scatter.
      for (let i = first; i < out.n; i++) {
        out.peer[i] = mod(out.peer[i] + c.root, c.p)
        out.tag[i] = out.tag[i] + PART
      }
    },
  }
}

export const scatterRing = gathered(
  gatherRing,
  "scatter-ring",
  "Scatters the vector down a binomial tree, then all-gathers it in a ring.",
)
export const scatterDoubling = gathered(
  gatherDoubling,
  "scatter-doubling",
  "Scatters the vector down a binomial tree, then all-gathers it by recursive doubling (powers of two).",
)
