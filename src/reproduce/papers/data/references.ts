// All references of an expression, names under `let` followed: what a row reads.
import { functions } from "../../../experiment/rows/functions.ts"
import type { Expression, Reference } from "../../../experiment/rows/syntax.ts"

type Names = Readonly<Record<string, Expression>>

export const isFunction = (name: string): boolean => name === "saturation" || Object.hasOwn(functions, name)

/** Returns every reference to something measured or read off the model; `saturation` counts as one. */
export function referencesOf(e: Expression, names: Names, within: readonly string[] = []): readonly Reference[] {
  if (e.kind === "number" || e.kind === "text") return []
  if (e.kind === "negative") return referencesOf(e.of, names, within)
  if (e.kind === "operation") return [e.left, e.right].flatMap((part) => referencesOf(part, names, within))
  const named = Object.hasOwn(names, e.name) && e.arguments.length === 0 && e.conditions.length === 0
  // a name that stands for itself would never end
  if (named) return within.includes(e.name) ? [] : referencesOf(names[e.name], names, [...within, e.name])
  if (e.name === "saturation" || !isFunction(e.name)) return [e]
  return e.arguments.flatMap((part) => referencesOf(part, names, within))
}

export const isConstant = (e: Expression, names: Names): boolean => referencesOf(e, names).length === 0

/** Returns the names under `let` that stand for themselves, directly or through others. */
export function circular(names: Names): string[] {
  const uses = (e: Expression, of: string, seen: readonly string[]): boolean => {
    if (e.kind === "number" || e.kind === "text") return false
    if (e.kind === "negative") return uses(e.of, of, seen)
    if (e.kind === "operation") return uses(e.left, of, seen) || uses(e.right, of, seen)
    if (e.arguments.some((a) => uses(a, of, seen))) return true
    if (!Object.hasOwn(names, e.name) || seen.includes(e.name)) return false
    return e.name === of || uses(names[e.name], of, [...seen, e.name])
  }
  return Object.keys(names).filter((name) => uses(names[name], name, []))
}
