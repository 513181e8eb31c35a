// Between the clocked engine and a switch that moves whole packets (virtual cut-through, packet-held): one transfer has a start and a length, so
// a packet-hop costs a few updates, not one for each flit. Ids are those of fabric/layout.ts, packets those of fabric/packets.ts.
// Link cycles and core steps are two clocks: with speed = LINK / CORE, link cycle t is at time t * LINK and core step s at s * CORE;
// at equal times the link goes first.
import type { Complaint } from "../core/complaint.ts"
import type { Ability } from "../model/abilities.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { InjectionWish } from "../model/endpoint.ts"
import type { Table } from "../model/experiment.ts"
import type { EndpointProtocol, EndpointSite } from "../model/protocol.ts"
import type { RoutingFunction } from "../model/routing.ts"
import type { QosModel } from "../model/scheduler.ts"
import type { Topology } from "../model/topology.ts"
import type { VcPlan } from "../model/vc-plan.ts"
import type { Column } from "./columns.ts"
import type { Layout } from "./layout.ts"
import type { TransferColumns, TransferConstants } from "./packets.ts"
import type { RoomRules, RoomSpec, Rooms } from "./rooms.ts"
import type { RoutingUse, StateDigest, StateWaits, VisitQueue } from "./switch.ts"

/** What a switch may do to the world outside its routers. */
export interface TransferWires {
  /** a packet whose transfer over output VC `ov` has begun reaches the other side (an input's front, or an endpoint with its tail) at cycle `at` */
  launch(ov: number, packet: number, at: number): void
  /** `flits` of input VC `iv` are free again from cycle `t` on. One message leaves in each cycle and channel; how many can wait follows from `clock`: a switch
   *  that frees room faster than one core step for each flit would allow loses credits */
  giveBack(iv: number, flits: number, t: number): void
  /** the same for a lane of input `port` (TransferSwitchModel.lanes) */
  giveBackLane(port: number, lane: number, flits: number, t: number): void
  /** a record of this partition; 0 if there is none left */
  record(): number
  /** a record that nobody needs any more */
  discard(packet: number): void
  /** a packet is dropped: its record becomes a control packet of `flits` from its destination back to its source, which the switch sends on. Its source sends
   *  it again or gives it up (model/protocol.ts): until then it counts as under way. Only where packets carry kinds */
  answer(packet: number, kind: number, value: number, flits: number): void
  /** a control packet that `router` makes in the name of endpoint `from` (network's numbers); 0 if there is no record left */
  make(router: number, from: number, to: number, kind: number, value: number, flits: number): number
  /** a message for a neighbour; 0 if there is no record left. Its words NEXT, STATE, FLITS, kind and value have their meaning, the others are the switch's */
  note(kind: number, value: number, flits: number): number
  /** such a message reaches the switch or endpoint behind output `port` in cycle `at`, later if the one before it on this link is not there yet.
   *  In band it is the link stage that calls this, ahead of data, and charges its flits; a side band charges nothing */
  tell(port: number, packet: number, at: number): void
  /** something of a kind (model/facts.ts) happens in this cycle; absent where no probe asks, so whoever calls it has a constant for that */
  fact?(kind: number, a: number, b: number, c: number): void
}

export type AddFill = (router: number, lane: number, place: number, flits: number) => void

export interface TransferSwitch {
  /** chooses the partition that the following calls are about */
  enter(part: number): void
  /** a packet may leave input VC `iv` from now on */
  arrive(iv: number, packet: number, t: number): void
  /** the same for n packets, if it has a way that is quicker than one by one */
  arrivals?(ivs: Int32Array, packets: Int32Array, n: number, t: number): void
  credit(ov: number, flits: number, t: number): void
  /** credits of these n outputs follow: what they need of memory may be asked for together */
  touchCredits?(ports: Int32Array, n: number): void
  /** the same for a lane behind output `port` (TransferSwitchModel.lanes), instead of `credit` */
  laneCredit?(port: number, lane: number, flits: number, t: number): void
  /** a message of the neighbour in front of input `port`; the switch discards its record. Needs TransferSwitchModel.tells */
  hear?(port: number, packet: number, t: number): void
  /** all that happens on the links of the partition in cycle t, after arrivals and credits */
  link(t: number): void
  /** core step s, in cycle t */
  core(s: number, t: number): void
  /** whether `core` would do anything in cycle t, and `link` never does; absent: both are called in every cycle */
  due?(t: number): boolean
  readonly columns: Readonly<Record<string, Column>>
  digest(d: StateDigest, outer: (id: number) => number): void
  /** `kept`: records that the endpoints' protocol keeps */
  audit(t: number, kept?: number): Complaint[]
  /** copies of packets that wait for an answer */
  copies(): number
  /** counters of its own after a run of `cycles` */
  values(cycles: number): Record<string, number>
  /** after so many cycles */
  tables(now: number): Record<string, Table>
  /** every queue of routers [first, end) that holds something: the output port that its front packet goes to, flits, that packet, and whether there is room
   *  behind the port. Chains of other routers are left alone: another worker may be writing them */
  queues(visit: VisitQueue, first: number, end: number): void
  /** flits of every VL of routers [first, end), buffer by buffer (model/probe.ts, PLACES), in one call or several; of switches that can `laneFill` */
  fill?(add: AddFill, first: number, end: number): void
  /** every queue whose front cannot move, and what would let it: for the diagnosis of a stall */
  waits(): readonly StateWaits[]
  /** numbers of queues that each router takes in `waits` */
  readonly span: number
  /** timers, messages between its ports and links that send again: what will move by itself although nothing moves now */
  timersDue(): number
}

export type MakeTransferSwitch = (wires: TransferWires) => TransferSwitch

export interface TransferSite {
  readonly layout: Layout
  readonly constants: TransferConstants
  readonly columns: TransferColumns
  readonly rooms: Rooms
  readonly rules: RoomRules
  /** a slot for each VC: what routing is told about the queue behind an output */
  readonly queued: Uint16Array
  /** [port] -> flits of data behind an output, all VCs together: the same in one read, where the model says so (`sums`) */
  readonly load: Int32Array
  /** [(parity * parts + from) * parts + to] -> first entry of that outbox: cycle, port or ~channel, packet or credit */
  readonly boxFirst: Int32Array
}

/** Largest value of `TransferSite.queued`, which counts down from it. */
export const QUEUE_TOP = 65535

/** How buffers of one port are cut, by its link class. */
export interface TransferBuffers {
  /** `plan`: the classes of VCs, which may change what is kept for a VC; absent: one class */
  input(linkClass: number, plan?: VcPlan): RoomSpec
  output(linkClass: number): RoomSpec
}

/** A routing with what its calls need, class by class. */
export interface TransferUse extends RoutingUse {
  readonly plan: VcPlan
  /** [VC class] -> the routing as it was made for so many VCs; data's is `routing` */
  readonly routings: readonly RoutingFunction[]
  /** for the outputs of switches that have a queue for each service level (plug-ins that can `schedulers`), and bytes of a flit */
  readonly qos: QosModel
  readonly flitBytes: number
}

/** More queues behind a link than a mask has VCs, each with room of its own. */
export interface Lanes {
  /** at most 1,024 */
  readonly count: number
  /** flits of each at the inputs of endpoints */
  readonly flits: number
  /** lane of a packet to endpoint `dst` at the input that it enters the network by, at `router` (network's numbers) */
  of(router: number, dst: number): number
}

/** A stream of an experiment, as a switch may look at it: its place there, its class, who sends, and where packet n of an endpoint might go (-1: nowhere). */
export interface StreamLook {
  readonly path: string
  readonly level: number
  sends(e: number): boolean
  dest(e: number, n: number): number
}

/** What a switch plug-in makes for the engine that moves packets. */
export interface TransferSwitchModel {
  readonly moves: "packets"
  /** network VCs, and VCs that exist inside the switch only */
  readonly vcs: number
  readonly innerVcs: number
  readonly clock: { readonly link: number; readonly core: number }
  /** [flits of a packet] -> cycles from its head's arrival until it may move on */
  readonly hold: Uint16Array
  /** what it launches is at the next router after the latency of the link and `hold`, and it gives room back once for each transfer: neither is ever late */
  readonly near?: boolean
  /** an input may give the room of several packets back in one cycle, whatever the clocks */
  readonly bursts?: boolean
  /** [cycle % clock.core in which a packet may move on] -> cycles until its link begins, if nothing is in the way */
  readonly pass: Uint16Array
  /** packets can be put aside in the switch */
  readonly stashes: boolean
  readonly buffers: TransferBuffers
  /** VCs (mask) that links between routers carry, by link class (key `carries`); of the VCs of a candidate it takes the lowest */
  carried(linkClass: number): number
  /** the buffer that must hold two packets where a ring is kept moving by bubbles: its key and flits */
  readonly bubble?: { readonly key: string; readonly flits: number }
  /** injection VC of acknowledgements, relative to their class */
  readonly ackVc: number
  /** endpoints inject on any VC of a class that has room, in turn; absent: on the first alone */
  readonly anyEntry?: boolean
  /** [class of data] -> the VC that its packets take everywhere, where that is not its own; classes may share one */
  readonly vlOf?: readonly number[]
  /** the key that lets packets change their VC from port to port, against which rings are not kept moving by bubbles */
  readonly changesVc?: string
  /** what of the classes of VCs does not go with its parameters (paths without network.switch), where some packets are acknowledged or none */
  unfit?(plan: VcPlan, acknowledged: boolean): Complaint[]
  /** what of the streams does not go with its parameters (whole paths), in a network of so many endpoints */
  unfitStreams?(streams: readonly StreamLook[], ends: number): Complaint[]
  /** its arbiters know one level of priority: the key that says so, and what to set it to */
  readonly oneLevel?: { readonly key: string; readonly fix: string }
  /** it drops nothing: the key that says so, and what to set it to */
  readonly noDrops?: { readonly key: string; readonly fix: string }
  /** it keeps a word of its own on every packet (TransferConstants.own) */
  readonly ownWord?: boolean
  /** it keeps TransferSite.load, and routing sees what the sender knows of the buffer behind a link instead of TransferSite.queued */
  readonly sums?: boolean
  /** it sends messages to its neighbours, or hears them */
  readonly tells?: boolean
  /** flits of the longest of them */
  readonly longestNote?: number
  /** what endpoints do about its messages, unless a congestion management has them */
  endpoint?(site: EndpointSite): EndpointProtocol
  /** queues of endpoints that copy its own, what one endpoint's hold, and whether they have lines */
  readonly injection?: {
    readonly flits: number
    readonly lines: boolean
    queues(wish: InjectionWish): (site: EndpointSite) => EndpointProtocol
  }
  readonly lanes?: Lanes
  /** it asks for a routing that is a table (fabric/table.ts) */
  readonly table?: boolean
  readonly maxPacket: number
  /** the key that says what every VC has for itself (two packets of it where a ring is kept moving by bubbles); absent: `buffer` */
  readonly reserveKey?: string
  /** keys of the switch that say so; absent: `packet` */
  readonly packetKeys?: readonly string[]
  /** complaints about its parameters where the shortest packet has so many flits; paths are those of its keys */
  checkPackets?(shortest: number): Complaint[]
  /** equal parts into which what they say is cut, each of which must hold the packet; absent: 1 */
  readonly packetParts?: number
  /** flits that a router holds beside its port buffers for each port, and flits of copies that it keeps */
  readonly innerFlits: number
  readonly copies: number
  /** packets can come twice or not at all: destinations must know which they have */
  readonly sequence: boolean
  /** the longest time in cycles that one of its timers or inner messages takes */
  readonly longestTimer: number
  build(site: TransferSite, use: TransferUse, congestion: CongestionModel): MakeTransferSwitch
}

/** What a switch plug-in is told of the network. */
export interface SwitchSiteInfo {
  readonly topology: Topology
  /** what the congestion management asks of it */
  readonly asked?: readonly Ability[]
}
