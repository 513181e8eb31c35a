// A hash table of accepted messages, by message number, for the optimistic mode. An entry is needed as long as the
// message can be cancelled, which is until its time is certain. Numbers are consecutive, so `n & mask` spreads them
// without collisions among live entries; the table doubles when a live entry would be overwritten. worker.ts has one
// table for each sender.
const WORDS = 4

export class Received {
  private table: Int32Array
  private mask: number

  /** `capacity`: messages to begin with, a power of two. */
  constructor(capacity = 1 << 10) {
    this.table = new Int32Array(capacity * WORDS)
    this.mask = capacity - 1
    for (let i = 0; i < capacity; i++) this.table[i * WORDS] = -1
  }

  /** Stores message n: its record, or ~slot for a credit, and its time and key. */
  put(n: number, what: number, t: number, key: number, horizon: number): void {
    let at = (n & this.mask) * WORDS
    while (this.table[at] !== -1 && this.table[at + 2] >= horizon) {
      this.grow(horizon)
      at = (n & this.mask) * WORDS
    }
    this.table[at] = n
    this.table[at + 1] = what
    this.table[at + 2] = t
    this.table[at + 3] = key
  }

  /** Returns the offset of message n in `words`. */
  find(n: number): number {
    const at = (n & this.mask) * WORDS
    if (this.table[at] !== n) throw new Error(`message ${n} is cancelled, but this worker did not receive it`)
    return at
  }

  get words(): Int32Array {
    return this.table
  }

  /** Removes all entries, because no message can be cancelled any more. */
  reset(): void {
    for (let i = 0; i <= this.mask; i++) this.table[i * WORDS] = -1
  }

  private grow(horizon: number): void {
    const old = this.table
    const capacity = (this.mask + 1) * 2
    this.table = new Int32Array(capacity * WORDS)
    this.mask = capacity - 1
    for (let i = 0; i < capacity; i++) this.table[i * WORDS] = -1
    for (let i = 0; i < old.length; i += WORDS) {
      if (old[i] === -1 || old[i + 2] < horizon) continue
      const at = (old[i] & this.mask) * WORDS
      for (let k = 0; k < WORDS; k++) this.table[at + k] = old[i + k]
    }
  }
}
