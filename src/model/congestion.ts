// Congestion management as two halves: what switches detect, what endpoints do about it (protocol.ts).
import type { Checked } from "../core/complaint.ts"
import type { EndpointProtocol, EndpointSite, ProtocolNeeds } from "./protocol.ts"

/** An input port is congested while it holds more than a share of its room, and marks what passes through it. */
export interface Marking {
  /** enters the state above `on`, leaves it at or below `off` (fractions) */
  readonly on: number
  readonly off: number
  /** of what one VC may hold there, of the port's room, of the lesser of both where one VC cannot fill the share, or of the room that the port would have
   *  without any stash */
  readonly base: "vc" | "port" | "reachable" | "whole"
}

/** An output is contended for while more inputs than `threshold` ask for it, on average and not only in bursts; it marks what crosses to it. */
export interface Sensing {
  /** cycles of the moving average, and of one interval for its largest and smallest sample */
  readonly samples: number
  readonly interval: number
  /** an input asks for one output, drawn from those that its VCs ask for, or for all of them by their shares */
  readonly estimator: "random" | "weighted"
  /** VCs whose packet is crossing ask still */
  readonly holders: boolean
  readonly threshold: number
  /** routers on the way throttle too */
  readonly routers?: Detection
}

/** Contention is counted for pairs of an output and a destination; where it lasts, the router tells the sources how many they are. */
export interface Detection {
  /** or for destinations alone, whatever the outputs */
  readonly byOutput: boolean
  /** pairs that a router watches (a power of two), and sources of each that it knows */
  readonly pairs: number
  readonly sources: number
  /** cycles that contention must last; throttles to D sources are D / eps cycles apart */
  readonly epoch: number
  readonly eps: number
  /** kind of a throttle, and the place of its VC class in `classes` */
  readonly kind: number
  readonly rides: number
}

/** One of utilisation, as packets carry it. */
export const UNITS = 1024

/** What crosses to an output is marked by its queue, or carries the largest utilisation on its way (never both). */
export interface Telemetry {
  /** flits of the queue from which on packets are marked, at which they are with probability `pmax`, and beyond which all are */
  readonly marks?: { readonly kmin: number; readonly kmax: number; readonly pmax: number }
  /** cycles over which an output looks at its rate, and of a queue that is as bad as a link that is always busy */
  readonly roundTrip?: number
}

/** Speculative packets may be dropped: switches answer them. */
export interface Dropping {
  /** cycles that one may wait in routers; 0 = for ever */
  readonly budget: number
  /** flits for one endpoint in its router beyond which those that arrive are dropped, and told when to come again; 0 = never */
  readonly lastHop: number
  /** what such a time has more than the packet needs */
  readonly eps: number
  /** kinds of speculative packets and of answers; places of their VC classes in `classes` */
  readonly kind: number
  readonly answer: number
  readonly rides: number
  readonly answersRide: number
  /** the first switch of the way keeps a copy of each until it is confirmed, and sends it again as data when the endpoint orders so */
  readonly copies?: {
    /** kinds of confirmations, and of orders */
    readonly confirms: number
    readonly order: number
  }
}

/** Times of the idle network, known once the topology, the switch and the traffic are. */
export interface IdleTimes {
  /** cycles from the injection of the longest packet to the confirmation of the farthest endpoint, without any queue */
  readonly roundTrip: number
  /** flits of the longest packet */
  readonly packet: number
}

export interface CongestionModel extends ProtocolNeeds {
  /** returns the model with the values that depend on the network, or what is wrong with those that were given */
  fit?(on: IdleTimes): Checked<CongestionModel>
  readonly marking?: Marking
  readonly sensing?: Sensing
  readonly dropping?: Dropping
  readonly telemetry?: Telemetry
  /** key -> cycles in which a packet must be able to arrive */
  readonly epochs?: Readonly<Record<string, number>>
  /** flits that may always be outstanding: no packet may be longer */
  readonly least?: number
  endpoint?(site: EndpointSite): EndpointProtocol
}
