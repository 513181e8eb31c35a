// Endpoint protocols of congestion control. A protocol decides when a packet may leave and on which VCs, observes sent
// and received packets, and exchanges control packets with other endpoints. It is built once for all endpoints of an
// engine. `e` is the engine's row of an endpoint; `to` and `from` are the network's numbers. All state is in columns,
// so that workers, snapshots and fingerprints include it; nothing is allocated during a run. congestion/ implements
// protocols; engines/flit/transfers calls them.
import type { Complaint } from "../core/complaint.ts"
import type { Table } from "./experiment.ts"
import type { ClassRequest } from "./vc-plan.ts"

/**
 * Packet kinds that do not belong to a protocol: data, an endpoint's acknowledgement, and the first number that a
 * protocol may use.
 */
export const KIND = { data: 0, ack: 1, own: 2 } as const

/** Kinds of the header of a trimmed packet: towards the destination, and back to the source. */
export const TRIMMED = 254
export const RETURNED = 255

/** VC class of the plan (`OWN_CLASS`: that of its stream) and kind of the next packet, in one number. */
export const OWN_CLASS = 255
export function packVcClass(vcClass: number, kind: number): number {
  return (vcClass << 8) | kind
}
/** Added to such a number: the packet takes a shortest path, whatever its class. */
export const DIRECT_CLASS = 1 << 16
export function classOfPacked(how: number): number {
  return (how >> 8) & 255
}
export const PLAIN_CLASS = packVcClass(OWN_CLASS, KIND.data)

/** The fields of a packet that a protocol may read, and the two words that it may write. */
export interface PacketView {
  src(p: number): number
  dst(p: number): number
  flits(p: number): number
  /** flits that it had before it became an acknowledgement or the negative response of a switch */
  answered(p: number): number
  kind(p: number): number
  value(p: number): number
  setValue(p: number, value: number): void
  /** a word that stays with the packet even if a switch drops it; only if the engine does not number flows itself */
  number(p: number): number
  setNumber(p: number, n: number): void
  /** it was marked at a congested point of its path; marks are never removed */
  marked(p: number): boolean
  createdAt(p: number): number
  stream(p: number): number
}

/** The services that the engine offers to a protocol. */
export interface EndpointSite {
  /** endpoints of the engine (with holes) and of the network */
  readonly rows: number
  readonly ends: number
  readonly maxPacket: number
  /** the class in the plan of the protocol's first class (CongestionModel.classes) */
  readonly firstClass: number
  /** switches trim packets, which sources must send again */
  readonly trims?: boolean
  /** sources learn of lost packets by a timer of this many cycles (switches drop packets instead of trimming them) */
  readonly lossTimer?: number
  /** Allocates memory that workers share. */
  column(n: number): Int32Array
  readonly packets: PacketView
  /** Returns [endpoint] -> offered load, estimated in advance. For reports only; no protocol may use it. */
  offered(): Float32Array
  /** Returns the network's number of a row, -1 in a hole. */
  outer(e: number): number
  /** Sends a control packet of the endpoint, after the waiting ones of its class. */
  send(e: number, to: number, kind: number, value: number, flits: number, vcClass: number): void
  /** Returns the flits that are left of the message whose next packet `vcClass` or `mayInject` decides on. */
  message(): number
  /**
   * Converts the negative response of a switch, kept by `received`, into the original packet. It waits before all new
   * data of its class.
   */
  retransmit(e: number, packet: number, how: number): void
  /**
   * The same if the first switch has a copy (Dropping.copies): the record becomes an order of one flit to that switch,
   * which sends the packet as data.
   */
  recall(e: number, packet: number, kind: number, vcClass: number): void
  /** Sends a control packet to the source of a delivered packet, with which that switch discards its copy. */
  confirm(e: number, packet: number, kind: number, vcClass: number): void
  /** Abandons a packet: it will not be sent again. */
  abandon(e: number, packet: number): void
  /**
   * Sends a message to the switch that the endpoint injects into, before all packets; its flits are charged to the
   * link.
   */
  tell(e: number, kind: number, value: number, flits: number): void
  /** Requests a call of `due(e)` in this cycle, or in the earliest one requested since the last call. */
  wakeAt(e: number, cycle: number): void
  /**
   * Returns true if the router input has credits for a packet of this many flits to this endpoint. For links with VLs.
   */
  hasCredits(e: number, to: number, flits: number): boolean
  /** Lets the endpoint check now whether it can send. */
  wake(e: number): void
  /** Records a trace event (trace-events.ts) of this cycle, with the network's numbers; absent if no probe needs it. */
  traceEvent?(kind: number, a: number, b: number, c: number): void
}

/** Result of `mayInject`: not before the protocol wakes the endpoint. */
export const UNTIL_WOKEN = 0x7fffffff

/** All members except `columns` are optional; absent ones cost nothing. */
export interface EndpointProtocol {
  /**
   * Returns 0 if a packet may leave; otherwise the cycle of the next check (a wake-up checks earlier), or UNTIL_WOKEN.
   */
  mayInject?(e: number, to: number, flits: number, now: number): number
  /** Returns class and kind of the next packet (`packVcClass`). */
  vcClass?(e: number, to: number, now: number): number
  /**
   * Queues of the protocol between the message queues and the link: `joins` accepts a packet that may go; `next`
   * returns the packet that leaves now, 0: none can.
   */
  joins?(e: number, packet: number, now: number): void
  next?(e: number, now: number): number
  injected?(e: number, to: number, packet: number, now: number): void
  /** A data packet for this endpoint has arrived. */
  delivered?(e: number, packet: number, now: number): void
  /**
   * An acknowledgement or control packet has arrived. Returns true if the protocol keeps its record, for `retransmit`
   * or `abandon`.
   */
  received?(e: number, packet: number, now: number): boolean
  /**
   * A packet of `e` to `to` was trimmed; it will be sent again (congestion/repeats.ts). `value`: what the packet
   * carried.
   */
  headerReturned?(e: number, to: number, flits: number, now: number, value: number): void
  /**
   * The header of a trimmed packet has arrived at its destination `e`. Returns true if the protocol keeps it and
   * returns it later (EndpointSite.recall with RETURNED).
   */
  headerArrived?(e: number, packet: number, now: number): boolean
  /** A message of its switch has arrived. */
  heard?(e: number, packet: number, now: number): void
  /** A packet was created (CongestionModel.onCreate). */
  generated?(e: number, to: number, flits: number, now: number): void
  /** The timer has expired. */
  due?(e: number, now: number): void
  readonly columns: Readonly<Record<string, Int32Array | Uint16Array | Uint8Array>>
  /** Adds its state to a fingerprint; keys must use the network's own numbers. */
  digest?(add: (key: number, value: number, more?: number) => void, now: number): void
  /** Returns its counters after `now` cycles, and its tables per endpoint. */
  values?(now: number): Record<string, number>
  tables?(now: number): Record<string, Table>
  /** Returns the number of records that it keeps. */
  kept?(): number
  /** Returns violations of its invariants. */
  audit?(now: number): Complaint[]
}

/** Requirements of an endpoint protocol. */
export interface ProtocolNeeds {
  /** additional VC classes, after those of data */
  readonly classes?: readonly ClassRequest[]
  /** packets carry a kind and a value */
  readonly kinds?: boolean
  /** messages are stored when they are created, however long the queue is, and reported by `generated` */
  readonly onCreate?: boolean
  /** it relies on acknowledgements */
  readonly acknowledged?: boolean
  /** flits of its longest control packet; its packets that may wait at one endpoint */
  readonly controlFlits?: number
  readonly controlSlots?: number
  /** its longest timer in cycles */
  readonly longestTimer?: number
}
