// Columns: typed arrays over memory that workers can share, the narrowest kind that holds the values.
import { shared } from "../model/graph.ts"

export type Column = Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array

export const i32 = (n: number): Int32Array => shared(Int32Array, n)
export const u32 = (n: number): Uint32Array => shared(Uint32Array, n)
export const u16 = (n: number): Uint16Array => shared(Uint16Array, n)
export const u8 = (n: number): Uint8Array => shared(Uint8Array, n)
export const f64 = (n: number): Float64Array => shared(Float64Array, n)

/** Unsigned columns by the largest value they must hold. */
export function upTo(max: number, n: number): Uint8Array | Uint16Array | Int32Array {
  return max < 256 ? u8(n) : max < 65536 ? u16(n) : i32(n)
}

export type Columns = Readonly<Record<string, Column>>

/** A copy of the columns: state is copyable. */
export function copyOut(columns: Columns): Record<string, Column> {
  return Object.fromEntries(Object.entries(columns).map(([name, c]) => [name, c.slice()]))
}

export function copyIn(columns: Columns, from: Columns): void {
  for (const [name, c] of Object.entries(columns)) c.set(from[name]!)
}
