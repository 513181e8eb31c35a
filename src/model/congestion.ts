// Congestion management in two parts: detection in switches (this file) and reaction at endpoints (protocol.ts).
// Plug-ins in congestion/ create a CongestionModel; switches read the parts that they support.
import type { Checked } from "../core/complaint.ts"
import type { Plugin } from "./plugin.ts"
import type { EndpointProtocol, EndpointSite, ProtocolNeeds } from "./protocol.ts"

/**
 * An input port is congested while its occupancy exceeds a fraction of its buffer; it then marks the packets that pass
 * through it.
 */
export interface Marking {
  /** it becomes congested above `on`, and uncongested at or below `off` (fractions) */
  readonly on: number
  readonly off: number
  /**
   * the reference of the fraction: the maximum of one VC, the port's buffer, the smaller of both if one VC cannot fill
   * the fraction, or the buffer that the port would have without a stash
   */
  readonly base: "vc" | "port" | "reachable" | "whole"
}

/**
 * An output is contended while more inputs than `threshold` request it, on average and not only in bursts; it then
 * marks the packets that cross to it.
 */
export interface ContentionCounting {
  /** cycles of the moving average, and of one interval for its largest and smallest sample */
  readonly samples: number
  readonly interval: number
  /** an input requests one output, drawn from those of its VCs, or all of them in proportion */
  readonly estimator: "random" | "weighted"
  /** VCs whose packet is crossing still count as requests */
  readonly holders: boolean
  readonly threshold: number
  /** routers inside the network send throttles too */
  readonly routers?: Detection
}

/**
 * Contention is counted for pairs of an output and a destination. If it lasts, the router sends the number of sources
 * to them.
 */
export interface Detection {
  /** false: it is counted for destinations, independent of outputs */
  readonly byOutput: boolean
  /** pairs that a router observes (a power of two), and sources of each that it records */
  readonly pairs: number
  readonly sources: number
  /** cycles that contention must last; throttles to D sources are D / eps cycles apart */
  readonly epoch: number
  readonly eps: number
  /** kind of a throttle, and the index of its VC class in `classes` */
  readonly kind: number
  readonly rides: number
}

/** Fixed-point unit of the utilisation on packets. */
export const UNITS = 1024

/** Output queues mark packets, or packets record the largest utilisation of their path (never both). */
export interface Telemetry {
  /**
   * queue length in flits from which on packets are marked, the length at which the probability is `pmax`, and above
   * which all are marked
   */
  readonly marks?: { readonly kmin: number; readonly kmax: number; readonly pmax: number }
  /** cycles over which an output measures its rate; a queue of this many cycles counts as full utilisation */
  readonly roundTrip?: number
}

/** Speculative packets may be dropped; switches then send a negative response. */
export interface Dropping {
  /** cycles that one may wait in routers; 0: no limit */
  readonly budget: number
  /**
   * flits for one endpoint in its router above which arriving packets are dropped; the response contains the time of
   * the retransmission; 0: never
   */
  readonly lastHop: number
  /** fraction by which such a reservation exceeds the need of the packet */
  readonly eps: number
  /** kinds of speculative packets and of responses; indices of their VC classes in `classes` */
  readonly kind: number
  readonly answer: number
  readonly rides: number
  readonly answersRide: number
  /**
   * the first switch of the path stores a copy of each until it is acknowledged, and sends it as data when the endpoint
   * orders it
   */
  readonly copies?: {
    /** kinds of acknowledgements, and of orders */
    readonly confirms: number
    readonly order: number
  }
}

/** Times of the idle network, known after topology, switch and traffic are compiled. */
export interface IdleTimes {
  /**
   * cycles from the injection of the longest packet to the acknowledgement of the farthest endpoint, without queueing
   */
  readonly roundTrip: number
  /** flits of the longest packet */
  readonly packet: number
  /** picoseconds of a cycle, bytes of a flit: for constants of a specification in seconds and bytes */
  readonly cycle: number
  readonly flit: number
}

export interface CongestionModel extends ProtocolNeeds {
  /** Returns the model with the values that depend on the network, or complaints about the given ones. */
  fit?(on: IdleTimes): Checked<CongestionModel>
  readonly marking?: Marking
  readonly sensing?: ContentionCounting
  readonly dropping?: Dropping
  readonly telemetry?: Telemetry
  /** key -> cycles; a packet must be able to arrive within this time */
  readonly epochs?: Readonly<Record<string, number>>
  /** flits that may always be outstanding: no packet may be longer */
  readonly least?: number
  /** its endpoints send trimmed packets again (EndpointSite.trims) */
  readonly repeats?: true
  endpoint?(site: EndpointSite): EndpointProtocol
}

/**
 * Guarantees of a congestion control that are below the usual ones (inspect/contract/congestion.ts), and the reason.
 * The contract suite tests them with several senders that offer the full load to one endpoint.
 */
export interface Guarantees {
  /** flits per cycle that the endpoint receives at least; usual: 0.9 */
  readonly sink?: number
  /** Jain's index of the senders; usual: 0.9 */
  readonly fairness?: number
  /** delivered uniform traffic without congestion, relative to a network without the protocol; usual: 0.98 */
  readonly calm?: number
  /** true: a sender may get less than a quarter of the mean */
  readonly starves?: boolean
  readonly because: string
}

export type CongestionPlugin<P> = Plugin<P, CongestionModel, undefined> & {
  readonly kind: "congestion"
  readonly guarantees?: Guarantees
  /** returns the parameters that name the hot endpoints, for a control that must know them in advance */
  readonly known?: (hot: readonly number[]) => Readonly<Record<string, unknown>>
}
