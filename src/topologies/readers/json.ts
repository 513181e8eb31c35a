// Reads a graph as JSON: `routers` (or `nodes`) and `links` (or `edges`). A router is a name, or a map with `id` and
// optionally `endpoints`. A link is [from, to], or a map with `from` and `to` (or `source` and `target`) and optionally
// `count` (default 1), `class` (default "link") and `latency` (default 1 cycle). `lacewing topology ... --export json`
// writes this form, and so do libraries that know the node-link form.
import { kindOf } from "../../core/units.ts"
import { LinkList, type ReadGraph } from "./list.ts"

export function readJson(source: string, duplicates: boolean): ReadGraph {
  const out = new LinkList()
  let root: unknown
  try {
    root = JSON.parse(source)
  } catch (e) {
    out.complain(
      "file",
      `is not JSON: ${e instanceof Error ? e.message : String(e)}`,
      "write one JSON object with routers and links",
    )
    return out.finish(duplicates)
  }
  const given = isMap(root) ? root : {}
  const routers = given["routers"] ?? given["nodes"] ?? []
  const links = given["links"] ?? given["edges"]
  if (!Array.isArray(links) || !Array.isArray(routers)) {
    out.complain(
      "file",
      `has no list of links, found ${kindOf(root)}`,
      'write { "routers": […], "links": [[from, to], …] }',
    )
    return out.finish(duplicates)
  }
  for (const r of routers) {
    const name = isMap(r) ? nameOf(r["id"] ?? r["name"]) : nameOf(r)
    if (name === undefined)
      out.complain("file routers", `${kindOf(r)} is not a router`, 'write a name, or { "id": name }')
    else out.router(name)
    if (name !== undefined && isMap(r) && r["endpoints"] !== undefined)
      out.endpoints(name, Number(r["endpoints"]), "file routers")
  }
  links.forEach((link: unknown, i) => {
    const where = `file links.${i}`
    const rest = isMap(link) ? link : {}
    const [from, to]: unknown[] = Array.isArray(link)
      ? link
      : [rest["from"] ?? rest["source"], rest["to"] ?? rest["target"]]
    const [a, b] = [nameOf(from), nameOf(to)]
    if (a === undefined || b === undefined)
      out.complain(where, `${kindOf(link)} is not a link`, 'write [from, to] or { "from": …, "to": … }')
    else
      out.link(a, b, String(rest["class"] ?? "link"), Number(rest["latency"] ?? 1), Number(rest["count"] ?? 1), where)
  })
  return out.finish(duplicates)
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
function nameOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined
}
