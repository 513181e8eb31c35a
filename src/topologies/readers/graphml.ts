// Reads GraphML: `node` elements are routers, `edge` elements are links. "GraphML progress report", U. Brandes et al.,
// 2001. The reader uses the data keys endpoints (of nodes), class, latency and count (of edges) and ignores all others.
// Limits: one flat graph; edges are links in both directions. The parser is a single pass with regular expressions
// instead of an XML library, because this code also runs in the browser.
import { LinkList, type ReadGraph } from "./list.ts"

const tags = /<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g

interface Element {
  readonly kind: "node" | "edge"
  readonly attributes: Map<string, string>
  readonly data: Map<string, string>
}

export function readGraphml(source: string, duplicates: boolean): ReadGraph {
  const out = new LinkList()
  const keys = new Map<string, string>()
  let open: Element | undefined
  let key: string | undefined
  let seen = false
  const close = (): void => {
    if (open?.kind === "node") addNode(out, open)
    else if (open !== undefined) addEdge(out, open)
    open = undefined
  }
  for (const [, ending, rawName, rawAttributes, alone, content] of withoutComments(source).matchAll(tags)) {
    if (content !== undefined) {
      if (key !== undefined && open !== undefined) open.data.set(key, plain(content.trim()))
      continue
    }
    const name = rawName?.replace(/^.*:/, "")
    if (name === "graphml") seen = true
    if (ending === "/") {
      if (name === "data") key = undefined
      else if (name === "node" || name === "edge") close()
      continue
    }
    const attributes = attributesOf(rawAttributes ?? "")
    if (name === "key") keys.set(attributes.get("id") ?? "", attributes.get("attr.name") ?? attributes.get("id") ?? "")
    else if (name === "data" && alone !== "/") key = keys.get(attributes.get("key") ?? "") ?? attributes.get("key")
    else if (name === "node" || name === "edge") {
      open = { kind: name, attributes, data: new Map() }
      if (alone === "/") close()
    }
  }
  if (!seen)
    out.complain("file", "is not GraphML: there is no graphml element", "give a file that begins with <graphml>")
  return out.finish(duplicates)
}

/** Returns the text without comments. Each comment is searched once; a regular expression would take quadratic time for
 *  openings without an end. */
function withoutComments(source: string): string {
  const parts: string[] = []
  let from = 0
  for (;;) {
    const open = source.indexOf("<!--", from)
    const end = open < 0 ? -1 : source.indexOf("-->", open + 4)
    if (end < 0) return [...parts, source.slice(from)].join("")
    parts.push(source.slice(from, open))
    from = end + 3
  }
}

/** Adds a router with its endpoints. */
function addNode(out: LinkList, { attributes, data }: Element): void {
  const id = attributes.get("id")
  if (id === undefined) out.complain("file", "a node has no id", 'write <node id="…">')
  else {
    out.router(id)
    if (data.has("endpoints")) out.endpoints(id, Number(data.get("endpoints")), `file node ${id}`)
  }
}

/** Adds a link. */
function addEdge(out: LinkList, { attributes, data }: Element): void {
  const [from, to] = [attributes.get("source"), attributes.get("target")]
  if (from === undefined || to === undefined)
    out.complain("file", "an edge has no source or no target", 'write <edge source="…" target="…">')
  else {
    const [latency, count] = [Number(data.get("latency") ?? 1), Number(data.get("count") ?? 1)]
    out.link(from, to, data.get("class") ?? "link", latency, count, `file edge ${from} ${to}`)
  }
}

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name, double, single] of text.matchAll(/([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    found.set(name!, plain(double ?? single ?? ""))
  return found
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" }
function plain(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name])
}
