// Completes keys and values at the cursor of the editor, from the JSON Schema of experiment files. Of the alternatives
// of a plug-in, the one counts whose name is in the text.
import { parseDocument } from "yaml"
import type { Catalog } from "../../src/experiment/catalog.ts"
import { editorSchema } from "../../src/experiment/editor-schema.ts"
import type { Completion, CompletionItem } from "../shared/planner.ts"
import { cursorAt } from "./cursor.ts"

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const listIn = (schema: Schema, key: string): readonly unknown[] => {
  const value = schema[key]
  return Array.isArray(value) ? value : []
}

/** Returns the schema and its alternatives, also those of the items of a list. */
function alternatives(schema: unknown): Schema[] {
  if (!isSchema(schema)) return []
  const inside = [...listIn(schema, "anyOf"), ...(schema["items"] === undefined ? [] : [schema["items"]])]
  return inside.length === 0 ? [schema] : inside.flatMap(alternatives)
}

/** Returns the values that a schema allows: constants, and the first of the names of a plug-in. */
function valuesIn(schema: unknown): CompletionItem[] {
  const all = alternatives(schema)
  const plugins = all.flatMap((s) => {
    const name = propertiesOf(s)["name"]
    if (!isSchema(name)) return []
    const first: unknown = listIn(name, "enum")[0] ?? name["const"]
    return typeof first === "string" ? [{ label: first, about: String(name["description"] ?? ""), insert: first }] : []
  })
  if (plugins.length > 0) return plugins
  const item = (value: unknown): CompletionItem => ({ label: String(value), about: "", insert: String(value) })
  return all.flatMap((s) => {
    if (s["type"] === "boolean") return [item(true), item(false)]
    if ("const" in s) return [item(s["const"])]
    return listIn(s, "enum").map(item)
  })
}

function propertiesOf(schema: Schema): Schema {
  const { properties } = schema
  return isSchema(properties) ? properties : {}
}

/** Returns the alternatives that fit the name of a plug-in, or all. */
function named(schemas: readonly Schema[], value: unknown): readonly Schema[] {
  const name: unknown = typeof value === "string" ? value : isSchema(value) ? value["name"] : undefined
  const fits = schemas.filter((s) => {
    const of = propertiesOf(s)["name"]
    return isSchema(of) && (of["const"] === name || listIn(of, "enum").includes(name))
  })
  return fits.length > 0 ? fits : schemas
}

/** Returns the value of a document at a path of keys. The first item of a list counts. */
function valueAt(doc: unknown, path: readonly string[]): unknown {
  let at: unknown = doc
  for (const key of path) {
    const map = Array.isArray(at) ? at[0] : at
    at = isSchema(map) ? map[key] : undefined
  }
  return Array.isArray(at) ? at[0] : at
}

const known = new WeakMap<Catalog, unknown>()

/** Returns the schema of experiment files, which is generated once. */
function schemaFor(catalog: Catalog): unknown {
  if (!known.has(catalog)) known.set(catalog, editorSchema(catalog))
  return known.get(catalog)
}

/**
 * Completes at a position of the text; undefined: nothing is known there. `fits`: routings of the topology come first.
 */
export function completionsAt(
  text: string,
  offset: number,
  catalog: Catalog,
  fits: (name: string, topology: string) => boolean,
): Completion | undefined {
  const cursor = cursorAt(text, offset)
  if (cursor === undefined) return undefined
  const { path, key, siblings, word } = cursor
  const doc = documentOf(text)
  let schemas = alternatives(schemaFor(catalog))
  for (const [i, name] of path.entries()) {
    schemas = schemas.flatMap((s) => alternatives(propertiesOf(s)[name]))
    schemas = [...named(schemas, valueAt(doc, path.slice(0, i + 1)))]
  }
  const present = new Set([...siblings, ...Object.keys(asMap(valueAt(doc, path)))])
  const topology = asMap(asMap(asMap(doc)["network"])["topology"])["name"] ?? asMap(asMap(doc)["network"])["topology"]
  const items = key === undefined ? keysIn(schemas, present, word) : valuesOf(schemas, key)
  const isRouting = [...path, key].join(".").startsWith("network.routing")
  const first = (i: CompletionItem) =>
    isRouting && key !== undefined && typeof topology === "string" && !fits(i.label, topology) ? 1 : 0
  const start = (i: CompletionItem) => (i.label.startsWith(word) ? 0 : 1)
  const found = items
    .filter((i) => i.label.toLowerCase().includes(word.toLowerCase()))
    .sort((a, b) => first(a) - first(b) || start(a) - start(b))
  // A word that is complete needs no list.
  if (found.length === 0 || (found.length === 1 && found[0].label === word)) return undefined
  return { from: offset - word.length, to: offset, items: found.slice(0, MOST) }
}

/** Maximum number of items of a list. */
const MOST = 60

function keysIn(schemas: readonly Schema[], present: ReadonlySet<string>, word: string): CompletionItem[] {
  const found = new Map<string, CompletionItem>()
  for (const s of schemas)
    for (const [label, of] of Object.entries(propertiesOf(s)))
      if ((!present.has(label) || label === word) && !found.has(label))
        found.set(label, { label, about: isSchema(of) ? String(of["description"] ?? "") : "", insert: `${label}: ` })
  return [...found.values()]
}

function valuesOf(schemas: readonly Schema[], key: string): CompletionItem[] {
  const items = schemas.flatMap((s) => valuesIn(propertiesOf(s)[key]))
  return items.filter((item, i) => items.findIndex((x) => x.label === item.label) === i)
}

const asMap = (value: unknown): Schema => (isSchema(value) ? value : {})

/** Returns the document as far as it can be read. */
function documentOf(text: string): unknown {
  try {
    return parseDocument(text).toJS()
  } catch {
    return {}
  }
}
