// The value of an expression: of measured runs, of numbers of the model, or of numbers alone. Whatever was not measured
// is NaN, and so is all that is calculated with it.
import { quantity, type Scale } from "../../core/units.ts"
import { functions, saturationInfo } from "./functions.ts"
import { kneeOf } from "./saturation.ts"
import { measured, overTimes, type Runs, type Wanted } from "./select.ts"
import { combined, mapped, type Value, valuesOf } from "./series.ts"
import type { Expression, Reference, Sign } from "./syntax.ts"

export interface Scope {
  readonly runs: Runs
  /** names that stand for expressions */
  readonly let: Readonly<Record<string, Expression>>
  readonly scale: Scale
  /** a number read off the model; undefined where the reference is none */
  fact?(reference: Reference): number | undefined
}

const apply: Readonly<Record<Sign, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "^": (a, b) => a ** b,
}

export function evaluate(e: Expression, scope: Scope): Value {
  if (e.kind === "number") return numberOf(e.value, e.unit, scope.scale)
  if (e.kind === "text") return Number.NaN
  if (e.kind === "negative") return mapped(evaluate(e.of, scope), (v) => -v)
  if (e.kind === "operation") return combined(evaluate(e.left, scope), evaluate(e.right, scope), apply[e.sign])
  const named = Object.hasOwn(scope.let, e.name) ? scope.let[e.name] : undefined
  if (named !== undefined && e.arguments.length === 0 && e.conditions.length === 0) return evaluate(named, scope)
  if (e.name === "saturation") return saturation(e, scope)
  if (Object.hasOwn(functions, e.name)) return functions[e.name].apply(e.arguments.map((a) => evaluate(a, scope)))
  const fact = scope.fact?.(e)
  if (fact !== undefined) return fact
  const wanted = wantedBy(e, scope)
  return e.column === undefined ? measured(scope.runs, e.name, wanted) : overTimes(scope.runs, e.name, e.column, wanted)
}

/** Returns one number; NaN for a series, which a row cannot compare. */
export function evaluateNumber(e: Expression, scope: Scope): number {
  const value = evaluate(e, scope)
  return typeof value === "number" ? value : Number.NaN
}

/** Returns a number with its unit: a part for %, cycles for a duration. */
function numberOf(value: number, unit: string, scale: Scale): number {
  if (unit === "") return value
  if (unit === "%") return value / 100
  const cycles = quantity(`${value}${unit}`, "cycles", scale)
  return typeof cycles === "number" ? cycles : Number.NaN
}

/** Returns the text of an argument or a condition: quoted, or a bare name. */
export function textOf(e: Expression): string | undefined {
  if (e.kind === "text") return e.text
  return e.kind === "reference" && e.arguments.length === 0 && e.conditions.length === 0 ? e.name : undefined
}

/** Returns the conditions of a reference. Its argument names a variant. */
export function wantedBy(e: Reference, scope: Scope): Wanted[] {
  const variants = e.arguments.map((a) => ({ key: "variant", from: textOf(a) ?? "" }))
  return [
    ...variants,
    ...e.conditions.map(({ key, from, to }): Wanted => {
      const text = textOf(from)
      if (text !== undefined && !Object.hasOwn(scope.let, text)) return { key, from: text }
      const low = evaluateNumber(from, scope)
      return to === undefined ? { key, from: low } : { key, from: low, to: evaluateNumber(to, scope) }
    }),
  ]
}

const limits = ["stream", "reference", "delivered", "latency"]

function saturation(e: Reference, scope: Scope): number {
  const given = (key: string) => e.conditions.find((c) => c.key === key)?.from
  const option = (key: "delivered" | "latency") => {
    const value = given(key)
    return value === undefined ? saturationInfo[key] : evaluateNumber(value, scope)
  }
  const [stream, reference] = [given("stream"), given("reference")]
  const prefix = stream === undefined ? "" : `${textOf(stream) ?? ""}.`
  const conditions = e.conditions.filter((c) => !limits.includes(c.key))
  const of = (name: string, variant = e.arguments) => [
    ...valuesOf(evaluate({ ...e, name, arguments: variant, conditions }, scope)),
  ]
  const loads = of("load")
  const [latency, accepted, offered] = ["latency.mean", "accepted", "offered"].map((name) => of(`${prefix}${name}`))
  const zero = reference === undefined ? latency[0] : of(`${prefix}latency.mean`, [reference])[0]
  const points = loads.map((load, i) => ({ load, latency: latency[i], accepted: accepted[i], offered: offered[i] }))
  return kneeOf(points, zero ?? Number.NaN, { delivered: option("delivered"), latency: option("latency") }).high
}
