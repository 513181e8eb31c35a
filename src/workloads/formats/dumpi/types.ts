// Sizes of datatypes: those that MPI defines, those that the program created, and the table at the end of the file for
// types that were created while profiling was off. That table is read last. If a size used before differs from it,
// dumpi.ts reads all files a second time.
import { BadCall } from "./file.ts"

/** Sizes of the datatypes 0 to 27 on machines with 64-bit longs, as DUMPI writes them. */
const usual: readonly number[] = [
  0, 0, 1, 1, 1, 1, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 0, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20,
]
const most = 2 ** 52

/** First id after the predefined datatypes. */
export const USER_TYPES = 28

/** Datatypes below this value have their size in an array, because most calls use one of them. */
const DENSE = 1024

export class TypeSizes {
  readonly #table: readonly number[]
  /** [datatype] -> its size; -1: not looked up yet. */
  readonly #dense = new Float64Array(DENSE).fill(-1)
  readonly #made = new Map<number, number>()
  /** Ids whose size was taken from the table. The table of the file must contain the same sizes. */
  readonly #asked = new Set<number>()

  /** `table`: the table of the file, if it is already known. */
  constructor(table: readonly number[] = usual) {
    this.#table = table
  }
  of(type: number): number {
    if (type < 0 || type >= DENSE) return this.#ask(type)
    const known = this.#dense[type]
    return known >= 0 ? known : (this.#dense[type] = this.#ask(type))
  }
  #ask(type: number): number {
    const made = this.#made.get(type)
    if (made !== undefined) return made
    this.#asked.add(type)
    return this.#table[type] ?? 0
  }
  /** Returns the bytes of `count` elements of a datatype. */
  bytes(count: number, type: number): number {
    if (count < 0) throw new BadCall(`a count of ${count}, expected 0 or more`, "the file is damaged: get it again")
    const n = count * this.of(type)
    if (n > most)
      throw new BadCall(
        `${count} elements of datatype ${type} are more than 2^52 bytes`,
        "the file is damaged: get it again",
      )
    return n
  }
  define(type: number, bytes: number): void {
    this.#made.set(type, Math.min(Math.max(0, bytes), most))
    this.#changed(type)
  }
  forget(type: number): void {
    this.#made.delete(type)
    this.#changed(type)
  }
  #changed(type: number): void {
    if (type >= 0 && type < DENSE) this.#dense[type] = -1
  }
  /** Returns true if the table of the file agrees with the sizes that were used before it was known. */
  agrees(table: readonly number[]): boolean {
    for (const type of this.#asked) if ((table[type] ?? 0) !== (this.#table[type] ?? 0)) return false
    return true
  }
}

/** Follows calls that create or free datatypes; `x` are the ints of the record. */
export function followType(sizes: TypeSizes, fn: number, x: Int32Array) {
  switch (fn) {
    case 35: // contiguous
      return sizes.define(x[2], x[0] * sizes.of(x[1]))
    case 36: // vector, hvector
    case 37:
    case 219:
      return sizes.define(x[4], x[0] * x[1] * sizes.of(x[3]))
    case 38: // indexed, hindexed
    case 39:
    case 218: {
      const n = x[1]
      const old = 2 + n + 1 + x[2 + n]
      return sizes.define(x[old + 1], sum(x, 2, n) * sizes.of(x[old]))
    }
    case 40: // struct
    case 222: {
      const n = x[1]
      const types = 2 + n + 1 + x[2 + n]
      const m = x[types]
      let bytes = 0
      for (let i = 0; i < Math.min(n, m); i++) bytes += x[2 + i] * sizes.of(x[types + 1 + i])
      return sizes.define(x[types + 1 + m], bytes)
    }
    case 47:
      return sizes.forget(x[0])
    case 178: // dup
      return sizes.define(x[1], sizes.of(x[0]))
    case 220: {
      // indexed_block
      const old = 3 + x[2]
      return sizes.define(x[old + 1], x[0] * x[1] * sizes.of(x[old]))
    }
    case 221: // resized
      return sizes.define(x[3], sizes.of(x[0]))
    case 223: {
      // subarray
      const sub = 2 + x[1]
      const starts = sub + 1 + x[sub]
      const old = starts + 1 + x[starts] + 1
      let elements = 1
      for (let i = 0; i < x[sub]; i++) elements *= x[sub + 1 + i]
      return sizes.define(x[old + 1], elements * sizes.of(x[old]))
    }
  }
}

function sum(x: Int32Array, from: number, count: number): number {
  let total = 0
  for (let i = 0; i < count; i++) total += x[from + i]
  return total
}
