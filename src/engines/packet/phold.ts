// PHOLD, the synthetic benchmark of discrete-event simulators. Each event creates one new event, after the look-ahead
// and an exponential delay. The new event goes to a random logical process (LP) with probability `remote`.
// ("Performance of Time Warp under synthetic workloads", R. M. Fujimoto, 1990. As in ROSS, the mean delay is 1 and
// includes the look-ahead, so look-ahead 1 has no randomness in time.) bench/ and the tests use it to measure and check
// the kernel without a network.
import { bitsFor, highest } from "../../core/bitset.ts"
import { hash3 } from "../../core/hash.ts"
import { Factor, minusLog2 } from "../../core/logarithm.ts"
import { below, draw, streamOf } from "../../core/rng.ts"
import type { Handler, Kernel } from "../../model/events.ts"
import { type Loop, makeLoop } from "./kernel.ts"
import { Memory } from "./memory.ts"
import { makeWorker, type Side, type WorkerLoop } from "./worker.ts"

export interface PholdParams {
  readonly lps: number
  /** initial events of each LP */
  readonly starts: number
  /** fraction of events that go to a random LP */
  readonly remote: number
  /** look-ahead in units of the mean delay, which is 1.0 = `TICK` */
  readonly lookahead: number
  readonly seed: number
}

/** ticks of one unit of time */
export const TICK = 1_000_000
export const PHOLD_STRIDE = 8
const SOURCE = 3
const SEQUENCE = 4
/** words of state per LP: number of draws, hash of all events it has executed */
export const PHOLD_STATE = 2

/** `at`: offset of the LPs' state in memory. */
export function makePhold(p: PholdParams, kernel: Kernel, at: number): Handler & { start(lp: number): void } {
  const { mem, push, undo, note } = kernel
  const { lps, seed } = p
  const ahead = Math.round(p.lookahead * TICK)
  const exponential = new Factor((1 - p.lookahead) * TICK * Math.LN2)
  const random = p.lookahead < 1
  const remote = Math.floor(p.remote * 2 ** 32)

  // Draws are functions of (LP, count), so a repeated event after a rollback draws the same numbers.
  function send(e: number, lp: number, t: number): void {
    const s = at + lp * PHOLD_STATE
    const n = mem[s]
    const word = streamOf(seed, lp)
    const to = draw(word, n) >>> 0 < remote ? below(draw(word, n + 1), lps) : lp
    const delay = random ? ahead + exponential.times(minusLog2(draw(word, n + 2))) : ahead
    if (undo) note(e + SOURCE)
    if (undo) note(e + SEQUENCE)
    mem[s] = n + 3
    mem[e + SOURCE] = lp
    mem[e + SEQUENCE] = n + 3
    push(e, t + delay, to)
  }

  return {
    lpOf: (key) => key,
    handle(e, t, lp) {
      const s = at + lp * PHOLD_STATE
      if (undo) note(s)
      if (undo) note(s + 1)
      mem[s + 1] = (Math.imul(mem[s + 1] ^ (mem[e + SOURCE] + Math.imul(mem[e + SEQUENCE], 31)), 0x2c1b3c6d) + 1) | 0
      send(e, lp, t)
    },
    start(lp) {
      for (let i = 0; i < p.starts; i++) send(kernel.alloc(), lp, 0)
    },
  }
}

/** Returns PHOLD ready to run: sequentially, or as one worker of several. */
export function pholdLoop(
  p: PholdParams,
  side?: Side,
): (Loop | WorkerLoop<unknown>) & { start(): void; hash(): number } {
  const memory = new Memory()
  const records = p.lps * p.starts + 1024
  const recordsEnd =
    memory.reserve((side === undefined ? records : records * 8) * PHOLD_STRIDE) +
    records * PHOLD_STRIDE * (side === undefined ? 1 : 8)
  const at = memory.reserve(p.lps * PHOLD_STATE)
  const mem = memory.allocate()
  const ahead = p.lookahead * TICK
  const dense = highest((TICK / (p.lps * p.starts)) * 4)
  // If delays are constant, all events fall on common instants: one bucket for each.
  const shift = Math.max(2, Math.min(highest(ahead), p.lookahead < 1 ? Math.max(4, dense) : 31))
  const slots = 1 << Math.max(6, Math.min(16, bitsFor((8 * TICK) / (1 << shift))))
  const plan = { mem, stride: PHOLD_STRIDE, recordsEnd, lps: p.lps, shift, slots, rebase: () => memory.rebase(mem) }
  const build = (kernel: Kernel) => makePhold(p, kernel, at)
  const loop =
    side === undefined ? makeLoop(plan, build) : makeWorker({ ...plan, payload: [SOURCE, SEQUENCE] }, side, build)
  const mine = (lp: number) => side === undefined || side.owner[lp] === side.me
  return {
    ...loop,
    start() {
      for (let lp = 0; lp < p.lps; lp++) if (mine(lp)) loop.model.start(lp)
      loop.history?.reset()
    },
    hash() {
      let h = 0
      for (let lp = 0; lp < p.lps; lp++)
        if (mine(lp)) h = (h + hash3(mem[at + lp * PHOLD_STATE], mem[at + lp * PHOLD_STATE + 1], lp)) | 0
      return h >>> 0
    },
  }
}
