// A topology by name and parameters, as a command gives them: found, checked, held against the memory, built.
import { type Checked, complain } from "../core/complaint.ts"
import { Draws } from "../core/rng.ts"
import { plainScale } from "../core/units.ts"
import { type AnyTopology, topologies } from "../library.ts"
import type { Topology } from "../model/topology.ts"
import { find } from "./find.ts"

/** Bytes that building and measuring take at most: columns of the graph, the same again while searching. Measured 30 to 50 for each channel. */
export function bytesFor({ ends, routers, chans }: { ends: number; routers: number; chans: number }): number {
  return 48 * chans + 24 * ends + 40 * routers
}

export interface Built {
  readonly plugin: AnyTopology
  readonly params: unknown
  readonly topology: Topology
}

export interface BuildOptions {
  readonly seed?: number
  /** most bytes that the network may need */
  readonly memory?: number
  readonly read?: (path: string) => string
}

export const usualMemory = 4 * 2 ** 30

export function buildTopology(name: string, raw: Readonly<Record<string, unknown>>, options: BuildOptions = {}): Checked<Built> {
  const found = find(topologies, { ...raw, name }, "topology", plainScale)
  if ("bad" in found) return found
  const { plugin, params } = found.ok
  const site = { rng: new Draws((options.seed ?? 1) ^ 0x746f), ...(options.read !== undefined ? { read: options.read } : {}) }
  // the size first: what is far too large should not be looked at any closer
  const size = plugin.size(params)
  const bytes = bytesFor(size)
  const most = options.memory ?? usualMemory
  if (!(bytes <= most)) {
    const factor = Math.ceil(bytes / most)
    return {
      bad: [
        complain(
          "topology",
          `${size.ends.toLocaleString("en")} endpoints on ${size.routers.toLocaleString("en")} routers need about ${gib(bytes)}, ${gib(most)} are allowed`,
          `make it about ${factor} times smaller, or allow more with --memory`,
        ),
      ],
    }
  }
  const bad = (plugin.check?.(params, site) ?? []).map((c) => ({ ...c, path: c.path === "" ? "topology" : `topology.${c.path}` }))
  return bad.length > 0 ? { bad } : { ok: { plugin, params, topology: plugin.make(params, site) } }
}

function gib(bytes: number): string {
  const value = bytes / 2 ** 30
  return `${value >= 100 ? Math.round(value).toLocaleString("en") : Number(value.toPrecision(2))} GiB`
}
