// A compiled network as the proofs see it.
import type { AnyPlugin } from "../library.ts"
import type { RoutingPlugin } from "../model/plugin.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { Topology } from "../model/topology.ts"
import type { Subject } from "../proof/subject.ts"

/** A network as compile() makes it. */
export interface Routed {
  readonly topology: Topology
  readonly routing: RoutingFunction
  readonly routingPlugin: RoutingPlugin<never, never>
  readonly routingParams: unknown
  /** VCs of one class of traffic */
  readonly vcsPerClass: number
  /** absent: the routing is judged by itself */
  readonly switch?: { readonly moves: string; readonly timing?: { readonly tailWait: boolean; readonly wholeSpace: boolean } }
  /** the plug-in of the switch */
  readonly asks?: { readonly switch: Pick<AnyPlugin, "conditions" | "params"> }
}

export function subjectOf(network: Routed): Subject {
  const { topology, routing, routingPlugin, vcsPerClass } = network
  const { moves, timing } = network.switch ?? {}
  const atomic = moves !== "flits" || timing?.tailWait === true || timing?.wholeSpace === true
  return { topology, routing, vcs: vcsPerClass, scratch: routingPlugin.scratch ?? 0, candidates: routingPlugin.candidates ?? 1, atomic }
}
