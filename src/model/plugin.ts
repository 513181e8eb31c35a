// The record that every plug-in file exports by default. It is the only source for complaints, help, the manual and the
// studio's forms. library.ts lists the built-in plug-ins; experiments may bring their own.
import type { Complaint } from "../core/complaint.ts"
import type { Draws } from "../core/rng.ts"
import type { Schema } from "../core/schema.ts"
import type { Ability } from "./abilities.ts"
import type { Behaviour, DrawnStage } from "./behaviour.ts"
import type { RoutingFunction } from "./routing.ts"
import type { Topology } from "./topology.ts"
import type { Arrivals, Sizes, TrafficPattern } from "./traffic.ts"
import type { PluginValues } from "./values.ts"

export type Kind =
  | "topology"
  | "routing"
  | "switch"
  | "endpoint"
  | "flow"
  | "congestion"
  | "qos"
  | "pattern"
  | "arrivals"
  | "sizes"
  | "workload"
  /** from outside only: a reader of traces, which becomes a workload */
  | "trace"
  | "probe"

/**
 * An ability is useful only with the values of one of these alternatives. An experiment that does not set the keys gets
 * the first alternative that its other values do not contradict.
 */
export interface Condition {
  readonly anyOf: readonly Values[]
  /** a clause for messages: the consequence of other values */
  readonly otherwise: string
}

type Values = Readonly<Record<string, string | number | boolean>>

/** Values of keys under the rules of another simulator, on some topologies or all. Later ones take precedence. */
export interface Rule {
  /** names of topologies; absent: all */
  readonly on?: readonly string[]
  readonly keys: Values
}

/** By the name of the rules (`engine.rules`). */
export type Rules = Readonly<Record<string, readonly Rule[]>>

export interface Plugin<P, Made, On> {
  readonly kind: Kind
  readonly name: string
  /** other names that files may use */
  readonly aliases?: readonly string[]
  /** older names: files that use them get a note */
  readonly formerly?: readonly string[]
  /**
   * Increased by one whenever a change alters the result of any run that uses the plug-in (absent: 1). It is part of
   * the identity of those runs, so results of an older revision are never mistaken for those of this one.
   */
  readonly revision?: number
  readonly about: string
  /** title, authors, year */
  readonly cites?: string
  readonly limits?: string
  readonly params: Schema<P>
  /** values of keys without a default, for contract tests */
  readonly example?: Readonly<Record<string, unknown>>
  /** switches and endpoints: their abilities */
  readonly can?: readonly Ability[]
  /** switches: parameter values without which an ability does not serve its purpose */
  readonly conditions?: Readonly<Partial<Record<Ability, Condition>>>
  /** what other simulators do: values that `engine.rules` gives to keys that the experiment does not set */
  readonly rules?: Rules
  /** switches: what crosses their crossbars as one unit */
  readonly moves?: "flits" | "packets" | "chunks"
  /** switches: the stages from link to link, for the manual */
  readonly drawing?: readonly DrawnStage[]
  /** switches: parameters for the contracts, and the guarantees there */
  readonly behaviour?: Behaviour
  /** the measured values that it makes besides those of the engines */
  readonly values?: PluginValues
  /** Returns the abilities that it needs. */
  needs?(p: P): readonly Ability[]
  /** Checks dependencies between parameters; called before make(). Paths are relative to the plug-in's map. */
  check?(p: P, on: On): Complaint[]
  make(p: P, on: On): Made
}

/** A switch of the library declares everything that the suites, the manual and the matrices derive from it. */
export interface SwitchPlugin<P, Made extends { readonly moves: "flits" | "packets" | "chunks" }, On>
  extends Plugin<P, Made, On> {
  readonly kind: "switch"
  readonly moves: Made["moves"]
  readonly cites: string
  readonly limits: string
  readonly can: readonly Ability[]
  readonly values: PluginValues
  readonly drawing: readonly DrawnStage[]
  readonly behaviour: Behaviour
}

/** The context in which a topology is built: random draws, and files (paths are relative to the experiment). */
export interface BuildSite {
  readonly rng: Draws
  readonly read?: (path: string) => string
}

export interface Site<T extends Topology = Topology> {
  readonly topology: T
  /** VCs of one traffic class */
  readonly vcs: number
  /** only while building */
  readonly rng: Draws
  readonly read?: (path: string) => string
  readonly bytes?: (path: string) => Uint8Array
}

export interface TopologyPlugin<P, T extends Topology = Topology> extends Plugin<P, T, BuildSite> {
  readonly kind: "topology"
  /** Returns the number of endpoints and routers without building the topology, for estimates and size limits. */
  size(p: P): { ends: number; routers: number; chans: number }
}

export interface RoutingPlugin<P, T extends Topology = Topology> extends Plugin<P, RoutingFunction, Site<T>> {
  readonly kind: "routing"
  /** names of the topologies that it supports; absent: any */
  readonly topologies?: readonly string[]
  /** number of ints that it stores on each packet */
  readonly scratch?: number
  /** maximum number of candidates that one route() adds; absent: 1 */
  readonly candidates?: number
  /** false: independent of queues. inject() and route() never read queues, and route() never draws random numbers */
  readonly adaptive?: boolean
  /**
   * true: it reads queues of other routers (net.published), which the engine then publishes once per window; needs the
   * ability `farQueues`
   */
  readonly oracle?: boolean
  /** links of its longest path, or "minimal": the number that topology.hops() returns; the contract suite checks it */
  readonly most?: "minimal" | number
  /**
   * VCs with which its shortest paths (packets with `net.direct`) are free of deadlock; absent: it does not distinguish
   * them
   */
  readonly direct?: number
  /**
   * Returns the minimum number of VCs for freedom from deadlock (or, for schemes without that property, to run at all).
   */
  vcs(p: P, topology: T): number
}

export interface PatternSite extends Site {
  /** the same draws for all streams of a run, so that their patterns can share random roles */
  readonly common: Draws
}
export interface PatternPlugin<P> extends Plugin<P, TrafficPattern, PatternSite> {
  readonly kind: "pattern"
  /** true: every sender has one destination, and no two share it; the contract suite checks it */
  readonly permutation?: boolean
}
export interface ArrivalsSite extends PatternSite {
  /** mean rate of packets (messages) per cycle that the process must offer */
  readonly rate: number
}
export interface ArrivalsPlugin<P> extends Plugin<P, Arrivals, ArrivalsSite> {
  readonly kind: "arrivals"
  /** false: it ignores the rate of its site; otherwise the contract suite checks the rate */
  readonly paced?: false
}
export interface SizesPlugin<P> extends Plugin<P, Sizes, Site> {
  readonly kind: "sizes"
}
