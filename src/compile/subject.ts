// Converts a compiled network into the input of the deadlock proofs (proof/).
import type { RoutingOn } from "../experiment/bind.ts"
import type { AnyPlugin } from "../library.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { Topology } from "../model/topology.ts"
import type { Subject } from "../proof/subject.ts"

/** The part of a compiled network that the proofs need. */
export interface Routed {
  readonly topology: Topology
  readonly routing: RoutingFunction
  readonly boundRouting: RoutingOn
  /** VCs of one traffic class */
  readonly vcsPerClass: number
  /** absent: the routing is examined without a switch */
  readonly switch?: {
    readonly moves: string
    readonly timing?: { readonly tailWait: boolean; readonly wholeSpace: boolean }
  }
  /** the plug-in of the switch */
  readonly asks?: { readonly switch: Pick<AnyPlugin, "conditions" | "params"> }
}

/**
 * Returns the proof input. `atomic`: a VC holds at most one packet at a time, or a packet gets a VC only with space for
 * all of it; proofs with escape VCs need it.
 */
export function subjectOf(network: Routed): Subject {
  const { topology, routing, boundRouting, vcsPerClass } = network
  const { moves, timing } = network.switch ?? {}
  const atomic = moves !== "flits" || timing?.tailWait === true || timing?.wholeSpace === true
  return {
    topology,
    routing,
    vcs: vcsPerClass,
    scratch: boundRouting.scratch,
    candidates: boundRouting.candidates,
    atomic,
  }
}
