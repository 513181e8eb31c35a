// What the page, the engines and the desk say to each other. Plain data; frames carry their heat as a buffer that is handed over.
import type { RunResult, RunSpec } from "../../src/model/experiment.ts"
import type { Saved } from "../../src/run/pausable.ts"
import type { Chain } from "../../src/run/sight/chain.ts"
import type { Inside } from "../../src/run/sight/inside/inside.ts"
import type { JourneyPart, Stay } from "../../src/run/sight/journey.ts"
import type { Seen } from "../../src/run/sight/sight.ts"

export const heatKinds = ["utilisation", "queue", "stall", "blame"] as const
export type HeatKind = (typeof heatKinds)[number]

export type Files = Readonly<Record<string, string | Uint8Array>>

/** The network as the page draws it, in the numbers of its graph. */
export interface Scene {
  readonly routers: number
  readonly ends: number
  readonly chans: number
  readonly vcs: number
  readonly kind: "grid" | "levels" | "groups" | "circle"
  readonly x: Float64Array
  readonly y: Float64Array
  /** direction in which the endpoints of a router hang */
  readonly out: Float64Array
  readonly step: number
  readonly rings: readonly { x: number; y: number; r: number; name: string }[]
  readonly group: Int32Array | undefined
  readonly routerOf: Int32Array
  readonly firstChan: Int32Array
  /** [channel] -> the channel's other router, or -2 - endpoint, or -1 */
  readonly farRouter: Int32Array
  readonly linkClass: Uint8Array
  readonly classes: readonly string[]
  readonly labels: readonly string[]
  /** 1 where the line between its routers crosses no third */
  readonly straight: Uint8Array
}

/** A packet by what is its own in every run of the experiment. */
export interface PacketName {
  readonly key: number
  readonly from: number
  readonly born: number
}

export interface PacketAnswer extends Seen {
  readonly now: number
  readonly age: number
  readonly parts: Readonly<Record<JourneyPart, number>>
  readonly stays: readonly (Stay & { readonly label: string })[]
  /** where it is, and why it waits there, in words */
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
  readonly fronts: readonly (Seen & { readonly vc: number; readonly room: boolean; readonly queue: number; readonly input: number })[]
  readonly chain: Chain
  readonly says: readonly string[]
}

export interface RouterAnswer {
  readonly inside: Inside
  /** front packets of the buffers, by their records */
  readonly packets: readonly Seen[]
  readonly router: number
  readonly label: string
  readonly now: number
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
    readonly room: boolean
  }[]
}

export interface Diagnosed {
  readonly kind: string
  readonly words: readonly string[]
  /** channels of the circle, or of the chain */
  readonly channels: readonly number[]
  readonly trees: readonly { readonly root: number; readonly label: string; readonly channels: readonly number[] }[]
}

/** What another engine goes on from, and how the network is wired that it is of. */
export interface State {
  readonly saved: Saved
  /** of the graph */
  readonly far: Int32Array
}

/** To an engine. Every message has a number, and gets one answer with it. */
export type Ask =
  | { readonly do: "open"; readonly spec: RunSpec; readonly files: Files; readonly code: boolean }
  | { readonly do: "run"; readonly speed: number }
  | { readonly do: "pause" }
  | { readonly do: "seek"; readonly cycle: number }
  | { readonly do: "heat"; readonly heat: HeatKind }
  | { readonly do: "channel"; readonly chan: number }
  | { readonly do: "router"; readonly router: number }
  | { readonly do: "packet"; readonly name: PacketName }
  | { readonly do: "places" }
  | { readonly do: "fate"; readonly name: PacketName; readonly since: number }
  | { readonly do: "top"; readonly count: number }
  | { readonly do: "diagnose" }
  | { readonly do: "fingerprint" }
  | { readonly do: "result" }
  | { readonly do: "state" }
  /** goes on from the state of another engine, whose run may differ in what lies ahead */
  | { readonly do: "adopt"; readonly state: State }

export interface Opened {
  readonly scene: Scene
  readonly limit: number
  readonly sharedMemory: boolean
}

export interface Status {
  readonly cycle: number
  readonly running: boolean
  readonly ended: boolean
  /** cycles that a snapshot lies at */
  readonly kept: readonly number[]
  readonly created: number
  readonly delivered: number
  readonly latency: number
  /** cycles a second, of late */
  readonly rate: number
}

/** From an engine. */
export type Told =
  | { readonly kind: "answer"; readonly number: number; readonly ok: unknown }
  | { readonly kind: "answer"; readonly number: number; readonly bad: readonly string[] }
  | { readonly kind: "frame"; readonly heat: ArrayBuffer; readonly status: Status }
  | { readonly kind: "ended"; readonly result: RunResult; readonly status: Status }

/** The answer to a cycle that was asked for, when another one is before it was reached. */
export const superseded = "another cycle was asked for"
