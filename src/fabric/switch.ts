// The interface between the flit engine and a switch: plain functions over VC ids (fabric/layout.ts). A switch steps
// all routers of a partition. engines/flit implements `FlitSwitchPorts`; switches/ implements `FlitSwitch` and
// `FlitSwitchModel`.
import type { Complaint } from "../core/complaint.ts"
import type { Candidates, NetView, RoutingFunction } from "../model/routing.ts"
import type { BufferSpec, Buffers, CreditRules } from "./buffers.ts"
import type { Column } from "./columns.ts"
import type { FlitColumns, FlitConstants, PacketFields } from "./flit.ts"
import type { Layout } from "./layout.ts"

/** The actions of a switch that have effects outside its routers. */
export interface FlitSwitchPorts {
  /**
   * Sends a flit that was granted output VC `ov` in cycle t. `head`: its packet if it is a head flit, otherwise -1;
   * `carrier`: its packet; `last`: it is a tail flit.
   */
  send(ov: number, head: number, carrier: number, last: boolean, t: number): void
  /** Returns the credit of a flit that left input VC `iv` in cycle t. */
  returnCredit(iv: number, t: number): void
}

export interface FlitSwitch {
  /** Selects the partition of the following calls; `s`: its next core step. */
  enter(part: number, s: number): void
  /** Accepts a flit at input VC `iv`; `packet` is at least 0 for a head flit. */
  arrive(iv: number, packet: number, t: number): void
  /** Applies a credit of output VC `ov`. */
  credit(ov: number, t: number): void
  /** Frees a slot of the retransmission buffer of output `port`; called only with a retention (SwitchTiming). */
  release?(port: number, t: number): void
  /**
   * For crossbars that work in batches (SwitchTiming): returns the core step in which a flit that was granted output
   * `port` in step s has crossed.
   */
  crossed?(port: number, s: number): number
  /** Executes one core step of every active router; `s` counts core steps since the start. */
  step(t: number, s: number, part: number): void
  /** private columns: part of snapshot and fingerprint */
  readonly columns: Readonly<Record<string, Column>>
  /**
   * Adds the state inside the routers to a fingerprint. `outer` converts a VC id to the network's own number; `s`: the
   * next core step.
   */
  digest(d: StateDigest, outer: (id: number) => number, s: number): void
  /**
   * Returns each buffer whose head cannot move, and the events that would let it move, for the diagnosis of a stall.
   */
  waits(): readonly StateWaits[]
  /** Returns the flits in the buffers of a router. */
  stored(router: number): number
  /** Visits every non-empty buffer. */
  queues(visit: VisitQueue): void
  /** Visits every packet whose head is in a buffer, each queue from its front; absent: their order is not known. */
  packets?(visit: VisitStored): void
  /** Checks conservation of flits and credits. Returns violations as text. */
  audit(t: number): Complaint[]
}

/**
 * A packet, or a part of it, at the head of queue `at`, and the events that it waits for; any one is sufficient. Queues
 * are numbered router by router, input VCs first and with their own numbers. A switch without other queues has as many
 * as a router has VC slots (`Layout.RS`).
 */
export interface StateWaits {
  readonly at: number
  readonly packet: number
  readonly waits: readonly StateWait[]
}

/**
 * It waits for output VC `wants`, or for buffer space on the path to it, until the head of queue `by` moves. That head
 * holds output VC `holds` or fills its buffers.
 */
export interface StateWait {
  readonly wants: number
  readonly holds: number
  readonly by: number
}

/**
 * The output port of a buffer's head packet, its flits, that packet, and whether it has credits. `input`: the input VC
 * of the buffer (the first if it serves all VCs of its port), -1 if none. `vc`: the VC that it has or requests, if
 * packets carry no VC; the lowest of several.
 */
export type VisitQueue = (
  port: number,
  flits: number,
  packet: number,
  hasCredits: boolean,
  input: number,
  vc?: number,
) => void

/**
 * A packet whose head is in the buffer of an input VC. `place`: packets before it, without one whose head has left;
 * `blocked`: the packet at the front has no credits.
 */
export type VisitStored = (packet: number, input: number, place: number, blocked: boolean) => void

export interface StateDigest {
  add(key: number, value: number, more?: number): void
}

export type MakeFlitSwitch = (links: FlitSwitchPorts) => FlitSwitch

/** The columns that a switch shares with the engine. */
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

/** Properties of a switch that determine the memory layout of the engine. */
export interface SwitchTiming {
  /** core steps per cycle (speedup); core steps from grant to output; cycles added to a returning credit */
  readonly speed: number
  readonly traverse: number
  readonly creditDelay: number
  /** crossbar lanes for each port */
  readonly lanes: number
  readonly cutThrough: boolean
  /** a VC can be allocated only after all its credits have returned */
  readonly tailWait: boolean
  /** a VC is allocated to a packet only while it has space for the whole packet */
  readonly wholeSpace: boolean
  /** flits of an output buffer in which each flit stays for one round trip of the link; 0: no such buffer */
  readonly retention: number
  /**
   * packets of equal length hold their connection until the tail and need space for all flits; they can then move as a
   * unit with the same result
   */
  readonly held: boolean
  /** cycles that a head flit needs from one router to the next at zero load, without the latency of the link */
  readonly pipeline: number
  /**
   * the switch reports when a flit has crossed (FlitSwitch.crossed), at most this many cycles after its grant; 0: after
   * `traverse` steps
   */
  readonly batch: number
}

/** A routing function with its context, and the traffic properties that the switch needs. */
export interface RoutingContext {
  readonly routing: RoutingFunction
  readonly net: NetView
  readonly out: Candidates
  readonly candidates: number
  readonly adaptive: boolean
  /** number of VCs of one traffic class */
  readonly vcsPerClass: number
  /** [stream] -> first VC of its class, and priority */
  readonly vcFirst: Int32Array
  readonly streamPriority: Int32Array
}

/** The result of a switch plug-in for the flit engine. */
export interface FlitSwitchModel {
  readonly moves: "flits"
  readonly vcs: number
  readonly buffer: BufferSpec
  readonly timing: SwitchTiming
  build(site: SwitchSite, use: RoutingContext): MakeFlitSwitch
}

/** The traffic of a run as functions of (stream, endpoint, number); it stores nothing. */
export interface SourceModel {
  readonly replies: boolean
  readonly replyLength: Int32Array
  readonly replyStream: Int32Array
  readonly priority: Int32Array
  /** [stream] -> VCs of its class */
  readonly vcFirst: Int32Array
  readonly vcCount: Int32Array
  /** Returns the destination of packet `count`, and starts a message if it has several packets. */
  create(stream: number, from: number, count: number, source: number): number
  nextCreation(stream: number, from: number, createdAt: number, count: number, source: number): number
  firstCreation(stream: number, from: number): number
  length(stream: number, from: number, count: number): number
}
