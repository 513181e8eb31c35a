// The one file that names every plug-in: an explicit barrel, no discovery.
import type { ArrivalsPlugin, PatternPlugin, Plugin, RoutingPlugin, SizesPlugin, TopologyPlugin } from "./model/plugin.ts"
import cascade from "./topologies/cascade.ts"
import clos from "./topologies/clos.ts"
import fitfly from "./topologies/fitfly.ts"
import hypercube from "./topologies/hypercube.ts"
import jellyfish from "./topologies/jellyfish.ts"
import megafly from "./topologies/megafly.ts"
import oft from "./topologies/oft.ts"
import polarfly from "./topologies/polarfly.ts"
import slimfly from "./topologies/slimfly.ts"
import xgft from "./topologies/xgft.ts"

/** A plug-in whose parameter type is not known here: it parses its own. */
export type AnyPlugin = Plugin<unknown, unknown, never>
export type AnyTopology = TopologyPlugin<unknown>
export type AnyRouting = RoutingPlugin<unknown, never>

export const topologies: readonly AnyTopology[] = [slimfly, fitfly, megafly, cascade, hypercube, xgft, clos, oft, polarfly, jellyfish]
export const routings: readonly AnyRouting[] = []
export const patterns: readonly PatternPlugin<unknown>[] = []
export const arrivals: readonly ArrivalsPlugin<unknown>[] = []
export const sizes: readonly SizesPlugin<unknown>[] = []
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
