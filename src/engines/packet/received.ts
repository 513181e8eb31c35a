// What became of each message that was taken, by its number, for as long as it may still be cancelled: that is while its own time is not certain.
const WORDS = 4

export class Received {
  private table: Int32Array
  private mask: number

  /** `room`: messages to begin with, a power of two. */
  constructor(room = 1 << 10) {
    this.table = new Int32Array(room * WORDS)
    this.mask = room - 1
    for (let i = 0; i < room; i++) this.table[i * WORDS] = -1
  }

  /** Message n was record or slot `what` (negative: ~slot), of time t and key. */
  put(n: number, what: number, t: number, key: number, horizon: number): void {
    let at = (n & this.mask) * WORDS
    while (this.table[at] !== -1 && this.table[at + 2]! >= horizon) {
      this.grow(horizon)
      at = (n & this.mask) * WORDS
    }
    this.table[at] = n
    this.table[at + 1] = what
    this.table[at + 2] = t
    this.table[at + 3] = key
  }

  /** Offset of message n in `words`. */
  find(n: number): number {
    const at = (n & this.mask) * WORDS
    if (this.table[at] !== n) throw new Error(`message ${n} is cancelled but was not taken`)
    return at
  }

  get words(): Int32Array {
    return this.table
  }

  /** Forgets all: nothing can be cancelled any more. */
  reset(): void {
    for (let i = 0; i <= this.mask; i++) this.table[i * WORDS] = -1
  }

  private grow(horizon: number): void {
    const old = this.table
    const room = (this.mask + 1) * 2
    this.table = new Int32Array(room * WORDS)
    this.mask = room - 1
    for (let i = 0; i < room; i++) this.table[i * WORDS] = -1
    for (let i = 0; i < old.length; i += WORDS) {
      if (old[i] === -1 || old[i + 2]! < horizon) continue
      const at = (old[i]! & this.mask) * WORDS
      for (let k = 0; k < WORDS; k++) this.table[at + k] = old[i + k]!
    }
  }
}
