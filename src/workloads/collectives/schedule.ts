// A collective as point-to-point messages: for each rank a number of rounds; in a round it posts its receives and sends, and the next begins when
// all of them have finished. An algorithm says what one rank does in one round, from numbers alone: nothing is kept between rounds and nothing allocated.
// Sources: "Optimization of collective communication operations in MPICH", R. Thakur, R. Rabenseifner and W. Gropp, 2005, unless a file names others.

/** One rank's part in one call. Ranks are those of the communicator. */
export interface Call {
  p: number
  me: number
  root: number
  /** see Kind in program.ts */
  bytes: number
  /** ranks that share a node, for hierarchical algorithms */
  node: number
  /** byte counts of the v-forms: values[at …] */
  values: Int32Array
  at: number
  count: number
}

export function call(p: number, me: number, bytes: number, more: Partial<Call> = {}): Call {
  return { p, me, root: 0, bytes, node: 1, values: new Int32Array(0), at: 0, count: 0, ...more }
}

/** Messages of one rank in one round. `tag` tells the messages of a pair apart; both sides name the same. */
export class Moves {
  n = 0
  peer = new Int32Array(64)
  bytes = new Float64Array(64)
  tag = new Int32Array(64)
  /** 1: sends; 0: receives */
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
    const room = 2 * peer.length
    this.peer = new Int32Array(room)
    this.bytes = new Float64Array(room)
    this.tag = new Int32Array(room)
    this.sends = new Uint8Array(room)
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
  /** Adds the rank's messages in round `k` to `out`. */
  round(c: Call, k: number, out: Moves): void
}

/** Tags of the second and third part of an algorithm begin here. */
export const PART = 1 << 16

/** ceil(log2 p) */
export function log2up(p: number): number {
  return p <= 1 ? 0 : 32 - Math.clz32(p - 1)
}
/** the largest power of two that is not above p */
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

/** A vector of m bytes cut into p pieces as equal as can be: where piece i begins. */
export function cut(m: number, p: number, i: number): number {
  return Math.floor((m * i) / p)
}
export function piece(m: number, p: number, i: number): number {
  return cut(m, p, i + 1) - cut(m, p, i)
}

/** Bytes of blocks from … to - 1 (may pass p: then from 0 on) of an all-gather or reduce-scatter: all equal, or as listed. */
export function blocks(c: Call, from: number, to: number): number {
  if (c.count === 0) return (to - from) * c.bytes
  let sum = 0
  for (let i = from; i < to; i++) sum += c.values[c.at + mod(i, c.p)]!
  return sum
}

/** Ranks beyond a power of two fold: of the first 2 (p - power) ranks the even ones hand their part to the odd ones and sit out. Answers the number among those that stay, or -1. */
export function folded(c: Call): number {
  const rest = c.p - powerBelow(c.p)
  if (c.me >= 2 * rest) return c.me - rest
  return (c.me & 1) === 1 ? c.me >> 1 : -1
}
/** The rank that has number i among those that stay. */
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
/** Last round: odd ranks send the result back; `bytes` is what the even one gets. */
export function unfold(c: Call, bytes: number, out: Moves, tag: number): void {
  if (c.me >= 2 * (c.p - powerBelow(c.p))) return
  if ((c.me & 1) === 1) out.send(c.me - 1, bytes, tag)
  else out.receive(c.me + 1, bytes, tag)
}
