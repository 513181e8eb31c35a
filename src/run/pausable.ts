// A run that can pause. Everything that it knows between two steps is plain data: what JSON carries, and columns. Whoever has both, and compiles the same
// specification again, goes on with the same bits: in this process, in another one, on another machine.

/** What JSON carries and brings back as it was: no NaN, no infinity, no -0 (see `packed`). */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export type TypedArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array

export interface Saved {
  readonly state: JsonValue
  readonly columns: Readonly<Record<string, TypedArray>>
}

export interface Pausable {
  /** Goes on for about so many cycles (packet engine: of simulated time, too), and at least a little; true when the run has ended. */
  step(budget: number): boolean
  /** Everything that the rest of the run depends on, copied; between two steps only. */
  save(): Saved
}
