// The endpoint model that endpoint plug-ins create: how endpoints queue and inject. The clocked engines read it.
import type { Plugin } from "./plugin.ts"

/** Injection queues between the message queues and the link, of the same kind as in the switch. */
export interface InjectionRequest {
  /** a line with more packets than its Stop threshold blocks the message queues of its destinations (default: true) */
  readonly gate?: boolean
  /** congested flows are also detected in these queues (default: false) */
  readonly detect?: boolean
  /** rate at which packets move into these queues: that of the link (default), or any */
  readonly rate?: "link" | "any"
}

/** How endpoints queue and inject. */
export interface EndpointModel {
  /** VC of the next packet: a random one for each attempt instead of the next with credits */
  readonly injectRandom: boolean
  /**
   * each stream has its own round-robin pointer over the VCs, shared with its replies; after a packet of another class,
   * only the first VC of the class is tried
   */
  readonly injectByStream?: boolean
  /** VCs of replies: those of the class after that of the requests (default), or those of the requests */
  readonly replyClass?: "next" | "same"
  /** a queue for each destination, served round-robin packet by packet, instead of one queue in order of creation */
  readonly perDestination: boolean
  /** flits of the acknowledgement of each packet; 0: none */
  readonly ack: number
  /** messages that the queues of one endpoint hold; later ones are stored late, with their original creation time */
  readonly backlog: number
  /** messages that are sent concurrently; one more whenever congestion control blocks all of these */
  readonly active: number
  /**
   * packets of one source that may wait at their destination for earlier ones; further ones are rejected. 0: any order
   * is accepted
   */
  readonly reorder: number
  /** the scheduler of the links (network.qos) selects the class that sends next, instead of order of creation */
  readonly scheduled?: boolean
  /** cycles between the arrival of a request and the earliest departure of its reply */
  readonly turnaround: number
  readonly injection?: InjectionRequest
  /** streams whose sources pause while their endpoint holds this many messages; they do not catch up afterwards */
  readonly cap?: { readonly messages: number; readonly streams: readonly string[] }
}

export interface EndpointPlugin<P> extends Plugin<P, EndpointModel, undefined> {
  readonly kind: "endpoint"
}

/**
 * Returns the simplest endpoint, changed by `own`: one queue in order of creation, without acknowledgements,
 * round-robin over the VCs.
 */
export function plainEndpoint(own: Partial<EndpointModel> = {}): EndpointModel {
  const usual = { injectRandom: false, perDestination: false, ack: 0, backlog: 1, active: 1, reorder: 0, turnaround: 0 }
  return { ...usual, ...own }
}
