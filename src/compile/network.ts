// The result of compileNetwork: everything between two endpoints, and the requirements on it.
import type { Scale } from "../core/units.ts"
import type { RailsModel } from "../endpoints/rails/plugin.ts"
import type { RoutingOn } from "../experiment/bind.ts"
import type { FlitSwitchModel } from "../fabric/switch.ts"
import type { TransferSwitchModel } from "../fabric/switch-model.ts"
import type { AnySwitchModel } from "../library.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { EndpointModel } from "../model/endpoint.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { QosModel } from "../model/scheduler.ts"
import type { Topology } from "../model/topology.ts"
import type { Asks } from "./requirements.ts"

export interface Network {
  readonly topology: Topology
  readonly routing: RoutingFunction
  readonly boundRouting: RoutingOn
  readonly switch: AnySwitchModel
  readonly endpoint: EndpointModel | RailsModel
  readonly congestion: CongestionModel
  readonly qos: QosModel
  readonly scale: Scale
  readonly asks: Asks
  /** traffic classes, and VCs that each has */
  readonly classes: number
  readonly vcsPerClass: number
}

/** A network of the clocked engines. */
export interface ClockedNetwork extends Network {
  readonly switch: FlitSwitchModel | TransferSwitchModel
  readonly endpoint: EndpointModel
}
