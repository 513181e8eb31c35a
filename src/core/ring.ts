// A first-in first-out ring of rows of ints. The hot loop appends rare trace events to it, and they are drained in
// batches. The counters are never reset but masked, so full and empty differ without a spare row. The writer is
// responsible for overflow: it tests `full` before it appends, and drains.
import { bitsFor } from "./bitset.ts"

export class Ring {
  readonly data: Int32Array
  readonly width: number
  readonly rows: number
  private readonly mask: number
  private head = 0
  private tail = 0

  /** `rows` is rounded up to a power of two. */
  constructor(rows: number, width = 1) {
    this.rows = 2 ** bitsFor(rows)
    this.mask = this.rows - 1
    this.width = width
    this.data = new Int32Array(this.rows * width)
  }
  get size(): number {
    return (this.tail - this.head) | 0
  }
  get full(): boolean {
    return ((this.tail - this.head) | 0) === this.rows
  }
  /** The place of a new last row: write `data[place]` .. `data[place + width - 1]` before the next call. */
  append(): number {
    if (this.full) throw new Error("The ring is full: check full first.")
    const at = (this.tail & this.mask) * this.width
    this.tail = (this.tail + 1) | 0
    return at
  }
  /** The place of the first row, which leaves the ring; -1 if there is none. Read it before the next append. */
  take(): number {
    if (this.head === this.tail) return -1
    const at = (this.head & this.mask) * this.width
    this.head = (this.head + 1) | 0
    return at
  }
  /** Moves all rows that fit, oldest first, to the beginning of `out`. Returns the number of rows. */
  drain(out: Int32Array): number {
    const { data, width, rows } = this
    const n = Math.min(this.size, Math.floor(out.length / width))
    const first = this.head & this.mask
    const straight = Math.min(n, rows - first)
    out.set(data.subarray(first * width, (first + straight) * width))
    out.set(data.subarray(0, (n - straight) * width), straight * width)
    this.head = (this.head + n) | 0
    return n
  }
}
