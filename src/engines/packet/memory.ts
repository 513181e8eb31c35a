// The memory of a packet simulation: one Int32Array with columns at offsets. With one array, the undo log of the
// optimistic mode is a list of (index, old value), and hot code needs one base register. Untouched pages cost no
// memory, so 0 always means "unused". machine.ts reserves columns through `Reserve` and allocates once.
import { NEVER, type Reserve } from "../../model/events.ts"

/**
 * Times are Int32 offsets from an epoch of 2^30 ps. When the clock passes it, all columns of times are moved back by
 * it.
 */
export const EPOCH = 2 ** 30
/** Times before the epoch are equivalent: they all become this value. */
const LONG_AGO = -EPOCH

/**
 * words of a cache line, and the offset of large allocations from a line in bytes; aligned rings of 16 credits fit into
 * one line
 */
const LINE = 16
const OFF = 48

export class Memory implements Reserve {
  private words = 0
  private readonly columns: { at: number; count: number; step: number }[] = []

  /** Reserves a column that starts at a cache line. Returns its offset. */
  reserve(count: number): number {
    const at = this.words
    this.words += (count + LINE - 1) & ~(LINE - 1)
    return at
  }

  /** Registers words that hold times, `step` words apart, for `rebase`. */
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

/** Moves times back by one epoch; NEVER stays as it is. */
export function moveBack(mem: Int32Array, from: number, to: number, step: number): void {
  for (let i = from; i < to; i += step) {
    const t = mem[i]
    if (t !== NEVER) mem[i] = t < 0 ? LONG_AGO : t - EPOCH
  }
}
