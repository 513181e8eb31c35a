// The one file that names every plug-in: an explicit barrel, no discovery.
import type { ArrivalsPlugin, PatternPlugin, Plugin, RoutingPlugin, SizesPlugin, TopologyPlugin } from "./model/plugin.ts"
import backloggedArrivals from "./traffic/arrivals/backlogged.ts"
import bernoulliArrivals from "./traffic/arrivals/bernoulli.ts"
import burstArrivals from "./traffic/arrivals/burst.ts"
import onOffArrivals from "./traffic/arrivals/on-off.ts"
import periodicArrivals from "./traffic/arrivals/periodic.ts"
import poissonArrivals from "./traffic/arrivals/poisson.ts"
import asymmetricPattern from "./traffic/patterns/asymmetric.ts"
import bitComplementPattern from "./traffic/patterns/bit-complement.ts"
import bitReversePattern from "./traffic/patterns/bit-reverse.ts"
import diagonalPattern from "./traffic/patterns/diagonal.ts"
import fixedPattern from "./traffic/patterns/fixed.ts"
import groupAdversarialPattern from "./traffic/patterns/group-adversarial.ts"
import hotspotPattern from "./traffic/patterns/hotspot.ts"
import matrixPattern from "./traffic/patterns/matrix.ts"
import neighbourPattern from "./traffic/patterns/neighbour.ts"
import randomPermutationPattern from "./traffic/patterns/random-permutation.ts"
import shufflePattern from "./traffic/patterns/shuffle.ts"
import toSetPattern from "./traffic/patterns/to-set.ts"
import tornadoPattern from "./traffic/patterns/tornado.ts"
import transposePattern from "./traffic/patterns/transpose.ts"
import uniformPattern from "./traffic/patterns/uniform.ts"
import bimodalSizes from "./traffic/sizes/bimodal.ts"
import fixedSizes from "./traffic/sizes/fixed.ts"
import rangeSizes from "./traffic/sizes/range.ts"
import weightedSizes from "./traffic/sizes/weighted.ts"

/** A plug-in whose parameter type is not known here: it parses its own. */
export type AnyPlugin = Plugin<unknown, unknown, never>
export type AnyTopology = TopologyPlugin<unknown>
export type AnyRouting = RoutingPlugin<unknown, never>

export const topologies: readonly AnyTopology[] = []
export const routings: readonly AnyRouting[] = []
export const patterns: readonly PatternPlugin<unknown>[] = [
  asymmetricPattern,
  bitComplementPattern,
  bitReversePattern,
  diagonalPattern,
  fixedPattern,
  groupAdversarialPattern,
  hotspotPattern,
  matrixPattern,
  neighbourPattern,
  randomPermutationPattern,
  shufflePattern,
  toSetPattern,
  tornadoPattern,
  transposePattern,
  uniformPattern,
]
export const arrivals: readonly ArrivalsPlugin<unknown>[] = [
  backloggedArrivals,
  bernoulliArrivals,
  burstArrivals,
  onOffArrivals,
  periodicArrivals,
  poissonArrivals,
]
export const sizes: readonly SizesPlugin<unknown>[] = [bimodalSizes, fixedSizes, rangeSizes, weightedSizes]
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
