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

export type Columns = Readonly<Record<string, Column>>

/** A copy of the columns: state is copyable. */
export function copyOut(columns: Columns): Record<string, Column> {
  return Object.fromEntries(Object.entries(columns).map(([name, c]) => [name, c.slice()]))
}

export function copyIn(columns: Columns, from: Columns): void {
  for (const [name, c] of Object.entries(columns)) c.set(from[name]!)
}
