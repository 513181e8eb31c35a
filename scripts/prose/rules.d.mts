export interface Rule {
  readonly word: RegExp
  readonly use: string
  readonly where?: readonly ("page" | "message" | "comment")[]
  readonly but?: RegExp
}
export const rules: readonly Rule[]
