// A hash of the state: two 32-bit lanes, each mixed like MurmurHash3 (Austin Appleby, public domain) with constants of
// its own, each feeding the other. It hashes whole numbers, not bytes: a column that changes its width keeps its hash.
// Limits: not for adversaries. Two forms: `Hash` depends on the order of what it is given, `HashSum` does not, so that
// workers may each add their part.

type Ints = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
type Column = Ints | Float32Array | Float64Array

const one = new Int32Array(1)

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by))
}

function finish(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function hex(a: number, b: number): string {
  return (a >>> 0).toString(16).padStart(8, "0") + (b >>> 0).toString(16).padStart(8, "0")
}

export class Hash {
  private a = 0x243f6a88
  private b = 0x85a308d3 | 0
  private n = 0

  /** One 32-bit word. */
  word(w: number): this {
    one[0] = w
    return this.mix(one, 0, 1)
  }

  /** A column, its length included; `from` and `to` cut a piece out of it. */
  array(column: Column, from = 0, to = column.length): this {
    this.word(to - from)
    if (column instanceof Float64Array)
      return this.mix(new Int32Array(column.buffer, column.byteOffset, 2 * column.length), 2 * from, 2 * to)
    if (column instanceof Float32Array)
      return this.mix(new Int32Array(column.buffer, column.byteOffset, column.length), from, to)
    return this.mix(column, from, to)
  }

  text(s: string): this {
    this.word(s.length)
    for (let i = 0; i < s.length; i++) this.word(s.charCodeAt(i))
    return this
  }

  private mix(words: Ints, from: number, to: number): this {
    let { a, b } = this
    for (let i = from; i < to; i++) {
      const w = words[i]
      a =
        (Math.imul(rotate(a ^ Math.imul(rotate(Math.imul(w, 0x239b961b), 15), 0xab0e9789), 19) + b, 5) + 0x561ccd1b) | 0
      b =
        (Math.imul(rotate(b ^ Math.imul(rotate(Math.imul(w, 0x38b34ae5), 17), 0xa1e38b93), 13) + a, 5) + 0x32ac3b17) | 0
    }
    this.a = a
    this.b = b
    this.n = (this.n + to - from) | 0
    return this
  }

  /** Returns both lanes. More words may be added afterwards. */
  lanes(): readonly [number, number] {
    const a = (this.a ^ this.n) + (this.b ^ this.n)
    const b = (this.b ^ this.n) + a
    const fa = finish(a | 0)
    const fb = finish(b | 0)
    return [(fa + fb) | 0, (fb + ((fa + fb) | 0)) | 0]
  }

  hex(): string {
    const [a, b] = this.lanes()
    return hex(a, b)
  }
}

/**
 * Returns 32 bits of three words: MurmurHash3 (x86, 32 bit) of the words b and c under the seed a. It is for
 * fingerprints and names; random numbers come from rng.ts.
 */
export function hash3(a: number, b: number, c: number): number {
  let h = a ^ Math.imul(rotate(Math.imul(b, 0xcc9e2d51), 15), 0x1b873593)
  h = (Math.imul(rotate(h, 13), 5) + 0xe6546b64) | 0
  h ^= Math.imul(rotate(Math.imul(c, 0xcc9e2d51), 15), 0x1b873593)
  h = (Math.imul(rotate(h, 13), 5) + 0xe6546b64) | 0
  return finish(h ^ 8)
}

/** The hash of one column. */
export function hashArray(column: Column): string {
  return new Hash().array(column).hex()
}

/** A sum of hashes, which does not depend on the order of the parts nor on which worker added them. */
export class HashSum {
  a = 0
  b = 0
  add(part: Hash): this {
    const [a, b] = part.lanes()
    this.a = (this.a + a) | 0
    this.b = (this.b + b) | 0
    return this
  }
  /**
   * Adds every element with its number, counted from `first`, so any partition of a column gives the same sum. `salt`
   * distinguishes columns.
   */
  array(column: Ints, salt: number, first = 0, from = 0, to = column.length): this {
    let { a, b } = this
    const saltA = finish(salt ^ 0x243f6a88)
    const saltB = finish(salt ^ 0x85a308d3)
    for (let i = from; i < to; i++) {
      const w = column[i]
      const key = first + i - from
      a =
        (a +
          finish(Math.imul(rotate(saltA ^ Math.imul(key, 0x239b961b), 13), 5) ^ rotate(Math.imul(w, 0xab0e9789), 15))) |
        0
      b =
        (b +
          finish(Math.imul(rotate(saltB ^ Math.imul(key, 0x38b34ae5), 17), 9) ^ rotate(Math.imul(w, 0xa1e38b93), 16))) |
        0
    }
    this.a = a
    this.b = b
    return this
  }
  merge(other: HashSum): this {
    this.a = (this.a + other.a) | 0
    this.b = (this.b + other.b) | 0
    return this
  }
  hex(): string {
    return hex(this.a, this.b)
  }
}
