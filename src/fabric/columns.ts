// Columns: typed arrays over memory that workers can share, the narrowest kind that holds the values.
// Building a machine is deterministic, so a second worker that builds the same machine asks for the same columns in the same order:
// `building` records what the first one allocated, and hands it to the others.
import { shared } from "../model/graph.ts"

export type Column = Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array

let made: ArrayBufferLike[] | undefined
let given: readonly ArrayBufferLike[] | undefined
let next = 0

/** Runs `build` and answers what it made and the memory behind its columns; with `adopt` the columns lie over that memory instead. */
export function building<T>(build: () => T, adopt?: readonly ArrayBufferLike[]): { made: T; memory: readonly ArrayBufferLike[] } {
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

function column<A extends Column>(
  kind: { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBufferLike): A; new (n: number): A },
  n: number,
): A {
  if (given !== undefined) {
    const memory = given[next++]
    if (memory === undefined || memory.byteLength !== n * kind.BYTES_PER_ELEMENT)
      throw new Error("a worker built another machine than the first one")
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

/** Unsigned columns by the largest value they must hold. */
export function upTo(max: number, n: number): Uint8Array | Uint16Array | Int32Array {
  return max < 256 ? u8(n) : max < 65536 ? u16(n) : i32(n)
}

/** Working memory of one worker, of at least n words. V8 keeps arrays of up to 64 bytes in its own heap and then cannot fold their address into
 * machine code (bench/micro/small-array.ts), so none is that small. */
export const scratch = (n: number): Int32Array => new Int32Array(Math.max(n, 32))

/** The same with values. */
export function scratchOf(values: ArrayLike<number>): Int32Array {
  const a = scratch(values.length)
  a.set(values)
  return a
}

/** Words of 32 bits from one worker's counter to another's, where they are written at every packet: lines of caches are fetched in pairs, and two cores that
 * write into one wait for each other each time. */
export const APART = 32

export type Columns = Readonly<Record<string, Column>>

/** A column in parts, of each of which only the first `used` words matter: the others were never written, or nobody will read them. */
export interface Used {
  /** words of each part, or where each begins if they differ */
  readonly room: number | ArrayLike<number>
  readonly used: ArrayLike<number>
}
export type Marks = Readonly<Record<string, Used>>

/** A copy of the columns: state is copyable. Of those with marks only what is used, part behind part. */
export function copyOut(columns: Columns, marks: Marks = {}): Record<string, Column> {
  return Object.fromEntries(Object.entries(columns).map(([name, c]) => [name, copyOf(c, marks[name])]))
}

function copyOf(c: Column, mark: Used | undefined): Column {
  if (mark === undefined) return c.slice()
  const copy = c.slice(0, usedIn(mark))
  for (let i = 0, at = 0; i < mark.used.length; at += mark.used[i++]!)
    copy.set(c.subarray(firstOf(mark, i), firstOf(mark, i) + mark.used[i]!), at)
  return copy
}

function firstOf({ room }: Used, part: number): number {
  return typeof room === "number" ? part * room : room[part]!
}

function usedIn({ used }: Used): number {
  let all = 0
  for (let i = 0; i < used.length; i++) all += used[i]!
  return all
}

/** Puts a copy back. `marks` reads the marks of columns. A copy of other columns than these is refused before anything is written. */
export function copyIn(columns: Columns, from: Columns, marks: (of: Columns) => Marks = () => ({})): void {
  const own = marks(columns)
  refuseOther(columns, from, (name) => (name in own ? undefined : columns[name]!.length))
  const theirs = marks(from)
  for (const [name, mark] of Object.entries(theirs)) refuseLonger(name, mark, columns[name]!.length)
  refuseOther(columns, from, (name) => (name in theirs ? usedIn(theirs[name]!) : undefined))
  for (const [name, c] of Object.entries(columns)) {
    const mark = theirs[name]
    if (mark === undefined) c.set(from[name]!)
    else putBack(c, from[name]!, mark, own[name]!)
  }
}

function refuseLonger(name: string, mark: Used, length: number): void {
  const parts = mark.used.length
  for (let i = 0; i < parts; i++) {
    const room = (i + 1 < parts ? firstOf(mark, i + 1) : length) - firstOf(mark, i)
    const used = mark.used[i]!
    if (used < 0 || used > room) throw new Error(`column ${name}: the copy uses ${used} words of a part that has ${room}`)
  }
}

/** What this machine has used and the copy has not is as good as new again. */
function putBack(c: Column, from: Column, mark: Used, own: Used): void {
  for (let i = 0, at = 0; i < mark.used.length; i++) {
    const first = firstOf(mark, i)
    const used = mark.used[i]!
    c.set(from.subarray(at, at + used), first)
    if (own.used[i]! > used) c.fill(0, first + used, first + own.used[i]!)
    at += used
  }
}

/** `lengthOf`: what a column must have, undefined where that is not known yet. */
function refuseOther(columns: Columns, from: Columns, lengthOf: (name: string) => number | undefined): void {
  for (const [name, c] of Object.entries(columns)) {
    const given = from[name]
    if (given === undefined) throw new Error(`column ${name}: the copy has none, and this machine has one of length ${c.length}`)
    const length = lengthOf(name)
    const kind = c.constructor.name
    if (given.constructor.name !== kind || (length !== undefined && given.length !== length))
      throw new Error(
        `column ${name}: ${given.constructor.name} of length ${given.length} in the copy, ${kind}${length === undefined ? "" : ` of length ${length}`} in this machine`,
      )
  }
  for (const name of Object.keys(from))
    if (!(name in columns)) throw new Error(`column ${name}: the copy has it, and this machine has none`)
}
