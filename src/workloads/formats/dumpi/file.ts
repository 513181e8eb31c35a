// Reads the binary file of one rank as a stream: magic number, time offsets, call records, then the tail. Incomplete
// records are kept until their remaining bytes arrive.
import { Sha256 } from "../../../core/sha256.ts"
import { BadTrace } from "../bytes/bad.ts"
import { Kept, type Sink } from "../bytes/sink.ts"
import { callNames, END_OF_STREAM } from "./calls.ts"
import { BadRecord, CallRecord, mostRecord } from "./record.ts"
import { headMagic, type Tail, tailOf } from "./tail.ts"

export function isDumpi(head: Uint8Array): boolean {
  return headMagic.every((b, i) => head[i] === b)
}

/** Receives each record while its bytes are valid. `call` is its number in the file, from 0. */
export interface Listener {
  /** Seconds that are added to the times of all records. */
  offsets(cpu: number, wall: number): void
  record(record: CallRecord, bytes: Uint8Array, call: number): void
}

export class DumpiFile implements Sink {
  readonly #file: string
  readonly #listener: Listener
  readonly #kept = new Kept()
  readonly #record = new CallRecord()
  readonly #sha: Sha256 | undefined
  #state: "head" | "records" | "tail" = "head"
  /** File offset of the kept bytes, or of the chunk that is being read. */
  #base = 0
  #size = 0
  #calls = 0
  #tail: Tail | undefined

  /** `hashed`: also compute the digest of the file. */
  constructor(file: string, listener: Listener, hashed = false) {
    this.#file = file
    this.#listener = listener
    this.#sha = hashed ? new Sha256() : undefined
  }
  get size(): number {
    return this.#size
  }
  get calls(): number {
    return this.#calls
  }
  /** The tail; defined when the file was read to its end. */
  get tail(): Tail | undefined {
    return this.#tail
  }
  sha256(): string | undefined {
    return this.#sha?.hex()
  }

  feed(chunk: Uint8Array): void {
    this.#sha?.update(chunk)
    this.#size += chunk.length
    const kept = this.#kept
    if (kept.length > 0) {
      kept.add(chunk)
      const used = this.#read(kept.bytes)
      kept.drop(used)
      this.#base += used
    } else {
      const used = this.#read(chunk)
      this.#base += used
      if (used < chunk.length) kept.add(chunk.subarray(used))
    }
    if (kept.length > mostRecord)
      throw new BadTrace(
        this.#at(0),
        `more than ${mostRecord / 2 ** 20} MiB without the end of a record or of the file`,
        "the file is damaged: get it again",
      )
  }

  end(): void {
    if (this.#state !== "tail") {
      // The file must end in its tail; otherwise it is truncated.
      const what =
        this.#state === "head"
          ? "the magic number and the time offsets (16 bytes)"
          : "more of this call, or the end mark (293) of the records"
      throw new BadTrace(
        this.#at(0),
        `the file ends here after ${this.#size} bytes, expected ${what}`,
        "the file is cut off: get it again",
      )
    }
    this.#tail = tailOf(this.#file, this.#kept.bytes, this.#base)
  }

  /** Reads the complete records. Returns the number of bytes that it used. */
  #read(b: Uint8Array): number {
    let at = 0
    if (this.#state === "head") {
      if (b.length < 16) return 0
      if (!isDumpi(b))
        throw new BadTrace(
          `${this.#file}, offset 0`,
          "expected the magic number ff aa dd 44 55 4d 50 49 of a DUMPI file",
          "name the .bin files of a DUMPI trace",
        )
      const view = new DataView(b.buffer, b.byteOffset, 16)
      this.#listener.offsets(view.getInt32(8), view.getInt32(12))
      at = 16
      this.#state = "records"
    }
    if (this.#state !== "records") return 0
    const record = this.#record
    const listener = this.#listener
    while (at + 2 <= b.length) {
      if (((b[at] << 8) | b[at + 1]) === END_OF_STREAM) {
        this.#state = "tail"
        return at + 2
      }
      let next: number
      try {
        next = record.read(b, at, b.length)
        if (next >= 0) listener.record(record, b, this.#calls)
      } catch (e) {
        if (e instanceof BadRecord) throw new BadTrace(this.#at(e.at), e.message, "the file is damaged: get it again")
        if (e instanceof BadCall) throw new BadTrace(`${this.#at(at)} (MPI_${callNames[record.fn]})`, e.message, e.fix)
        throw e
      }
      if (next < 0) break
      this.#calls++
      at = next
    }
    return at
  }

  #at(within: number): string {
    return `${this.#file}, offset ${this.#base + within}, call ${this.#calls}`
  }
}

/** A well-formed record with an impossible value. Listeners throw it. */
export class BadCall extends Error {
  readonly fix: string
  constructor(says: string, fix: string) {
    super(says)
    this.fix = fix
  }
}
