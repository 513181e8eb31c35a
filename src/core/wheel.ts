// A timing wheel: whatever waits for a cycle costs nothing until then. Items are small integers, each in the wheel at
// most once, chained through one column (intrusive lists), so nothing is allocated and the whole wheel is copied with
// its columns. An item may wait longer than one turn: it is passed over, once per turn, until its time has come. G.
// Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels", 1987 (scheme 6). Limits: times below 2^31.
import { bitsFor } from "./bitset.ts"

const END = -1
const IDLE = -1

export class Wheel {
  /** [slot] -> first item, -1 = none */
  readonly head: Int32Array
  /** [item] -> the next in its slot */
  readonly link: Int32Array
  /** [item] -> when it is due, -1 = not in the wheel */
  readonly when: Int32Array
  private readonly mask: number

  /** `turn`: slots, rounded up to a power of two; about the usual waiting time is best. */
  constructor(items: number, turn: number) {
    const slots = 2 ** bitsFor(Math.max(2, turn))
    this.head = new Int32Array(slots).fill(END)
    this.link = new Int32Array(items).fill(END)
    this.when = new Int32Array(items).fill(IDLE)
    this.mask = slots - 1
  }

  waits(item: number): boolean {
    return this.when[item] !== IDLE
  }

  /** `time` must not be before the next cycle to be drained. */
  add(item: number, time: number): void {
    if (this.when[item] !== IDLE) throw new Error(`item ${item} waits already, for ${this.when[item]}`)
    const slot = time & this.mask
    this.when[item] = time
    this.link[item] = this.head[slot]
    this.head[slot] = item
  }

  /**
   * Removes all entries due at `now` and writes them into `out`. Returns their number. Call it for every cycle; the
   * order within a cycle is not defined.
   */
  drain(now: number, out: Int32Array): number {
    const { head, link, when } = this
    const slot = now & this.mask
    let item = head[slot]
    if (item === END) return 0
    let kept = END
    let n = 0
    while (item !== END) {
      const next = link[item]
      if (when[item] === now) {
        when[item] = IDLE
        out[n++] = item
      } else {
        link[item] = kept
        kept = item
      }
      item = next
    }
    head[slot] = kept
    return n
  }

  /** The earliest time in the wheel at or after `now`, or -1 if it is empty: for jumps over idle time. */
  earliest(now: number): number {
    const { head, link, when, mask } = this
    let best = -1
    for (let i = 0; i <= mask; i++) {
      for (let item = head[(now + i) & mask]; item !== END; item = link[item]) {
        if (when[item] === now + i) return now + i // nothing of this turn is earlier
        if (best < 0 || when[item] < best) best = when[item]
      }
    }
    return best
  }
}
