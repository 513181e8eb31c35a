// Streams of bytes: a source yields them in chunks and a sink accepts them. Trace readers are sinks, so they need no
// files and no complete trace in memory.

/** Accepts the bytes of one file in order. The caller may reuse a chunk after `feed` returns. */
export interface Sink {
  feed(bytes: Uint8Array): void
  /** The file ends here. */
  end(): void
}

/** One file, or one entry of an archive. */
export interface Source {
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
}

/** The files of a trace, read from the start at each call. */
export type Sources = () => AsyncIterable<Source>

export const ignored: Sink = { feed: () => {}, end: () => {} }

/**
 * Bytes that are stored until they are used. New bytes are appended to the remaining ones, in amortised constant time
 * per byte.
 */
export class Kept {
  #held = new Uint8Array(0)
  #from = 0
  #to = 0

  /** Number of stored bytes. */
  get length(): number {
    return this.#to - this.#from
  }
  /** All stored bytes; valid until the next call. */
  get bytes(): Uint8Array {
    return this.#held.subarray(this.#from, this.#to)
  }
  add(bytes: Uint8Array): void {
    if (this.#to + bytes.length > this.#held.length) {
      const left = this.bytes
      const capacity = left.length + bytes.length
      const to = capacity * 2 <= this.#held.length ? this.#held : new Uint8Array(Math.max(1024, capacity * 2))
      if (to === this.#held) to.copyWithin(0, this.#from, this.#to)
      else to.set(left)
      this.#held = to
      this.#to = left.length
      this.#from = 0
    }
    this.#held.set(bytes, this.#to)
    this.#to += bytes.length
  }
  /** Removes the first `count` bytes. */
  drop(count: number): void {
    this.#from += count
    if (this.#from === this.#to) this.#from = this.#to = 0
  }
}
