// Reduced events against plain ones: every chunk must arrive at the same picosecond, after the same number of routers.
import { describe, expect, it } from "vitest"
import { byteTime } from "../../compile/packet/byte-time.ts"
import { type PacketNetwork, packetMachine } from "../../compile/packet/machine.ts"
import { chunkModel, railsModel } from "../../compile/packet/models.ts"
import { arrivalOf, RECORD } from "../../engines/packet/delivery-records.ts"
import { setLatencies } from "../../model/graph.ts"
import type { Stream } from "../../model/stream.ts"
import { makeSlimFly } from "../../topologies/slimfly.ts"
import { adaptive, minimal, nonMinimal } from "../routing/slimfly-codes.ts"
import { advance } from "./codes/experiments.ts"
import { type Delivery, plainChunks } from "./plain-chunk.ts"

function ok<T>(got: { ok: T } | { bad: readonly unknown[] }): T {
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok
}

interface Case {
  readonly load: number
  readonly routing?: "minimal" | "nonminimal" | "adaptive"
  readonly chunk?: Record<string, unknown>
  readonly rails?: Record<string, unknown>
  readonly planes?: number
  readonly bytes?: number
  readonly latency?: number
  readonly streams?: number
  /** in ps, 5 us unless told */
  readonly until?: number
}

function networkOf(c: Case): PacketNetwork {
  const topology = makeSlimFly(c.planes === undefined ? "slimfly" : "fitfly", { q: 4, p: 2 }, c.planes ?? 1)
  setLatencies(topology.graph, new Map(topology.graph.classes.map((k) => [k, c.latency ?? 0])))
  const router = ok(chunkModel({ bandwidth: "12.5GiB/s", buffer: "16KiB", ...c.chunk }, "", topology))
  const endpoint = ok(railsModel({ queue: "16KiB", ...c.rails }, ""))
  const site = { topology, vcs: 4, rng: undefined as never }
  const kind = c.routing ?? "minimal"
  const routing =
    kind === "minimal"
      ? minimal.make({}, site)
      : kind === "nonminimal"
        ? nonMinimal.make({}, site)
        : adaptive.make({ draws: 4, sees: "vc0" }, site)
  const bytes = c.bytes ?? 4096
  const network = {
    topology,
    routing,
    scratch: 1,
    candidates: 1,
    chunk: router.params,
    rails: endpoint.params,
    parts: { chunk: router, rails: endpoint },
    streams: [],
    seed: 7,
    cycle: 100,
    flit: 8,
  }
  const gap = ((bytes * byteTime(network)) / c.load / network.cycle) * (c.streams ?? 1)
  const fixed = (n: number) => ({ mean: n, max: n, fixed: n, size: () => n })
  const stream: Stream = {
    name: "test",
    pattern: { dest: (_, rng) => rng.below(topology.graph.ends) },
    arrivals: {
      first: (_, rng) => Math.round(-Math.log(rng.unit()) * gap),
      next: (_, last, rng) => last + Math.round(-Math.log(rng.unit()) * gap),
    },
    packet: fixed(bytes / 8),
    message: fixed(1),
    start: 0,
    stop: Number.POSITIVE_INFINITY,
    priority: 0,
    vcFirst: 0,
    vcCount: 4,
    reply: 0,
    replyStream: -1,
  }
  return { ...network, streams: Array.from({ length: c.streams ?? 1 }, () => stream) }
}

function reduced(n: PacketNetwork, until: number): Delivery[] {
  const deliveries: Delivery[] = []
  const machine = packetMachine(n, (rows, count) => {
    for (let i = 0, at = 0; i < count; i++, at += RECORD.words)
      if (arrivalOf(rows, at) <= until)
        deliveries.push({ uid: rows[at + RECORD.uid], time: arrivalOf(rows, at), hops: rows[at + RECORD.hops] })
  })
  machine.start()
  advance(machine, until)
  machine.flush()
  return deliveries
}

/** Messages to oneself never meet the network; a source that is behind has not come to its own yet. */
const sorted = (d: Delivery[]) =>
  d
    .filter((x) => x.hops > 0)
    .map((x) => `${x.uid} ${x.time} ${x.hops}`)
    .sort()

const early = { order: "strict-high", commit: "early", jitter: "codes" }

const cases: Record<string, Case> = {
  "light load": { load: 0.2 },
  "half load, jitter": { load: 0.5, chunk: { jitter: "codes", credit: "0ns" } },
  "full buffers": { load: 0.9, routing: "nonminimal" },
  "full buffers, jitter": { load: 0.95, routing: "nonminimal", chunk: { jitter: "codes", credit: "0ns" } },
  "two chunks of room": { load: 0.9, chunk: { buffer: "8KiB", jitter: "codes" } },
  "adaptive reads credits": { load: 0.7, routing: "adaptive", chunk: { credit: "0ns", creditWire: "none" } },
  "adaptive, jitter": { load: 0.8, routing: "adaptive", chunk: { jitter: "codes", credit: "0ns" } },
  "highest VC first": {
    load: 0.8,
    routing: "adaptive",
    chunk: { order: "strict-high", jitter: "codes", credit: "0ns" },
  },
  "lowest VC first": { load: 0.8, routing: "nonminimal", chunk: { order: "strict-low" } },
  "VCs in turn": { load: 0.8, routing: "adaptive", chunk: { order: "round-robin" } },
  "VCs in turn, jitter": { load: 0.9, routing: "nonminimal", chunk: { order: "round-robin", jitter: "codes" } },
  "long links": { load: 0.6, latency: 5000 },
  "messages of many chunks": { load: 0.7, bytes: 40000 },
  "packets of many chunks": { load: 0.7, bytes: 20000, chunk: { chunk: "1KiB" }, rails: { packet: "4KiB" } },
  "packets of many chunks, jitter": {
    load: 0.7,
    bytes: 6000,
    chunk: { chunk: "1KiB", jitter: "codes" },
    rails: { packet: "4KiB" },
  },
  "short chunks, VCs in turn": { load: 0.7, bytes: 4104, chunk: { order: "round-robin" } },
  "early commit": { load: 0.8, routing: "adaptive", chunk: { order: "strict-low", commit: "early" } },
  "early commit, jitter": { load: 0.9, routing: "nonminimal", chunk: { ...early, credit: "0ns" } },
  // a channel that was busy when a chunk joined sends it at once, and may be free again within the latency of its
  // joining
  "early commit, jitter, short last chunks": {
    load: 0.8,
    bytes: 2056,
    chunk: { ...early, chunk: "1KiB", buffer: "4KiB" },
  },
  "early commit, jitter, short last chunks, lowest VC first": {
    load: 0.8,
    bytes: 1032,
    routing: "adaptive",
    chunk: { ...early, order: "strict-low", chunk: "1KiB", bandwidth: "50GiB/s" },
    until: 2_000_000,
  },
  "early commit, jitter, only short chunks": {
    load: 0.7,
    bytes: 8,
    chunk: { ...early, chunk: "8B", buffer: "64B" },
    until: 1_700_000,
  },
  "three streams": { load: 0.6, streams: 3 },
  overload: { load: 1.5 },
  "two rails": { load: 1.2, planes: 2, routing: "adaptive" },
  "two rails, jitter": {
    load: 1.6,
    planes: 2,
    routing: "adaptive",
    chunk: { jitter: "codes", credit: "0ns", endRate: "times-rails" },
  },
  "three rails, queue metric": { load: 2.4, planes: 3, rails: { metric: "queue" } },
  "four rails, random": { load: 3, planes: 4, rails: { select: "random" }, bytes: 12288 },
}

describe("reduced events", () => {
  for (const [name, c] of Object.entries(cases)) {
    it(`deliver as plain ones do: ${name}`, () => {
      const until = c.until ?? 5_000_000
      const n = networkOf(c)
      const a = sorted(reduced(n, until))
      const b = sorted(plainChunks(networkOf(c), until))
      expect(a.length).toBeGreaterThan(100)
      expect(a).toEqual(b)
    })
  }

  it("deliver messages to oneself as plain ones do, where no source is behind", () => {
    const own = (d: Delivery[]) =>
      d
        .filter((x) => x.hops === 0)
        .map((x) => `${x.uid} ${x.time}`)
        .sort()
    const n = networkOf({ load: 0.3 })
    const a = own(reduced(n, 6_000_000))
    expect(a.length).toBeGreaterThan(2)
    expect(a).toEqual(own(plainChunks(n, 6_000_000)))
  })

  it("with an altered draw do not", () => {
    const n = networkOf({ load: 0.5 })
    expect(sorted(reduced({ ...n, seed: 8 }, 4_000_000))).not.toEqual(sorted(plainChunks(n, 4_000_000)))
  })
})
