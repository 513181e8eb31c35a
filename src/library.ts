// The library of built-in plug-ins: the one file that names every topology, routing, switch, traffic pattern,
// congestion control, probe and workload. It is an explicit list without discovery, so that bundlers include everything
// and the order in help texts is fixed. The catalogue (experiment/) adds plug-ins of users.

import cbcm from "./congestion/cbcm/plugin.ts"
import dcqcn from "./congestion/dcqcn.ts"
import ecnDelay from "./congestion/ecn-delay.ts"
import ecnWindow from "./congestion/ecn-window.ts"
import hpcc from "./congestion/hpcc.ts"
import ideal from "./congestion/ideal.ts"
import lhrp from "./congestion/lhrp.ts"
import noCongestion from "./congestion/none.ts"
import nscc from "./congestion/nscc.ts"
import rccc from "./congestion/rccc.ts"
import smsrp from "./congestion/smsrp.ts"
import srp from "./congestion/srp.ts"
import adapter from "./endpoints/adapter.ts"
import queuePairs from "./endpoints/queue-pairs.ts"
import type { RailsModel } from "./endpoints/rails/plugin.ts"
import railsEndpoint from "./endpoints/rails/plugin.ts"
import serviceLevels from "./endpoints/service-levels.ts"
import simpleEndpoint from "./endpoints/simple.ts"
import type { FlitSwitchModel } from "./fabric/switch.ts"
import type { SwitchSiteInfo, TransferSwitchModel } from "./fabric/switch-model.ts"
import type { CongestionPlugin } from "./model/congestion.ts"
import type { EndpointModel } from "./model/endpoint.ts"
import type {
  ArrivalsPlugin,
  PatternPlugin,
  Plugin,
  RoutingPlugin,
  SizesPlugin,
  SwitchPlugin,
  TopologyPlugin,
} from "./model/plugin.ts"
import type { ProbePlugin } from "./model/probe.ts"
import type { QosModel } from "./model/scheduler.ts"
import channelsProbe from "./probes/channels.ts"
import endpointsProbe from "./probes/endpoints.ts"
import eventsProbe from "./probes/events.ts"
import groupsProbe from "./probes/groups.ts"
import latencyProbe from "./probes/latency.ts"
import occupancyProbe from "./probes/occupancy.ts"
import seriesProbe from "./probes/series.ts"
import standingProbe from "./probes/standing.ts"
import timelineProbe from "./probes/timeline.ts"
import ageScheduler from "./qos/age.ts"
import drrScheduler from "./qos/drr.ts"
import dtableScheduler from "./qos/dtable.ts"
import etsScheduler from "./qos/ets.ts"
import roundRobinScheduler from "./qos/round-robin.ts"
import scfqScheduler from "./qos/scfq.ts"
import strictScheduler from "./qos/strict.ts"
import vlArbitrationScheduler from "./qos/vl-arbitration.ts"
import wfqScheduler from "./qos/wfq.ts"
import {
  minimal as dragonflyBookSimMinimal,
  ugal as dragonflyBookSimUgal,
} from "./reproduce/routing/dragonfly-booksim.ts"
import * as dragonflyCodes from "./reproduce/routing/dragonfly-codes.ts"
import dragonflyParCodes from "./reproduce/routing/dragonfly-par-codes.ts"
import * as megaflyCodes from "./reproduce/routing/megafly-codes.ts"
import * as slimflyCodes from "./reproduce/routing/slimfly-codes.ts"
import anyLayered from "./routing/any/layered.ts"
import anyShortest from "./routing/any/shortest.ts"
import anyTable from "./routing/any/table.ts"
import anyUpDown from "./routing/any/up-down.ts"
import anyValiant from "./routing/any/valiant.ts"
import butterflyDestinationTag from "./routing/butterfly/destination-tag.ts"
import cmeshDimensionOrder from "./routing/cmesh/dimension-order.ts"
import crossbarDirect from "./routing/crossbar/direct.ts"
import dragonflyMinimal from "./routing/dragonfly/minimal.ts"
import dragonflyPar from "./routing/dragonfly/par.ts"
import dragonflyPar62 from "./routing/dragonfly/par62.ts"
import dragonflyPar62Direct from "./routing/dragonfly/par62-direct.ts"
import dragonflyUgalG from "./routing/dragonfly/ugal-g.ts"
import dragonflyUgalL from "./routing/dragonfly/ugal-l.ts"
import dragonflyValiant from "./routing/dragonfly/valiant.ts"
import hammingmeshDimensionOrder from "./routing/hammingmesh/dimension-order.ts"
import hyperxDimWar from "./routing/hyperx/dimwar.ts"
import hyperxMinimal from "./routing/hyperx/minimal.ts"
import hyperxUgalG from "./routing/hyperx/ugal-g.ts"
import hyperxUgalL from "./routing/hyperx/ugal-l.ts"
import hyperxValiant from "./routing/hyperx/valiant.ts"
import ibnetdiscoverLft from "./routing/ibnetdiscover/lft.ts"
import megaflyMinimal from "./routing/megafly/minimal.ts"
import megaflyPar from "./routing/megafly/par.ts"
import meshAdaptive from "./routing/mesh/adaptive.ts"
import meshDimensionOrder from "./routing/mesh/dimension-order.ts"
import railOptimisedMinimal from "./routing/rail-optimised/minimal.ts"
import slimflyMinimal from "./routing/slimfly/minimal.ts"
import slimflyUgalG from "./routing/slimfly/ugal-g.ts"
import slimflyUgalL from "./routing/slimfly/ugal-l.ts"
import slimflyValiant from "./routing/slimfly/valiant.ts"
import torusAdaptive from "./routing/torus/adaptive.ts"
import torusBubble from "./routing/torus/bubble.ts"
import torusDimensionOrder from "./routing/torus/dimension-order.ts"
import treeDestinationDigit from "./routing/tree/destination-digit.ts"
import treeNearestAncestor from "./routing/tree/nearest-ancestor.ts"
import treeValiant from "./routing/tree/valiant.ts"
import type { ChunkModel } from "./switches/chunk/plugin.ts"
import chunk from "./switches/chunk/plugin.ts"
import combined from "./switches/combined/plugin.ts"
import infiniband from "./switches/infiniband/plugin.ts"
import inputQueued from "./switches/input-queued/plugin.ts"
import omniPath from "./switches/omni-path/plugin.ts"
import queueScheme from "./switches/queue-scheme/plugin.ts"
import tiled from "./switches/tiled/plugin.ts"
import butterfly from "./topologies/butterfly.ts"
import cascade from "./topologies/cascade.ts"
import clos from "./topologies/clos.ts"
import cmesh from "./topologies/cmesh.ts"
import crossbar from "./topologies/crossbar.ts"
import dragonfly from "./topologies/dragonfly.ts"
import { breakable } from "./topologies/failures.ts"
import fitfly from "./topologies/fitfly.ts"
import graph from "./topologies/graph.ts"
import hammingmesh from "./topologies/hammingmesh.ts"
import hypercube from "./topologies/hypercube.ts"
import hyperx from "./topologies/hyperx.ts"
import ibnetdiscover from "./topologies/ibnetdiscover.ts"
import jellyfish from "./topologies/jellyfish.ts"
import megafly from "./topologies/megafly.ts"
import mesh from "./topologies/mesh.ts"
import oft from "./topologies/oft.ts"
import polarfly from "./topologies/polarfly.ts"
import railOptimised from "./topologies/rail-optimised.ts"
import slimfly from "./topologies/slimfly.ts"
import torus from "./topologies/torus.ts"
import tree from "./topologies/tree.ts"
import xgft from "./topologies/xgft.ts"
import backloggedArrivals from "./traffic/arrivals/backlogged.ts"
import bernoulliArrivals from "./traffic/arrivals/bernoulli.ts"
import burstArrivals from "./traffic/arrivals/burst.ts"
import onOffArrivals from "./traffic/arrivals/on-off.ts"
import periodicArrivals from "./traffic/arrivals/periodic.ts"
import poissonArrivals from "./traffic/arrivals/poisson.ts"
import asymmetricPattern from "./traffic/patterns/asymmetric.ts"
import bitComplementPattern from "./traffic/patterns/bit-complement.ts"
import bitReversePattern from "./traffic/patterns/bit-reverse.ts"
import blockTracePattern from "./traffic/patterns/block-trace.ts"
import connectionsPattern from "./traffic/patterns/connections.ts"
import diagonalPattern from "./traffic/patterns/diagonal.ts"
import fixedPattern from "./traffic/patterns/fixed.ts"
import groupAdversarialPattern from "./traffic/patterns/group-adversarial.ts"
import hotspotPattern from "./traffic/patterns/hotspot.ts"
import incastPattern from "./traffic/patterns/incast.ts"
import matrixPattern from "./traffic/patterns/matrix.ts"
import neighbourPattern from "./traffic/patterns/neighbour.ts"
import randomPermutationPattern from "./traffic/patterns/random-permutation.ts"
import shufflePattern from "./traffic/patterns/shuffle.ts"
import sinksPattern from "./traffic/patterns/sinks.ts"
import storagePattern from "./traffic/patterns/storage.ts"
import toSetPattern from "./traffic/patterns/to-set.ts"
import tornadoPattern from "./traffic/patterns/tornado.ts"
import transposePattern from "./traffic/patterns/transpose.ts"
import uniformPattern from "./traffic/patterns/uniform.ts"
import bimodalSizes from "./traffic/sizes/bimodal.ts"
import fixedSizes from "./traffic/sizes/fixed.ts"
import rangeSizes from "./traffic/sizes/range.ts"
import weightedSizes from "./traffic/sizes/weighted.ts"
import { backgroundWorkload } from "./workloads/generators/background.ts"
import { collectiveWorkload, haloWorkload, ringWorkload } from "./workloads/generators/plugins.ts"
import { skeletons } from "./workloads/generators/skeletons/plugins.ts"
import { traceWorkload } from "./workloads/generators/trace.ts"
import { trainingWorkload } from "./workloads/generators/training.ts"
import { transformerWorkload } from "./workloads/generators/transformer.ts"
import type { WorkloadPlugin } from "./workloads/generators/workload-plugin.ts"

export { breakable }

/** A plug-in whose parameter type is unknown here; it parses its own parameters. */
export type AnyPlugin = Plugin<unknown, unknown, never>
export type AnyTopology = TopologyPlugin<unknown>
export type AnyRouting = RoutingPlugin<unknown>
/** The switches and endpoints of all engines. */
export type AnySwitchModel = FlitSwitchModel | TransferSwitchModel | ChunkModel
export type AnySwitch = Plugin<unknown, AnySwitchModel, SwitchSiteInfo>
/** A switch of this list: nothing that the suites and the manual need may be missing. */
export type LibrarySwitch = SwitchPlugin<unknown, AnySwitchModel, SwitchSiteInfo>
export type AnyEndpoint = Plugin<unknown, EndpointModel | RailsModel, undefined>
export type AnyCongestion = CongestionPlugin<unknown>
export type AnyScheduler = Plugin<unknown, QosModel, undefined>

/** All topologies. Each can have failed links, because `breakable` wraps them here. */
export const topologies: readonly AnyTopology[] = [
  butterfly,
  cmesh,
  crossbar,
  dragonfly,
  fitfly,
  graph,
  hyperx,
  megafly,
  railOptimised,
  hammingmesh,
  mesh,
  slimfly,
  torus,
  tree,
  cascade,
  hypercube,
  xgft,
  clos,
  oft,
  polarfly,
  jellyfish,
  ibnetdiscover,
].map(breakable)
export const routings: readonly AnyRouting[] = [
  anyLayered,
  anyShortest,
  anyTable,
  anyUpDown,
  anyValiant,
  butterflyDestinationTag,
  cmeshDimensionOrder,
  crossbarDirect,
  dragonflyBookSimMinimal,
  dragonflyBookSimUgal,
  dragonflyCodes.minimal,
  dragonflyCodes.nonMinimal,
  dragonflyCodes.progAdaptive,
  dragonflyMinimal,
  dragonflyPar,
  dragonflyPar62,
  dragonflyPar62Direct,
  dragonflyParCodes,
  dragonflyUgalG,
  dragonflyUgalL,
  dragonflyValiant,
  hyperxDimWar,
  hyperxMinimal,
  hyperxUgalG,
  hyperxUgalL,
  hyperxValiant,
  ibnetdiscoverLft,
  megaflyCodes.minimal,
  megaflyCodes.nonMinimalLeaf,
  megaflyCodes.progAdaptive,
  megaflyMinimal,
  megaflyPar,
  railOptimisedMinimal,
  hammingmeshDimensionOrder,
  meshAdaptive,
  meshDimensionOrder,
  slimflyCodes.minimal,
  slimflyCodes.nonMinimal,
  slimflyCodes.adaptive,
  slimflyMinimal,
  slimflyUgalG,
  slimflyUgalL,
  slimflyValiant,
  torusAdaptive,
  torusBubble,
  torusDimensionOrder,
  treeDestinationDigit,
  treeNearestAncestor,
  treeValiant,
]
export const patterns: readonly PatternPlugin<unknown>[] = [
  asymmetricPattern,
  bitComplementPattern,
  bitReversePattern,
  blockTracePattern,
  connectionsPattern,
  diagonalPattern,
  fixedPattern,
  groupAdversarialPattern,
  hotspotPattern,
  incastPattern,
  matrixPattern,
  neighbourPattern,
  randomPermutationPattern,
  shufflePattern,
  storagePattern,
  sinksPattern,
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
export const switches: readonly LibrarySwitch[] = [
  inputQueued,
  chunk,
  tiled,
  combined,
  infiniband,
  omniPath,
  queueScheme,
]
export const endpoints: readonly AnyEndpoint[] = [simpleEndpoint, railsEndpoint, queuePairs, serviceLevels, adapter]
export const congestions: readonly AnyCongestion[] = [
  noCongestion,
  ecnWindow,
  ideal,
  ecnDelay,
  cbcm,
  srp,
  smsrp,
  lhrp,
  dcqcn,
  hpcc,
  nscc,
  rccc,
]
export const probes: readonly ProbePlugin<unknown>[] = [
  channelsProbe,
  endpointsProbe,
  eventsProbe,
  groupsProbe,
  latencyProbe,
  occupancyProbe,
  standingProbe,
  seriesProbe,
  timelineProbe,
]
/** Schedulers for switches and endpoints with a queue for each service level. The first one is the default. */
export const schedulers: readonly AnyScheduler[] = [
  roundRobinScheduler,
  strictScheduler,
  ageScheduler,
  vlArbitrationScheduler,
  dtableScheduler,
  drrScheduler,
  etsScheduler,
  scfqScheduler,
  wfqScheduler,
]

export const programs: readonly WorkloadPlugin<unknown>[] = [
  ringWorkload,
  haloWorkload,
  collectiveWorkload,
  trainingWorkload,
  transformerWorkload,
  traceWorkload,
  backgroundWorkload,
  ...skeletons,
]

export const library: readonly AnyPlugin[] = [
  ...topologies,
  ...routings,
  ...patterns,
  ...arrivals,
  ...sizes,
  ...switches,
  ...endpoints,
  ...congestions,
  ...schedulers,
  ...probes,
  ...programs,
]

/** Programs of parallel applications, and the layer that executes them. */
export * as workloads from "./workloads/api.ts"
export { resolve as resolveCommunicators } from "./workloads/check/communicators.ts"
export { dryRun } from "./workloads/check/dry.ts"
export { findings } from "./workloads/check/findings.ts"
export { operationLines } from "./workloads/check/operations.ts"
export { trafficOf } from "./workloads/check/traffic.ts"
export { compact, compactOf } from "./workloads/formats/compact.ts"
export { traceFormats } from "./workloads/formats/formats.ts"
export { goalOf } from "./workloads/formats/goal-text.ts"
export { readTrace, readTraceHere } from "./workloads/formats/read.ts"
