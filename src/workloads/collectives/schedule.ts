// A collective as point-to-point messages. Each rank executes a number of rounds. In a round it posts its receives and
// sends; the next round begins when all of them have finished (mpi/rounds.ts). An algorithm computes the messages of
// one rank in one round from the parameters of the call only. It stores nothing between rounds and allocates nothing,
// so a rollback of the engine need not restore it.
//
// The algorithms follow R. Thakur, R. Rabenseifner and W. Gropp, "Optimization of collective communication operations
// in MPICH", 2005, except where a file names another source. Limits: computing the reductions takes no time, and all
// ranks of a call must use the same algorithm.

/** The part of one rank in one collective call. Ranks are those of the communicator. */
export interface Call {
  p: number
  me: number
  root: number
  /** Bytes as defined for each Kind in program.ts. */
  bytes: number
  /** Number of ranks on a node, for hierarchical algorithms. */
  node: number
  /** Byte counts of the v-forms: `count` values from values[at] on. */
  values: Int32Array
  at: number
  count: number
}

export function call(p: number, me: number, bytes: number, more: Partial<Call> = {}): Call {
  return { p, me, root: 0, bytes, node: 1, values: new Int32Array(0), at: 0, count: 0, ...more }
}

/** Messages of one rank in one round. `tag` separates the messages of a pair; both sides compute the same tag. */
export class Moves {
  n = 0
  peer = new Int32Array(64)
  bytes = new Float64Array(64)
  tag = new Int32Array(64)
  /** 1: a send; 0: a receive. */
  sends = new Uint8Array(64)

  send(peer: number, bytes: number, tag = 0): void {
    this.#add(peer, bytes, tag, 1)
  }
  receive(peer: number, bytes: number, tag = 0): void {
    this.#add(peer, bytes, tag, 0)
  }
  #add(peer: number, bytes: number, tag: number, sends: number): void {
    if (this.n === this.peer.length) this.#grow()
    const i = this.n++
    this.peer[i] = peer
    this.bytes[i] = bytes
    this.tag[i] = tag
    this.sends[i] = sends
  }
  #grow(): void {
    const { peer, bytes, tag, sends } = this
    const capacity = 2 * peer.length
    this.peer = new Int32Array(capacity)
    this.bytes = new Float64Array(capacity)
    this.tag = new Int32Array(capacity)
    this.sends = new Uint8Array(capacity)
    this.peer.set(peer)
    this.bytes.set(bytes)
    this.tag.set(tag)
    this.sends.set(sends)
  }
}

export interface Algorithm {
  readonly name: string
  readonly about: string
  rounds(c: Call): number
  /** Adds the messages of the rank in round `k` to `out`. */
  round(c: Call, k: number, out: Moves): void
}

/** Base of the tags of the second part of an algorithm; the third part uses twice this value. */
export const PART = 1 << 16

/** ceil(log2 p) */
export function log2up(p: number): number {
  return p <= 1 ? 0 : 32 - Math.clz32(p - 1)
}
/** Returns the largest power of two that is not above p. */
export function powerBelow(p: number): number {
  return 1 << (31 - Math.clz32(p))
}
export function isPower(p: number): boolean {
  return (p & (p - 1)) === 0
}
export function mod(a: number, p: number): number {
  const r = a % p
  return r < 0 ? r + p : r
}

/** Returns the first byte of piece i, if a vector of m bytes is cut into p pieces that differ by at most one byte. */
export function cut(m: number, p: number, i: number): number {
  return Math.floor((m * i) / p)
}
export function piece(m: number, p: number, i: number): number {
  return cut(m, p, i + 1) - cut(m, p, i)
}

/**
 * Returns the bytes of the blocks from … to - 1 (indices modulo p) of an all-gather or reduce-scatter, equal or listed
 * in values.
 */
export function blocks(c: Call, from: number, to: number): number {
  if (c.count === 0) return (to - from) * c.bytes
  let sum = 0
  for (let i = from; i < to; i++) sum += c.values[c.at + mod(i, c.p)]
  return sum
}

/**
 * Folds a communicator to a power of two: of the first 2 (p - power) ranks, the even ones send their part to the odd
 * ones and then stay idle. Returns the number of this rank among the remaining ones, or -1 if it is idle.
 */
export function folded(c: Call): number {
  const rest = c.p - powerBelow(c.p)
  if (c.me >= 2 * rest) return c.me - rest
  return (c.me & 1) === 1 ? c.me >> 1 : -1
}
/** Returns the rank that has number i among the remaining ones. */
export function unfolded(c: Call, i: number): number {
  const rest = c.p - powerBelow(c.p)
  return i < rest ? 2 * i + 1 : i + rest
}
/** First round: even ranks send `bytes` to their odd neighbour. */
export function fold(c: Call, bytes: number, out: Moves, tag: number): void {
  if (c.me >= 2 * (c.p - powerBelow(c.p))) return
  if ((c.me & 1) === 0) out.send(c.me + 1, bytes, tag)
  else out.receive(c.me - 1, bytes, tag)
}
/** Last round: odd ranks send the result to their even neighbour, which gets `bytes`. */
export function unfold(c: Call, bytes: number, out: Moves, tag: number): void {
  if (c.me >= 2 * (c.p - powerBelow(c.p))) return
  if ((c.me & 1) === 1) out.send(c.me - 1, bytes, tag)
  else out.receive(c.me + 1, bytes, tag)
}
