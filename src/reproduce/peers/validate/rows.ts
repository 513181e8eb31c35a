// A row of a validation: what was claimed, what came out, within which bounds. `unchecked` never counts as passed.
export interface Row {
  readonly id: string
  readonly claim: string
  readonly reference: number | string
  readonly value: number | string
  readonly low?: number
  readonly high?: number
  readonly pass: boolean | "unchecked"
  /** why it is an exception, or why it could not be checked */
  readonly note?: string
}

export interface Validation {
  readonly suite: string
  readonly rows: readonly Row[]
  readonly pass: boolean
}

export function validation(suite: string, rows: readonly Row[]): Validation {
  return { suite, rows, pass: rows.every((r) => r.pass !== false) }
}
