// What varies: `variants`, `zip` and `sweep` become axes; a run is one position on each. Sizes are known before anything is expanded.
import { type Complaint, complain } from "../core/complaint.ts"
import { join, unknownKeys } from "../core/schema.ts"
import { kindOf } from "../core/units.ts"
import { isMap } from "./fields.ts"
import { flatten, type Setting, type Tree } from "./settings.ts"
import type { Source } from "./source.ts"

export interface Axis {
  /** keys as written, for their short names; one for a sweep, several for a zip, "variant" for variants */
  readonly keys: readonly string[]
  readonly size: number
  settings(i: number): readonly Setting[]
  labels(i: number): readonly (string | number)[]
}

/** Product of the axes' sizes: may be far too many. */
export function countOf(axes: readonly Axis[]): number {
  return axes.reduce((n, a) => n * a.size, 1)
}

/** The last axis varies fastest. */
export function position(axes: readonly Axis[], n: number): number[] {
  const at = new Array<number>(axes.length)
  for (let a = axes.length - 1; a >= 0; a--) {
    at[a] = n % axes[a]!.size
    n = Math.floor(n / axes[a]!.size)
  }
  return at
}

/** `sourceOf`: the file that wrote this key. `pinned`: swept keys that the command line has set. */
export function axesOf(tree: Tree, sourceOf: (key: string) => Source, pinned: (key: string) => boolean, bad: Complaint[]): Axis[] {
  const axes: Axis[] = []
  const variants = mapAt(tree, "variants", "write a map of names, each with the keys that differ", bad)
  if (variants !== undefined) axes.push(variantAxis(variants, sourceOf("variants"), pinned, bad))
  const zip = mapAt(tree, "zip", "write key: [values]", bad)
  if (zip !== undefined) {
    const columns = Object.keys(zip).flatMap((key) => (pinned(key) ? [] : (column(key, zip[key], "zip", sourceOf("zip"), bad) ?? [])))
    if (columns.some((c) => c.size !== columns[0]!.size)) {
      const sizes = columns.map((c) => `${c.keys[0]} has ${c.size}`).join(", ")
      bad.push(complain("zip", `its lists differ in length: ${sizes}`, "give them equal lengths, or use sweep for all combinations"))
    } else if (columns.length > 0) axes.push(together(columns))
  }
  const sweep = mapAt(tree, "sweep", "write key: [values]", bad)
  if (sweep !== undefined)
    for (const key of Object.keys(sweep)) if (!pinned(key)) axes.push(...(column(key, sweep[key], "sweep", sourceOf("sweep"), bad) ?? []))
  return axes
}

function mapAt(tree: Tree, key: string, fix: string, bad: Complaint[]): Tree | undefined {
  const value = tree[key]
  if (value === undefined || value === null) return undefined
  if (isMap(value)) return Object.keys(value).length > 0 ? value : undefined
  bad.push(complain(key, `expected a map, found ${kindOf(value)}`, fix))
  return undefined
}

function variantAxis(variants: Tree, source: Source, pinned: (key: string) => boolean, bad: Complaint[]): Axis {
  const names = Object.keys(variants)
  const all = names.map((name) => {
    const keys = variants[name]
    if (isMap(keys)) return flatten(keys, source, `variants.${name}`).filter((s) => !pinned(s.path))
    if (keys !== null && keys !== undefined)
      bad.push(complain(join("variants", name), `expected a map, found ${kindOf(keys)}`, "write the keys that differ, { } for none"))
    return []
  })
  return { keys: ["variant"], size: names.length, settings: (i) => all[i]!, labels: (i) => [names[i]!] }
}

function together(columns: readonly Axis[]): Axis {
  return {
    keys: columns.flatMap((c) => c.keys),
    size: columns[0]!.size,
    settings: (i) => columns.flatMap((c) => c.settings(i)),
    labels: (i) => columns.flatMap((c) => c.labels(i)),
  }
}

/** One swept key: a list of values, or a range. */
function column(key: string, given: unknown, under: string, source: Source, bad: Complaint[]): Axis[] | undefined {
  const where = join(under, key)
  const whole = where.length
  if (isMap(given)) {
    const range = rangeOf(given, where, bad)
    if (range === undefined) return undefined
    const settings = (i: number) => [{ path: key, value: range.value(i), source, written: where, keyLength: whole }]
    return [{ keys: [key], size: range.size, settings, labels: (i) => [range.value(i)] }]
  }
  if (!Array.isArray(given) || given.length === 0) {
    bad.push(
      complain(
        where,
        Array.isArray(given) ? "is an empty list" : `expected a list, found ${kindOf(given)}`,
        "write [a, b, …] or { from, to, step }",
      ),
    )
    return undefined
  }
  const values: readonly unknown[] = given
  const labels = labelsOf(values)
  const settings = (i: number) => [{ path: key, value: values[i], source, written: `${where}.${i}`, keyLength: whole }]
  return [{ keys: [key], size: values.length, settings, labels: (i) => [labels[i]!] }]
}

function rangeOf(given: Tree, where: string, bad: Complaint[]): { size: number; value(i: number): number } | undefined {
  const before = bad.length
  bad.push(...unknownKeys(given, ["from", "to", "step"], where))
  const [from, to, step] = ["from", "to", "step"].map((k) => {
    const v = given[k]
    if (typeof v === "number" && Number.isFinite(v)) return v
    bad.push(
      complain(
        join(where, k),
        v === undefined ? "is missing" : `expected a number, found ${kindOf(v)}`,
        "write { from: 0.1, to: 0.9, step: 0.1 }",
      ),
    )
    return 1
  }) as [number, number, number]
  if (bad.length === before && !(step > 0 && to >= from))
    bad.push(complain(where, "is a range without values", "from must be below to, and step above 0"))
  if (bad.length > before) return undefined
  // 0.1 + 2 * 0.1 is written 0.3: as many digits as the range itself has, and no more.
  const digits = Math.max(...[from, to, step].map(decimals))
  return {
    size: Math.floor(((to - from) / step) * (1 + 1e-12) + 1e-9) + 1,
    value: (i) => (digits <= 100 ? Number((from + i * step).toFixed(digits)) : from + i * step),
  }
}

/** Digits after the point, however the number is written: 2 of 0.25, 8 of 2.5e-7. */
function decimals(v: number): number {
  const [digits, power = "0"] = String(v).split("e")
  return Math.max(0, (digits!.split(".")[1] ?? "").length - Number(power))
}

/** Numbers and texts are their own labels; maps show their name, and their parameters where the name does not tell them apart. */
function labelsOf(values: readonly unknown[]): (string | number)[] {
  const short = values.map(labelOf)
  const times = new Map<string | number, number>()
  for (const label of short) times.set(label, (times.get(label) ?? 0) + 1)
  return short.map((label, i) => (times.get(label) === 1 ? label : fullLabel(values[i], label)))
}

export function labelOf(value: unknown): string | number {
  if (typeof value === "number" || typeof value === "string") return value
  if (isMap(value) && typeof value["name"] === "string") return value["name"]
  return JSON.stringify(value) ?? "nothing"
}

function fullLabel(value: unknown, label: string | number): string | number {
  if (!isMap(value)) return label
  const rest = Object.entries(value).filter(([k]) => k !== "name")
  return `${label} ${rest.map(([k, v]) => `${k}=${typeof v === "object" ? JSON.stringify(v) : String(v)}`).join(" ")}`.trim()
}

/** Short names that still differ: `traffic.0.load` is `load`, `network.routing.name` is `routing`. */
export function shortNames(keys: readonly string[]): string[] {
  const parts = keys.map((k) =>
    k
      .replace(/\.name$/, "")
      .split(".")
      .filter((s) => !/^\d+$/.test(s)),
  )
  return keys.map((key, i) => {
    for (let n = 1; n <= parts[i]!.length; n++) {
      const short = parts[i]!.slice(-n).join(".")
      if (parts.every((p, j) => j === i || p.slice(-n).join(".") !== short)) return short
    }
    return key
  })
}
