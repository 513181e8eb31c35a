// The interface between the clocked engine and a switch that moves whole packets (virtual cut-through, packet-held). A
// transfer has a start and a length, so a packet hop costs a few updates and not one for each flit. Ids are those of
// fabric/layout.ts, packets those of fabric/packets.ts. The engine (engines/flit/transfers) implements `SwitchPorts`;
// switches implement `TransferSwitch`, and `TransferSwitchModel` of switch-model.ts.
//
// Link cycles and core steps are two clocks. With speedup LINK / CORE, link cycle t is at time t * LINK and core step s
// at s * CORE. At equal times the link stage precedes the core step.
import type { Complaint } from "../core/complaint.ts"
import type { Table } from "../model/experiment.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { QosModel } from "../model/scheduler.ts"
import type { VcPlan } from "../model/vc-plan.ts"
import type { Column } from "./columns.ts"
import type { Layout } from "./layout.ts"
import type { TransferColumns, TransferConstants } from "./packets.ts"
import type { SharedBufferRules, SharedBuffers } from "./shared-buffers.ts"
import type { RoutingContext, StateDigest, StateWaits, VisitQueue } from "./switch.ts"

/** The actions of a switch that have effects outside its routers. */
export interface SwitchPorts {
  /**
   * Sends a packet whose transfer over output VC `ov` has started. It arrives in cycle `at`: its head at an input, or
   * its tail at an endpoint.
   */
  transmit(ov: number, packet: number, at: number): void
  /**
   * Returns credits of `flits` flits of input VC `iv` from cycle `t` on. One message leaves per cycle and channel. The
   * capacity for waiting messages follows from `clock`: a switch that frees buffer space faster than one core step per
   * flit would lose credits.
   */
  returnCredit(iv: number, flits: number, t: number): void
  /** The same for a VL of input `port` (SwitchExtensions.lanes). */
  returnVlCredit(port: number, lane: number, flits: number, t: number): void
  /** Returns a record of this partition; 0 if none is left. */
  record(): number
  /** Frees a record. */
  discard(packet: number): void
  /**
   * Converts a dropped packet into a control packet of `flits` from its destination to its source, which the switch
   * then sends. The source retransmits or abandons the packet (model/protocol.ts); until then it counts as in flight.
   * Only if packets carry kinds.
   */
  answer(packet: number, kind: number, value: number, flits: number): void
  /** Cuts a data packet to its header: a control packet of one flit, which remembers the length for a retransmission. */
  trim(packet: number, kind: number): void
  /**
   * Creates a control packet that `router` sends in the name of endpoint `from` (network's numbers). Returns 0 if no
   * record is left.
   */
  make(router: number, from: number, to: number, kind: number, value: number, flits: number): number
  /**
   * Creates a message for a neighbour. Returns 0 if no record is left. The words NEXT, STATE, FLITS, kind and value
   * have their usual meaning; the switch may use the others.
   */
  note(kind: number, value: number, flits: number): number
  /**
   * Sends such a message to the switch or endpoint at output `port`. It arrives in cycle `at`, or later if the previous
   * one of this link has not arrived. In band, the link stage calls this before data and charges the flits to the link;
   * a side band charges nothing.
   */
  sendToNeighbour(port: number, packet: number, at: number): void
  /**
   * Records a trace event (model/trace-events.ts) of this cycle. It is absent if no probe needs it, so callers test a
   * constant.
   */
  traceEvent?(kind: number, a: number, b: number, c: number): void
}

export type AddFill = (router: number, lane: number, place: number, flits: number) => void

export interface TransferSwitch {
  /** Selects the partition of the following calls. */
  enter(part: number): void
  /** Accepts a packet at input VC `iv`; it may leave from this cycle on. */
  arrive(iv: number, packet: number, t: number): void
  /** The same for n packets, if the switch can handle them faster together. */
  arrivals?(ivs: Int32Array, packets: Int32Array, n: number, t: number): void
  credit(ov: number, flits: number, t: number): void
  /** Announces credits of these n outputs, so that the switch can prefetch their state. */
  touchCredits?(ports: Int32Array, n: number): void
  /** Applies a credit of a VL at output `port` (SwitchExtensions.lanes), instead of `credit`. */
  laneCredit?(port: number, lane: number, flits: number, t: number): void
  /**
   * Accepts a message of the neighbour at input `port`; the switch frees its record. Only if the model exchanges
   * messages.
   */
  receiveFromNeighbour?(port: number, packet: number, t: number): void
  /** Executes the link stage of the partition in cycle t, after arrivals and credits. */
  link(t: number): void
  /** Executes core step s, in cycle t. */
  core(s: number, t: number): void
  /**
   * Returns true if `core` has work in cycle t. Only for switches whose `link` never has work; absent: both are called
   * in every cycle.
   */
  due?(t: number): boolean
  readonly columns: Readonly<Record<string, Column>>
  digest(d: StateDigest, outer: (id: number) => number): void
  /** Checks conservation. `kept`: number of records that the endpoints' protocol stores. */
  audit(t: number, kept?: number): Complaint[]
  /** Returns the number of packet copies that wait for an acknowledgement; absent: 0. */
  copies?(): number
  /** Returns the switch's counters after a run of `cycles`. */
  values(cycles: number): Record<string, number>
  /** Returns its tables after `now` cycles; absent: none. */
  tables?(now: number): Record<string, Table>
  /**
   * Visits each non-empty queue of routers [first, end): the output port of its head packet, its flits, that packet,
   * and whether it has credits. It must not read chains of other routers, because another worker may be writing them.
   */
  queues(visit: VisitQueue, first: number, end: number): void
  /**
   * Reports the flits of every VL of routers [first, end), buffer by buffer (model/probe.ts, PLACES), in one call or
   * several. For switches with the ability `laneFill`.
   */
  fill?(add: AddFill, first: number, end: number): void
  /** Returns each queue whose head cannot move, and the events that would let it move, for the diagnosis of a stall. */
  waits(): readonly StateWaits[]
  /** number of queue identifiers of each router in `waits` */
  readonly span: number
  /**
   * Returns the number of timers, messages between its ports and link retransmissions: activity that continues although
   * nothing moves now. Absent: 0.
   */
  timersDue?(): number
}

export type MakeTransferSwitch = (links: SwitchPorts) => TransferSwitch

/** The columns that a switch shares with the engine. */
export interface TransferSite {
  readonly layout: Layout
  readonly constants: TransferConstants
  readonly columns: TransferColumns
  readonly sharedBuffers: SharedBuffers
  readonly rules: SharedBufferRules
  /** one word for each VC: the queue length at an output that the routing function sees, counted down from QUEUE_TOP */
  readonly queued: Uint16Array
  /** [port] -> flits of data at an output, all VCs together, in one read; only if the model sets `sums` */
  readonly load: Int32Array
  /** [(parity * parts + from) * parts + to] -> first entry of that outbox: cycle, port or ~channel, packet or credit */
  readonly boxFirst: Int32Array
}

/** Largest value of `TransferSite.queued`, which counts down from it. */
export const QUEUE_TOP = 65535

/** A routing function with its context, for each class. */
export interface SwitchContext extends RoutingContext {
  readonly plan: VcPlan
  /** [VC class] -> the routing function built for that number of VCs; the one of data is `routing` */
  readonly routings: readonly RoutingFunction[]
  /**
   * schedulers for the outputs of switches with a queue for each service level (plug-ins with the ability
   * `schedulers`), and bytes of a flit
   */
  readonly qos: QosModel
  readonly flitBytes: number
}
