// The JSON Schema of an experiment file, with which an editor completes and checks keys. It is generated from the same
// declarations as the complaints.
import { type JsonSchema, json } from "../core/json-schema.ts"
import { jsonFields, type Schema } from "../core/schema.ts"
import type { Catalog } from "./catalog.ts"
import { clusterKeys } from "./cluster/keys.ts"
import { keysOf, topKeys } from "./keys.ts"
import { referenceNames } from "./references/references.ts"
import { searchKeys } from "./search.ts"

export function editorSchema(catalog: Catalog): Record<string, unknown> {
  const keys = keysOf(catalog)
  const oneOrMany = (one: JsonSchema) => json.union([one, json.array(one)])
  const anything = json.record(json.union([]))
  // The values of a sweep are checked when the file is read. Here any list or range is allowed.
  const lists = json.record(
    json.union([
      json.array(json.union([])),
      json.object({ from: json.number(), to: json.number(), step: json.number() }),
    ]),
  )
  const engines = Object.entries(keys.engines).map(([name, of]) =>
    json.object({ name: json.literal(name), ...fields(of) }),
  )
  const top: Record<string, JsonSchema> = {
    lacewing: json.literal(1),
    title: json.string(),
    name: json.string(),
    include: oneOrMany(json.string()),
    plugins: oneOrMany(json.string()),
    network: partial(keys.network),
    engine: json.union([json.enum(Object.keys(keys.engines)), ...engines]),
    traffic: oneOrMany(partial(keys.stream)),
    jobs: oneOrMany(partial(keys.job)),
    measure: partial(keys.measure),
    probes: oneOrMany(keys.probe.json),
    seeds: json.union([json.int(), json.array(json.int())]),
    sweep: lists,
    zip: lists,
    variants: json.record(anything),
    expect: oneOrMany(json.string()),
    references: oneOrMany(json.enum([...referenceNames])),
    search: json.union([
      json.literal("saturation"),
      json.object({ name: json.literal("saturation"), ...fields(searchKeys) }),
    ]),
    limits: json.object({ time: json.string().optional(), memory: json.string().optional() }),
    cluster: partial(clusterKeys),
  }
  const described = Object.fromEntries(
    Object.entries(top).map(([k, s]) => [k, k === "lacewing" ? s : s.describe(topKeys[k]).optional()]),
  )
  return withoutEmpty({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "lacewing experiment",
    ...json.object(described).schema,
  })
}

function fields(of: Schema<unknown>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(jsonFields(of.fields)).map(([k, shape]) => [k, shape.optional()]))
}

/** Nothing is required, because an include, a sweep or a variant may provide a key. */
function partial(of: Schema<unknown>): JsonSchema {
  return json.object(fields(of))
}

/** `anyOf: []` allows nothing in JSON Schema; here it stands for any value. */
function withoutEmpty(schema: Record<string, unknown>): Record<string, unknown> {
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== "object" || value === null) return value
    if ("anyOf" in value && Array.isArray(value.anyOf) && value.anyOf.length === 0) return {}
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, clean(v)]))
  }
  return clean(schema) as Record<string, unknown>
}
