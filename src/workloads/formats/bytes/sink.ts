// Bytes on their way: a source gives them in chunks, a sink takes them. Readers are sinks, so that they need neither files nor a clock nor the whole.

/** Takes the bytes of one file, in order; a chunk is the caller's again when `feed` returns. */
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

/** The files of a trace, read from the start whenever it is called. */
export type Sources = () => AsyncIterable<Source>

export const ignored: Sink = { feed: () => {}, end: () => {} }

/** Bytes that are kept until they are used: what is fed is put behind what is left, without a copy for each byte. */
export class Kept {
  #held = new Uint8Array(0)
  #from = 0
  #to = 0

  /** Bytes that are kept. */
  get length(): number {
    return this.#to - this.#from
  }
  /** All bytes that are kept; valid until the next call. */
  get bytes(): Uint8Array {
    return this.#held.subarray(this.#from, this.#to)
  }
  add(bytes: Uint8Array): void {
    if (this.#to + bytes.length > this.#held.length) {
      const left = this.bytes
      const room = left.length + bytes.length
      const to = room * 2 <= this.#held.length ? this.#held : new Uint8Array(Math.max(1024, room * 2))
      if (to === this.#held) to.copyWithin(0, this.#from, this.#to)
      else to.set(left)
      this.#held = to
      this.#to = left.length
      this.#from = 0
    }
    this.#held.set(bytes, this.#to)
    this.#to += bytes.length
  }
  /** Forgets the first `count` bytes. */
  drop(count: number): void {
    this.#from += count
    if (this.#from === this.#to) this.#from = this.#to = 0
  }
}
