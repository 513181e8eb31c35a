// What a module from outside exports by default, held against the shape of a plug-in: one record or a list of them. What is wrong is said before anything of it is used.
import { nearest } from "../../core/complaint.ts"
import { schema } from "../../core/schema.ts"
import { kindOf } from "../../core/units.ts"
import { type AnyPlugin, type AnyTopology, breakable } from "../../library.ts"
import type { Catalog } from "../catalog.ts"
import { isMap } from "../fields.ts"

/** What is wrong, and the way out. */
export type Finding = readonly [says: string, fix: string]

/** Kinds that may come from outside. */
export const outsideKinds = ["topology", "routing", "pattern", "arrivals", "sizes", "probe"] as const
const notYet = ["switch", "endpoint", "congestion"]

const usual = "write: export default definePlugin({ kind, name, about, params, make, … })"

/** The plug-ins of a module, ready for a catalog; `known`: those whose names are taken. */
export function shaped(exported: unknown, known: Catalog): { ok: AnyPlugin[] } | { bad: Finding[] } {
  if (exported === undefined) return { bad: [["has no default export", usual]] }
  const list: readonly unknown[] = Array.isArray(exported) ? exported : [exported]
  if (list.length === 0) return { bad: [["exports an empty list", usual]] }
  const bad: Finding[] = []
  const made: AnyPlugin[] = []
  list.forEach((one, i) => {
    const where = list.length > 1 ? `plug-in ${i}: ` : ""
    // own copies: what the module does to its record later changes nothing here
    const record = isMap(one) ? { params: schema({}), ...one } : one
    const wrong: Finding[] = []
    if (!isPlugin(record, wrong)) bad.push(...wrong.map(([says, fix]): Finding => [`${where}${says}`, fix]))
    else {
      // every topology can have failed links
      const plugin = isTopology(record) ? breakable(record) : record
      const twin = named(known.plugins, plugin) ?? named(made, plugin)
      if (twin === undefined) made.push(plugin)
      else bad.push([`${where}there is a ${plugin.kind} "${twin}" already`, `give yours a name of its own, such as my.${twin}`])
    }
  })
  return bad.length > 0 ? { bad } : { ok: made }
}

/** A name of this plug-in that one of the same kind has. */
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
  if (typeof kind === "string" && notYet.includes(kind))
    return [
      [
        `is a ${kind} plug-in: contracts of switches, endpoints and congestion management are not fixed yet, so they cannot come from outside`,
        `bring a plug-in of one of the kinds ${outsideKinds.join(", ")}`,
      ],
    ]
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
  want("params", isSchema(p["params"]), "a schema", 'import { schema } from "lacewing/core", or leave params out')
  called("make", "write make(params, site) { … }")
  for (const key of ["check", "needs", ...(kind === "probe" ? ["events"] : [])])
    may(key, (v) => typeof v === "function", "a function", "leave it out, or give a function")
  may("aliases", texts, "a list of names", "leave it out")
  if (kind === "routing") {
    called("vcs", "write vcs: () => 1, the fewest VCs with which it is free of deadlock")
    may("topologies", texts, "a list of names of topologies", 'write topologies: ["mesh"], or leave it out for any')
    for (const key of ["scratch", "candidates"]) may(key, whole, "a whole number up to 64", "leave it out, or give a number")
    may("most", (v) => v === "minimal" || whole(v), '"minimal" or a number of links', "leave it out, or declare it")
    for (const key of ["adaptive", "oracle"]) may(key, (v) => typeof v === "boolean", "true or false", "leave it out")
  }
  if (kind === "pattern") may("permutation", (v) => typeof v === "boolean", "true or false", "leave it out")
  if (kind === "topology") called("size", "write size: (params) => ({ ends, routers, chans })")
  return bad
}

function isSchema(v: unknown): boolean {
  return isMap(v) && isMap(v["fields"]) && typeof v["parse"] === "function"
}

function isTopology(p: AnyPlugin): p is AnyTopology {
  return p.kind === "topology"
}
