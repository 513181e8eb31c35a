// The form of a row: an expression over measured values, and the bounds that it must lie within. Precedence is that of
// arithmetic; `^` binds tightest and to the right.
//
//   row        = expression ("within" expression (".." | "..<" | "<..") expression | ("<" | "<=" | …) expression)
//   expression = term (("+" | "-") term)*
//   term       = power (("*" | "/") power)*
//   power      = ["-"] atom ["^" power]
//   atom       = number | "(" expression ")" | reference
//   reference  = NAME ["[" COLUMN "]"] ["(" arguments ")"] ["at" conditions]
//   condition  = KEY "=" (expression [".." expression] | "text")
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { type Token, tokens } from "./tokens.ts"

export type Expression =
  | { readonly kind: "number"; readonly value: number; readonly unit: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "negative"; readonly of: Expression }
  | { readonly kind: "operation"; readonly sign: Sign; readonly left: Expression; readonly right: Expression }
  | Reference

/** A measured value, a column of a table, a function, or a name under `let`: the scope decides. */
export interface Reference {
  readonly kind: "reference"
  readonly name: string
  readonly column?: string
  readonly arguments: readonly Expression[]
  readonly conditions: readonly Condition[]
}

/** A key and its value, or both ends of a range of values. */
export interface Condition {
  readonly key: string
  readonly from: Expression
  readonly to?: Expression
}

export type Sign = "+" | "-" | "*" | "/" | "^"
export type Comparison = "<" | "<=" | ">" | ">=" | "=="

/** The bounds as written. `..<` and `<..` leave out the end that the sign points at. */
export type Bounds =
  | {
      readonly kind: "within"
      readonly low: Expression
      readonly high: Expression
      readonly sign: ".." | "..<" | "<.."
    }
  | { readonly kind: "compared"; readonly sign: Comparison; readonly limit: Expression }

export interface ParsedRow {
  readonly value: Expression
  readonly bounds: Bounds
}

const usual = 'write for example max(accepted("ECN")) / max(accepted(ideal)) within 0.87..1.15'

/** Parses a row with its bounds. */
export function parseRow(raw: unknown, path: string): Checked<ParsedRow> {
  return parsed(raw, path, (p) => {
    const value = p.expression()
    return { value, bounds: p.bounds() }
  })
}

/** Parses an expression without bounds. */
export function parseExpression(raw: unknown, path: string): Checked<Expression> {
  return parsed(typeof raw === "number" ? String(raw) : raw, path, (p) => p.expression())
}

function parsed<T>(raw: unknown, path: string, made: (p: Parser) => T): Checked<T> {
  if (typeof raw !== "string") return { bad: [complain(path, "expected a text", usual)] }
  const words = tokens(raw, path)
  if ("bad" in words) return words
  const parser = new Parser(raw, words.ok, path)
  const got = made(parser)
  parser.end()
  return parser.bad.length > 0 ? { bad: parser.bad.slice(0, 1) } : { ok: got }
}

const comparisons: readonly Comparison[] = ["<", "<=", ">", ">=", "=="]
const nothing: Expression = { kind: "number", value: Number.NaN, unit: "" }

/** Recursive descent. After an error it continues with NaN, and the first complaint is the one that is shown. */
class Parser {
  readonly bad: Complaint[] = []
  private at = 0
  private readonly text: string
  private readonly words: readonly Token[]
  private readonly path: string
  constructor(text: string, words: readonly Token[], path: string) {
    this.text = text
    this.words = words
    this.path = path
  }

  expression(): Expression {
    return this.chain(["+", "-"], () => this.chain(["*", "/"], () => this.power()))
  }

  bounds(): Bounds {
    if (this.takes("within")) {
      const low = this.expression()
      const sign = (["..", "..<", "<.."] as const).find((s) => this.takes(s))
      if (sign === undefined) this.refuse("expected two bounds", "write within 0.87..1.15")
      return { kind: "within", low, high: this.expression(), sign: sign ?? ".." }
    }
    const sign = comparisons.find((s) => this.takes(s))
    if (sign === undefined) this.refuse("has no bounds", usual)
    return { kind: "compared", sign: sign ?? "==", limit: this.expression() }
  }

  end(): void {
    const left = this.words[this.at]
    if (left !== undefined) this.refuse(`"${this.text.slice(left.at)}" is left over`, usual)
  }

  private chain<S extends Sign>(signs: readonly S[], part: () => Expression): Expression {
    let left = part()
    for (;;) {
      const sign = signs.find((s) => this.takes(s))
      if (sign === undefined) return left
      left = { kind: "operation", sign, left, right: part() }
    }
  }

  private power(): Expression {
    if (this.takes("-")) return { kind: "negative", of: this.power() }
    const base = this.atom()
    return this.takes("^") ? { kind: "operation", sign: "^", left: base, right: this.power() } : base
  }

  private atom(): Expression {
    const word = this.words[this.at]
    if (word === undefined) return this.refuse("ends too early", usual)
    this.at++
    if (word.kind === "number") return { kind: "number", value: word.value, unit: word.unit }
    if (word.kind === "text") return { kind: "text", text: word.text }
    if (word.kind === "name") return this.reference(word.text)
    if (word.text !== "(") return this.refuse(`"${this.text.slice(word.at)}" is not a value`, usual)
    const inner = this.expression()
    this.needs(")")
    return inner
  }

  private reference(name: string): Expression {
    const column = this.takes("[") ? this.name() : undefined
    if (column !== undefined) this.needs("]")
    const args: Expression[] = []
    const conditions: Condition[] = []
    if (this.takes("(") && !this.takes(")")) {
      do this.argument(args, conditions)
      while (this.takes(","))
      this.needs(")")
    }
    if (this.takes("at"))
      do conditions.push(this.condition())
      while (this.takes("and") || (this.isCondition(1) && this.takes(",")))
    return { kind: "reference", name, ...(column === undefined ? {} : { column }), arguments: args, conditions }
  }

  private argument(args: Expression[], conditions: Condition[]): void {
    if (this.isCondition(0)) conditions.push(this.condition())
    else args.push(this.expression())
  }

  private isCondition(ahead: number): boolean {
    return this.words[this.at + ahead]?.kind === "name" && this.words[this.at + ahead + 1]?.text === "="
  }

  private condition(): Condition {
    const key = this.name()
    this.needs("=")
    const from = this.expression()
    return this.takes("..") ? { key, from, to: this.expression() } : { key, from }
  }

  private name(): string {
    const word = this.words[this.at++]
    if (word?.kind === "name") return word.text
    this.refuse("expected a name", usual)
    return ""
  }

  private takes(text: string): boolean {
    const word = this.words[this.at]
    if (word === undefined || word.kind === "text" || word.kind === "number" || word.text !== text) return false
    this.at++
    return true
  }

  private needs(text: string): void {
    if (!this.takes(text)) this.refuse(`"${text}" is missing in "${this.text}"`, usual)
  }

  private refuse(says: string, fix: string): Expression {
    this.bad.push(complain(this.path, says, fix))
    return nothing
  }
}
