// One call record of a DUMPI file, decoded into ints. The decoder allocates no objects, because traces have millions of
// records.
import { AT_ROOT, type Call, Code, calls } from "./calls.ts"

/** Maximum size of one record. A larger length is a damaged file, not a large program. */
export const mostRecord = 64 * 2 ** 20

/** The bytes are not a record. `at` is the offset from the start of the bytes. */
export class BadRecord extends Error {
  readonly at: number
  constructor(at: number, says: string) {
    super(says)
    this.at = at
  }
}

/**
 * A record that is reused for every call. `read` returns the position after the record, or -1 if more bytes are needed.
 */
export class CallRecord {
  fn = 0
  thread = -1
  /**
   * Start s, ns, stop s, ns, without the time offset of the file; hasCpu and hasWall say whether they were recorded.
   */
  readonly cpu = new Float64Array(4)
  readonly wall = new Float64Array(4)
  hasCpu = false
  hasWall = false
  hasStatus = false
  /**
   * Arguments in the order of the table. A scalar is one int, an i64 two (high, low), an array its count and elements.
   * A text is its position in the bytes and its length. A status array is its count and 5 ints each (count -1: not
   * recorded). Fields that only the root has are absent on other ranks.
   */
  ints = new Int32Array(256)
  used = 0

  read(b: Uint8Array, from: number, end: number): number {
    if (from + 3 > end) return -1
    const fn = (b[from] << 8) | b[from + 1]
    const call = calls[fn]
    if (call === undefined) throw new BadRecord(from, `expected the number of a call, found ${fn}`)
    const mask = b[from + 2]
    let at = from + 3
    this.fn = fn
    this.thread = -1
    if ((mask & 0x40) !== 0) {
      if (at + 2 > end) return -1
      this.thread = (b[at] << 8) | b[at + 1]
      at += 2
    }
    this.hasCpu = (mask & 0x04) !== 0
    if (this.hasCpu) {
      if (at + 12 > end) return -1
      times(b, at, this.cpu)
      at += 12
    }
    this.hasWall = (mask & 0x08) !== 0
    if (this.hasWall) {
      if (at + 12 > end) return -1
      times(b, at, this.wall)
      at += 12
    }
    if ((mask & 0x80) !== 0) {
      if (at + 1 > end) return -1
      at += 1 + 16 * b[at]
      if (at > end) return -1
    }
    this.hasStatus = (mask & 0x03) !== 0
    return this.#fields(call, b, at, end)
  }

  #fields(call: Call, b: Uint8Array, from: number, end: number): number {
    const { codes } = call
    let ints = this.ints
    let n = 0
    let at = from
    for (let f = 0; f < codes.length; f++) {
      let code = codes[f]
      if ((code & AT_ROOT) !== 0) {
        if (ints[call.self] !== ints[call.root]) continue
        code &= ~AT_ROOT
      }
      if (n + 8 > ints.length) ints = this.#grow(n + 8)
      if (code === Code.I32) {
        if (at + 4 > end) return -1
        ints[n++] = (b[at] << 24) | (b[at + 1] << 16) | (b[at + 2] << 8) | b[at + 3]
        at += 4
      } else if (code === Code.U16) {
        if (at + 2 > end) return -1
        ints[n++] = (b[at] << 8) | b[at + 1]
        at += 2
      } else if (code === Code.U8) {
        if (at + 1 > end) return -1
        ints[n++] = b[at++]
      } else if (code === Code.I64) {
        if (at + 8 > end) return -1
        ints[n++] = u32(b, at)
        ints[n++] = u32(b, at + 4)
        at += 8
      } else if (code === Code.TEXT) {
        const length = lengthAt(b, at, end, 1)
        if (length < 0) return -1
        ints[n++] = at + 4
        ints[n++] = length
        at += 4 + length
      } else if (code === Code.STATUS) {
        if (!this.hasStatus) {
          ints[n++] = -1
          continue
        }
        const count = lengthAt(b, at, end, 14)
        if (count < 0) return -1
        at += 4
        if (n + 1 + 5 * count > ints.length) ints = this.#grow(n + 1 + 5 * count)
        ints[n++] = count
        for (let i = 0; i < count; i++, at += 14) {
          ints[n++] = u32(b, at)
          ints[n++] = u32(b, at + 4)
          ints[n++] = b[at + 8]
          ints[n++] = b[at + 9]
          ints[n++] = u32(b, at + 10)
        }
      } else if (code === Code.I32S || code === Code.U16S || code === Code.U8S) {
        const size = code === Code.I32S ? 4 : code === Code.U16S ? 2 : 1
        const count = lengthAt(b, at, end, size)
        if (count < 0) return -1
        at += 4
        if (n + 1 + count > ints.length) ints = this.#grow(n + 1 + count)
        ints[n++] = count
        if (size === 4) for (let i = 0; i < count; i++, at += 4) ints[n++] = u32(b, at)
        else if (size === 2) for (let i = 0; i < count; i++, at += 2) ints[n++] = (b[at] << 8) | b[at + 1]
        else for (let i = 0; i < count; i++) ints[n++] = b[at++]
      } else {
        this.used = n
        at = this.#rows(code, b, at, end)
        if (at < 0) return -1
        ints = this.ints
        n = this.used
      }
    }
    this.used = n
    return at
  }

  /** Reads lists of texts and lists of lists. They are rare, so this path need not be fast. */
  #rows(code: number, b: Uint8Array, from: number, end: number): number {
    const put = (x: number) => {
      if (this.used === this.ints.length) this.#grow(this.used + 1)
      this.ints[this.used++] = x
    }
    let at = from
    let count: number
    if (code === Code.ARGC_TEXTS) {
      // argc is the first int. Each text takes at least 4 bytes.
      count = this.ints[0]
      if (count < 0 || count > mostRecord / 4) throw new BadRecord(at, `expected a number of arguments, found ${count}`)
    } else {
      count = lengthAt(b, at, end, 4)
      if (count < 0) return -1
      at += 4
      put(count)
    }
    for (let i = 0; i < count; i++) {
      const inner = code === Code.I32_ROWS ? 4 : code === Code.TEXT_ROWS ? 4 : 1
      const length = lengthAt(b, at, end, inner)
      if (length < 0) return -1
      at += 4
      if (code === Code.TEXT_ROWS) {
        put(length)
        for (let j = 0; j < length; j++) {
          const chars = lengthAt(b, at, end, 1)
          if (chars < 0) return -1
          put(at + 4)
          put(chars)
          at += 4 + chars
        }
      } else if (code === Code.I32_ROWS) {
        put(length)
        for (let j = 0; j < length; j++, at += 4) put(u32(b, at))
      } else {
        put(at)
        put(length)
        at += length
      }
    }
    return at
  }

  #grow(least: number): Int32Array<ArrayBuffer> {
    const more = new Int32Array(Math.max(least, 2 * this.ints.length))
    more.set(this.ints)
    return (this.ints = more)
  }
}

function u32(b: Uint8Array, at: number): number {
  return (b[at] << 24) | (b[at + 1] << 16) | (b[at + 2] << 8) | b[at + 3]
}

/**
 * Returns the number of elements of `size` bytes that follow, or -1 if they have not all arrived. The caller allocates
 * nothing before the bytes are there, so a damaged length cannot exhaust the memory.
 */
function lengthAt(b: Uint8Array, at: number, end: number, size: number): number {
  if (at + 4 > end) return -1
  const count = u32(b, at) >>> 0
  if (count * size > mostRecord) throw new BadRecord(at, `expected the length of an argument, found ${count} elements`)
  return at + 4 + count * size > end ? -1 : count
}

function times(b: Uint8Array, at: number, to: Float64Array): void {
  to[0] = (b[at] << 8) | b[at + 1]
  to[1] = u32(b, at + 2) >>> 0
  to[2] = (b[at + 6] << 8) | b[at + 7]
  to[3] = u32(b, at + 8) >>> 0
}
