// Fields of a schema that preserve the written text. A RunSpec contains raw texts with units, so these fields check a
// value and return it unchanged.

import { complain } from "../core/complaint.ts"
import { type JsonSchema, json } from "../core/json-schema.ts"
import { type Field, join, jsonFields, type Schema, writtenAs } from "../core/schema.ts"
import { type Dimension, example, kindOf, quantity, quantityPattern, type Scale, writtenIn } from "../core/units.ts"
import type { AnyPlugin } from "../library.ts"
import type { Named } from "../model/experiment.ts"
import type { Kind } from "../model/plugin.ts"
import type { Catalog } from "./catalog.ts"

type Raw = { about: string; default?: string; words?: readonly string[] }

/** Returns a field for a value with a unit, or one of a few words (`auto`, `never`), stored as text. */
export function raw(as: Dimension, o: Raw): Field<string> {
  const words = o.words ?? []
  const or = words.map((w) => `${w}, or `).join("")
  return {
    info: {
      about: o.about,
      type: [...words.map((w) => `"${w}"`), as === "cycles" ? "duration" : as].join(" | "),
      unit: writtenIn[as],
      range: "at least 0",
      required: o.default === undefined,
      ...(o.default !== undefined ? { fallback: o.default } : {}),
    },
    json: json.quantity(as, quantityPattern(as), words).describe(o.about),
    parse(value, path, scale) {
      if (typeof value === "string" && words.includes(value)) return { ok: value }
      const got = quantity(value, as, scale)
      if (typeof got === "string")
        return { bad: [complain(path, got, `write ${or}a value in ${writtenIn[as]}, for example ${example[as]}`)] }
      if (!(got >= 0 && Number.isFinite(got)))
        return { bad: [complain(path, `${String(value)} is not a valid value`, "choose a value of at least 0")] }
      return { ok: String(value) }
    },
  }
}

type Slot = { about: string; default?: string; shorthand?: (text: string) => Named | undefined }

/**
 * Returns a field for a plug-in, by its name or a map with `name` and parameters. Parsing returns the map with all
 * defaults.
 */
export function slot(catalog: Catalog, kind: Kind, o: Slot): Field<Named> {
  const known = new Map<string, ReturnType<Field<Named>["parse"]>>()
  const parse: Field<Named>["parse"] = (value, path, scale) => {
    if (typeof value === "string") value = o.shorthand?.(value) ?? { name: value }
    if (!isMap(value))
      return {
        bad: [
          complain(
            path,
            `expected the name of a ${kind} or a map with a name, found ${kindOf(value)}`,
            sample(catalog, kind),
          ),
        ],
      }
    if (typeof value["name"] !== "string")
      return { bad: [complain(join(path, "name"), "is missing", sample(catalog, kind))] }
    const { name, ...params } = value
    const plugin = catalog.find(kind, String(name))
    if (plugin === undefined)
      return {
        bad: [
          complain(join(path, "name"), `there is no ${kind} "${String(name)}"`, catalog.advice(kind, String(name))),
        ],
      }
    const got = plugin.params.parse(params, path, scale)
    return "bad" in got ? got : { ok: filled(plugin.name, plugin.params.fields, params) }
  }
  return {
    info: {
      about: o.about,
      type: `${kind} plug-in`,
      required: o.default === undefined,
      ...(o.default !== undefined ? { fallback: o.default } : {}),
    },
    // Only the editor schema needs it, so it is built on demand.
    get json() {
      return slotJson(catalog, kind, o.shorthand !== undefined).describe(o.about)
    },
    parse(value, path, scale) {
      const key = `${path} ${scale.cycle} ${scale.flit} ${JSON.stringify(value)}`
      const before = known.get(key)
      if (before !== undefined) return before
      const got = parse(value, path, scale)
      known.set(key, got)
      return got
    },
  }
}

function sample(catalog: Catalog, kind: Kind): string {
  const names = catalog.family(kind).map((p) => p.name)
  return names.length > 0 ? `choose one of ${names.join(", ")}` : `there is no ${kind} in this build`
}

/** Returns the parameters in the order of their declaration: the written value, or the default, or nothing. */
function filled(name: string, fields: Readonly<Record<string, Field<unknown>>>, given: Record<string, unknown>): Named {
  const made: Record<string, unknown> = {}
  for (const key of Object.keys(fields)) {
    const [written] = writtenAs(given, key, fields[key])
    const value = written !== undefined ? given[written] : fields[key].info.fallback
    if (value !== undefined) made[key] = value
  }
  return { name, ...made }
}

const namesOf = (p: AnyPlugin): string[] => [p.name, ...(p.aliases ?? []), ...(p.formerly ?? [])]

function slotJson(catalog: Catalog, kind: Kind, anyText: boolean): JsonSchema {
  const plugins = catalog.family(kind)
  const names = plugins.flatMap(namesOf)
  const maps = plugins.map((p) =>
    json.object({ name: json.enum(namesOf(p)).describe(p.about), ...jsonFields(p.params.fields) }),
  )
  return json.union([anyText || names.length === 0 ? json.string() : json.enum(names), ...maps])
}

/** Returns a field for a map of parameters, checked and returned as written. */
export function written(of: Schema<unknown>, about: string): Field<Readonly<Record<string, unknown>>> {
  return {
    info: { about, type: "map", required: false, fallback: {} },
    get json() {
      return of.json().describe(about)
    },
    parse(value, path, scale) {
      const got = of.parse(value, path, scale)
      return "bad" in got ? got : { ok: isMap(value) ? value : {} }
    },
  }
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Returns a field for latencies by link class. */
export function latencies(about: string): Field<Readonly<Record<string, string>>> {
  const one = raw("cycles", { about: "Latency of one class of links" })
  return {
    info: { about, type: "map of link class to duration", unit: writtenIn.cycles, required: false, fallback: {} },
    json: json.record(one.json).describe(about),
    parse(value, path, scale) {
      if (!isMap(value))
        return {
          bad: [
            complain(
              path,
              `expected a map of link classes, found ${kindOf(value)}`,
              "write { local: 5cycles, global: 50cycles }",
            ),
          ],
        }
      const got = Object.keys(value).map((k) => [k, one.parse(value[k], join(path, k), scale)] as const)
      const bad = got.flatMap(([, g]) => ("bad" in g ? g.bad : []))
      return bad.length > 0 ? { bad } : { ok: Object.fromEntries(got.map(([k, g]) => [k, "ok" in g ? g.ok : ""])) }
    },
  }
}

/** Returns a field for endpoints: "all", a number, or numbers and ranges such as "0-15". */
export function endpointList(about: string): Field<"all" | readonly (number | string)[]> {
  const fix = 'write all, or a list such as [0, 4, "8-15"]'
  return {
    info: { about, type: '"all" | list of numbers and ranges', required: false, fallback: "all" },
    json: json.union([json.string(), json.int(), json.array(json.union([json.int(), json.string()]))]).describe(about),
    parse(value, path) {
      if (value === "all") return { ok: "all" }
      const items: readonly unknown[] = Array.isArray(value)
        ? value
        : typeof value === "string"
          ? value.split(",").map((s) => s.trim())
          : [value]
      const bad = items.flatMap((item, i) =>
        isRange(item)
          ? []
          : [complain(Array.isArray(value) ? join(path, i) : path, `expected endpoints, found ${kindOf(item)}`, fix)],
      )
      if (items.length === 0) bad.push(complain(path, "is an empty list, so no endpoint would send", fix))
      return bad.length > 0 ? { bad } : { ok: items.filter((item) => isRange(item)) }
    },
  }
}

function isRange(item: unknown): item is number | string {
  if (typeof item === "number") return Number.isInteger(item) && item >= 0
  const m = typeof item === "string" ? /^(\d+)(?:-(\d+))?$/.exec(item) : null
  return m !== null && Number(m[2] ?? m[1]) >= Number(m[1])
}

/** Returns the ps per cycle and bytes per flit of a raw network map. Invalid values are reported by the schema. */
export function scaleOf(network: unknown, fallback: Scale): Scale {
  if (!isMap(network)) return fallback
  const cycle = quantity(network["cycle"], "time", fallback)
  const flit = quantity(network["flit"], "bytes", fallback)
  return {
    cycle: typeof cycle === "number" && cycle > 0 ? cycle : fallback.cycle,
    flit: typeof flit === "number" && flit > 0 ? flit : fallback.flit,
  }
}
