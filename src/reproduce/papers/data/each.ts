// Rows and lines that repeat: `each` gives lists of values by name, and a text contains them as {name}. A map of lists
// means all combinations, the first name changing slowest; a list of maps means these combinations alone.
import { type Checked, complain } from "../../../core/complaint.ts"
import { isMap } from "../../../experiment/fields.ts"

type Combination = Readonly<Record<string, unknown>>

export function combinations(each: unknown, path: string): Checked<readonly Combination[]> {
  if (each === undefined) return { ok: [{}] }
  if (Array.isArray(each) && each.length > 0 && each.every(isMap)) return { ok: each }
  if (!isMap(each) || !Object.values(each).every((v) => Array.isArray(v) && v.length > 0))
    return { bad: [complain(path, "expected lists of values by name", "write each: {load: [0.1, 0.2]}")] }
  return {
    ok: Object.entries(each).reduce<Combination[]>(
      (made, [name, values]) =>
        made.flatMap((m) => (Array.isArray(values) ? values : []).map((v: unknown) => ({ ...m, [name]: v }))),
      [{}],
    ),
  }
}

/** Returns the value with each {name} replaced. A text that is nothing but one {name} becomes that value itself. */
export function filled(value: unknown, by: Combination): unknown {
  if (Array.isArray(value)) return value.map((v) => filled(v, by))
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, filled(v, by)]))
  if (typeof value !== "string") return value
  const whole = /^\{(\w+)\}$/.exec(value)?.[1]
  if (whole !== undefined && Object.hasOwn(by, whole)) return by[whole]
  return value.replace(/\{(\w+)\}/g, (text, name: string) => (Object.hasOwn(by, name) ? String(by[name]) : text))
}
