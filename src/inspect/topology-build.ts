// Builds a topology from a name and parameters of a command: it finds the plug-in, checks the parameters and the
// memory, and builds the graph.
import type { Checked } from "../core/complaint.ts"
import { Draws } from "../core/rng.ts"
import { plainScale } from "../core/units.ts"
import { find } from "../experiment/find.ts"
import { topologiesFor } from "../experiment/outside/known.ts"
import { bytesFor, tooLarge } from "../experiment/topology-size.ts"
import type { AnyTopology } from "../library.ts"
import type { Outside } from "../model/host.ts"
import type { Topology } from "../model/topology.ts"

export interface Built {
  readonly plugin: AnyTopology
  readonly params: unknown
  readonly topology: Topology
}

export interface BuildOptions {
  readonly seed?: number
  /** limit of the bytes that the network may need */
  readonly memory?: number
  readonly read?: (path: string) => string
  readonly outside?: Outside
}

export const usualMemory = 4 * 2 ** 30

/**
 * Builds a topology, or returns complaints. The random generator has a fixed seed, so that the result is reproducible.
 */
export function buildTopology(
  name: string,
  raw: Readonly<Record<string, unknown>>,
  options: BuildOptions = {},
): Checked<Built> {
  const found = find(topologiesFor(options), { ...raw, name }, "topology", plainScale)
  if ("bad" in found) return found
  const { plugin, params } = found.ok
  const site = {
    rng: new Draws((options.seed ?? 1) ^ 0x746f),
    ...(options.read !== undefined ? { read: options.read } : {}),
  }
  // The size is checked first, because checks of a far too large network may take too long.
  const size = plugin.size(params)
  const large = tooLarge(
    size,
    bytesFor(size),
    options.memory ?? usualMemory,
    "topology",
    ", or allow more with --memory",
  )
  if (large.length > 0) return { bad: large }
  const bad = (plugin.check?.(params, site) ?? []).map((c) => ({
    ...c,
    path: c.path === "" ? "topology" : `topology.${c.path}`,
  }))
  return bad.length > 0 ? { bad } : { ok: { plugin, params, topology: plugin.make(params, site) } }
}
