// A network as the compiler makes it: everything between two endpoints, and what was asked of it.
import type { Scale } from "../core/units.ts"
import type { FlitSwitchModel } from "../fabric/switch.ts"
import type { TransferSwitchModel } from "../fabric/transfer.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { EndpointModel } from "../model/endpoint.ts"
import type { RoutingPlugin } from "../model/plugin.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { QosModel } from "../model/scheduler.ts"
import type { Topology } from "../model/topology.ts"
import type { Asks } from "./asks.ts"

export interface Network {
  readonly topology: Topology
  readonly routing: RoutingFunction
  readonly routingPlugin: RoutingPlugin<never, never>
  readonly routingParams: unknown
  readonly switch: FlitSwitchModel | TransferSwitchModel
  readonly endpoint: EndpointModel
  readonly congestion: CongestionModel
  readonly qos: QosModel
  readonly scale: Scale
  readonly asks: Asks
  /** traffic classes, and VCs that each has */
  readonly classes: number
  readonly vcsPerClass: number
}
