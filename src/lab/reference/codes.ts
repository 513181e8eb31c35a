// The CODES runs as experiments of ours: the same networks, drivers and statistics, with the quirks of CODES switched on by name.
import { Draws } from "../../core/rng.ts"
import railsPlugin, { type RailsParams } from "../../endpoints/rails/plugin.ts"
import { arrivalOf, bornAt, FACT, hashOf, sentAt } from "../../engines/packet/facts.ts"
import { setLatencies } from "../../model/graph.ts"
import type { RoutingFunction } from "../../model/routing.ts"
import type { Stream } from "../../model/stream.ts"
import type { Topology } from "../../model/topology.ts"
import type { Arrivals, Rng, TrafficPattern } from "../../model/traffic.ts"
import * as dragonflyRouting from "../../routing/dragonfly/codes.ts"
import * as megaflyRouting from "../../routing/megafly/codes.ts"
import * as slimflyRouting from "../../routing/slimfly/codes.ts"
import chunkPlugin, { type ChunkParams } from "../../switches/chunk/plugin.ts"
import dragonfly from "../../topologies/dragonfly.ts"
import megafly from "../../topologies/megafly.ts"
import { makeSlimFly } from "../../topologies/slimfly.ts"
import { byteTime, type PacketNetwork, packetMachine } from "../packet-machine.ts"
import { codesRuns, worstCasePairs } from "./codes-table.ts"

/** One run of CODES: what was simulated, and what came out. */
export interface CodesRun {
  readonly id: string
  readonly group: string
  /** sf = Slim Fly and Fit Fly, df = dragonfly, mf = dragonfly+; then the endpoints */
  readonly network: string
  readonly routing: string
  readonly rails: number
  readonly select: string
  readonly chunk: number
  /** dragonfly: no propagation delay */
  readonly noDelay: boolean
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

/** GiB/s of every link, and ps in which one byte crosses it */
export const LINK_GIBPS = 12.5
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

/** What CODES does, as options of ours; `off` names those to leave at what we think right. */
export const quirks = {
  jitter: "0.5 to 1 ns of noise on every step (not in dragonfly)",
  early: "a channel commits itself to a chunk when it joins (Slim Fly, dragonfly+)",
  credits: "credits cross a link in the time of 8 bytes",
  propagation: "every link of the dragonfly is as long as a chunk takes",
  endRate: "an endpoint's links are as many times faster as it has rails (Fit Fly)",
  select: '"rand" rail selection is fixed by the endpoint\'s place (Fit Fly)',
  vc0: "UGAL of the Slim Fly sees VC 0 only",
  order: "strict priority of VCs: highest first (Slim Fly), lowest first (dragonfly+)",
  phase: "all endpoints of the dragonflies send at the same instants",
} as const
export type Quirk = keyof typeof quirks

function parsed<T>(got: { ok: T } | { bad: readonly unknown[] }): T {
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok
}

export function codesNetwork(e: CodesRun, seed: number, off: ReadonlySet<Quirk> = new Set()): PacketNetwork {
  const kind = e.network.slice(0, 2)
  const topology = topologyOf(e)
  setLatencies(topology.graph, new Map(topology.graph.classes.map((c) => [c, 0])))
  const on = (q: Quirk) => !off.has(q)
  const noisy = kind !== "df" && on("jitter")
  const early = kind !== "df" && on("early")
  const strict = kind === "sf" ? "strict-high" : "strict-low"
  const chunk: ChunkParams = parsed(
    chunkPlugin.params.parse(
      {
        vcs: kind === "mf" ? 2 : 4,
        chunk: `${e.chunk}B`,
        buffer: "64KiB",
        bandwidth: `${LINK_GIBPS}GiB/s`,
        delay: "90ns",
        credit: on("credits") ? "0ns" : "90ns",
        order: kind === "df" ? "round-robin" : on("order") ? strict : "fifo",
        jitter: noisy ? "codes" : "none",
        commit: early && on("order") ? "early" : "free",
        creditWire: on("credits") ? "none" : "link",
        propagation: kind === "df" && !e.noDelay && on("propagation") ? "chunk" : "links",
        endRate: on("endRate") ? "times-rails" : "each",
      },
      "switch",
    ),
  )
  const select = e.select === "rand" ? (on("select") ? "dedicated" : "random") : e.select === "path" ? "path" : "congestion"
  const rails: RailsParams = parsed(
    railsPlugin.params.parse(
      { select, packet: "4096B", nic: "10ns", queue: "64KiB", since: kind === "df" ? "started" : "handed" },
      "endpoint",
    ),
  )
  const { routing, scratch } = routingOf(e, topology, chunk.vcs, on("vc0"))
  const network = { topology, routing, scratch, candidates: 1, chunk, rails, streams: [], seed, cycle: 1, flit: 1 }
  return { ...network, flit: 1, streams: [streamOf(e, topology, byteTime(network), on("phase"))] }
}

function topologyOf(e: CodesRun): Topology {
  const rng = new Draws(1)
  switch (e.network) {
    case "sf200":
      return makeSlimFly(e.rails === 1 ? "slimfly" : "fitfly", { q: 5, p: 4 }, e.rails)
    case "sf3042":
      return makeSlimFly(e.rails === 1 ? "slimfly" : "fitfly", { q: 13, p: 9 }, e.rails)
    case "df72":
      return dragonfly.make({ p: 2, a: 4, h: 2, g: 9, parallel: undefined, arrangement: "codes", roles: "fixed" }, { rng })
    case "df3078":
      return dragonfly.make({ p: 9, a: 18, h: 9, g: 19, parallel: undefined, arrangement: "codes", roles: "fixed" }, { rng })
    case "mf80":
      return megafly.make({ groups: 5, leaves: 4, spines: 4, p: 4, h: 4, links: 1 })
    default:
      return megafly.make({ groups: 10, leaves: 18, spines: 18, p: 18, h: 18, links: 1 })
  }
}

function routingOf(e: CodesRun, topology: Topology, vcs: number, vc0: boolean): { routing: RoutingFunction; scratch: number } {
  const site = { topology: topology as never, vcs, rng: new Draws(1) }
  const made = (p: { scratch?: number; make(params: never, site: never): RoutingFunction }, params: unknown) => ({
    routing: p.make(params as never, site as never),
    scratch: p.scratch ?? 0,
  })
  if (e.network.startsWith("sf")) {
    if (e.routing === "minimal") return made(slimflyRouting.minimal, {})
    if (e.routing === "nonminimal") return made(slimflyRouting.nonMinimal, {})
    return made(slimflyRouting.adaptive, { draws: 4, sees: vc0 ? "vc0" : "all" })
  }
  if (e.network.startsWith("df")) {
    if (e.routing === "minimal") return made(dragonflyRouting.minimal, {})
    if (e.routing === "nonminimal") return made(dragonflyRouting.nonMinimal, {})
    return made(dragonflyRouting.progAdaptive, { threshold: 0 })
  }
  if (e.routing === "minimal") return made(megaflyRouting.minimal, {})
  if (e.routing === "non-minimal-leaf") return made(megaflyRouting.nonMinimalLeaf, {})
  return made(megaflyRouting.progAdaptive, { threshold: 0 })
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
  const exponential = (rng: Rng) => -Math.log(rng.unit()) * gap
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
  const sum = { chunks: 0, latency: 0, hops: 0, detours: 0, longest: 0, bytes: 0, hash: 0, messages: 0, messageLatency: 0 }
  const machine = packetMachine(network, (rows, count) => {
    for (let i = 0, at = 0; i < count; i++, at += FACT.words) {
      const t = arrivalOf(rows, at)
      if (t > until) continue
      if (t > warmup) {
        sum.bytes += rows[at + FACT.bytes]!
        if (rows[at + FACT.chunks] === 1) {
          sum.messages++
          sum.messageLatency += t - bornAt(rows, at)
        }
      }
      if (rows[at + FACT.hops] === 0) continue
      const latency = t - sentAt(rows, at)
      sum.chunks++
      sum.latency += latency
      sum.hops += rows[at + FACT.hops]!
      if (latency > sum.longest) sum.longest = latency
      if (detour(rows[at + FACT.scratch]!, rows[at + FACT.scratch + 1]!)) sum.detours++
      sum.hash = (sum.hash + hashOf(rows, at)) | 0
    }
  })
  const start = process.cpuUsage()
  machine.start()
  advance(machine, until)
  machine.flush()
  const cpu = process.cpuUsage(start).user / 1e6
  return {
    latency: sum.latency / sum.chunks / 1e6,
    accepted: sum.bytes / ends / ((until - warmup) / 1e12) / GIB,
    hops: sum.hops / sum.chunks,
    detours: sum.detours / sum.chunks,
    messageLatency: sum.messageLatency / sum.messages / 1e6,
    chunks: sum.chunks,
    longest: sum.longest / 1e6,
    events: machine.events(),
    fingerprint: sum.hash >>> 0,
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
