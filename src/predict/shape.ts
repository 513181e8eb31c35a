// The network and streams of a run, built as the run builds them, as far as predictions need them. Runs that differ
// only in load or seed have the same shape. The most recent shapes are cached.
import { compile } from "../compile/compile.ts"
import { byteTime } from "../compile/packet/byte-time.ts"
import { compilePacket } from "../compile/packet/compile.ts"
import type { Routed } from "../compile/subject.ts"
import { canonical } from "../core/canonical.ts"
import type { Checked } from "../core/complaint.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { planOf } from "../measure/plan.ts"
import type { RunSpec } from "../model/experiment.ts"
import type { Stream } from "../model/stream.ts"
import { type Bytes, clockedBytes, packetBytes } from "./memory.ts"
import type { Ways } from "./round.ts"
import { pathsOf } from "./walks.ts"

/** The unit that the engine moves. */
export type Moves = "flits" | "packets" | "chunks"

export interface Shape {
  readonly moves: Moves
  readonly ends: number
  readonly routers: number
  readonly chans: number
  readonly streams: readonly Pick<Stream, "packet" | "message" | "start" | "stop">[]
  /** flits per cycle of a channel at load 1 */
  readonly rate: number
  /** flits of replies and acknowledgements per flit, by stream */
  readonly answers: readonly number[]
  /** flits of the unit that moves */
  readonly piece: number
  /** cycles of a unit in one router, without the link */
  readonly pause: number
  bytes(): Bytes
  /** paths of its traffic at these loads of its streams; `steps`: limit of the hops */
  ways(loads: readonly number[], steps?: number): Ways
}

/** Limit of sampled hops for the first load of a network. Each further load gets fewer, ALL_STEPS in all. */
const STEPS = 60_000
const ALL_STEPS = 400_000
/** Loads are rounded to powers of this, so a sweep of a thousand loads needs a few dozen samples. */
const LEVEL = 1.1
/** Channels of the networks that stay in the cache. */
const KEPT = 500_000

const known = new Map<string, { readonly shape: Checked<Shape>; readonly chans: number }>()

/** Returns the shape of a run, from the cache if possible. */
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
  // Maps iterate in insertion order: the oldest shapes beyond KEPT channels are dropped.
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
    pause: sw.moves === "flits" ? sw.timing.pipeline + 1 : sw.layout.hold[Math.round(longest)] + longest,
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

/** Returns the parts that all engines share. `turn`: cycles after a packet before the next one can use the same VC. */
function common(routed: Routed, streams: readonly Stream[], turn: number) {
  const { ends, routers, chans } = routed.topology.graph
  const reads = routed.routing.readsQueues ?? routed.boundRouting.adaptive
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
      const ways = pathsOf(routed, offered, Math.min(steps, ALL_STEPS / (levels.size + 1)), reads)
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
