// Small instances of every network that the contract suites run over.
import { Draws } from "../../src/core/rng.ts"
import type { Built } from "../../src/inspect/contract/walk.ts"
import { routings, topologies } from "../../src/library.ts"
import type { BuildSite } from "../../src/model/plugin.ts"
import type { Topology } from "../../src/model/topology.ts"
import { fatTree, ibnetdiscoverText, lftText, shortestPorts } from "../subnet/fabric.ts"

const fabric = fatTree(3, 2, 2)

/** A ring of five with a chord, written as a file of links. */
export const files: Readonly<Record<string, string>> = {
  "ring.txt": "a b\nb c\nc d\nd e\ne a\nb e chord 3\n",
  // next hops on a mesh of 2x2, two equal ways from 0 to 3
  "square.txt":
    "0 1 1\n0 2 2\n0 3 1 0\n0 3 2 0\n1 0 0\n1 3 3\n1 2 0 # x first\n2 0 0\n2 3 3\n2 1 3\n3 1 1\n3 2 2\n3 0 2\n",
  "fabric.net": ibnetdiscoverText(fabric),
  "fabric.lft": lftText(
    fabric,
    shortestPorts(fabric, (_, to, goal) => to < 3 || to === 3 + (goal % 2)),
  ),
}

export const site: BuildSite = {
  rng: new Draws(7),
  read(path) {
    const file = files[path]
    if (file === undefined) throw new Error(`no file ${path}`)
    return file
  },
}

export type Raw = Readonly<Record<string, unknown>>

export function topologyNamed(name: string) {
  const plugin = topologies.find((t) => t.name === name)
  if (plugin === undefined) throw new Error(`no topology ${name}`)
  return plugin
}

export function parsed<P>(
  plugin: { params: { parse(raw: unknown, path: string): { ok: P } | { bad: unknown } } },
  raw: Raw,
): P {
  const got = plugin.params.parse(raw, "")
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok
}

export function build(name: string, raw: Raw): Topology {
  const plugin = topologyNamed(name)
  const params = parsed(plugin, raw)
  const bad = plugin.check?.(params, site) ?? []
  if (bad.length > 0) throw new Error(JSON.stringify(bad))
  return plugin.make(params, site)
}

export function routingNamed(name: string) {
  const plugin = routings.find((r) => r.name === name)
  if (plugin === undefined) throw new Error(`no routing ${name}`)
  return plugin
}

/** A routing on a topology, with as many VCs as it asks for plus `spare`. */
export function pair(topologyName: string, topologyRaw: Raw, routingName: string, routingRaw: Raw, spare = 0): Built {
  const topology = build(topologyName, topologyRaw)
  const plugin = routingNamed(routingName)
  const params = parsed(plugin, routingRaw)
  // the library does not know the topology type of a routing; the names above do
  const vcs = plugin.vcs(params, topology as never) + spare
  const on = { topology, vcs, rng: new Draws(11), read: site.read } as never
  const bad = plugin.check?.(params, on) ?? []
  if (bad.length > 0) throw new Error(JSON.stringify(bad))
  return {
    topology,
    routing: plugin.make(params, on),
    vcs,
    scratch: plugin.scratch ?? 0,
    candidates: plugin.candidates ?? 1,
  }
}
