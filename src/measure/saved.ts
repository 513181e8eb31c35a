// The state of a run as data: a JSON value and typed arrays (columns). A process that has both and compiles the same
// specification continues with identical results, on this machine or on another one with the same byte order.

/** Values that JSON preserves exactly. NaN and infinities are not among them, so these are stored in columns. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export type TypedArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array

export interface Saved {
  readonly state: JsonValue
  readonly columns: Readonly<Record<string, TypedArray>>
}

export interface Pausable {
  /**
   * Runs for about `budget` cycles (packet engine: at least to the next inspection). Returns true if the run has ended.
   */
  step(budget: number): boolean
  /** Returns a copy of everything that the rest of the run depends on. Only valid between two steps. */
  save(): Saved
}

/** Returns the part of a value that JSON can represent. */
export function asJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue
}

/** Returns the columns with a prefix added to their names. */
export function named(prefix: string, columns: Saved["columns"]): Record<string, TypedArray> {
  return Object.fromEntries(Object.entries(columns).map(([name, c]) => [prefix + name, c]))
}

/** Returns the columns whose names have this prefix, without it. */
export function under<A extends TypedArray>(prefix: string, columns: Readonly<Record<string, A>>): Record<string, A> {
  const found = Object.entries(columns).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(found.map(([name, c]) => [name.slice(prefix.length), c]))
}

/** Returns a column of a saved run. Throws if it has another type or length. */
export function columnIn<A extends TypedArray>(
  { columns }: Saved,
  name: string,
  kind: { new (n: number): A },
  length?: number,
): A {
  const column = columns[name]
  if (column instanceof kind && (length === undefined || column.length === length)) return column
  const given = column === undefined ? "none" : `${column.constructor.name} of length ${column.length}`
  throw new Error(
    `column ${name}: ` +
      `${kind.name}${length === undefined ? "" : ` of length ${length}`} is ` +
      `expected, and the saved run has ${given}`,
  )
}
