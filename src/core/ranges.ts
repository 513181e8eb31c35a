import { json } from "./json-schema.ts"
import { type Field, list, text } from "./schema.ts"

/** The numbers that a list such as 0-3, 7 names, or "all" of them; undefined: a part of it names none of 0 to count -
 *  1. */
export function membersOf(names: readonly (number | string)[], count: number): readonly number[] | undefined {
  const all: number[] = []
  for (const name of names) {
    const m =
      String(name).trim() === "all" ? ["", "0", String(count - 1)] : /^\s*(\d+)\s*(?:-\s*(\d+))?\s*$/.exec(String(name))
    const low = Number(m?.[1])
    const high = Number(m?.[2] ?? m?.[1])
    if (m === null || low > high || high >= count) return undefined
    for (let i = low; i <= high; i++) all.push(i)
  }
  return all
}

const names = text({ about: `Numbers: "all", a number, or a range such as 0-3` })
const name: Field<string> = {
  ...names,
  json: json.union([json.int(), json.string()]),
  parse: (raw, path, scale) => names.parse(typeof raw === "number" ? String(raw) : raw, path, scale),
}

/** A list for `membersOf`: numbers, ranges, or "all", which is the default. */
export function namesOf(about: string): Field<readonly string[]> {
  return list(name, { about: `${about}: numbers, ranges such as 0-3, or all`, atLeast: 1, default: ["all"] })
}
