// Columns: typed arrays over memory that workers can share, of the narrowest type that holds the values. Building a
// simulation is deterministic, so a second worker that builds the same network requests the same columns in the same
// order. `building` records the allocations of the first worker and passes them to the others. The second half of the
// file copies columns for snapshots, without the parts that were never used.
import { shared } from "../model/graph.ts"

export type Column = Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array

let made: ArrayBufferLike[] | undefined
let given: readonly ArrayBufferLike[] | undefined
let next = 0

/**
 * Runs `build`. Returns its result and the memory of its columns. With `adopt`, the columns are views of that memory
 * instead.
 */
export function building<T>(
  build: () => T,
  adopt?: readonly ArrayBufferLike[],
): { made: T; memory: readonly ArrayBufferLike[] } {
  const before = { made, given, next }
  made = []
  given = adopt
  next = 0
  try {
    const result = build()
    return { made: result, memory: adopt ?? made }
  } finally {
    made = before.made
    given = before.given
    next = before.next
  }
}

/** Allocates a column, or takes the next one of the adopted memory. */
function column<A extends Column>(
  kind: { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBufferLike): A; new (n: number): A },
  n: number,
): A {
  if (given !== undefined) {
    const memory = given[next++]
    if (memory === undefined || memory.byteLength !== n * kind.BYTES_PER_ELEMENT)
      throw new Error("a worker built a network that differs from that of the first worker")
    return new kind(memory)
  }
  const c = shared<A>(kind, n)
  made?.push(c.buffer)
  return c
}

export const i32 = (n: number): Int32Array => column(Int32Array, n)
export const u32 = (n: number): Uint32Array => column(Uint32Array, n)
export const u16 = (n: number): Uint16Array => column(Uint16Array, n)
export const u8 = (n: number): Uint8Array => column(Uint8Array, n)
export const f64 = (n: number): Float64Array => column(Float64Array, n)

/** Allocates an unsigned column for values up to `max`. */
export function upTo(max: number, n: number): Uint8Array | Uint16Array | Int32Array {
  return max < 256 ? u8(n) : max < 65536 ? u16(n) : i32(n)
}

/**
 * Private memory of one worker, at least n words. V8 stores arrays of up to 64 bytes in its own heap and then cannot
 * embed their address in machine code (bench/micro/small-array.ts), so none is that small.
 */
export const scratch = (n: number): Int32Array => new Int32Array(Math.max(n, 32))

/** The same, initialised with values. */
export function scratchOf(values: ArrayLike<number>): Int32Array {
  const a = scratch(values.length)
  a.set(values)
  return a
}

/**
 * Distance of two workers' counters in 32-bit words, if they are written at every packet. CPUs fetch cache lines in
 * pairs, and two cores that write to the same pair stall each other (false sharing).
 */
export const APART = 32

export type Columns = Readonly<Record<string, Column>>

/**
 * A column in parts. Only the first `used` words of each part matter: the others were never written, or will not be
 * read.
 */
export interface Used {
  /** words of each part, or the start of each part if they differ */
  readonly capacity: number | ArrayLike<number>
  readonly used: ArrayLike<number>
}
export type Marks = Readonly<Record<string, Used>>

/** Returns a copy of the columns. Columns with marks are copied without their unused words, part after part. */
export function copyOut(columns: Columns, marks: Marks = {}): Record<string, Column> {
  return Object.fromEntries(Object.entries(columns).map(([name, c]) => [name, copyOf(c, marks[name])]))
}

function copyOf(c: Column, mark: Used | undefined): Column {
  if (mark === undefined) return c.slice()
  const copy = c.slice(0, usedIn(mark))
  for (let i = 0, at = 0; i < mark.used.length; at += mark.used[i++])
    copy.set(c.subarray(firstOf(mark, i), firstOf(mark, i) + mark.used[i]), at)
  return copy
}

function firstOf({ capacity }: Used, part: number): number {
  return typeof capacity === "number" ? part * capacity : capacity[part]
}

function usedIn({ used }: Used): number {
  let all = 0
  for (let i = 0; i < used.length; i++) all += used[i]
  return all
}

/**
 * Restores a copy. `marks` computes the marks of columns. A copy with different columns is rejected before anything is
 * written.
 */
export function copyIn(columns: Columns, from: Columns, marks: (of: Columns) => Marks = () => ({})): void {
  // The marks of the copy are computed from its own columns, so the columns that they depend on are checked first.
  const own = marks(columns)
  refuseOther(columns, from, (name) => (name in own ? undefined : columns[name].length))
  const theirs = marks(from)
  for (const [name, mark] of Object.entries(theirs)) refuseLonger(name, mark, columns[name].length)
  refuseOther(columns, from, (name) => (name in theirs ? usedIn(theirs[name]) : undefined))
  for (const [name, c] of Object.entries(columns)) {
    const mark = theirs[name]
    if (mark === undefined) c.set(from[name])
    else putBack(c, from[name], mark, own[name])
  }
}

function refuseLonger(name: string, mark: Used, length: number): void {
  const parts = mark.used.length
  for (let i = 0; i < parts; i++) {
    const capacity = (i + 1 < parts ? firstOf(mark, i + 1) : length) - firstOf(mark, i)
    const used = mark.used[i]
    if (used < 0 || used > capacity)
      throw new Error(`column ${name}: the copy uses ${used} words of a part that has ${capacity}`)
  }
}

/** Restores one column. Words that this simulation has used and the copy has not become 0 again. */
function putBack(c: Column, from: Column, mark: Used, own: Used): void {
  for (let i = 0, at = 0; i < mark.used.length; i++) {
    const first = firstOf(mark, i)
    const used = mark.used[i]
    c.set(from.subarray(at, at + used), first)
    if (own.used[i] > used) c.fill(0, first + used, first + own.used[i])
    at += used
  }
}

/** Throws if the copy has other columns. `lengthOf`: the expected length, undefined while it is not known. */
function refuseOther(columns: Columns, from: Columns, lengthOf: (name: string) => number | undefined): void {
  for (const [name, c] of Object.entries(columns)) {
    const given = from[name]
    if (given === undefined)
      throw new Error(`column ${name}: the copy has none, and this machine has one of length ${c.length}`)
    const length = lengthOf(name)
    const kind = c.constructor.name
    if (given.constructor.name !== kind || (length !== undefined && given.length !== length))
      throw new Error(
        `column ${name}: ${given.constructor.name} of length ${given.length} in the copy, ` +
          `${kind}${length === undefined ? "" : ` of length ${length}`} in this machine`,
      )
  }
  for (const name of Object.keys(from))
    if (!(name in columns)) throw new Error(`column ${name}: the copy has it, and this machine has none`)
}
