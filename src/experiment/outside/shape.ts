// Checks the default export of a module against the interface of a plug-in: one record, a list of them, or a function
// of the kit that returns either. Errors are reported before any of it is used.
import { nearest } from "../../core/complaint.ts"
import { type Schema, schema } from "../../core/schema.ts"
import { kindOf, plainScale } from "../../core/units.ts"
import { kit } from "../../kit.ts"
import { type AnyPlugin, breakable, workloads } from "../../library.ts"
import { abilities } from "../../model/abilities.ts"
import type { Plugin } from "../../model/plugin.ts"
import type { Catalog } from "../catalog.ts"
import { isMap } from "../fields.ts"
import { isReader, isTopology } from "./kinds.ts"

/** An error, and its fix. */
export type Finding = readonly [says: string, fix: string]

/** Kinds of custom plug-ins. */
export const outsideKinds = [
  ...(["topology", "routing", "pattern", "arrivals", "sizes", "probe"] as const),
  ...(["congestion", "qos", "workload", "trace", "switch", "endpoint"] as const),
] as const

const usual = "write: export default (kit) => ({ kind, name, about, params, make, … })"

/** Returns the plug-ins of a module. `known`: plug-ins whose names are taken. */
export function shaped(given: unknown, known: Catalog): { ok: AnyPlugin[] } | { bad: Finding[] } {
  const exported: unknown = typeof given === "function" ? given(kit) : given
  if (exported === undefined && given !== undefined)
    return { bad: [["exports a function that returns nothing", usual]] }
  if (exported === undefined) return { bad: [["has no default export", usual]] }
  const list: readonly unknown[] = Array.isArray(exported) ? exported : [exported]
  if (list.length === 0) return { bad: [["exports an empty list", usual]] }
  const bad: Finding[] = []
  const made: AnyPlugin[] = []
  list.forEach((one, i) => {
    const where = list.length > 1 ? `plug-in ${i}: ` : ""
    // A copy, so that later changes of the module's record have no effect.
    const record = isMap(one) ? { params: schema({}), ...one } : one
    const wrong: Finding[] = []
    if (!isPlugin(record, wrong)) bad.push(...wrong.map(([says, fix]): Finding => [`${where}${says}`, fix]))
    else {
      // Every topology can have failed links.
      const plugin = isTopology(record)
        ? breakable(record)
        : isReader(record)
          ? workloads.workloadOfReader(record)
          : record
      const twin = named(known.plugins, plugin) ?? named(made, plugin)
      if (twin === undefined) made.push(plugin)
      else
        bad.push([
          `${where}there is a ${plugin.kind} "${twin}" already`,
          `give yours a different name, such as my.${twin}`,
        ])
    }
  })
  return bad.length > 0 ? { bad } : { ok: made }
}

/** Returns a name of this plug-in that one of the same kind has. */
function named(plugins: readonly AnyPlugin[], { kind, name, aliases = [] }: AnyPlugin): string | undefined {
  const taken = new Set(plugins.filter((p) => p.kind === kind).flatMap((p) => [p.name, ...(p.aliases ?? [])]))
  return [name, ...aliases].find((n) => taken.has(n))
}

function isPlugin(p: unknown, bad: Finding[]): p is AnyPlugin {
  bad.push(...wrongWith(p))
  return bad.length === 0
}

function wrongWith(p: unknown): Finding[] {
  if (!isMap(p)) return [[`exports ${kindOf(p)}, not a plug-in`, usual]]
  const kind = p["kind"]
  if (!outsideKinds.some((k) => k === kind)) {
    const near = typeof kind === "string" ? nearest(kind, outsideKinds) : undefined
    return [
      [
        kind === undefined ? "has no kind" : `kind ${kindOf(kind)} is not known`,
        near === undefined ? `choose one of ${outsideKinds.join(", ")}` : `did you mean "${near}"?`,
      ],
    ]
  }
  const bad: Finding[] = []
  const want = (key: string, is: boolean, wanted: string, fix: string) => {
    if (!is) bad.push([`${key}: expected ${wanted}, found ${p[key] === undefined ? "nothing" : kindOf(p[key])}`, fix])
  }
  const called = (key: string, fix: string) => want(key, typeof p[key] === "function", "a function", fix)
  const may = (key: string, is: (v: unknown) => boolean, wanted: string, fix: string) =>
    want(key, p[key] === undefined || is(p[key]), wanted, fix)
  const isName = (v: unknown) => typeof v === "string" && /^\w[\w.-]{0,99}$/.test(v)
  const texts = (v: unknown) => Array.isArray(v) && v.every(isName)
  const whole = (v: unknown) => typeof v === "number" && Number.isInteger(v) && v >= 0 && v <= 64
  want("name", isName(p["name"]), "a name of letters, digits, dots and dashes", 'write name: "my.routing"')
  want("about", typeof p["about"] === "string" && p["about"] !== "", "one sentence", "say in a sentence what it does")
  bad.push(...unreadKeys(p, String(kind)))
  const { params } = p
  want("params", isSchema(params), "a schema", "write params: schema({ … }) with schema of the kit, or leave it out")
  if (isSchema(params)) bad.push(...wrongFields(params))
  called("make", "write make(params, site) { … }")
  for (const key of ["check", "needs", ...(kind === "probe" ? ["events", "counters"] : [])])
    may(key, (v) => typeof v === "function", "a function", "leave it out, or give a function")
  may("aliases", texts, "a list of names", "leave it out")
  if (kind === "routing") {
    called("vcs", "write vcs: () => 1, the fewest VCs with which it is free of deadlock")
    may("topologies", texts, "a list of names of topologies", 'write topologies: ["mesh"], or leave it out for any')
    for (const key of ["scratch", "candidates"])
      may(key, whole, "a whole number up to 64", "leave it out, or give a number")
    may("most", (v) => v === "minimal" || whole(v), '"minimal" or a number of links', "leave it out, or declare it")
    for (const key of ["adaptive", "oracle"]) may(key, (v) => typeof v === "boolean", "true or false", "leave it out")
  }
  if (kind === "probe")
    may(
      "figures",
      (v) => Array.isArray(v) && v.every(isFigure),
      "a list of figures",
      'write figures: [{ table, kind: "lines", title, x: { column, label }, y: { column, label } }], or leave it out',
    )
  if (kind === "pattern") may("permutation", (v) => typeof v === "boolean", "true or false", "leave it out")
  if (kind === "congestion") {
    may(
      "guarantees",
      (v) => isMap(v) && typeof v["because"] === "string",
      "a map with the key because",
      'write guarantees: { sink: 0.8, because: "…" }, or leave it out',
    )
    may("known", (v) => typeof v === "function", "a function", "leave it out, or give a function")
  }
  if (kind === "trace")
    may(
      "sample",
      (v) => isMap(v) && Object.values(v).every((t) => typeof t === "string"),
      "a map of texts",
      "leave it out",
    )
  if (kind === "workload") may("load", (v) => typeof v === "function", "a function", "leave it out, or give a function")
  if (kind === "switch" || kind === "endpoint")
    may("can", isAbilities, "a list of abilities", "write can: kit.switching.abilities, or the names of some of them")
  if (kind === "switch")
    may(
      "behaviour",
      (v) => isMap(v) && typeof v["stand"] === "function" && Array.isArray(v["variants"]),
      "a map with stand and variants",
      "write behaviour: { stand: (flits) => ({ … }), variants: [{}] }",
    )
  if (kind === "topology") called("size", "write size: (params) => ({ ends, routers, chans })")
  return bad
}

function isFigure(v: unknown): boolean {
  if (!isMap(v)) return false
  const isAxis = (a: unknown) => isMap(a) && typeof a["column"] === "string" && typeof a["label"] === "string"
  const kinds = ["lines", "bars", "heat", "graph"]
  return (
    kinds.includes(v["kind"] as string) &&
    ["table", "title"].every((key) => typeof v[key] === "string") &&
    [v["x"], v["y"], ...(["heat", "graph"].includes(v["kind"] as string) ? [v["value"]] : [])].every(isAxis)
  )
}

function isAbilities(v: unknown): boolean {
  return Array.isArray(v) && v.every((ability) => typeof ability === "string" && Object.hasOwn(abilities, ability))
}

function isSchema(v: unknown): v is Schema<unknown> {
  return isMap(v) && isMap(v["fields"]) && typeof v["parse"] === "function"
}

/** Returns an error for each parameter that is no field, or whose default the field itself rejects. */
function wrongFields(params: Schema<unknown>): Finding[] {
  return Object.entries(params.fields).flatMap(([key, field]): Finding[] => {
    const given: unknown = field
    if (!isMap(given) || !isMap(given["info"]) || typeof given["parse"] !== "function") {
      const fix = typeof given === "function" ? `call it: ${key}: field("…")` : `write ${key}: int({ about, default })`
      return [[`params.${key}: expected a field, found ${kindOf(given)}`, fix]]
    }
    if (field.info.fallback === undefined) return []
    const got = field.parse(field.info.fallback, key, plainScale)
    return "ok" in got ? [] : got.bad.map((c): Finding => [`params.${key}: the default is rejected: ${c.says}`, c.fix])
  })
}

/** Keys of the records of plug-ins: those of every kind, and the further ones of some. */
const keysOfAll: readonly (keyof Plugin<unknown, unknown, unknown>)[] = [
  ...(["kind", "name", "aliases", "formerly", "revision", "about", "cites", "limits", "params", "example"] as const),
  ...(["can", "conditions", "rules", "moves", "drawing", "behaviour", "values", "needs", "check", "make"] as const),
]
const keysOf: Readonly<Record<string, readonly string[]>> = {
  topology: ["size"],
  routing: ["topologies", "scratch", "candidates", "adaptive", "oracle", "most", "direct", "vcs"],
  pattern: ["permutation"],
  arrivals: ["paced"],
  congestion: ["guarantees"],
  workload: ["load", "reader"],
  trace: ["sample"],
  probe: ["counters", "figures", "events", "operations", "standing"],
}

/** A key that nothing reads is a misspelt one. */
function unreadKeys(p: Readonly<Record<string, unknown>>, kind: string): Finding[] {
  const known = [...keysOfAll, ...(keysOf[kind] ?? [])]
  return Object.keys(p)
    .filter((key) => !known.includes(key))
    .map((key): Finding => {
      const near = nearest(key, known)
      return [`unknown key ${key}`, near === undefined ? `known keys: ${known.join(", ")}` : `did you mean "${near}"?`]
    })
}
