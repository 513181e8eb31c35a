// The recorded runs of CODES as experiments of lacewing, with the same networks, traffic and statistics, and with the
// quirks of CODES switched on by name. validate/codes.ts and bench/codes.ts run them.
import { compileNetwork } from "../../../compile/build-network.ts"
import { byteTime } from "../../../compile/packet/byte-time.ts"
import { type PacketNetwork, packetMachine } from "../../../compile/packet/machine.ts"
import { isChunk, isRails } from "../../../compile/packet/models.ts"
import { Factor, minusLog2 } from "../../../core/logarithm.ts"
import { arrivalOf, creationTime, hashOf, RECORD, sentAt } from "../../../engines/packet/delivery-records.ts"
import type { Stream } from "../../../model/stream.ts"
import type { Topology } from "../../../model/topology.ts"
import type { Arrivals, Rng, TrafficPattern } from "../../../model/traffic.ts"
import { readRecorded, recordedNumber } from "../recorded.ts"
import { codesSpec, type Quirk } from "./network.ts"
import { type CodesShape, codesParams } from "./params.ts"

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

const columns = [
  "id",
  "group",
  "network",
  "routing",
  "rails",
  "select",
  "chunk",
  "delay",
  "pattern",
  "arrivals",
  "load",
  "payload",
  "end",
  "warmup",
  "messages",
  "bytes",
  "mode",
  "latency",
  "accepted",
  "hops",
  "detours",
  "message_latency",
  "chunks",
] as const

/** Returns the recorded runs of CODES (runs.tsv). A run without an end time ends after 1 s; one without a
 *  number of messages or bytes sends until its end. */
export function codesEntries(): CodesRun[] {
  return readRecorded("codes/runs.tsv", columns).map((row) => {
    const payload = recordedNumber(row.payload)
    const end = recordedNumber(row.end)
    return {
      id: row.id,
      group: row.group,
      network: row.network,
      routing: row.routing,
      rails: recordedNumber(row.rails),
      select: row.select,
      chunk: recordedNumber(row.chunk),
      noDelay: row.delay === "nodelay",
      pattern: row.pattern,
      arrivals: row.arrivals,
      load: recordedNumber(row.load),
      payload,
      end: Number.isNaN(end) ? 1e9 : end,
      warmup: recordedNumber(row.warmup),
      messages:
        row.messages === "1" ? 1 : row.bytes === "-" ? Number.POSITIVE_INFINITY : recordedNumber(row.bytes) / payload,
      mode: row.mode,
      latency: recordedNumber(row.latency),
      accepted: recordedNumber(row.accepted),
      hops: recordedNumber(row.hops),
      detours: recordedNumber(row.detours),
      messageLatency: recordedNumber(row.message_latency),
      chunks: recordedNumber(row.chunks),
    }
  })
}

/** Returns the recorded runs of CODES on networks of which lacewing has no model with the same rules (others.tsv). */
export function codesOthers(): { readonly id: string; readonly network: string; readonly latency: number }[] {
  return readRecorded("codes/others.tsv", ["id", "network", "latency", "accepted", "hops"]).map((row) => ({
    id: row.id,
    network: row.network,
    latency: recordedNumber(row.latency),
  }))
}

/** Returns the router to which the endpoints of each router send in CODES' adversarial traffic on Slim Fly with q = 13;
 *  -1: they send nothing. */
function worstCasePairs(): Int32Array {
  return Int32Array.from(readRecorded("codes/worst-case.tsv", ["router", "to"]), (row) => Number(row.to))
}

export function codesNetwork(e: CodesRun, seed: number, off: ReadonlySet<Quirk> = new Set()): PacketNetwork {
  const compiled = compileNetwork(codesSpec(codesParams(e), off), 1, 1, { read: () => "" })
  if ("bad" in compiled) throw new Error(JSON.stringify(compiled.bad))
  const { topology, routing, boundRouting, switch: chunk, endpoint: rails } = compiled.ok
  if (!isChunk(chunk) || !isRails(rails)) throw new Error("not of the packet engine")
  const network = {
    topology,
    routing,
    scratch: boundRouting.scratch,
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
      return shift(ends / groups[e.network])
    case "nearest_neighbor":
      return shift(1)
    case "worst_case": {
      const pairs = worstCasePairs()
      return { dest: (from) => (pairs[Math.floor(from / 9)] < 0 ? -1 : pairs[Math.floor(from / 9)] * 9 + (from % 9)) }
    }
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
  const pairs = e.pattern === "worst_case" ? worstCasePairs() : undefined
  const silent = (from: number) => pairs !== undefined && pairs[Math.floor(from / 9)] < 0
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
      const k = ++state[i]
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
const SUM = {
  chunks: 0,
  latency: 1,
  hops: 2,
  detours: 3,
  longest: 4,
  bytes: 5,
  messages: 6,
  messageLatency: 7,
  width: 32,
} as const

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
    for (let i = 0, at = 0; i < count; i++, at += RECORD.words) {
      const t = arrivalOf(rows, at)
      if (t > until) continue
      // numbers rather than branches: what begins with the end of the warm-up was not there when V8 compiled this
      const warm = Number(t > warmup)
      const whole = Number(rows[at + RECORD.chunks] === 1) * warm
      sum[SUM.bytes] += warm * rows[at + RECORD.bytes]
      sum[SUM.messages] += whole
      sum[SUM.messageLatency] += whole * (t - creationTime(rows, at))
      const hops = rows[at + RECORD.hops]
      if (hops === 0) continue
      const latency = t - sentAt(rows, at)
      sum[SUM.chunks]++
      sum[SUM.latency] += latency
      sum[SUM.hops] += hops
      sum[SUM.longest] = Math.max(sum[SUM.longest], latency)
      if (detour(rows[at + RECORD.scratch], rows[at + RECORD.scratch + 1])) sum[SUM.detours]++
      hash = (hash + hashOf(rows, at)) | 0
    }
  })
  const start = process.cpuUsage()
  machine.start()
  advance(machine, until)
  machine.flush()
  const cpu = process.cpuUsage(start).user / 1e6
  const of = (which: number) => sum[which]
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
