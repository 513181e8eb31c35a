// What a switch plug-in for whole packets makes: a layout, which the engine reads before it allocates memory; the entry
// of packets; rules about the other parts of the experiment; extensions with small interfaces; and the function that
// builds it. What is optional is false, 0 or without limits if it is absent.
import type { Rule } from "../core/complaint.ts"
import type { Ability } from "../model/abilities.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { InjectionRequest } from "../model/endpoint.ts"
import type { Plugin } from "../model/plugin.ts"
import type { EndpointProtocol, EndpointSite } from "../model/protocol.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { Topology } from "../model/topology.ts"
import type { VcPlan } from "../model/vc-plan.ts"
import type { SharedBufferSpec } from "./shared-buffers.ts"
import type { MakeTransferSwitch, SwitchContext, TransferSite } from "./transfer.ts"

/** Sizes and times. The division of the buffers of a port depends on its link class. */
export interface SwitchLayout {
  readonly clock: { readonly link: number; readonly core: number }
  /** [flits of a packet] -> cycles from the arrival of its head until it may continue */
  readonly hold: Uint16Array
  /** [cycle % clock.core in which a packet may continue] -> cycles until its link transmission starts at zero load */
  readonly pass: Uint16Array
  /** flits of the longest packet */
  readonly maxPacket: number
  /** flits that a router holds besides its port buffers for each port */
  readonly innerFlits: number
  /** `plan`: the VC classes, which may change the reserve of a VC; absent: one class */
  input(linkClass: number, plan?: VcPlan): SharedBufferSpec
  output(linkClass: number): SharedBufferSpec
  /** VCs that exist only inside the switch */
  readonly innerVcs?: number
  /**
   * transmitted packets arrive after the link latency and `hold`, and each transfer returns one credit; neither is ever
   * later, so short wheels are sufficient
   */
  readonly near?: boolean
  /** an input may return the credits of several packets in one cycle, independent of the clocks */
  readonly bursts?: boolean
  /** credits may return flit by flit */
  readonly flitCredits?: boolean
  /** it stores a private word on every packet (TransferConstants.own) */
  readonly ownWord?: boolean
  /**
   * it maintains TransferSite.load, and the routing function sees the sender's view of the downstream buffer instead of
   * TransferSite.queued
   */
  readonly sums?: boolean
  /** packets can arrive twice or not at all, so destinations must record which have arrived */
  readonly sequence?: boolean
  /** the longest timer or inner message in cycles */
  readonly longestTimer?: number
}

/** The VCs on which packets enter and travel. */
export interface SwitchEntry {
  /** injection VC of acknowledgements, relative to their class */
  readonly ackVc?: number
  /** endpoints inject on any VC of a class that has credits, round-robin; absent: only on the first */
  readonly anyEntry?: boolean
  /** [data class] -> the VC that its packets use everywhere, if not its own; classes may share one */
  readonly vlOf?: readonly number[]
  /**
   * Returns the mask of VCs that links of this class carry between routers (key `carries`). Of a candidate's VCs, the
   * switch uses the lowest. Absent: all.
   */
  carried?(linkClass: number): number
}

/** The congestion management, by itself. */
export interface CongestionLook {
  readonly congestion: CongestionModel
  readonly name: string
}

/** The routing on its topology. */
export interface RoutingLook {
  readonly topology: Topology
  readonly routing: RoutingFunction
  readonly name: string
  readonly candidates: number
  readonly adaptive: boolean
}

/**
 * A stream of an experiment as a switch sees it: its path in the file, its class, its packets, its senders, and a
 * possible destination of packet n of an endpoint (-1: none).
 */
export interface StreamLook {
  readonly path: string
  readonly level: number
  /** flits of the longest packet, of all packets if they are equal, and of replies */
  readonly longest: number
  readonly fixed: number | undefined
  readonly reply: number
  sends(e: number): boolean
  dest(e: number, n: number): number
}

/** The traffic of an experiment, with the VC classes that result. */
export interface TrafficLook {
  readonly plan: VcPlan
  /** some packets are acknowledged */
  readonly acknowledged: boolean
  readonly ends: number
  /** all streams, and those among them that the experiment gives as traffic */
  readonly streams: readonly StreamLook[]
  readonly given: readonly StreamLook[]
  /** the routing, and whether it uses bubble flow control */
  readonly routing: { readonly name: string; readonly bubbles: boolean }
}

/** The rules of a switch about the parts around it, by what is known when they are tested. */
export interface SwitchRules {
  readonly congestion?: readonly Rule<CongestionLook>[]
  readonly routing?: readonly Rule<RoutingLook>[]
  readonly traffic?: readonly Rule<TrafficLook>[]
}

/** Virtual lanes (VLs): more queues per link than a VC mask has bits, each with separate buffer space. */
export interface Lanes {
  /** at most 1,024 */
  readonly count: number
  /** flits of each at the router inputs of endpoints */
  readonly flits: number
  /**
   * Returns the VL of a packet to endpoint `dst` at the input where it enters the network, at `router` (network's
   * numbers).
   */
  of(router: number, dst: number): number
}

export interface SwitchExtensions {
  /** The switch then has `laneCredit`. */
  readonly lanes?: Lanes
  /** Messages between neighbours; the switch then has `receiveFromNeighbour`. */
  readonly messages?: {
    /** flits of the longest */
    readonly longest?: number
    /** Creates the endpoint protocol for them, unless a congestion management has one. */
    endpoint?(site: EndpointSite): EndpointProtocol
  }
  /**
   * Injection queues at endpoints that mirror its input queues, their flits per endpoint, and whether they have CFQ
   * lines.
   */
  readonly injection?: {
    readonly flits: number
    readonly lines: boolean
    queues(wish: InjectionRequest): (site: EndpointSite) => EndpointProtocol
  }
  /** It may trim packets (TRIMMED in model/protocol.ts). */
  readonly trims?: true
  /** It drops these packets: the timer in cycles after which a source sends them again. */
  readonly lossTimer?: number
  /** Packets can be stored in a stash; flits of the copies that it stores. */
  readonly stash?: { readonly copies: number }
}

export interface TransferSwitchModel {
  readonly moves: "packets"
  /** network VCs */
  readonly vcs: number
  readonly layout: SwitchLayout
  readonly entry?: SwitchEntry
  readonly rules?: SwitchRules
  readonly extensions?: SwitchExtensions
  build(site: TransferSite, use: SwitchContext, congestion: CongestionModel): MakeTransferSwitch
}

/** The plug-in of a switch for whole packets. */
export interface SwitchPlugin<P> extends Plugin<P, TransferSwitchModel, SwitchSiteInfo> {
  readonly kind: "switch"
}

/** The network that a switch plug-in is built for. */
export interface SwitchSiteInfo {
  readonly topology: Topology
  /** abilities that the congestion management needs from it */
  readonly asked?: readonly Ability[]
}
