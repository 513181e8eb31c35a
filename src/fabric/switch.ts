// Between the clocked engine and a switch: plain functions over VC ids (fabric/layout.ts). A switch steps all routers of a partition.
import type { Complaint } from "../core/complaint.ts"
import type { Candidates, NetView, RoutingFunction } from "../model/routing.ts"
import type { BufferSpec, Buffers, CreditRules } from "./buffers.ts"
import type { Column } from "./columns.ts"
import type { FlitColumns, FlitConstants, PacketFields } from "./flit.ts"
import type { Layout } from "./layout.ts"

/** What a switch may do to the world outside its routers. */
export interface Wires {
  /** flit granted to output VC `ov` in the cycle t; `head` = its packet if it is a head, else -1; `carrier` = its packet; `last` = a tail */
  send(ov: number, head: number, carrier: number, last: boolean, t: number): void
  /** a flit left input VC `iv` in the cycle t */
  giveBack(iv: number, t: number): void
}

export interface FlitSwitch {
  /** chooses the partition that the following calls are about; `s` = its next core step */
  enter(part: number, s: number): void
  /** a flit reaches input VC `iv`; `packet` >= 0 for a head */
  arrive(iv: number, packet: number, t: number): void
  /** a place became free downstream of output VC `ov` */
  credit(ov: number, t: number): void
  /** a place of output `port`'s own buffer is free again; called only with a retention (SwitchTiming) */
  release?(port: number, t: number): void
  /** where crossbars work in batches (SwitchTiming): the core step in which a flit that is granted output `port` in step s has crossed */
  crossed?(port: number, s: number): number
  /** one core step of every router that is awake; `s` counts core steps since the start */
  step(t: number, s: number, part: number): void
  /** columns of its own: part of snapshot and fingerprint */
  readonly columns: Readonly<Record<string, Column>>
  /** adds the state inside the routers to a fingerprint; `outer` turns a VC id into the network's own number; `s` = the next core step */
  digest(d: StateDigest, outer: (id: number) => number, s: number): void
  /** every buffer whose front cannot move, and what would let it: for the diagnosis of a stall */
  waits(): readonly StateWaits[]
  /** flits in the buffers of a router */
  stored(router: number): number
  /** every buffer that holds something */
  queues(visit: VisitQueue): void
  /** conservation, in words */
  audit(t: number): Complaint[]
}

/**
 * A packet at the front of queue `at`, with a part of it at least, and what it waits for; any one would do. Queues are numbered router by router, its input VCs
 * first and with their own numbers; a switch that has no other queues has as many as a router has VC slots (`Layout.RS`).
 */
export interface StateWaits {
  readonly at: number
  readonly packet: number
  readonly waits: readonly StateWait[]
}

/** It waits for output VC `wants`, or for room on the way to it or behind it, until the front of queue `by`, which holds output VC `holds` or fills its buffers, goes on. */
export interface StateWait {
  readonly wants: number
  readonly holds: number
  readonly by: number
}

/** The output port that a buffer's front packet goes to, flits stored there, that packet; whether there is room for it behind the port; the input VC that the
 *  buffer belongs to (of one that serves all VCs of its port: the first), -1 for one that belongs to none; where packets carry no VC of their own, the VC that it has or asks for, the lowest of several. */
export type VisitQueue = (port: number, flits: number, packet: number, room: boolean, input: number, vc?: number) => void

export interface StateDigest {
  add(key: number, value: number, more?: number): void
}

export type MakeFlitSwitch = (wires: Wires) => FlitSwitch

/** Where a switch is built: the columns that it shares with the engine. */
export interface SwitchSite {
  readonly layout: Layout
  readonly constants: FlitConstants
  readonly packets: FlitColumns
  readonly fields: PacketFields
  readonly buffers: Buffers
  readonly rules: CreditRules
  /** [(parity * workers + from) * boxRow + to] -> first entry of that outbox */
  readonly boxFirst: Int32Array
}

/** What the engine must know about a switch before it can lay out memory. */
export interface SwitchTiming {
  /** core steps per cycle; core steps from grant to output; cycles added to a returning credit */
  readonly speed: number
  readonly traverse: number
  readonly creditDelay: number
  /** crossbar lanes for each port */
  readonly lanes: number
  readonly cutThrough: boolean
  /** a VC can be taken only when all its credits are back */
  readonly tailWait: boolean
  /** a packet is given a VC only while that has space for all of it */
  readonly wholeSpace: boolean
  /** flits of an output buffer, where each stays for one round trip of the link; 0 = no such buffer */
  readonly retention: number
  /** packets of one size keep their connection to the last flit and need room for all of it, so they may be moved in one piece: exact */
  readonly held: boolean
  /** cycles that a head needs from one router to the next when nothing is in its way, besides the latency of the wire */
  readonly pipeline: number
  /** the switch itself says when a flit has crossed (FlitSwitch.crossed), at most this many cycles after its grant; 0 = after `traverse` steps */
  readonly batch: number
}

/** A routing with what its calls need, and what the switch must know of the traffic. */
export interface RoutingUse {
  readonly routing: RoutingFunction
  readonly net: NetView
  readonly out: Candidates
  readonly candidates: number
  readonly adaptive: boolean
  /** VCs that one class of traffic has */
  readonly vcsPerClass: number
  /** [stream] -> first VC of its class, and priority */
  readonly vcFirst: Int32Array
  readonly streamPriority: Int32Array
}

/** What a switch plug-in makes for the clocked engine. */
export interface FlitSwitchModel {
  readonly moves: "flits"
  readonly vcs: number
  readonly buffer: BufferSpec
  readonly timing: SwitchTiming
  build(site: SwitchSite, use: RoutingUse): MakeFlitSwitch
}

/** The traffic of a run as functions of (stream, endpoint, number): nothing is stored here. */
export interface SourceModel {
  readonly replies: boolean
  readonly replyLength: Int32Array
  readonly replyStream: Int32Array
  readonly priority: Int32Array
  /** [stream] -> its class's VCs */
  readonly vcFirst: Int32Array
  readonly vcCount: Int32Array
  /** destination of packet `count`; opens a message if it has several packets */
  create(stream: number, from: number, count: number, source: number): number
  nextBirth(stream: number, from: number, born: number, count: number, source: number): number
  firstBirth(stream: number, from: number): number
  length(stream: number, from: number, count: number): number
}
