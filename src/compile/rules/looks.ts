// What rules look at, stage by stage: the parts of a network, its VCs, the routing on them, and the traffic.
import type { RoutingOn } from "../../experiment/bind.ts"
import type { SwitchExtensions, SwitchLayout } from "../../fabric/switch-model.ts"
import type { AnySwitchModel } from "../../library.ts"
import type { CongestionModel } from "../../model/congestion.ts"
import type { EndpointModel } from "../../model/endpoint.ts"
import type { Stream } from "../../model/stream.ts"
import type { Topology } from "../../model/topology.ts"
import type { ClockedNetwork, Network } from "../network.ts"

interface Managed {
  readonly congestion: CongestionModel
  /** of the congestion management */
  readonly name: string
}

export interface PartsLook extends Managed {
  readonly layout: SwitchLayout
  readonly extensions: SwitchExtensions
  readonly endpoint: EndpointModel
}

export interface VcsLook extends Managed {
  readonly switch: AnySwitchModel
  readonly topology: Topology
  /** classes of data, and VCs that the routing needs in each class whose packets may take detours */
  readonly classes: number
  readonly needs: number
}

export interface RoutingVcsLook {
  readonly bound: RoutingOn
  readonly classes: number
  /** of the switch, and of each class of data */
  readonly vcs: number
  readonly vcsPerClass: number
}

export type RoutedLook = Managed & Pick<Network, "topology" | "routing" | "boundRouting" | "vcsPerClass" | "switch">

export type CarriedLook = Omit<RoutedLook, keyof Managed> & {
  readonly classes: number
  /** topology and routing with all their parameters, as one text */
  readonly key: string
}

export interface StreamsLook {
  readonly network: ClockedNetwork
  /** all streams: those of the traffic, of replies and of jobs */
  readonly streams: readonly Stream[]
  /** those that the experiment gives as traffic */
  readonly given: readonly Stream[]
}
