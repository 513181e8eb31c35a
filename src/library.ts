// The one file that names every plug-in: an explicit barrel, no discovery.
import type { ArrivalsPlugin, PatternPlugin, Plugin, RoutingPlugin, SizesPlugin, TopologyPlugin } from "./model/plugin.ts"

/** A plug-in whose parameter type is not known here: it parses its own. */
export type AnyPlugin = Plugin<never, unknown, never>
export type AnyTopology = TopologyPlugin<never>
export type AnyRouting = RoutingPlugin<never, never>

export const topologies: readonly AnyTopology[] = []
export const routings: readonly AnyRouting[] = []
export const patterns: readonly PatternPlugin<never>[] = []
export const arrivals: readonly ArrivalsPlugin<never>[] = []
export const sizes: readonly SizesPlugin<never>[] = []
export const switches: readonly AnyPlugin[] = []
export const endpoints: readonly AnyPlugin[] = []
export const probes: readonly AnyPlugin[] = []

export const library: readonly AnyPlugin[] = [
  ...topologies,
  ...routings,
  ...patterns,
  ...arrivals,
  ...sizes,
  ...switches,
  ...endpoints,
  ...probes,
]
