// The axes of an experiment: `variants`, `zip` and each key of `sweep` become one axis each, and a point is one
// position on each axis. Sizes are known before any point is expanded, so that a sweep that is too large is refused.
// plan.ts calls it.
import { type Complaint, complain } from "../core/complaint.ts"
import { join, unknownKeys } from "../core/schema.ts"
import { kindOf } from "../core/units.ts"
import { newPath } from "../model/renamed.ts"
import { isMap } from "./fields.ts"
import { flatten, type Setting, type Tree } from "./settings.ts"
import type { Source } from "./source.ts"

/** One axis of a sweep. Settings and labels are computed on demand, because an axis may be long. */
export interface Axis {
  /** keys as written, for their short names: one for a sweep, several for a zip, "variant" for variants */
  readonly keys: readonly string[]
  readonly size: number
  settings(i: number): readonly Setting[]
  labels(i: number): readonly (string | number)[]
}

/** Returns the number of points. It may be far too large. */
export function countOf(axes: readonly Axis[]): number {
  return axes.reduce((n, a) => n * a.size, 1)
}

/** Returns the position of point n on each axis. The last axis varies fastest. */
export function position(axes: readonly Axis[], n: number): number[] {
  const at = new Array<number>(axes.length)
  for (let a = axes.length - 1; a >= 0; a--) {
    at[a] = n % axes[a].size
    n = Math.floor(n / axes[a].size)
  }
  return at
}

/**
 * Returns the axes. `sourceOf`: the file that contains this key. `pinned`: swept keys that the command line has set.
 */
export function axesOf(
  tree: Tree,
  sourceOf: (key: string) => Source,
  pinned: (key: string) => boolean,
  bad: Complaint[],
): Axis[] {
  const axes: Axis[] = []
  const variants = mapAt(tree, "variants", "write a map of names, each with the keys that differ", bad)
  if (variants !== undefined) axes.push(variantAxis(variants, sourceOf("variants"), pinned, bad))
  const zip = mapAt(tree, "zip", "write key: [values]", bad)
  if (zip !== undefined) {
    const columns = Object.keys(zip).flatMap((key) =>
      pinned(key) ? [] : (column(key, nameOf(key, tree), zip[key], "zip", sourceOf("zip"), bad) ?? []),
    )
    // Lists of a zip vary together, so they must have equal lengths.
    if (columns.some((c) => c.size !== columns[0].size)) {
      const sizes = columns.map((c) => `${c.keys[0]} has ${c.size}`).join(", ")
      bad.push(
        complain(
          "zip",
          `its lists differ in length: ${sizes}`,
          "give them equal lengths, or use sweep for all combinations",
        ),
      )
    } else if (columns.length > 0) axes.push(together(columns))
  }
  const sweep = mapAt(tree, "sweep", "write key: [values]", bad)
  if (sweep !== undefined)
    for (const key of Object.keys(sweep))
      if (!pinned(key))
        axes.push(...(column(key, nameOf(key, tree), sweep[key], "sweep", sourceOf("sweep"), bad) ?? []))
  return axes
}

function mapAt(tree: Tree, key: string, fix: string, bad: Complaint[]): Tree | undefined {
  const value = tree[key]
  if (value === undefined || value === null) return undefined
  if (isMap(value)) return Object.keys(value).length > 0 ? value : undefined
  bad.push(complain(key, `expected a map, found ${kindOf(value)}`, fix))
  return undefined
}

/** Returns the axis of `variants`: each variant is a set of overrides. */
function variantAxis(variants: Tree, source: Source, pinned: (key: string) => boolean, bad: Complaint[]): Axis {
  const names = Object.keys(variants)
  const all = names.map((name) => {
    const keys = variants[name]
    if (isMap(keys)) return flatten(keys, source, `variants.${name}`).filter((s) => !pinned(s.path))
    if (keys !== null && keys !== undefined)
      bad.push(
        complain(
          join("variants", name),
          `expected a map, found ${kindOf(keys)}`,
          "write the keys that differ, or { } for none",
        ),
      )
    return []
  })
  return { keys: ["variant"], size: names.length, settings: (i) => all[i], labels: (i) => [names[i]] }
}

/** Joins the columns of a zip into one axis. */
function together(columns: readonly Axis[]): Axis {
  return {
    keys: columns.flatMap((c) => c.keys),
    size: columns[0].size,
    settings: (i) => columns.flatMap((c) => c.settings(i)),
    labels: (i) => columns.flatMap((c) => c.labels(i)),
  }
}

/** Returns the path of a swept key with its present name, because results use that. */
function nameOf(key: string, tree: Tree): string {
  const slot: unknown = key
    .split(".")
    .slice(0, -1)
    .reduce<unknown>((at, part) => (typeof at === "object" && at !== null ? Reflect.get(at, part) : undefined), tree)
  const name = isMap(slot) ? slot["name"] : slot
  return newPath(key, typeof name === "string" ? name : undefined)
}

/** Returns the axis of one swept key: a list of values, or a range. `name`: the key as results call it. */
function column(
  key: string,
  name: string,
  given: unknown,
  under: string,
  source: Source,
  bad: Complaint[],
): Axis[] | undefined {
  const where = join(under, key)
  const whole = where.length
  if (isMap(given)) {
    const range = rangeOf(given, where, bad)
    if (range === undefined) return undefined
    const settings = (i: number) => [{ path: key, value: range.value(i), source, written: where, keyLength: whole }]
    return [{ keys: [name], size: range.size, settings, labels: (i) => [range.value(i)] }]
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
  return [{ keys: [name], size: values.length, settings, labels: (i) => [labels[i]] }]
}

/** Returns the values of { from, to, step }. The tolerance includes `to` in spite of rounding errors. */
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
    bad.push(complain(where, "is an empty range", "from must be below to, and step above 0"))
  if (bad.length > before) return undefined
  // 0.1 + 2 * 0.1 is written as 0.3: values have as many digits as the range itself, because they are part of run
  // hashes.
  const digits = Math.max(...[from, to, step].map(decimals))
  return {
    size: Math.floor(((to - from) / step) * (1 + 1e-12) + 1e-9) + 1,
    value: (i) => (digits <= 100 ? Number((from + i * step).toFixed(digits)) : from + i * step),
  }
}

/** Returns the digits after the decimal point, in any notation: 2 for 0.25, 8 for 2.5e-7. */
function decimals(v: number): number {
  const [digits, power = "0"] = String(v).split("e")
  return Math.max(0, (digits!.split(".")[1] ?? "").length - Number(power))
}

/**
 * Returns labels for values: numbers and texts themselves, the name of a map, and also its parameters if names are
 * equal.
 */
function labelsOf(values: readonly unknown[]): (string | number)[] {
  const short = values.map(labelOf)
  const times = new Map<string | number, number>()
  for (const label of short) times.set(label, (times.get(label) ?? 0) + 1)
  return short.map((label, i) => (times.get(label) === 1 ? label : fullLabel(values[i], label)))
}

/** Returns the short label of a value: a number, a text, or the name of a map. */
export function labelOf(value: unknown): string | number {
  if (typeof value === "number" || typeof value === "string") return value
  if (isMap(value) && typeof value["name"] === "string") return value["name"]
  return JSON.stringify(value) ?? "nothing"
}

function fullLabel(value: unknown, label: string | number): string | number {
  if (!isMap(value)) return label
  const rest = Object.entries(value).filter(([k]) => k !== "name")
  const settings = rest.map(([k, v]) => `${k}=${typeof v === "object" ? JSON.stringify(v) : String(v)}`)
  return `${label} ${settings.join(" ")}`.trim()
}

/** Returns the shortest suffixes that are unique: `load` for `traffic.0.load`, `routing` for `network.routing.name`. */
export function shortNames(keys: readonly string[]): string[] {
  const parts = keys.map((k) =>
    k
      .replace(/\.name$/, "")
      .split(".")
      .filter((s) => !/^\d+$/.test(s)),
  )
  return keys.map((key, i) => {
    for (let n = 1; n <= parts[i].length; n++) {
      const short = parts[i].slice(-n).join(".")
      if (parts.every((p, j) => j === i || p.slice(-n).join(".") !== short)) return short
    }
    return key
  })
}
