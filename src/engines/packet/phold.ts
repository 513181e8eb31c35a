// PHOLD, the synthetic model that simulators of discrete events are compared with: every event makes one more, for another logical process
// with probability `remote`, after the look-ahead and an exponential delay. ("Performance of Time Warp under synthetic workloads",
// R. M. Fujimoto, 1990; the flavour of ROSS: mean delay 1, of which the look-ahead is a part, so look-ahead 1 has no randomness in time.)
import { below, draw, unit } from "../../core/rng.ts"
import type { Handler, Kernel } from "../../model/events.ts"

export interface PholdParams {
  readonly lps: number
  /** events that each LP starts with */
  readonly starts: number
  /** fraction of events that go to a random LP */
  readonly remote: number
  /** look-ahead and mean delay is 1.0 = `tick` */
  readonly lookahead: number
  readonly seed: number
}

/** ticks of one unit of time */
export const TICK = 1_000_000
export const PHOLD_STRIDE = 8
const SOURCE = 3
const SEQUENCE = 4
/** words of state per LP: draws made, hash of all it has seen */
export const PHOLD_STATE = 2

/** `at`: offset of the LPs' state in memory. */
export function makePhold(p: PholdParams, kernel: Kernel, at: number): Handler & { start(lp: number): void } {
  const { mem, push, undo, note } = kernel
  const { lps, seed } = p
  const ahead = Math.round(p.lookahead * TICK)
  const mean = (1 - p.lookahead) * TICK
  const random = p.lookahead < 1
  const remote = Math.floor(p.remote * 2 ** 32)

  function send(e: number, lp: number, t: number): void {
    const s = at + lp * PHOLD_STATE
    const n = mem[s]!
    const to = draw(seed, lp, n) >>> 0 < remote ? below(draw(seed, lp, n + 1), lps) : lp
    const delay = random ? ahead + Math.round(-mean * Math.log(unit(draw(seed, lp, n + 2)))) : ahead
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
      mem[s + 1] = (Math.imul(mem[s + 1]! ^ (mem[e + SOURCE]! + Math.imul(mem[e + SEQUENCE]!, 31)), 0x2c1b3c6d) + 1) | 0
      send(e, lp, t)
    },
    start(lp) {
      for (let i = 0; i < p.starts; i++) send(kernel.alloc(), lp, 0)
    },
  }
}

/** One number for the state of LPs `from` to `to - 1`; the sum over all is the same in every mode. */
export function pholdHash(mem: Int32Array, at: number, from: number, to: number): number {
  let h = 0
  for (let lp = from; lp < to; lp++) h = (h + draw(mem[at + lp * PHOLD_STATE]!, mem[at + lp * PHOLD_STATE + 1]!, lp)) | 0
  return h >>> 0
}
