// A NetView without a network: every value that a routing reads (a draw, a queue) comes from a script. The walk replays
// the decision with the next script until all have been tried.
//
// Draws. While a decision has at most `limit` combinations of draws, all of them are tried, as a tree in the order of
// the draws. Four drawn intermediates of 338 routers, however, are 10^10 combinations with only 338 outcomes. Beyond
// the limit there are these plans:
//   `together`  Draws of equal range in a row take the same value. All combinations of the remaining draws are tried,
//               or until a dozen have changed nothing. This is sufficient for a rule that draws k equals and keeps one
//               of them.
//   `singly`    Each draw takes each value while the others stay at one of two bases.
//   `spread`    `samples` values are tried, different ones at each decision, so that over many decisions all values
//               occur equally often. It is a supplement.
//   `random`    Random values, for load estimates.
//
// Queues. Each queue that a decision reads is either empty or full, and has the same state within one decision. Up to
// `exact` queues, all 2^m combinations are tried. Beyond that: all empty, all full, one empty among full ones, one full
// among empty ones (each with `samples` combinations of draws, if there are more; many decisions together try all).
// This is sufficient for rules that compare monotone functions of queues with one another or with thresholds: a
// candidate that can win does so when its queue is empty and the others are full, or loses in the opposite case. A rule
// that acts only in a middle range of a queue length is not covered.
//
// Limits: packets have FLITS flits, scratch slots start at 0, a decision is taken once per hop, and time stays at 0.
import { below, draw, streamOf } from "../core/rng.ts"
import type { Chan, End, Packet, Vc } from "../model/ids.ts"
import { NetView } from "../model/routing.ts"

/** Length of a full queue: far above any threshold, and its product with a number of hops still fits 32 bits. */
export const FULL = 1 << 20
const FLITS = 16
/** Number of draws that branch in one decision. A loop that draws until it accepts a value gets rotating values after
 *  these. */
const DEEP = 8
/** Distance between the values that one decision tries under "spread": a prime. */
const STRIDE = 7919
/** Maximum number of combinations under "together". */
const MOST_TOGETHER = 50_000
/** Stands for a VC where a routing reads the remote queue behind a channel. */
const BEHIND = 62
/** Maximum number of queues that one decision may distinguish. */
const MOST_READ = 256
const TABLE_BITS = 10

/** A routing without any path may try to draw one of none. */
export class NothingToDraw extends Error {}

export type DrawPlan = "tree" | "together" | "singly" | "spread" | "random"

export interface Choice {
  readonly kind: "draw" | "queue"
  /** a draw: value and range; a queue: full or empty, of this channel (and VC, -1 = all together) */
  readonly value: number
  readonly of: number
  readonly chan: Chan
  readonly vc: Vc
}

export class Oracle extends NetView {
  readonly scratch: Int32Array
  from: End = 0
  to: End = 0
  hopsNow = 0
  /** at injection the source and the hop count are known without being part of the packet state */
  injecting = false
  sawSrc = false
  sawHops = false
  badSlot = false
  exact = 3
  /** draws of one decision under the plans "random" and "spread" */
  samples = 1
  /** of one queue against many others, at most this many are tried in one decision */
  flips = MOST_READ
  private flipped = 0
  log: Choice[] | undefined

  plan: DrawPlan = "tree"
  private cursor = 0
  private readonly value = new Int32Array(DEEP)
  private readonly arity = new Int32Array(DEEP)
  private depth = 0
  private x = 0
  private position = 0
  private base = 0
  private widest = 1
  private asked = 0
  private stream = 0
  private turn = 0
  private rest = 0
  private range = 1
  private product = 1
  private span = 1

  // queues that this run has read: a table that is cleared by incrementing the run number
  private readonly keyAt = new Int32Array(1 << TABLE_BITS)
  private readonly indexAt = new Int32Array(1 << TABLE_BITS)
  private readonly runAt = new Int32Array(1 << TABLE_BITS)
  private run = 1
  private reads = 0
  private mostReads = 0
  private policy = 0
  private family = false

  constructor(scratchSlots: number) {
    const one = new Int32Array(1)
    super({
      src: one,
      dst: one,
      flits: one,
      hops: one,
      key: one,
      scratch: one,
      scratchSlots,
      slot: one,
      capacity: one,
      credits: one,
      vcs: 1,
    })
    this.scratch = new Int32Array(scratchSlots)
  }

  override src(_p: Packet): End {
    if (!this.injecting) this.sawSrc = true
    return this.from
  }
  override dst(_p: Packet): End {
    return this.to
  }
  override flits(_p: Packet): number {
    return FLITS
  }
  override hops(_p: Packet): number {
    if (!this.injecting) this.sawHops = true
    return this.hopsNow
  }
  override get(_p: Packet, slot: number): number {
    if (slot >= this.scratch.length) this.badSlot = true
    return this.scratch[slot] ?? 0
  }
  override set(_p: Packet, slot: number, value: number): void {
    if (slot >= this.scratch.length) this.badSlot = true
    this.scratch[slot] = value
  }
  override queued(c: Chan): number {
    return this.read(c, -1) ? FULL : 0
  }
  override published(c: Chan): number {
    return this.read(c, -1) ? FULL : 0
  }
  /** The remote queue behind a link is independent of the queue in front of it. */
  override behind(c: Chan): number {
    return this.read(c, BEHIND) ? FULL : 0
  }
  override queuedVc(c: Chan, v: Vc): number {
    return this.read(c, v) ? FULL : 0
  }
  override credits(c: Chan, v: Vc): number {
    return this.read(c, v) ? 0 : FULL
  }

  override draw(_p: Packet, n: number): number {
    if (n === 1) return 0
    if (!(n > 1)) throw new NothingToDraw()
    const i = this.cursor++
    if (n > this.widest) this.widest = n
    if (this.cursor > this.asked) this.asked = this.cursor
    const got = this.answer(i, n)
    this.log?.push({ kind: "draw", value: got, of: n, chan: -1, vc: -1 })
    return got
  }

  /** Returns draw number i with range n under the current plan. */
  private answer(i: number, n: number): number {
    if (this.plan === "tree") {
      if (i >= DEEP) return i % n
      if (i >= this.depth) {
        this.value[i] = 0
        this.arity[i] = n
        this.depth = i + 1
      }
      return this.value[i]
    }
    if (this.plan === "random") return below(draw(streamOf(0x10ad, this.x), this.stream++), n)
    if (this.plan !== "singly") return this.digit(i, n)
    if (i >= 2 * DEEP) return (this.x + i) % n
    return (i === this.position ? this.x : this.base) % n
  }

  /** Returns a draw as a digit of one number, the least significant first. A draw of the same range as the one before
   *  repeats its digit. */
  private digit(i: number, n: number): number {
    if (i === 0) {
      this.rest = this.plan === "together" ? this.x : this.turn + (this.x + this.policy * this.samples) * STRIDE
      this.product = n
    } else if (n !== this.range) {
      this.rest = Math.floor(this.rest / this.range)
      this.product *= n
    }
    this.range = n
    return (i < 2 * DEEP ? this.rest : this.rest + i) % n
  }

  private read(c: Chan, v: Vc): boolean {
    const full = this.isFull(this.indexOf(c * 64 + v + 1))
    this.log?.push({ kind: "queue", value: full ? 1 : 0, of: 2, chan: c, vc: v })
    return full
  }

  /** Returns the number of this queue among those that the run has read, in the order of reading. */
  private indexOf(key: number): number {
    const { keyAt, indexAt, runAt } = this
    let slot = Math.imul(key, 0x9e3779b1) >>> (32 - TABLE_BITS)
    while (runAt[slot] === this.run) {
      if (keyAt[slot] === key) return indexAt[slot]
      slot = (slot + 1) & (runAt.length - 1)
    }
    if (this.reads < MOST_READ) {
      runAt[slot] = this.run
      keyAt[slot] = key
      indexAt[slot] = this.reads++
    }
    return this.reads - 1
  }

  /** Returns whether queue j is full under the current policy. */
  private isFull(j: number): boolean {
    const { policy } = this
    if (!this.family) return j < 31 && ((policy >> j) & 1) === 1
    if (policy < 2) return policy === 1
    return policy >> 1 === j + 1 ? (policy & 1) === 1 : (policy & 1) === 0
  }

  /** Prepares the first run of a decision; equal values of `turn` try equal samples. */
  open(plan: DrawPlan, turn = 0): void {
    this.policy = 0
    this.family = false
    this.flipped = 0
    this.mostReads = 0
    this.turn = turn
    this.startDraws(plan)
  }

  /** Prepares the next run. */
  rewind(hops: number): void {
    this.cursor = 0
    this.reads = 0
    this.run = (this.run + 1) | 0
    this.hopsNow = hops
    if (this.log !== undefined) this.log = []
  }

  private startDraws(plan: DrawPlan): void {
    this.plan = plan
    this.depth = 0
    this.x = 0
    this.position = 0
    this.base = 0
    this.widest = 1
    this.span = 1
    this.asked = 0
  }

  /** Advances to the next combination of draws under the same queues. Returns false if there is none. */
  nextDraws(): boolean {
    if (this.reads > this.mostReads) this.mostReads = this.reads
    if (this.plan === "tree") {
      // positions beyond the last one requested in this run belong to another branch
      this.depth = Math.min(this.depth, this.cursor)
      while (this.depth > 0 && this.value[this.depth - 1] + 1 >= this.arity[this.depth - 1]) this.depth--
      if (this.depth === 0) return false
      this.value[this.depth - 1]++
      return true
    }
    if (this.plan === "random" || this.plan === "spread") return ++this.x < this.samples
    if (this.plan === "together") {
      if (this.cursor > 0) this.span = Math.max(this.span, Math.min(this.product, MOST_TOGETHER))
      return ++this.x < this.span
    }
    if (++this.x < this.widest) return true
    this.x = 0
    if (++this.position < Math.min(this.asked, 2 * DEEP)) return true
    this.position = 0
    if (this.base > 0 || this.widest < 2) return false
    this.base = this.widest >> 1
    return true
  }

  /** Probability of the last run, all draws being uniform. A plan that leaves out combinations weighs its runs
   *  equally. */
  get chance(): number {
    if (this.plan === "random" || this.plan === "spread") return 1 / this.samples
    if (this.plan === "together") return 1 / this.span
    if (this.plan === "singly") return 1 / this.widest
    let p = 1
    for (let i = 0; i < Math.min(this.depth, this.cursor); i++) p /= this.arity[i]
    return p
  }

  /** Advances to the next state of the queues after the last combination of draws, of which there were `runs`. Returns
   *  false if there is none. */
  nextQueues(plan: DrawPlan, runs: number): boolean {
    const m = this.mostReads
    if (!this.family && m > this.exact) {
      this.family = true
      this.policy = 0
    }
    this.policy = this.nextPolicy(m)
    this.startDraws(this.policy > 1 && this.family && runs > this.samples ? "spread" : plan)
    return this.policy < (this.family ? 2 + 2 * m : 1 << m)
  }

  /** Returns the next policy. Of one queue against the others at most `flips` are tried, different ones at each
   *  decision. */
  private nextPolicy(m: number): number {
    if (!this.family || this.policy < 1 || this.flips >= 2 * m) return this.policy + 1
    return this.flipped++ < this.flips ? 2 + ((this.turn + this.flipped * STRIDE) % (2 * m)) : 2 + 2 * m
  }

  /** Whether some combinations of queues were left out. */
  get sampledQueues(): boolean {
    return this.family
  }
}
