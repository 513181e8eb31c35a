// lacewing as a library, with the functions of the command line.
//   import { defineExperiment, run } from "lacewing"
//   const got = await run(defineExperiment({ lacewing: 1, network: { … }, traffic: { … } }))

export { check, defineExperiment, type ExperimentInput, type Finished, planned as plan, run } from "./api.ts"
export type { RunOptions } from "./api-options.ts"
export { type Checked, type Complaint, complain } from "./core/complaint.ts"
export { Catalog } from "./experiment/catalog.ts"
export { hostAt } from "./experiment/disk/host.ts"
export type { PluginFactory } from "./experiment/outside/define.ts"
export type { Plan, PlannedRun } from "./experiment/plan.ts"
export type { Placed } from "./experiment/source.ts"
export { definePlugin, type Kit, kit, type OutsidePlugin } from "./kit.ts"
export { library } from "./library.ts"
export type { Saved } from "./measure/saved.ts"
export type { RunResult, RunSpec } from "./model/experiment.ts"
export { type Graph, GraphBuilder } from "./model/graph.ts"
export { type Reason, reasonMissing, told, valueIn } from "./model/missing.ts"
export type {
  ArrivalsPlugin,
  ArrivalsSite,
  BuildSite,
  PatternPlugin,
  PatternSite,
  RoutingPlugin,
  Site,
  SizesPlugin,
  TopologyPlugin,
} from "./model/plugin.ts"
export type { Probe, ProbePlugin, RunCounts } from "./model/probe.ts"
export type { Candidates, NetView, RoutingFunction } from "./model/routing.ts"
export type { Topology } from "./model/topology.ts"
export type { Arrivals, Rng, Sizes, TrafficPattern } from "./model/traffic.ts"
export type { RunRecord } from "./results/record.ts"
export type { PointSummary } from "./results/summary.ts"
export type { PausableRun } from "./run/pausable.ts"
export { openRun, type PlanRunOptions, type RanSequentially, runPlan } from "./sweep/sequential.ts"
export { frames } from "./terminal/format-complaint.ts"
