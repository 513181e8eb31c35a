// Matches the points of two results folders that measure the same case. `at` chooses one value of a swept key,
// `without` leaves a key out. A mean over several values of a key is only compared with the mean over the same values.
import { type Complaint, complain, nearest } from "../../core/complaint.ts"
import { isMap } from "../../experiment/fields.ts"
import { pointKeys } from "../order.ts"
import type { RunRecord } from "../record.ts"

type Records = readonly RunRecord[]
type Value = string | number

/** The records of both sides at these values; a side that does not sweep the key is taken as it is. */
export function chosen(
  sides: readonly [Records, Records],
  at: Readonly<Record<string, string>>,
  bad: Complaint[],
): [Records, Records] {
  for (const [key, value] of Object.entries(at)) {
    const known = [...new Set(sides.flatMap((s) => valuesOf(s, key)))]
    const keys = [...new Set(sides.flatMap((s) => pointKeys(s)))]
    if (known.length === 0) bad.push(complain(`--at ${key}`, "No run sweeps this key.", keyAdvice(key, keys)))
    else if (!known.some((v) => isValue(v, value)))
      bad.push(complain(`--at ${key}`, `No run has the value ${value}.`, `choose one of ${known.join(", ")}`))
  }
  const fits = (r: RunRecord) =>
    Object.entries(at).every(([k, v]) => r.point[k] === undefined || isValue(r.point[k], v))
  return [sides[0].filter(fits), sides[1].filter(fits)]
}

/** Keys that may not be left out: one side would be a mean over several values, the other not over the same. */
export function unlike(a: Records, b: Records, without: readonly string[]): Complaint[] {
  return without.flatMap((key) => {
    const [left, right] = [valuesOf(a, key), valuesOf(b, key)]
    const alike = left.length === right.length && left.every((v) => right.includes(v))
    if (alike || Math.max(left.length, right.length) < 2) return []
    const mean = (side: string, values: readonly Value[]) =>
      values.length === 0 ? `the runs of ${side}` : `${side}'s mean over ${values.join(", ")}`
    return [
      complain(
        `--without ${key}`,
        `This would compare ${mean("A", left)} with ${mean("B", right)}.`,
        `choose one value: --at ${atAdvice(a, b, key)}`,
      ),
    ]
  })
}

/** What to do when no point is in both. */
export function noneFix(a: Records, b: Records): string {
  const [ka, kb] = [pointKeys(a), pointKeys(b)]
  const differing = [...ka.filter((k) => !kb.includes(k)), ...kb.filter((k) => !ka.includes(k))]
  if (differing.length === 0) return `sweep the same values of ${ka.join(", ") || "the same keys"} in both`
  const many = differing.filter((k) => Math.max(valuesOf(a, k).length, valuesOf(b, k).length) > 1)
  const one = differing.filter((k) => !many.includes(k))
  const advice = [
    ...(many.length > 0 ? [`choose one value with ${many.map((k) => `--at ${atAdvice(a, b, k)}`).join(" ")}`] : []),
    ...(one.length > 0 ? [`ignore keys with one value: --without ${one.join(",")}`] : []),
  ]
  return `only one folder sweeps ${differing.join(", ")}; ${advice.join(", and ")}`
}

/** `load=0.4`, with the value of the other side, where its runs contain it. */
function atAdvice(a: Records, b: Records, key: string): string {
  const [left, right] = [valuesOf(a, key), valuesOf(b, key)]
  const values = left.length > 1 ? left : right
  const others = left.length > 1 ? [...right, ...fixedIn(b, key)] : [...left, ...fixedIn(a, key)]
  return `${key}=${values.find((v) => others.includes(v)) ?? values[0]}`
}

function valuesOf(records: Records, key: string): Value[] {
  return [...new Set(records.flatMap((r) => r.point[key] ?? []))]
}

function isValue(value: Value, written: string): boolean {
  return String(value) === written || (typeof value === "number" && written.trim() !== "" && value === Number(written))
}

function keyAdvice(key: string, keys: readonly string[]): string {
  const near = nearest(key, keys)
  return near !== undefined ? `did you mean "${near}"?` : `swept keys: ${keys.join(", ") || "none"}`
}

/** The values that the specifications have at this key, or at what ends like it. */
function fixedIn(records: Records, key: string): Value[] {
  const plain = (path: readonly string[]) =>
    path
      .filter((s) => !/^\d+$/.test(s))
      .join(".")
      .replace(/\.name$/, "")
  const wanted = `.${plain(key.split("."))}`
  const found = new Set<Value>()
  const walk = (value: unknown, path: readonly string[]): void => {
    if (Array.isArray(value)) for (const [i, v] of value.entries()) walk(v, [...path, String(i)])
    else if (isMap(value)) for (const [k, v] of Object.entries(value)) walk(v, [...path, k])
    else if ((typeof value === "string" || typeof value === "number") && `.${plain(path)}`.endsWith(wanted))
      found.add(value)
  }
  for (const r of records) walk(r.spec, [])
  return [...found]
}
