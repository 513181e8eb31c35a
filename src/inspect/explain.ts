// The explanations of `lacewing explain`: keys of the file, parameters, plug-ins, measured values, tables and terms.
// They are generated from the declarations, so they cannot become outdated.
import { type Checked, complain, nearest } from "../core/complaint.ts"
import type { FieldInfo, Schema } from "../core/schema.ts"
import type { Catalog } from "../experiment/catalog.ts"
import { clusterKeys } from "../experiment/cluster/keys.ts"
import { type Keys, keysOf, topKeys } from "../experiment/keys.ts"
import { layoutKeys } from "../experiment/layout-keys.ts"
import { searchKeys } from "../experiment/search.ts"
import { limitKeys } from "../experiment/top.ts"
import { givenBy, type ValueList, valuesIn } from "../experiment/values/list.ts"
import { type AnyPlugin, workloads } from "../library.ts"
import { missingWhen } from "../model/missing.ts"
import type { Kind } from "../model/plugin.ts"
import { runColumns, type TableInfo, tables } from "../model/tables.ts"
import { traceEvents } from "../model/trace-events.ts"
import type { ValueInfo } from "../model/values.ts"
import { essays } from "./glossary/essays.ts"
import { words } from "./glossary/glossary.ts"
import { stopReasons } from "./glossary/stop-reasons.ts"
import type { Term } from "./glossary/term.ts"
import { terms } from "./glossary/terms.ts"

export interface Explanation {
  readonly key: string
  readonly about: string
  readonly type?: string
  readonly unit?: string
  readonly range?: string
  readonly default?: unknown
  readonly required?: boolean
  /** where it is declared: a plug-in with its paper, or the file format */
  readonly source: string
  readonly limits?: string
  /** for a measured value: which engines and switches provide it, and when */
  readonly given?: string
  /** for a measured value: when it is missing */
  readonly missing?: string
  readonly aliases?: readonly string[]
  /** keys below it */
  readonly keys?: readonly string[]
  /** the page of the manual with more details */
  readonly page?: string
}

const slotKinds: Readonly<Record<string, Kind>> = {
  "network.topology": "topology",
  "network.routing": "routing",
  "network.switch": "switch",
  "network.endpoint": "endpoint",
  "network.congestion": "congestion",
  "network.qos": "qos",
  "traffic.pattern": "pattern",
  "traffic.arrivals": "arrivals",
  "traffic.packet": "sizes",
  "traffic.message": "sizes",
  "jobs.workload": "workload",
  probes: "probe",
}

/** Sources that are not keys, plug-ins or values. */
const asides = new Set(["word", "page of the manual", "reason why a run ended", "experiment"])
/** Sources of the contents of a results folder, besides values. */
export const TABLE = "table of the results folder"
export const COLUMN = "column of the table runs"
export const EVENT = "trace event"
const stored = new Set([TABLE, COLUMN, EVENT])

/**
 * Returns the explanations of a name. `more`: entries that only the caller knows, such as the commands of a command
 * line.
 */
export function explain(
  asked: string,
  catalog: Catalog,
  more: readonly Explanation[] = [],
): Checked<readonly Explanation[]> {
  const all = [...everything(catalog), ...more]
  // `traffic.0.load` is explained as `traffic.load`.
  const key = asked.replace(/^(traffic|jobs|probes)\.\d+/, "$1")
  const found = all.filter((e) => e.key === key)
  const named =
    found.length > 0 ? found : all.filter((e) => e.key.split(" ")[0] === key || e.aliases?.includes(key) === true)
  // A term may also be part of names; these follow it.
  const alone = named.some((e) => !asides.has(e.source) && !stored.has(e.source))
  if (alone) return { ok: named }
  const worded = [...named, ...byWord(key, all).filter((e) => !named.includes(e))]
  if (worded.length > 0) return { ok: worded }
  const near = nearest(key, [...new Set(all.flatMap((e) => [e.key, ...(e.aliases ?? [])]))])
  const fix =
    near !== undefined
      ? `did you mean "${near}"?`
      : "run `lacewing list` for all plug-ins; keys look like network.switch.vcs, traffic.load, latency.mean"
  return { bad: [complain(asked, "There is no key, plug-in, value or term with this name.", fix)] }
}

/**
 * Returns entries with this word in their name, then those with the word in their text: `ugal`, `vcs`, `saturation`.
 */
function byWord(asked: string, all: readonly Explanation[]): Explanation[] {
  const word = asked.toLowerCase()
  if (!/^[\w+]+$/.test(word)) return []
  const named = (e: Explanation) =>
    [e.key, ...(e.aliases ?? [])].some((k) =>
      k
        .toLowerCase()
        .split(/[.\s-]/)
        .includes(word),
    )
  const said = (e: Explanation) =>
    !named(e) &&
    e.about
      .toLowerCase()
      .split(/[^\w+]/)
      .includes(word)
  return [...all.filter(named), ...all.filter(said)]
}

/** A term of the field, and an entry for each older word of it. */
function termsExplained({ term, about, also, older = [] }: Term): Explanation[] {
  return [
    { key: term, about, source: "word", ...(also === undefined ? {} : { aliases: also }) },
    ...older.map((word) => ({ key: word, about: `Older name of "${term}". ${about}`, source: "word" })),
  ]
}

const made = new WeakMap<Catalog, readonly Explanation[]>()

/** Returns all explanations for a catalog, cached. */
export function everything(catalog: Catalog): readonly Explanation[] {
  const all = made.get(catalog) ?? declared(catalog)
  made.set(catalog, all)
  return all
}

/** Collects all explanations from schemas, plug-ins, values, tables, trace events and terms. */
function declared(catalog: Catalog): Explanation[] {
  const keys = keysOf(catalog)
  const list = valuesIn(catalog)
  const format = "experiment file"
  return [
    ...Object.entries(topKeys).map(([key, about]) => ({ key, about, source: format, ...below(key, keys) })),
    ...fieldsOf("network", keys.network, format),
    ...fieldsOf("network.layout", layoutKeys, format),
    ...fieldsOf("traffic", keys.stream, format),
    ...fieldsOf("jobs", keys.job, format),
    ...fieldsOf("jobs.mpi", workloads.mpiParams, format),
    ...fieldsOf("measure", keys.measure, format),
    ...fieldsOf("search", searchKeys, format),
    ...fieldsOf("cluster", clusterKeys, format),
    ...fieldsOf("limits", limitKeys, format),
    ...Object.entries(keys.engines).flatMap(([name, of]) => fieldsOf("engine", of, `engine ${name}`)),
    ...Object.entries(slotKinds).flatMap(([slot, kind]) =>
      catalog.family(kind).flatMap((p) => [...fieldsOf(slot, p.params, sourceOf(p)), ...innerOf(slot, p)]),
    ),
    ...catalog.plugins.map(pluginExplained),
    ...Object.entries(list.values).map(([key, v]) => ({ key, ...explainedValue(v, list), source: "measured value" })),
    ...Object.entries(stopReasons).map(([key, r]) => ({
      key,
      about: r.about,
      source: "reason why a run ended",
      page: `stop-${key}`,
    })),
    ...Object.entries<TableInfo>(tables).map(([key, t]) => ({
      key,
      about: t.about,
      given: t.when,
      source: TABLE,
      keys: Object.entries(t.columns).map(([column, about]) => `${column}: ${about}`),
    })),
    ...Object.entries(runColumns).map(([key, c]) => ({ key, about: c.about, type: c.type, source: COLUMN })),
    ...Object.entries(traceEvents).map(([key, e]) => ({
      key,
      about: e.about,
      source: EVENT,
      keys: e.ints.map((int, i) => `${"abc"[i]}: ${int}`),
    })),
    ...words.map((w) => ({
      key: w.word,
      about: w.about,
      source: "word",
      page: w.page,
      ...(w.also === undefined ? {} : { aliases: w.also }),
    })),
    ...terms.flatMap(termsExplained),
    ...essays.map((e) => ({
      key: e.word,
      about: `${e.title}: ${e.about}`,
      source: "page of the manual",
      page: e.word,
      ...(e.also === undefined ? {} : { aliases: e.also }),
    })),
  ]
}

function explainedValue(v: ValueInfo, list: ValueList): Omit<Explanation, "key" | "source"> {
  const missing = missingWhen(v)
  return { about: v.about, unit: v.unit, given: givenBy(v, list), ...(missing === undefined ? {} : { missing }) }
}

/** Returns the keys below a top-level key. */
function below(key: string, keys: Keys): { keys?: readonly string[] } {
  if (key === "network") return { keys: Object.keys(keys.network.fields) }
  if (key === "jobs") return { keys: Object.keys(keys.job.fields) }
  if (key === "traffic") return { keys: Object.keys(keys.stream.fields) }
  return key === "measure" ? { keys: Object.keys(keys.measure.fields) } : {}
}

function fieldsOf(path: string, of: Schema<unknown>, source: string): Explanation[] {
  return Object.entries(of.fields).map(([key, field]) => ({ key: `${path}.${key}`, source, ...facts(field.info) }))
}

/** Returns the keys of maps inside parameters, from the editor schema: entries of `sl2vlPorts`, for example. */
function innerOf(slot: string, p: AnyPlugin): Explanation[] {
  const found: Explanation[] = []
  const walk = (schema: unknown, path: string): void => {
    if (Array.isArray(schema)) for (const s of schema) walk(s, path)
    if (typeof schema !== "object" || schema === null) return
    if ("anyOf" in schema) walk(schema.anyOf, path)
    if ("items" in schema) walk(schema.items, path)
    if (!("properties" in schema) || typeof schema.properties !== "object" || schema.properties === null) return
    for (const [k, inner] of Object.entries(schema.properties as Record<string, { description?: string }>)) {
      found.push({ key: `${path}.${k}`, about: inner.description ?? `part of ${path}`, source: sourceOf(p) })
      walk(inner, `${path}.${k}`)
    }
  }
  for (const [key, field] of Object.entries(p.params.fields)) walk(field.json.schema, `${slot}.${key}`)
  return found
}

function facts(info: FieldInfo): Omit<Explanation, "key" | "source"> {
  const { about, type, unit, range, fallback, required } = info
  return {
    about,
    type,
    required,
    ...(unit !== undefined ? { unit } : {}),
    ...(range !== undefined ? { range } : {}),
    ...(fallback !== undefined ? { default: fallback } : {}),
  }
}

function sourceOf(p: AnyPlugin): string {
  return `${p.kind} ${p.name}${p.cites !== undefined ? ` (${p.cites})` : ""}`
}

function pluginExplained(p: AnyPlugin): Explanation {
  return {
    key: p.name,
    about: p.about,
    type: p.kind,
    source: sourceOf(p),
    ...(p.limits !== undefined ? { limits: p.limits } : {}),
    ...(p.aliases !== undefined && p.aliases.length > 0 ? { aliases: p.aliases } : {}),
    keys: Object.entries(p.params.describe()).map(
      ([k, i]) =>
        `${k}: ${i.about || i.type}${i.fallback !== undefined ? ` (default ${JSON.stringify(i.fallback)})` : ""}`,
    ),
  }
}
