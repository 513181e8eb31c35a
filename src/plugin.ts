// The interface of custom plug-ins (`lacewing/plugin`): the kit, and the types of everything that a plug-in is or
// calls. A module may import it. It may also export a function that receives the kit, and name the type PluginFactory
// in a comment, so that it needs no import.

export type { Checked, Complaint } from "./core/complaint.ts"
export type { Field, Schema } from "./core/schema.ts"
export type { PluginFactory } from "./experiment/outside/define.ts"
export type { SwitchPlugin, SwitchRules, SwitchSiteInfo, TransferSwitchModel } from "./fabric/switch-model.ts"
export { definePlugin, type Kit, kit, type OutsidePlugin } from "./kit.ts"
export type { workloads } from "./library.ts"
export type { Ability } from "./model/abilities.ts"
export type { Behaviour, BehaviourVariant } from "./model/behaviour.ts"
export type { CongestionModel, CongestionPlugin, IdleTimes } from "./model/congestion.ts"
export type { EndpointModel, EndpointPlugin } from "./model/endpoint.ts"
export type { Table } from "./model/experiment.ts"
export { type Graph, GraphBuilder } from "./model/graph.ts"
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
export type { Probe, ProbePlugin, Report, RunCounts } from "./model/probe.ts"
export type { EndpointProtocol, EndpointSite, PacketView } from "./model/protocol.ts"
export type { Candidates, NetView, RoutingFunction } from "./model/routing.ts"
export type { QosModel, QosNetwork, QosOutputs, QosScheduler, QosSite, SchedulerPlugin } from "./model/scheduler.ts"
export type { Topology } from "./model/topology.ts"
export type { Arrivals, Rng, Sizes, TrafficPattern } from "./model/traffic.ts"
export type { Arbiter, ArbiterRead, ArbiterSite, MakeArbiter } from "./switches/combined/arbiter-reads.ts"
