// All-reduce: every rank ends with the sum of the vectors of all ranks. Short vectors use few rounds (doubling); long
// ones use algorithms whose rounds carry parts of the vector. The ring is from P. Patarasuk and X. Yuan, "Bandwidth
// optimal all-reduce algorithms for clusters of workstations", 2009. The double binary tree is from P. Sanders, J.
// Speck and J. L. Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", 2009. The reduction
// itself takes no time.
import {
  type Algorithm,
  type Call,
  cut,
  fold,
  folded,
  log2up,
  type Moves,
  mod,
  PART,
  piece,
  powerBelow,
  unfold,
  unfolded,
} from "./schedule.ts"

export const doubling: Algorithm = {
  name: "doubling",
  about:
    "Recursive doubling: in round k, ranks that differ in bit k exchange the whole vector; ranks beyond a power of " +
    "two fold.",
  rounds: (c) => (c.p === 1 ? 0 : 2 + log2up(powerBelow(c.p))),
  round(c, k, out) {
    const steps = log2up(powerBelow(c.p))
    if (k === 0) fold(c, c.bytes, out, 0)
    else if (k === steps + 1) unfold(c, c.bytes, out, k)
    else {
      const i = folded(c)
      if (i < 0) return
      const peer = unfolded(c, i ^ (1 << (k - 1)))
      out.receive(peer, c.bytes, k)
      out.send(peer, c.bytes, k)
    }
  },
}

/**
 * Returns the first piece of the range that number i owns after k halvings of `power` pieces. Bit j of i selects the
 * half.
 */
function lowOf(i: number, power: number, k: number): number {
  let low = 0
  for (let j = 0; j < k; j++) if (((i >> j) & 1) === 1) low += power >> (j + 1)
  return low
}
/** Returns the bytes of `size` pieces from `low` on, of a vector of m bytes in `power` pieces. */
function rangeBytes(m: number, power: number, low: number, size: number): number {
  return cut(m, power, low + size) - cut(m, power, low)
}

export const halvingDoubling: Algorithm = {
  name: "halving-doubling",
  about:
    "Reduce-scatter by recursive halving, then all-gather by recursive doubling; ranks beyond a power of two fold.",
  rounds: (c) => (c.p === 1 ? 0 : 2 + 2 * log2up(powerBelow(c.p))),
  round(c, k, out) {
    const power = powerBelow(c.p)
    const steps = log2up(power)
    if (k === 0) fold(c, c.bytes, out, 0)
    else if (k === 2 * steps + 1) unfold(c, c.bytes, out, k)
    else {
      const i = folded(c)
      if (i < 0) return
      // The halving goes down the levels j = 0, 1, …; the doubling goes back up.
      const j = k <= steps ? k - 1 : 2 * steps - k
      const other = i ^ (1 << j)
      const peer = unfolded(c, other)
      const size = power >> (j + 1)
      const mine = rangeBytes(c.bytes, power, lowOf(i, power, j + 1), size)
      const theirs = rangeBytes(c.bytes, power, lowOf(other, power, j + 1), size)
      // Halving: receive the part of the half that this rank keeps and send the other. Doubling does the reverse.
      out.receive(peer, k <= steps ? mine : theirs, k)
      out.send(peer, k <= steps ? theirs : mine, k)
    }
  },
}

/**
 * Adds one round of a ring over n ranks, `step` apart from `base` on. Rounds below n - 1 reduce-scatter, the others
 * all-gather.
 */
function ringRound(
  m: number,
  n: number,
  i: number,
  base: number,
  step: number,
  k: number,
  tag: number,
  out: Moves,
): void {
  const before = base + mod(i - 1, n) * step
  const behind = base + mod(i + 1, n) * step
  // The block that rank i forwards in round k. It receives the block before it.
  const sent = k < n - 1 ? i - k : i + 1 - (k - (n - 1))
  out.receive(before, piece(m, n, mod(sent - 1, n)), tag + k)
  out.send(behind, piece(m, n, mod(sent, n)), tag + k)
}

export const ring: Algorithm = {
  name: "ring",
  about: "Reduce-scatter in a ring, then all-gather in a ring: 2 (p - 1) rounds of m / p bytes.",
  rounds: (c) => 2 * (c.p - 1),
  round: (c, k, out) => ringRound(c.bytes, c.p, c.me, 0, 1, k, 0, out),
}

/**
 * Returns the number of ranks in a node: the largest divisor of p that is not above `node`, so that all nodes are
 * equal.
 */
export function nodeSize(c: Call): number {
  let g = Math.max(1, Math.min(c.node, c.p))
  while (c.p % g !== 0) g--
  return g
}

/**
 * Returns the rank at a place of ring `channel`. The ring visits all ranks of a node, in every second node backwards,
 * so that neighbours in different nodes have the same number in their node (the same rail).
 */
function ringPlace(g: number, channel: number, place: number): number {
  const node = Math.floor(place / g)
  const i = node % 2 === 0 ? place % g : g - 1 - (place % g)
  return node * g + ((channel + i) % g)
}
/** The inverse of ringPlace. */
function placeInRing(g: number, channel: number, rank: number): number {
  const node = Math.floor(rank / g)
  const i = mod((rank % g) - channel, g)
  return node * g + (node % 2 === 0 ? i : g - 1 - i)
}

export const ringChannels: Algorithm = {
  name: "ring-channels",
  about:
    "One ring for each rank of a node, with an equal part of the vector: neighbours in different nodes have the same " +
    "number in their node.",
  rounds: (c) => 2 * (c.p - 1),
  round(c, k, out) {
    const { p } = c
    const g = nodeSize(c)
    for (let channel = 0; channel < g; channel++) {
      const at = placeInRing(g, channel, c.me)
      const bytes = piece(c.bytes, g, channel)
      const sent = k < p - 1 ? at - k : at + 1 - (k - (p - 1))
      out.receive(ringPlace(g, channel, mod(at - 1, p)), piece(bytes, p, mod(sent - 1, p)), k)
      out.send(ringPlace(g, channel, mod(at + 1, p)), piece(bytes, p, mod(sent, p)), k)
    }
  },
}

export const hierarchical: Algorithm = {
  name: "hierarchical",
  about:
    "Ring reduce-scatter inside a node, ring all-reduce of each piece between nodes, ring all-gather inside a node.",
  rounds(c) {
    const g = nodeSize(c)
    return 2 * (g - 1) + 2 * (c.p / g - 1)
  },
  round(c, k, out) {
    const g = nodeSize(c)
    const nodes = c.p / g
    const i = c.me % g
    const base = c.me - i
    if (k < g - 1) ringRound(c.bytes, g, i, base, 1, k, 0, out)
    else if (k < g - 1 + 2 * (nodes - 1))
      // After g - 1 rounds, rank i has the sum of piece i + 1 of its node.
      ringRound(piece(c.bytes, g, (i + 1) % g), nodes, (c.me - i) / g, i, g, k - (g - 1), PART, out)
    else ringRound(c.bytes, g, i, base, 1, k - 2 * (nodes - 1), 2 * PART, out)
  },
}

/** Size of a segment of the pipeline through a tree, and the maximum number of segments. */
const SEGMENT = 65536
const PIECES = 32

function pieces(c: Call): number {
  return Math.max(1, Math.min(PIECES, Math.ceil(c.bytes / 2 / SEGMENT)))
}
/** Returns the bytes of segment i of half h of the vector. */
function treeBytes(c: Call, h: number, i: number): number {
  return piece(piece(c.bytes, 2, h), pieces(c), i)
}

/**
 * Returns the parent of number i in an in-order binary tree of p ranks, or -1 for the root. The lowest set bit is the
 * height of a rank, so odd numbers are leaves. The last subtree is cut off where the parent would exceed p.
 */
function parent(p: number, i: number): number {
  if (i === 0) return -1
  const bit = i & -i
  const up = (i ^ bit) | (bit << 1)
  return up < p ? up : i ^ bit
}
/** Returns the lower (which = 0) or upper child, or -1. */
function child(p: number, i: number, which: number): number {
  if (i === 0) return which === 1 || p === 1 ? -1 : powerBelow(p - 1)
  for (let bit = (i & -i) >> 1; bit > 0; bit >>= 1) {
    const down = which === 0 ? i - bit : i + bit
    if (down < p && parent(p, down) === i) return down
  }
  return -1
}
/**
 * Returns the number of a rank in tree h. The second tree is mirrored (p even) or shifted by one (p odd), so that the
 * leaves of one tree are inner nodes of the other. Then every rank sends and receives the same amount.
 */
function inTree(p: number, h: number, rank: number): number {
  return h === 0 ? rank : p % 2 === 0 ? p - 1 - rank : mod(rank + 1, p)
}
/** The inverse of inTree. */
function outOfTree(p: number, h: number, i: number): number {
  return i < 0 ? -1 : h === 0 ? i : p % 2 === 0 ? p - 1 - i : mod(i - 1, p)
}

/** Returns the height of number i. A parent is higher than its children. */
function level(p: number, i: number): number {
  return i === 0 ? log2up(p) : 31 - Math.clz32(i & -i)
}

/**
 * Returns the number of steps of one direction. A rank of height l sends its segment j upwards in step l + j.
 * Downwards, the root starts in step 0 and each level follows one step later.
 */
function steps(c: Call): number {
  return log2up(c.p) + pieces(c) - 1
}

export const tree: Algorithm = {
  name: "tree",
  about:
    "Double binary tree: each half of the vector is reduced and broadcast in a separate tree, in segments of 64 KiB.",
  rounds: (c) => (c.p === 1 ? 0 : 2 * steps(c)),
  round(c, k, out) {
    const up = k < steps(c)
    const step = up ? k : k - steps(c)
    for (let h = 0; h < 2; h++) treeRound(c, h, up, step, out)
  },
}

/**
 * Returns the segment that a rank and its parent exchange in this step; -1: none (the value may be negative before the
 * first).
 */
function pieceOf(c: Call, up: boolean, step: number, lower: number, upper: number): number {
  const j = step - (up ? level(c.p, lower) : log2up(c.p) - level(c.p, upper))
  return j < pieces(c) ? j : -1
}

/** Adds the messages of one rank in tree h: with its children first, then with its parent. */
function treeRound(c: Call, h: number, up: boolean, step: number, out: Moves): void {
  const { p } = c
  const i = inTree(p, h, c.me)
  const above = parent(p, i)
  const tag = (up ? 0 : PART) + h * PIECES
  for (let which = 0; which < 2; which++) {
    const below = child(p, i, which)
    if (below < 0) continue
    const j = pieceOf(c, up, step, below, i)
    if (j < 0) continue
    if (up) out.receive(outOfTree(p, h, below), treeBytes(c, h, j), tag + j)
    else out.send(outOfTree(p, h, below), treeBytes(c, h, j), tag + j)
  }
  if (above < 0) return
  const j = pieceOf(c, up, step, i, above)
  if (j < 0) return
  if (up) out.send(outOfTree(p, h, above), treeBytes(c, h, j), tag + j)
  else out.receive(outOfTree(p, h, above), treeBytes(c, h, j), tag + j)
}
