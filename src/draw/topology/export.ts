// A network as a file for other programs, and for lacewing's own `graph` topology: edge list, JSON, GraphML. Parallel
// links are repeated lines in an edge list (read it with duplicates: true) and a count elsewhere. Limits: rails beyond
// the first are left out.
import type { Topology } from "../../model/topology.ts"
import { bundles, endpointsOn } from "./links.ts"

export const exportForms = ["edges", "json", "graphml", "svg"] as const
export type ExportForm = (typeof exportForms)[number]

export function toEdges(topology: Topology, heading: string): string {
  const lines = [`# ${heading}`, "# FROM TO CLASS CYCLES; end ROUTER COUNT"]
  for (const { a, b, linkClass, latency, count } of bundles(topology)) {
    const line = `${a} ${b} ${linkClass} ${Math.max(1, latency)}`
    for (let i = 0; i < count; i++) lines.push(line)
  }
  endpointsOn(topology).forEach((n, r) => {
    if (n > 0) lines.push(`end ${r} ${n}`)
  })
  return `${lines.join("\n")}\n`
}

export function toJson(topology: Topology, params: unknown): string {
  const on = endpointsOn(topology)
  const routers = Array.from(on, (endpoints, id) => ({
    id,
    label: topology.label(id),
    ...(topology.group !== undefined ? { group: topology.group[id] } : {}),
    endpoints,
  }))
  const links = bundles(topology).map(({ a, b, linkClass, latency, count, oneWay }) => ({
    from: a,
    to: b,
    class: linkClass,
    latency: Math.max(1, latency),
    count,
    ...(oneWay ? { oneWay } : {}),
  }))
  const head = JSON.stringify({
    topology: topology.name,
    params,
    endpoints: topology.graph.ends,
    rails: topology.graph.rails,
  })
  const list = (name: string, of: readonly object[]) =>
    `"${name}":[\n${of.map((o) => JSON.stringify(o)).join(",\n")}\n]`
  return `${head.slice(0, -1)},\n${list("routers", routers)},\n${list("links", links)}}\n`
}

export function toGraphml(topology: Topology): string {
  const on = endpointsOn(topology)
  const keys = [
    ["label", "node", "string"],
    ["group", "node", "int"],
    ["endpoints", "node", "int"],
    ["class", "edge", "string"],
    ["latency", "edge", "int"],
    ["count", "edge", "int"],
  ]
  const data = (key: string, value: string | number) => `<data key="${key}">${xml(String(value))}</data>`
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...keys.map(([name, on, type]) => `  <key id="${name}" for="${on}" attr.name="${name}" attr.type="${type}"/>`),
    '  <graph edgedefault="undirected">',
  ]
  on.forEach((endpoints, r) => {
    const group = topology.group === undefined ? "" : data("group", topology.group[r])
    lines.push(`    <node id="${r}">${data("label", topology.label(r))}${group}${data("endpoints", endpoints)}</node>`)
  })
  for (const { a, b, linkClass, latency, count, oneWay } of bundles(topology)) {
    const directed = oneWay ? ' directed="true"' : ""
    const all = data("class", linkClass) + data("latency", Math.max(1, latency)) + data("count", count)
    lines.push(`    <edge source="${a}" target="${b}"${directed}>${all}</edge>`)
  }
  lines.push("  </graph>", "</graphml>")
  return `${lines.join("\n")}\n`
}

export function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
}
