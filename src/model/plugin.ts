// What every plug-in file exports by default. The record is the single source for complaints, help, manual and studio form.
import type { Complaint } from "../core/complaint.ts"
import type { Draws } from "../core/rng.ts"
import type { Schema } from "../core/schema.ts"
import type { Ability } from "./abilities.ts"
import type { Behaviour } from "./behaviour.ts"
import type { RoutingFunction } from "./routing.ts"
import type { Topology } from "./topology.ts"
import type { Arrivals, Sizes, TrafficPattern } from "./traffic.ts"

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
  | "probe"

/**
 * An ability is of use only with the values of one of these alternatives. An experiment that leaves the keys open gets the
 * first alternative that its own values do not contradict.
 */
export interface Condition {
  readonly anyOf: readonly Values[]
  /** a clause for people: what happens with other values */
  readonly otherwise: string
}

type Values = Readonly<Record<string, string | number | boolean>>

export interface Plugin<P, Made, On> {
  readonly kind: Kind
  readonly name: string
  /** other names that files may use */
  readonly aliases?: readonly string[]
  /**
   * Raised by one whenever a change gives other bits for any run that uses the plug-in (absent = 1). It is part of the
   * identity of those runs, so results of an older revision are never taken for those of this one.
   */
  readonly revision?: number
  readonly about: string
  /** title, authors, year */
  readonly cites?: string
  readonly limits?: string
  readonly params: Schema<P>
  /** switches and endpoints: what they do of what others may ask for */
  readonly can?: readonly Ability[]
  /** switches: the values of parameters without which an ability does not do what others need it for */
  readonly conditions?: Readonly<Partial<Record<Ability, Condition>>>
  /** switches: how the contracts run it, and what it promises there */
  readonly behaviour?: Behaviour
  /** what it cannot do without */
  needs?(p: P): readonly Ability[]
  /** cross-field sense, in words; called before make(), paths relative to the plug-in's map */
  check?(p: P, on: On): Complaint[]
  make(p: P, on: On): Made
}

/** What a topology is built from: draws for random graphs, and files read by the lab (paths are relative to the experiment). */
export interface BuildSite {
  readonly rng: Draws
  readonly read?: (path: string) => string
}

export interface Site<T extends Topology = Topology> {
  readonly topology: T
  /** VCs that one class of traffic has */
  readonly vcs: number
  /** while building only */
  readonly rng: Draws
  readonly read?: (path: string) => string
  readonly bytes?: (path: string) => Uint8Array
}

export interface TopologyPlugin<P, T extends Topology = Topology> extends Plugin<P, T, BuildSite> {
  readonly kind: "topology"
  /** endpoints and routers without building it, for estimates and refusals */
  size(p: P): { ends: number; routers: number; chans: number }
}

export interface RoutingPlugin<P, T extends Topology = Topology> extends Plugin<P, RoutingFunction, Site<T>> {
  readonly kind: "routing"
  /** topologies it serves, by name; absent = any */
  readonly topologies?: readonly string[]
  /** ints that ride on each packet */
  readonly scratch?: number
  /** most candidates that one route() adds; 1 if absent */
  readonly candidates?: number
  /** false: the same answer whatever the queues are: inject() and route() never read queues, and route() never draws */
  readonly adaptive?: boolean
  /** true: reads queues of other routers (net.published), which the engine must then publish once per window; asks for `farQueues` */
  readonly oracle?: boolean
  /** links of its longest path, or "minimal": exactly as many as topology.hops() says; the contract suite holds it to that */
  readonly most?: "minimal" | number
  /** VCs with which its shortest ways alone (packets of which `net.direct` is true) are free of deadlock; absent: it does not tell them apart */
  readonly direct?: number
  /** fewest VCs with which it is free of deadlock (or, for schemes that are not, that it needs to run) */
  vcs(p: P, topology: T): number
}

export interface PatternPlugin<P> extends Plugin<P, TrafficPattern, Site> {
  readonly kind: "pattern"
  /** true: every endpoint that sends has one destination, and no two the same; the contract suite holds it to that */
  readonly permutation?: boolean
}
export interface ArrivalsSite extends Site {
  /** packets (messages) per cycle that the process must offer on average */
  readonly rate: number
}
export interface ArrivalsPlugin<P> extends Plugin<P, Arrivals, ArrivalsSite> {
  readonly kind: "arrivals"
}
export interface SizesPlugin<P> extends Plugin<P, Sizes, Site> {
  readonly kind: "sizes"
}
