// The messages between the page, the engines and the planner. They are plain data. Pictures transfer their heat as a
// buffer without a copy.
import type { PacketFrame } from "../../src/engines/packet-frame.ts"
import type { Saved } from "../../src/measure/saved.ts"
import type { RunResult, RunSpec } from "../../src/model/experiment.ts"
import type { Chain } from "../../src/observe/dependency-chain.ts"
import type { Inside } from "../../src/observe/inside/inside.ts"
import type { Limited } from "../../src/observe/limit.ts"
import type { Seen } from "../../src/observe/observation.ts"
import type { Stay, TracePart } from "../../src/observe/packet-trace.ts"

export const heatKinds = ["utilisation", "queue", "stall", "blame"] as const
export type HeatKind = (typeof heatKinds)[number]

export type Files = Readonly<Record<string, string | Uint8Array>>

/** The network as the page draws it, with the numbering of its graph. */
export interface Scene {
  readonly routers: number
  readonly ends: number
  readonly chans: number
  readonly vcs: number
  readonly kind: "grid" | "levels" | "groups" | "circle" | "ring"
  readonly x: Float64Array
  readonly y: Float64Array
  /** Direction in which the endpoints of a router are drawn. */
  readonly out: Float64Array
  readonly step: number
  readonly rings: readonly { x: number; y: number; r: number; name: string }[]
  readonly group: Int32Array | undefined
  readonly routerOf: Int32Array
  readonly firstChan: Int32Array
  /** [channel] -> the router at its other end, or -2 - endpoint, or -1. */
  readonly farRouter: Int32Array
  readonly linkClass: Uint8Array
  readonly classes: readonly string[]
  readonly labels: readonly string[]
  /** 1 if the line between its routers crosses no third router; 2 if it leaves at the border and enters opposite. */
  readonly straight: Uint8Array
  /** [channel] -> cycles on the link, and [endpoint] -> those on the link from it. */
  readonly latency: Int32Array
  readonly entryLatency: Int32Array
  /** [endpoint] -> the channel to it, and the router that it is attached to. */
  readonly home: Int32Array
  readonly entryRouter: Int32Array
}

/** The packets of a frame (src/engines/packet-frame.ts); `every`: one of this many is in it. */
export type Packets = Readonly<Omit<PacketFrame, "every">> & { readonly n: number; readonly every: number }

/** The identity of a packet, which is the same in every run of the experiment. */
export interface PacketName {
  readonly key: number
  readonly from: number
  readonly createdAt: number
}

export interface PacketAnswer extends Seen {
  readonly now: number
  readonly age: number
  readonly parts: Readonly<Record<TracePart, number>>
  /** `link`: the channel that it requested there; undefined: none yet. */
  readonly stays: readonly (Stay & { readonly label: string; readonly link: string | undefined })[]
  /** Sentences about its position and the reason for its wait. */
  readonly says: readonly string[]
  readonly chain: Chain
}

export interface ChannelAnswer {
  readonly chan: number
  readonly label: string
  readonly now: number
  readonly carried: number
  readonly utilisation: number
  readonly queued: number
  readonly stalled: number
  readonly fronts: readonly (Seen & {
    readonly vc: number
    readonly hasCredits: boolean
    readonly queue: number
    readonly input: number
  })[]
  readonly chain: Chain
  readonly says: readonly string[]
}

export interface RouterAnswer {
  readonly inside: Inside
  /** Head packets of the buffers, by their records. */
  readonly packets: readonly Seen[]
  readonly router: number
  readonly label: string
  readonly now: number
  /** [port] -> the router or endpoint at the other end, as an input. */
  readonly inputs: readonly string[]
  readonly ports: readonly {
    readonly chan: number
    readonly to: string
    readonly utilisation: number
    readonly queued: number
    readonly stalled: number
  }[]
  readonly queues: readonly {
    readonly input: number
    readonly inputVc: number
    readonly flits: number
    readonly chan: number
    readonly hasCredits: boolean
  }[]
}

export interface EndpointAnswer {
  readonly end: number
  readonly router: number
  readonly label: string
  readonly now: number
  /** The channel to it, and the share of recent cycles in which this channel was used. */
  readonly home: number
  readonly utilisation: number
  /** Flits that it has sent into the network (NaN: not counted), and that were sent to it, since the start. */
  readonly sent: number
  readonly received: number
  /** Cycles that its oldest packet has waited to enter; 0: none waits. NaN: not known. */
  readonly waited: number
  /** Packets of it and for it that are in the network, oldest first, and their numbers. */
  readonly from: PacketsAt
  readonly to: PacketsAt
}

export interface PacketsAt {
  readonly count: number
  readonly oldest: readonly Seen[]
}

export interface Diagnosed {
  readonly kind: string
  readonly words: readonly string[]
  /** The packets of the deadlock cycle, in the order of `words`. */
  readonly cycle: readonly CycleLink[]
  /** Packets that can never move again. */
  readonly stuck: number
  readonly trees: readonly { readonly root: number; readonly label: string; readonly channels: readonly number[] }[]
}

/** A packet of a deadlock cycle: it holds a channel (-1: it is at its endpoint) and waits for another. */
export interface CycleLink {
  readonly chan: number
  readonly from: number
  readonly to: number
  readonly holds: string
  readonly waitsFor: string
}

/** The loads of the cycles [from, to), and the cause if the network is saturated. */
export interface LimitAnswer extends Partial<Limited> {
  readonly from: number
  readonly to: number
  /** A sentence: the question cannot be decided here. */
  readonly unknown?: string
}

/** The state from which another engine continues, and the links of its network. */
export interface State {
  readonly saved: Saved
  /** Peer channels of the graph. */
  readonly far: Int32Array
}

/** A request to an engine. Every request has a number, and the reply carries the same number. */
export type Ask =
  /** Is answered at once, between other requests, unless the worker is busy. */
  | { readonly do: "ping" }
  | { readonly do: "open"; readonly spec: RunSpec; readonly files: Files; readonly code: boolean }
  /** Runs as fast as possible. */
  | { readonly do: "run" }
  /** Runs to the end without pictures and without a past, and reports its progress. */
  | { readonly do: "sweep" }
  /** Runs to this cycle and sends a frame after every `stride` cycles, for a film that the page plays. */
  | { readonly do: "film"; readonly to: number; readonly stride: number; readonly take: number }
  | { readonly do: "pause" }
  | { readonly do: "seek"; readonly cycle: number }
  | { readonly do: "heat"; readonly heat: HeatKind }
  | { readonly do: "channel"; readonly chan: number }
  | { readonly do: "router"; readonly router: number }
  | { readonly do: "endpoint"; readonly end: number }
  | { readonly do: "packet"; readonly name: PacketName }
  | { readonly do: "places" }
  | { readonly do: "fate"; readonly name: PacketName; readonly since: number }
  | { readonly do: "top"; readonly count: number }
  | { readonly do: "diagnose" }
  | { readonly do: "limit" }
  | { readonly do: "fingerprint" }
  | { readonly do: "result" }
  | { readonly do: "state" }
  /** Continues from the state of another engine, whose run may have different parameters later. */
  | { readonly do: "adopt"; readonly state: State }

export interface Opened {
  readonly scene: Scene
  readonly limit: number
  /** Flits per endpoint and cycle that the sources offer; undefined: not known. */
  readonly offered: number | undefined
  readonly sharedMemory: boolean
}

export interface Status {
  readonly cycle: number
  readonly running: boolean
  readonly ended: boolean
  /** Cycles with a snapshot. */
  readonly kept: readonly number[]
  readonly created: number
  readonly delivered: number
  readonly latency: number
  /** Flits that have left the network; NaN: not counted. */
  readonly accepted: number
  /** Flits in queues whose first packet has no credits; NaN: not counted in a network of this size. */
  readonly blocked: number
  /** Recent speed in cycles per second. */
  readonly rate: number
}

/** A picture of the run at one cycle. */
export interface Frame {
  readonly status: Status
  /** [channel] -> heat. */
  readonly heat: Uint8Array
  /** [channel] -> share of the last cycles, of 255, in which a packet at the front of a queue had no credits for it. */
  readonly blocked: Uint8Array
  /** [endpoint] -> cycles that its oldest packet has waited to enter. */
  readonly outside: Uint16Array
  /** Undefined: positions are not known here. */
  readonly packets: Packets | undefined
}

/** A message from an engine. */
export type Told =
  | { readonly kind: "answer"; readonly number: number; readonly ok: unknown }
  | { readonly kind: "answer"; readonly number: number; readonly bad: readonly string[] }
  | { readonly kind: "frame"; readonly frame: Frame; readonly take: number }
  | { readonly kind: "progress"; readonly status: Status }
  /** The first cycle with a deadlock. */
  | { readonly kind: "deadlock"; readonly cycle: number; readonly packets: number; readonly stuck: number }
  | { readonly kind: "ended"; readonly result: RunResult; readonly status: Status }

/** The reply to a seek that was replaced by a newer one. */
export const superseded = "another cycle was requested"
