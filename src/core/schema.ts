// Parameters described once: type, unit, range, default, meaning. Parsing, complaints, `explain`, the manual and the
// JSON Schema derive from it.

import { type Checked, type Complaint, complain, nearest } from "./complaint.ts"
import { type JsonSchema, json } from "./json-schema.ts"
import {
  type Dimension,
  example,
  fractionOf,
  inner,
  kindOf,
  plainScale,
  quantity,
  quantityPattern,
  type Scale,
  writtenIn,
} from "./units.ts"

export interface FieldInfo {
  readonly about: string
  /** older names of the key; files that use them still work */
  readonly aliases?: readonly string[]
  readonly type: string
  readonly unit?: string
  readonly range?: string
  readonly fallback?: unknown
  readonly required: boolean
}

export interface Field<T> {
  readonly info: FieldInfo
  readonly json: JsonSchema
  /** the values that a test may draw; absent: it takes the default */
  readonly drawn?: Drawn
  parse(raw: unknown, path: string, scale: Scale): Checked<T>
}

/** Values one by one, or numbers of a range with the form in which they are written. */
export type Drawn =
  | { readonly values: readonly unknown[] }
  | { readonly low: number; readonly high: number; readonly whole: boolean; write(n: number): unknown }

export interface Schema<P> {
  readonly fields: Readonly<Record<string, Field<unknown>>>
  parse(raw: unknown, path: string, scale?: Scale): Checked<P>
  describe(): Record<string, FieldInfo>
  json(): JsonSchema
}

type Options<T> = {
  about?: string
  /** older names of the key */
  aliases?: readonly string[]
  min?: number
  max?: number
  above?: number
  needed?: boolean
  default?: T
}
type ParamsOf<F> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }

/** A record of fields; unknown keys are refused with the nearest known one, and all complaints come at once. */
export function schema<F extends Record<string, Field<unknown>>>(
  fields: F,
): Schema<ParamsOf<F>> & { readonly fields: F } {
  return {
    fields,
    parse(raw, path, scale = plainScale) {
      if (raw === undefined || raw === null) raw = {}
      if (typeof raw !== "object" || Array.isArray(raw)) {
        return {
          bad: [
            complain(
              path,
              `expected a map of parameters, found ${kindOf(raw)}`,
              `write { ${Object.keys(fields).slice(0, 3).join(": …, ")}: … }`,
            ),
          ],
        }
      }
      const given = raw as Record<string, unknown>
      const bad: Complaint[] = unknownKeys(given, Object.keys(fields), path, olderNames(fields))
      const made: Record<string, unknown> = {}
      for (const key of Object.keys(fields)) {
        const field = fields[key]
        const written = writtenAs(given, key, field)
        if (written.length > 1) bad.push(twice(path, key, written))
        const value = written.length > 0 ? given[written[0]] : undefined
        if (value === undefined && field.info.required) {
          bad.push(complain(join(path, key), "is missing", `add ${key}: ${field.info.about || field.info.type}`))
          continue
        }
        const got = field.parse(value === undefined ? field.info.fallback : value, join(path, written[0] ?? key), scale)
        if ("bad" in got) bad.push(...got.bad)
        else made[key] = got.ok
      }
      return bad.length > 0 ? { bad } : { ok: made as ParamsOf<F> }
    },
    describe: () => Object.fromEntries(Object.entries(fields).map(([k, f]) => [k, f.info])),
    json: () => json.object(jsonFields(fields)),
  }
}

type Fields = Readonly<Record<string, Field<unknown>>>

/** The names under which a map has a key: its name, older names of it, or none. */
export function writtenAs(given: Readonly<Record<string, unknown>>, key: string, { info }: Field<unknown>): string[] {
  return [key, ...(info.aliases ?? [])].filter((name) => Object.hasOwn(given, name) && given[name] !== undefined)
}

function twice(path: string, key: string, written: readonly string[]): Complaint {
  const older = written.find((name) => name !== key) ?? key
  return complain(join(path, older), `This key is an older name of ${key}, which is also given.`, `remove ${older}`)
}

function olderNames(fields: Fields): string[] {
  return Object.values(fields).flatMap((f) => f.info.aliases ?? [])
}

/** The shape of each key for editors, with those of its older names. */
export function jsonFields(fields: Fields): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, { info, json: shape }]) => {
      const older = info.aliases ?? []
      const now = info.required && older.length === 0 ? shape : shape.optional()
      return [
        [key, now] as const,
        ...older.map((name) => [name, shape.deprecated(`Older name of ${key}. Use ${key}.`)] as const),
      ]
    }),
  )
}

export function join(path: string, key: string | number): string {
  return path === "" ? String(key) : `${path}.${key}`
}

/** One complaint for each key that is not known, with the nearest that is. */
export function unknownKeys(
  given: Record<string, unknown>,
  known: readonly string[],
  path: string,
  older: readonly string[] = [],
): Complaint[] {
  return Object.keys(given)
    .filter((k) => !known.includes(k) && !older.includes(k))
    .slice(0, mostComplaints)
    .map((k) => {
      const near = nearest(k, known)
      return complain(
        join(path, k),
        "unknown key",
        near !== undefined ? `did you mean "${near}"?` : `known keys: ${known.join(", ")}`,
      )
    })
}

function field<T>(
  info: Omit<FieldInfo, "required"> & { required: boolean },
  shape: JsonSchema,
  read: (raw: unknown, scale: Scale) => T | Bad,
  drawn?: Drawn,
): Field<T> {
  const said = info.about === "" ? shape : shape.describe(info.about)
  return {
    info,
    json: said,
    ...(drawn === undefined ? {} : { drawn }),
    parse(raw, path, scale) {
      const got = read(raw, scale)
      return got instanceof Bad ? { bad: [complain(path, got.says, got.fix)] } : { ok: got }
    },
  }
}

class Bad {
  readonly says: string
  readonly fix: string
  constructor(says: string, fix: string) {
    this.says = says
    this.fix = fix
  }
}

function ranged(o: Options<unknown>): string | undefined {
  const low = o.above !== undefined ? `above ${o.above}` : o.min !== undefined ? `at least ${o.min}` : ""
  const high = o.max !== undefined ? `at most ${o.max}` : ""
  const both = [low, high].filter((s) => s !== "").join(", ")
  return both === "" ? undefined : both
}

/** `shown`: the value as it was written; `unit`: of the limits. */
function inRange(v: number, o: Options<unknown>, shown = String(v), unit = ""): Bad | undefined {
  const fix = `choose a value ${ranged(o)}${unit}`
  if (!Number.isFinite(v)) return new Bad(`${shown} is not a finite number`, "write a finite number")
  if (o.min !== undefined && v < o.min) return new Bad(`${shown} is too small`, fix)
  if (o.above !== undefined && v <= o.above) return new Bad(`${shown} is too small`, fix)
  if (o.max !== undefined && v > o.max) return new Bad(`${shown} is too large`, fix)
  return undefined
}

/** The range to draw from. A bound that is not declared is a small one, or four times the default. */
function span(
  o: Options<unknown>,
  usual: number | undefined,
  whole: boolean,
  write: (n: number) => unknown = (n) => n,
): Drawn {
  const low = o.min ?? (o.above === undefined ? Math.min(1, usual ?? 1) : whole ? o.above + 1 : o.above)
  return { low, high: o.max ?? Math.max(low + 3, 4 * (usual ?? 1)), whole, write }
}

function info(type: string, o: Options<unknown>, unit?: string): FieldInfo {
  const range = ranged(o)
  return {
    about: o.about ?? "",
    ...(o.aliases !== undefined ? { aliases: o.aliases } : {}),
    type,
    required: o.default === undefined && o.needed !== false,
    ...(unit !== undefined ? { unit } : {}),
    ...(range !== undefined ? { range } : {}),
    ...(o.default !== undefined ? { fallback: o.default } : {}),
  }
}

export function int(o: Options<number>): Field<number> {
  return field(
    info("integer", o),
    json.int(),
    (raw) => {
      const v = typeof raw === "string" && /^[+-]?\d+$/.test(raw.trim()) ? Number(raw) : raw
      if (typeof v !== "number" || !Number.isInteger(v))
        return new Bad(`expected a whole number, found ${kindOf(raw)}`, "write a whole number without a unit")
      return inRange(v, o) ?? v
    },
    span(o, o.default, true),
  )
}

export function real(o: Options<number>): Field<number> {
  return field(
    info("number", o),
    json.number(),
    (raw) => {
      const v = typeof raw === "string" && raw.trim() !== "" && !Number.isNaN(Number(raw)) ? Number(raw) : raw
      if (typeof v !== "number")
        return new Bad(`expected a number, found ${kindOf(raw)}`, "write a number without a unit")
      return inRange(v, o) ?? v
    },
    span(o, o.default, false),
  )
}

/** `0.4` or `40%`. */
export function fraction(o: Options<number>): Field<number> {
  const within = { min: 0, max: 1, ...o }
  return field(
    info("fraction", within),
    json.union([json.number(), json.string()]),
    (raw) => {
      const v = fractionOf(raw)
      if (typeof v === "string") return new Bad(v, "write a fraction such as 0.4 or a percentage such as 40%")
      return inRange(v, within) ?? v
    },
    span(within, undefined, false),
  )
}

/** A value that must carry a unit. Durations and sizes of the flit engine are rounded to whole cycles and flits. */
export function measure(as: Dimension, o: Options<string>): Field<number> {
  const whole = as === "cycles" || as === "flits" || as === "packets"
  const usual = o.default === undefined ? undefined : quantity(o.default, as)
  const drawn = span(o, typeof usual === "number" ? usual : undefined, whole, (n) => `${n}${inner[as]}`)
  return field(
    info(as === "rate" ? "bandwidth" : as, o, writtenIn[as]),
    json.quantity(as, quantityPattern(as)),
    (raw, scale) => {
      const v = quantity(raw, as, scale)
      if (typeof v === "string") return new Bad(v, `write a value in ${writtenIn[as]}, for example ${example[as]}`)
      return inRange(v, o, String(raw).trim(), ` ${inner[as]}`) ?? (whole ? Math.round(v) : v)
    },
    drawn,
  )
}

export const cycles = (o: Options<string>): Field<number> => measure("cycles", { min: 0, ...o })
export const flits = (o: Options<string>): Field<number> => measure("flits", { min: 0, ...o })
export const time = (o: Options<string>): Field<number> => measure("time", { min: 0, ...o })
export const bytes = (o: Options<string>): Field<number> => measure("bytes", { min: 0, ...o })
export const rate = (o: Options<string>): Field<number> => measure("rate", { above: 0, ...o })

/** `formerly`: older names of values. */
export function choice<const C extends readonly string[]>(
  of: C,
  o: Options<C[number]> & { formerly?: Readonly<Record<string, C[number]>> },
): Field<C[number]> {
  const { formerly = {} } = o
  return field(
    { ...info(of.map((c) => `"${c}"`).join(" | "), o) },
    json.enum([...of, ...Object.keys(formerly)]),
    (raw) => {
      if (typeof raw === "string" && of.includes(raw)) return raw as C[number]
      if (typeof raw === "string" && Object.hasOwn(formerly, raw)) return formerly[raw]
      const near = typeof raw === "string" ? nearest(raw, of) : undefined
      return new Bad(
        `expected one of ${of.join(", ")}, found ${kindOf(raw)}`,
        near !== undefined ? `did you mean "${near}"?` : `choose one of ${of.join(", ")}`,
      )
    },
    { values: of },
  )
}

export function flag(o: Options<boolean>): Field<boolean> {
  return field(
    info("true | false", o),
    json.boolean(),
    (raw) => {
      if (raw === true || raw === "true" || raw === "on") return true
      if (raw === false || raw === "false" || raw === "off") return false
      return new Bad(`expected true or false, found ${kindOf(raw)}`, "write true or false")
    },
    { values: [true, false] },
  )
}

export function text(o: Options<string>): Field<string> {
  return field(info("text", o), json.string(), (raw) =>
    typeof raw === "string" ? raw : new Bad(`expected a text, found ${kindOf(raw)}`, "write a text"),
  )
}

/** Of one list or map: more say nothing new. */
const mostComplaints = 100

/** A list; a text such as `8x8x4` or `1,2,3` is read as one. */
export function list<T>(of: Field<T>, o: Options<readonly unknown[]> & { atLeast?: number }): Field<readonly T[]> {
  const shape = json.union([json.array(of.json), json.string()])
  return {
    info: info(`list of ${of.info.type}`, o, of.info.unit),
    json: o.about ? shape.describe(o.about) : shape,
    parse(raw, path, scale) {
      const items =
        typeof raw === "string"
          ? raw.split(/,|(?<=\d)\s*x\s*(?=\d)/).map((s) => s.trim())
          : typeof raw === "number"
            ? [raw]
            : raw
      if (!Array.isArray(items))
        return { bad: [complain(path, `expected a list, found ${kindOf(raw)}`, "write [a, b, …]")] }
      if (o.atLeast !== undefined && items.length < o.atLeast)
        return { bad: [complain(path, `has ${items.length} entries`, `give at least ${o.atLeast}`)] }
      const bad: Complaint[] = []
      const ok: T[] = []
      for (let i = 0; i < items.length && bad.length < mostComplaints; i++) {
        const got = of.parse(items[i], join(path, i), scale)
        if ("bad" in got) bad.push(...got.bad)
        else ok.push(got.ok)
      }
      return bad.length > 0 ? { bad } : { ok }
    },
  }
}

/** A field that tests leave at its default. */
export function undrawn<T>({ info, json, parse }: Field<T>): Field<T> {
  return { info, json, parse }
}

/** A field that may be left out altogether: its value is then undefined. */
export function maybe<T>(of: Field<T>): Field<T | undefined> {
  return {
    info: { ...of.info, required: false },
    json: of.json.optional(),
    ...(of.drawn === undefined ? {} : { drawn: of.drawn }),
    parse: (raw, path, scale) => (raw === undefined ? { ok: undefined } : of.parse(raw, path, scale)),
  }
}

/**
 * The word `auto`, which is the default, or a value of the field. `auto` remains in the parsed experiment, and the code
 * that knows the network replaces it.
 */
export function auto<T>(of: Field<T>): Field<T | "auto"> {
  return {
    info: { ...of.info, type: `${of.info.type} | "auto"`, required: false, fallback: "auto" },
    json: json.union([json.literal("auto"), of.json]),
    ...(of.drawn === undefined ? {} : { drawn: of.drawn }),
    parse: (raw, path, scale) => (raw === "auto" || raw === undefined ? { ok: "auto" } : of.parse(raw, path, scale)),
  }
}

/** A map inside a map. */
export function nested<P>(of: Schema<P>): Field<P> {
  return {
    info: { about: "", type: "map", required: true },
    json: of.json(),
    parse: (raw, path, scale) => of.parse(raw, path, scale),
  }
}

/** A map from names (link classes, for example) to values of one kind. */
export function mapOf<T>(
  of: Field<T>,
  o: { about: string; aliases?: readonly string[]; default: Readonly<Record<string, unknown>> },
): Field<Readonly<Record<string, T>>> {
  return {
    info: {
      about: o.about,
      ...(o.aliases !== undefined ? { aliases: o.aliases } : {}),
      type: `map of ${of.info.type}`,
      required: false,
      fallback: o.default,
      ...(of.info.unit ? { unit: of.info.unit } : {}),
    },
    json: json.record(of.json).describe(o.about),
    parse(raw, path, scale) {
      if (typeof raw !== "object" || raw === null || Array.isArray(raw))
        return { bad: [complain(path, `expected a map, found ${kindOf(raw)}`, "write { name: value, … }")] }
      const bad: Complaint[] = []
      const made: Record<string, T> = {}
      for (const [key, value] of Object.entries(raw)) {
        if (bad.length >= mostComplaints) break
        const got = of.parse(value, join(path, key), scale)
        if ("bad" in got) bad.push(...got.bad)
        else made[key] = got.ok
      }
      return bad.length > 0 ? { bad } : { ok: made }
    },
  }
}
