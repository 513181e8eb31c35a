// What endpoints do about congestion: a protocol decides when a packet may leave and on which VCs, sees what is sent and what arrives, and talks to other
// endpoints by control packets. It is built once for all endpoints of a machine; `e` is the engine's own row of an endpoint, `to` and `from` are the
// network's numbers. All state is columns, so that workers, snapshots and fingerprints see it; nothing is allocated while it runs.
import type { Complaint } from "../core/complaint.ts"
import type { Table } from "./experiment.ts"
import type { ClassWish } from "./vc-plan.ts"

/** Kinds of packets that are not a protocol's own: data, an endpoint's acknowledgement, the first number that a protocol may use. */
export const KIND = { data: 0, ack: 1, own: 2 } as const

/** How the next packet travels: VC class of the plan (`OWN_CLASS`: that of its stream) and kind, in one number. */
export const OWN_CLASS = 255
export function ride(vcClass: number, kind: number): number {
  return (vcClass << 8) | kind
}
/** Added to a ride: the packet goes the shortest way, whatever its class. */
export const DIRECT_RIDE = 1 << 16
export function classOfRide(how: number): number {
  return (how >> 8) & 255
}
export const PLAIN_RIDE = ride(OWN_CLASS, KIND.data)

/** What a protocol may read of a packet, and the two words that it may write. */
export interface PacketView {
  src(p: number): number
  dst(p: number): number
  flits(p: number): number
  /** flits that it had before it became an acknowledgement or the answer of a switch */
  answered(p: number): number
  kind(p: number): number
  value(p: number): number
  setValue(p: number, value: number): void
  /** a word that stays with the packet even if a switch drops and answers it; only where the engine does not number flows itself */
  number(p: number): number
  setNumber(p: number, n: number): void
  /** a congested place was on its way; marks are only ever set */
  marked(p: number): boolean
  birth(p: number): number
  stream(p: number): number
}

/** What the engine offers a protocol. */
export interface EndpointSite {
  /** endpoints of the engine (with holes) and of the network */
  readonly rows: number
  readonly ends: number
  readonly maxPacket: number
  /** the class in the plan of the first of the protocol's own classes (CongestionModel.classes) */
  readonly firstClass: number
  /** memory that workers share */
  column(n: number): Int32Array
  readonly packets: PacketView
  /** [endpoint] -> load that the traffic offers it, as drawn beforehand: for reports, no protocol knows it */
  offered(): Float32Array
  /** the network's number of a row, -1 in a hole */
  outer(e: number): number
  /** a control packet of the endpoint, behind those of its class that wait already */
  send(e: number, to: number, kind: number, value: number, flits: number, vcClass: number): void
  /** flits that are left of the message about whose next packet `vcClass` or `mayInject` is being asked */
  message(): number
  /** the answer of a switch, kept by `received`, becomes the packet again that it was, and waits for its turn before all new data of its class */
  again(e: number, packet: number, how: number): void
  /** the same where the first switch keeps a copy (Dropping.copies): the record becomes an order of one flit to that switch, which sends the packet as data */
  recall(e: number, packet: number, kind: number, vcClass: number): void
  /** where it does: a control packet to the source of a packet that has arrived, by which that switch forgets its copy */
  confirm(e: number, packet: number, kind: number, vcClass: number): void
  /** it will not be sent again: nobody waits for it any more */
  abandon(e: number, packet: number): void
  /** a message to the switch that the endpoint injects into, ahead of everything; its flits are charged to the link */
  tell(e: number, kind: number, value: number, flits: number): void
  /** `due(e)` is to be called in this cycle, or in the earliest that was ever asked for since it was last called */
  wakeAt(e: number, cycle: number): void
  /** has the input behind its link room for a packet of so many flits to this endpoint? Where links have lanes */
  room(e: number, to: number, flits: number): boolean
  /** the endpoint is to be asked now what it may send */
  wake(e: number): void
  /** something of a kind (facts.ts) happens in this cycle, by the network's numbers; absent where no probe asks */
  fact?(kind: number, a: number, b: number, c: number): void
}

/** Answer of `mayInject`: not before the protocol wakes the endpoint. */
export const UNTIL_WOKEN = 0x7fffffff

/** Every part is optional: what is absent costs nothing. */
export interface EndpointProtocol {
  /** 0 = go; else the cycle in which to ask again (a wake asks earlier), or UNTIL_WOKEN */
  mayInject?(e: number, to: number, flits: number, now: number): number
  /** class and kind of the next packet (`ride`) */
  vcClass?(e: number, to: number, now: number): number
  /** queues of its own between the queues of messages and the link: a packet that may go joins them; answers which one leaves now, 0 = none can */
  joins?(e: number, packet: number, now: number): void
  next?(e: number, now: number): number
  injected?(e: number, to: number, packet: number, now: number): void
  /** data for this endpoint has arrived */
  delivered?(e: number, packet: number, now: number): void
  /** an acknowledgement or a control packet has arrived; true: the protocol keeps its record, for `again` or `abandon` */
  received?(e: number, packet: number, now: number): boolean
  /** a message of its switch has arrived */
  heard?(e: number, packet: number, now: number): void
  /** a packet was created (CongestionModel.atBirth) */
  generated?(e: number, to: number, flits: number, now: number): void
  /** its timer */
  due?(e: number, now: number): void
  readonly columns: Readonly<Record<string, Int32Array | Uint16Array | Uint8Array>>
  /** adds its state to a fingerprint; keys by the network's own numbers */
  digest?(add: (key: number, value: number, more?: number) => void, now: number): void
  /** counters of its own after so many cycles, and tables of who did what */
  values?(now: number): Record<string, number>
  tables?(now: number): Record<string, Table>
  /** records that it keeps */
  kept?(): number
  /** what of its state cannot be */
  audit?(now: number): Complaint[]
}

/** What an endpoint protocol asks of the machine. */
export interface ProtocolNeeds {
  /** VC classes of its own, behind those of data */
  readonly classes?: readonly ClassWish[]
  /** packets carry a kind and a value */
  readonly kinds?: boolean
  /** messages are made at their birth, however long the queue is, and told by `generated` */
  readonly atBirth?: boolean
  /** it learns from acknowledgements */
  readonly acknowledged?: boolean
  /** flits of its longest control packet, packets of its own that one endpoint may have waiting */
  readonly controlFlits?: number
  readonly controlRoom?: number
  /** the longest time in cycles that one of its timers takes */
  readonly longestTimer?: number
}
