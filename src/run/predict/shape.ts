// A run's network and streams, built as the run builds them, as far as predictions ask. Load and seed do not make another shape, and the last ones stay built.

import { compile } from "../../compile/compile.ts"
import { compilePacket } from "../../compile/packet/compile.ts"
import { byteTime } from "../../compile/packet/machine.ts"
import type { Routed } from "../../compile/subject.ts"
import { canonical } from "../../core/canonical.ts"
import type { Checked } from "../../core/complaint.ts"
import { hostAt } from "../../experiment/disk/host.ts"
import type { RunSpec } from "../../model/experiment.ts"
import type { Stream } from "../../model/stream.ts"
import { planOf } from "../measure-plan.ts"
import { type Bytes, clockedBytes, packetBytes } from "./memory.ts"
import type { Ways } from "./round.ts"
import { waysOf } from "./walks.ts"

/** What the engine moves at once. */
export type Moves = "flits" | "packets" | "chunks"

export interface Shape {
  readonly moves: Moves
  readonly ends: number
  readonly routers: number
  readonly chans: number
  readonly streams: readonly Pick<Stream, "packet" | "message" | "start" | "stop">[]
  /** flits per cycle of a channel of load 1 */
  readonly rate: number
  /** flits sent back for each flit that arrives, by stream */
  readonly answers: readonly number[]
  /** flits of what moves at once */
  readonly piece: number
  /** cycles of a piece in one router, the link not included */
  readonly pause: number
  bytes(): Bytes
  /** where its traffic goes at these loads of its streams; `steps`: hops that may be walked */
  ways(loads: readonly number[], steps?: number): Ways
}

/** Hops that the walks of one network may take at one load, and so many at most of each further one. */
const STEPS = 60_000
const ALL_STEPS = 400_000
/** Loads are rounded to powers of this: a sweep of a thousand loads asks for some dozens of walks. */
const LEVEL = 1.1
/** Channels of the networks that stay built. */
const KEPT = 500_000

const known = new Map<string, { readonly shape: Checked<Shape>; readonly chans: number }>()

export function shapeOf(spec: RunSpec, folder: string): Checked<Shape> {
  const { network, engine, traffic } = spec
  const key = canonical({
    folder,
    plugins: spec.plugins ?? [],
    network,
    engine,
    traffic: traffic.map(({ load: _, ...stream }) => stream),
    series: spec.measure.series,
  })
  const before = known.get(key)
  if (before !== undefined) return before.shape
  const shape = spec.engine.name === "packet" ? packetShape(spec, folder) : clockedShape(spec, folder)
  known.set(key, { shape, chans: "ok" in shape ? shape.ok.chans : 0 })
  let sum = 0
  for (const [old, { chans }] of [...known].reverse()) {
    sum += chans + 1
    if (sum > KEPT && old !== key) known.delete(old)
  }
  return shape
}

function clockedShape(spec: RunSpec, folder: string): Checked<Shape> {
  const compiled = compile(spec, hostAt(folder, spec.plugins))
  if ("bad" in compiled) return compiled
  const { network, streams } = compiled.ok
  const plan = planOf(spec.measure, network.scale)
  if ("bad" in plan) return plan
  const sw = network.switch
  const flits = sw.moves === "flits"
  const longest = streams.reduce((most, s) => Math.max(most, s.packet.mean), 1)
  const sent = streams.slice(0, spec.traffic.length)
  const shape: Shape = {
    ...common(network, sent, sw.moves === "flits" ? sw.timing.pipeline - 1 : 0),
    moves: flits ? "flits" : "packets",
    rate: 1,
    answers: sent.map((s) => (s.reply + network.endpoint.ack) / s.packet.mean),
    piece: flits ? 1 : longest,
    pause: sw.moves === "flits" ? sw.timing.pipeline + 1 : sw.hold[Math.round(longest)]! + longest,
    bytes: once(() => clockedBytes(compiled.ok, plan.ok)),
  }
  return { ok: shape }
}

function packetShape(spec: RunSpec, folder: string): Checked<Shape> {
  const compiled = compilePacket(spec, hostAt(folder, spec.plugins))
  if ("bad" in compiled) return compiled
  const { network, streams, vcsPerClass } = compiled.ok
  const { chunk, cycle, flit } = network
  const perByte = byteTime(network)
  const rate = cycle / (flit * perByte)
  const bytes = Math.min(chunk.chunk, ...streams.map((s) => s.packet.mean * s.message.mean * flit))
  const routed = { ...compiled.ok.routed, vcsPerClass }
  const shape: Shape = {
    ...common(routed, streams, 0),
    moves: "chunks",
    rate,
    answers: streams.map(() => 0),
    piece: bytes / flit,
    pause: (chunk.delay + (chunk.switching === "cut-through" ? flit : bytes) * perByte) / cycle,
    bytes: once(() => packetBytes(network)),
  }
  return { ok: shape }
}

/** `turn`: cycles after a packet before the next one on the same VC can follow it. */
function common(routed: Routed, streams: readonly Stream[], turn: number) {
  const { ends, routers, chans } = routed.topology.graph
  const reads = routed.routing.readsQueues ?? routed.routingPlugin.adaptive !== false
  const levels = new Map<string, Ways>()
  return {
    ends,
    routers,
    chans,
    streams,
    ways(loads: readonly number[], steps = STEPS): Ways {
      const rounded = loads.map((l) => (l > 0 ? LEVEL ** Math.round(Math.log(l) / Math.log(LEVEL)) : 0))
      const key = `${rounded.join(" ")}, ${steps}`
      const before = levels.get(key)
      if (before !== undefined) return before
      const offered = streams.map((stream, i) => ({
        stream,
        load: rounded[i] ?? 0,
        each: stream.packet.mean / (stream.packet.mean + turn),
      }))
      const ways = waysOf(routed, offered, Math.min(steps, ALL_STEPS / (levels.size + 1)), reads)
      levels.set(key, ways)
      return ways
    },
  }
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
