// The state of a packet simulation is one Int32Array: columns at offsets. One array makes the undo log of the optimistic mode a list of
// (index, old value) and costs the hot code one base register. Pages that are never touched cost nothing, so 0 always means "nothing yet".
import { NEVER, type Reserve } from "../../model/events.ts"

/** Times are Int32 offsets from an epoch of 2^30 ps; when the clock passes it, every column of times is moved back by it. */
export const EPOCH = 2 ** 30
/** Times before the epoch are all the same: long ago. */
const LONG_AGO = -EPOCH

/** words of a cache line, and what a large block of memory usually lies off one, in bytes: rings of 16 credits should not straddle two */
const LINE = 16
const OFF = 48

export class Memory implements Reserve {
  private words = 0
  private readonly columns: { at: number; count: number; step: number }[] = []

  /** Columns begin at a cache line. */
  reserve(count: number): number {
    const at = this.words
    this.words += (count + LINE - 1) & ~(LINE - 1)
    return at
  }

  times(at: number, count: number, step: number): void {
    this.columns.push({ at, count, step })
  }

  get size(): number {
    return this.words
  }

  allocate(): Int32Array {
    return new Int32Array(new ArrayBuffer(this.words * 4 + OFF), OFF)
  }

  /** Moves every registered time back by one epoch. */
  rebase(mem: Int32Array): void {
    for (const { at, count, step } of this.columns) moveBack(mem, at, at + count * step, step)
  }
}

/** Moving the epoch leaves NEVER alone. */
export function moveBack(mem: Int32Array, from: number, to: number, step: number): void {
  for (let i = from; i < to; i += step) {
    const t = mem[i]!
    if (t !== NEVER) mem[i] = t < 0 ? LONG_AGO : t - EPOCH
  }
}
