// The CODES runs as experiments of ours: the same networks, drivers and statistics, with the quirks of CODES switched on by name.

import { compileNetwork } from "../../compile/compile.ts"
import { byteTime, type PacketNetwork, packetMachine } from "../../compile/packet/machine.ts"
import { isChunk, isRails } from "../../compile/packet/models.ts"
import { Factor, minusLog2 } from "../../core/logarithm.ts"
import { arrivalOf, bornAt, FACT, hashOf, sentAt } from "../../engines/packet/facts.ts"
import type { Stream } from "../../model/stream.ts"
import type { Topology } from "../../model/topology.ts"
import type { Arrivals, Rng, TrafficPattern } from "../../model/traffic.ts"
import { codesSpec, type Quirk } from "./network.ts"
import { type CodesShape, codesParams } from "./params.ts"
import { codesRuns, worstCasePairs } from "./table.ts"

/** One run of CODES: what was simulated, and what came out. */
export interface CodesRun extends CodesShape {
  readonly id: string
  readonly group: string
  readonly pattern: string
  /** poisson; phase: fixed gap, all endpoints at once, first after one gap; phase0: the same from time 0 */
  readonly arrivals: string
  readonly load: number
  readonly payload: number
  readonly end: number
  readonly warmup: number
  /** messages that each endpoint sends at most */
  readonly messages: number
  readonly mode: string
  readonly latency: number
  readonly accepted: number
  readonly hops: number
  readonly detours: number
  readonly messageLatency: number
  readonly chunks: number
}

const GIB = 2 ** 30

export function codesEntries(): CodesRun[] {
  return codesRuns
    .trim()
    .split("\n")
    .map((line) => {
      const f = line.split(" ")
      const num = (i: number) => (f[i] === "-" ? Number.NaN : Number(f[i]))
      const payload = num(11)
      return {
        id: f[0]!,
        group: f[1]!,
        network: f[2]!,
        routing: f[3]!,
        rails: num(4),
        select: f[5]!,
        chunk: num(6),
        noDelay: f[7] === "nodelay",
        pattern: f[8]!,
        arrivals: f[9]!,
        load: num(10),
        payload,
        end: Number.isNaN(num(12)) ? 1e9 : num(12),
        warmup: num(13),
        messages: f[14] === "1" ? 1 : f[15] === "-" ? Number.POSITIVE_INFINITY : num(15) / payload,
        mode: f[16]!,
        latency: num(17),
        accepted: num(18),
        hops: num(19),
        detours: num(20),
        messageLatency: num(21),
        chunks: num(22),
      }
    })
}

export function codesNetwork(e: CodesRun, seed: number, off: ReadonlySet<Quirk> = new Set()): PacketNetwork {
  const compiled = compileNetwork(codesSpec(codesParams(e), off), 1, 1, { read: () => "" })
  if ("bad" in compiled) throw new Error(JSON.stringify(compiled.bad))
  const { topology, routing, routingPlugin, switch: chunk, endpoint: rails } = compiled.ok
  if (!isChunk(chunk) || !isRails(rails)) throw new Error("not of the packet engine")
  const network = {
    topology,
    routing,
    scratch: routingPlugin.scratch ?? 0,
    candidates: 1,
    chunk: chunk.params,
    rails: rails.params,
    parts: { chunk, rails },
    seed,
    cycle: 1,
    flit: 1,
  }
  return { ...network, streams: [streamOf(e, topology, byteTime(network), !off.has("phase"))] }
}

/** The drivers of CODES: whom each endpoint writes to, and when. */
function streamOf(e: CodesRun, topology: Topology, perByte: number, inPhase: boolean): Stream {
  const { ends } = topology.graph
  const gap = (e.payload * perByte) / e.load
  const fixed = (n: number) => ({ mean: n, max: n, fixed: n, size: () => n })
  return {
    name: "codes",
    pattern: patternOf(e, ends),
    arrivals: arrivalsOf(e, gap, inPhase),
    packet: fixed(e.payload),
    message: fixed(1),
    start: 0,
    stop: Number.POSITIVE_INFINITY,
    priority: 0,
    vcFirst: 0,
    vcCount: 4,
    reply: 0,
    replyStream: -1,
  }
}

function patternOf(e: CodesRun, ends: number): TrafficPattern {
  const shift = (by: number): TrafficPattern => ({ dest: (from) => (from + by) % ends })
  const groups: Record<string, number> = { df72: 9, df3078: 19, mf80: 5, mf3240: 10 }
  switch (e.pattern) {
    case "bisection":
      return shift(Math.floor(ends / 3))
    case "nearest_group":
      return shift(ends / groups[e.network]!)
    case "nearest_neighbor":
      return shift(1)
    case "worst_case":
      return { dest: (from) => (worstCasePairs[Math.floor(from / 9)]! < 0 ? -1 : worstCasePairs[Math.floor(from / 9)]! * 9 + (from % 9)) }
    default:
      if (e.arrivals === "poisson") return { dest: (_, rng: Rng) => rng.below(ends) }
      if (e.arrivals === "phase") return { dest: (from, rng: Rng) => (from + 1 + rng.below(ends - 2)) % ends }
      return {
        dest(from, rng: Rng) {
          const to = rng.below(ends)
          return to === from ? (from + 1) % ends : to
        },
      }
  }
}

function arrivalsOf(e: CodesRun, gap: number, inPhase: boolean): Arrivals {
  const silent = (from: number) => e.pattern === "worst_case" && worstCasePairs[Math.floor(from / 9)]! < 0
  const perDraw = new Factor(gap * Math.LN2)
  const exponential = (rng: Rng) => perDraw.times(minusLog2(rng.bits()))
  const last = (k: number, t: number) => (k < e.messages ? t : Number.POSITIVE_INFINITY)
  return {
    first(from, rng) {
      if (silent(from)) return Number.POSITIVE_INFINITY
      if (e.arrivals === "poisson") return exponential(rng)
      return inPhase ? (e.arrivals === "phase" ? gap : 0) : rng.unit() * gap
    },
    // `state` counts the messages sent
    next(_from, t, rng, state, i) {
      const k = ++state[i]!
      return last(k, t + (e.arrivals === "poisson" ? exponential(rng) : gap))
    },
  }
}

export interface CodesResult {
  /** us, GiB/s for each endpoint, routers */
  latency: number
  accepted: number
  hops: number
  detours: number
  messageLatency: number
  chunks: number
  /** longest latency of a chunk, us */
  longest: number
  events: number
  fingerprint: number
  cpu: number
}

/** What is added up of the chunks that arrive. */
const SUM = { chunks: 0, latency: 1, hops: 2, detours: 3, longest: 4, bytes: 5, messages: 6, messageLatency: 7, width: 32 } as const

/** Which scratch value says that a chunk went a detour. */
function detourTest(e: CodesRun): (scratch: number, state: number) => boolean {
  return e.network.startsWith("sf") ? (via) => via !== 0 : (_, state) => (state & 1) !== 0
}

/** Runs it from an empty network to `end` ns, as CODES did; every chunk that arrived in that time counts. */
export function runCodes(e: CodesRun, seed: number, off?: ReadonlySet<Quirk>, end = e.end): CodesResult {
  const network = codesNetwork(e, seed, off)
  const { ends } = network.topology.graph
  const until = end * 1000
  const warmup = e.warmup * 1000
  const detour = detourTest(e)
  const sum = new Float64Array(SUM.width)
  let hash = 0
  const machine = packetMachine(network, (rows, count) => {
    for (let i = 0, at = 0; i < count; i++, at += FACT.words) {
      const t = arrivalOf(rows, at)
      if (t > until) continue
      // numbers rather than branches: what begins with the end of the warm-up was not there when V8 compiled this
      const warm = Number(t > warmup)
      const whole = Number(rows[at + FACT.chunks] === 1) * warm
      sum[SUM.bytes]! += warm * rows[at + FACT.bytes]!
      sum[SUM.messages]! += whole
      sum[SUM.messageLatency]! += whole * (t - bornAt(rows, at))
      const hops = rows[at + FACT.hops]!
      if (hops === 0) continue
      const latency = t - sentAt(rows, at)
      sum[SUM.chunks]!++
      sum[SUM.latency]! += latency
      sum[SUM.hops]! += hops
      sum[SUM.longest] = Math.max(sum[SUM.longest]!, latency)
      if (detour(rows[at + FACT.scratch]!, rows[at + FACT.scratch + 1]!)) sum[SUM.detours]!++
      hash = (hash + hashOf(rows, at)) | 0
    }
  })
  const start = process.cpuUsage()
  machine.start()
  advance(machine, until)
  machine.flush()
  const cpu = process.cpuUsage(start).user / 1e6
  const of = (which: number) => sum[which]!
  return {
    latency: of(SUM.latency) / of(SUM.chunks) / 1e6,
    accepted: of(SUM.bytes) / ends / ((until - warmup) / 1e12) / GIB,
    hops: of(SUM.hops) / of(SUM.chunks),
    detours: of(SUM.detours) / of(SUM.chunks),
    messageLatency: of(SUM.messageLatency) / of(SUM.messages) / 1e6,
    chunks: of(SUM.chunks),
    longest: of(SUM.longest) / 1e6,
    events: machine.events(),
    fingerprint: hash >>> 0,
    cpu,
  }
}

const EPOCH = 2 ** 30
const SLICE = 2 ** 24

/** Runs up to `until` ps, or until nothing is left to happen. */
export function advance(machine: ReturnType<typeof packetMachine>, until: number): void {
  for (let t = 0; machine.base() + t < until && machine.pending() > 0; ) {
    t += SLICE
    machine.run(Math.min(t, until + 1 - machine.base()))
    if (t >= EPOCH) {
      machine.rebase()
      t -= EPOCH
    }
  }
}
