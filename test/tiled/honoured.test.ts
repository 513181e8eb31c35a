// What the tiled switch once refused, and honours: routers of unequal size, routings that read queues of other routers,
// bubbles, classes of traffic, priorities and replies.
import { describe, expect, test } from "vitest"
import { clockedEngine, partsFor } from "../../src/compile/clocked/engine.ts"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import { FLITS, STATE } from "../../src/fabric/packets.ts"
import { sharedBufferRules } from "../../src/fabric/shared-buffers.ts"
import { diagnosisOf } from "../../src/measure/clocked/watchdog.ts"
import type { Named, NetworkSpec, RunSpec, TrafficSpec } from "../../src/model/experiment.ts"
import type { Topology } from "../../src/model/topology.ts"
import { stream } from "../../src/reproduce/papers/stashing/network.ts"
import { prepareFlit } from "../../src/run/simulate.ts"
import { complaintsOf, drain, engineOf, one, pair, specOf } from "../support/tiled.ts"

const base: NetworkSpec = {
  topology: { name: "tree", k: 4, n: 2 },
  routing: { name: "tree.nca" },
  switch: { name: "tiled", rows: 2, columns: 2, vcs: 2, buffer: "96flits" },
  endpoint: { name: "simple" },
  links: {},
  cycle: "1ns",
  flit: "8B",
}

function topologyOf(spec: RunSpec): Topology {
  const got = prepareFlit(spec, { read: () => "" })
  if ("bad" in got) throw new Error("refused")
  return got.ok.compiled.network.topology
}

test(
  "a tree, whose top switches have half of the ports: all packets arrive, " +
    "the books are right, for 1 and 2 partitions",
  () => {
    const spec = specOf(base, [stream("all", 0.6)])
    expect(complaintsOf(spec)).toEqual([])
    const [one, two] = [1, 2].map((parts) => {
      const got = prepareFlit(spec, { read: () => "" })
      if ("bad" in got) throw new Error("refused")
      const engine = clockedEngine(got.ok.compiled, {
        ...partsFor(got.ok.compiled, parts),
        horizon: 20_000,
        series: 1024,
      })
      engine.columns.control[CONTROL.from] = 0
      engine.advance(1500)
      expect(engine.audit()).toEqual([])
      engine.columns.control[CONTROL.quiet] = 1500
      while (engine.inFlight() > 0 && engine.now < 20_000) engine.advance(engine.now + 500)
      expect(engine.inFlight()).toBe(0)
      expect(engine.audit()).toEqual([])
      return `${engine.fingerprint()} ${engine.stat("delivered")}`
    })
    expect(two).toBe(one)
    // 16 endpoints, 0.6 flits in a cycle each, 24 flits a packet: 600 in 1,500 cycles, and its standard deviation is
    // some 24
    expect(Math.abs(Number(one!.split(" ")[1]) - 600)).toBeLessThan(100)
  },
)

test("dragonfly.ugal-g, which reads queues of other routers: one fingerprint for any number of workers", () => {
  const spec = specOf(
    {
      ...base,
      topology: { name: "dragonfly", p: 2, a: 4, h: 2 },
      routing: { name: "dragonfly.ugal-g" },
      switch: { name: "tiled", rows: 1, columns: 1, vcs: 5 },
      links: { end: "5ns", local: "10ns", global: "40ns" },
    },
    [stream("adversarial", 0.3, { pattern: { name: "group-adversarial" } })],
  )
  expect(complaintsOf(spec)).toEqual([])
  const got = prepareFlit(spec, { read: () => "" })
  if ("bad" in got) throw new Error("refused")
  const ends = [1, 2, 4].map((workers) => {
    const engine = clockedEngine(got.ok.compiled, {
      ...partsFor(got.ok.compiled, workers),
      horizon: 20_000,
      series: 1024,
    })
    engine.advance(1200)
    expect(engine.stat("delivered")).toBeGreaterThan(500)
    return engine.fingerprint()
  })
  expect(new Set(ends).size).toBe(1)
})

test(
  "torus.bubble, 8x8, 2 VCs, packets of 24 flits, buffers of 96, load " +
    "0.95: everything arrives, and the books are right",
  () => {
    const torus: NetworkSpec = {
      ...base,
      topology: { name: "torus", sides: "8x8" },
      routing: { name: "torus.bubble" },
      switch: { name: "tiled", rows: 1, columns: 1, vcs: 2, buffer: "96flits" },
    }
    const spec = specOf(torus, [stream("all", 0.95)])
    expect(complaintsOf(spec)).toEqual([])
    for (const [rows, columns] of [
      [1, 1],
      [5, 5],
    ]) {
      const engine = engineOf(
        specOf({ ...torus, switch: { ...torus.switch, rows, columns } }, [stream("all", 0.95)]),
        1,
      )
      engine.advance(6000)
      expect(engine.audit()).toEqual([])
      expect(diagnosisOf(engine, topologyOf(spec), 1).kind).toBe("stall")
      expect(drain(engine, 6000, 60_000)).toBeLessThan(60_000)
      expect([engine.inFlight(), engine.audit()]).toEqual([0, []])
      expect(engine.stat("delivered")).toBeGreaterThan(3000)
    }
    const tight = { ...torus, switch: { ...torus.switch, columnBuffer: "40flits" } }
    expect(complaintsOf(specOf(tight, [stream("all", 0.95)]))).toEqual([
      "network.switch.columnBuffer: 40 flits are too few for two packets of 24: a packet that enters a " +
        "ring must leave free space for another one | set it to at least 48flits",
    ])
  },
)

const mean = (e: TransferEngine, of: number) => e.stat("latency", of) / e.stat("measured", of)

function drainedEngine(spec: RunSpec, quiet: number, parts = 1): TransferEngine {
  expect(complaintsOf(spec)).toEqual([])
  const engine = engineOf(spec, parts)
  engine.advance(quiet >> 1)
  expect(engine.audit()).toEqual([])
  expect(drain(engine, quiet, 60_000)).toBeLessThan(60_000)
  expect([engine.inFlight(), engine.audit()]).toEqual([0, []])
  return engine
}

describe("classes and priorities", () => {
  /** Two equal streams, of a class each, that together want 0.8 of what they share. */
  const latencies = (
    make: (traffic: readonly TrafficSpec[]) => RunSpec,
    both: Partial<TrafficSpec>,
    first: number,
    second: number,
  ): number[] => {
    const of = (name: string, priority: number, c: number) =>
      stream(name, 0.1, { ...both, packet: { name: "fixed", size: "8flits" }, priority, class: c })
    const engine = drainedEngine(make([of("a", first, 0), of("b", second, 1)]), 6000)
    return [mean(engine, 0), mean(engine, 1)]
  }
  const copies = { stash: { end: 0.5 }, reliability: true }
  const both = [
    // four endpoints to the fifth: row buses and links have it easy, the tiles and multiplexers of one column are
    // shared
    [
      "one switch",
      (t: readonly TrafficSpec[]) => one(6, { rows: 2, columns: 2, vcs: 4 }, t),
      { pattern: { name: "to-set", set: [5] }, from: ["0-3"] },
    ],
    [
      "one switch, copies",
      (t: readonly TrafficSpec[]) => one(6, { rows: 2, columns: 2, vcs: 4, ...copies }, t),
      { pattern: { name: "to-set", set: [5] }, from: ["0-3"] },
    ],
    // four endpoints to the other switch: the link
    [
      "a link",
      (t: readonly TrafficSpec[]) => pair(10, { vcs: 4 }, t),
      { pattern: { name: "to-set", set: [4, 5, 6, 7] }, from: ["0-3"] },
    ],
  ] satisfies [string, (t: readonly TrafficSpec[]) => RunSpec, Partial<TrafficSpec>][]
  test.each(both)(
    "%s: without a priority both wait alike; with one the urgent stream waits less, whichever it is",
    (_, make, where) => {
      const [a, b] = latencies(make, where, 0, 0)
      expect(Math.abs(a! / b! - 1)).toBeLessThan(0.1)
      for (const [low, high] of [latencies(make, where, 0, 1), latencies(make, where, 3, -2).reverse()]) {
        expect(high!).toBeLessThan(0.9 * b!)
        expect(low!).toBeGreaterThan(1.1 * a!)
        // packets of one size: what one gains the other loses (L. Kleinrock's conservation law)
        expect(Math.abs((low! + high!) / (a! + b!) - 1)).toBeLessThan(0.03)
      }
    },
  )
  test("no link begins a packet while a more urgent one waits that it has room for", () => {
    const spec = pair(10, { vcs: 4, buffer: "200flits" }, [
      stream("bulk", 0.5),
      stream("urgent", 0.3, { packet: { name: "fixed", size: "8flits" }, class: 1, priority: 1 }),
    ])
    const engine = engineOf(spec, 1)
    // queues of inputs come first, then those of outputs, then virtual output queues (tiled/columns.ts)
    const { LV, NOV, down } = engine.layout
    const { fits } = sharedBufferRules(engine.sharedBuffers, LV)
    const { packets } = engine.columns
    const heads = engine.sw.columns["heads"]
    const until = engine.sw.columns["linkUntil"]
    const front = (o: number, v: number): number => heads[NOV + (o << LV) + v]
    // VCs 0 and 1 are those of bulk, 2 and 3 the urgent ones
    const canGo = (o: number, v: number): boolean => {
      const p = front(o, v)
      return p !== 0 && (down[o] < 0 || fits((o << LV) + v, packets[p + FLITS]))
    }
    let both = 0
    while (engine.now < 4000) {
      const t = engine.now
      const before: [number, number, number][] = []
      for (let o = 0; o < until.length; o++)
        if (until[o] <= t && (canGo(o, 2) || canGo(o, 3))) before.push([o, front(o, 0), front(o, 1)])
      engine.advance(t + 1)
      for (const [o, a, b] of before) {
        if (a !== 0 || b !== 0) both++
        // the link is busy now, and not with them: an empty queue may have got its first
        expect(until[o]).toBeGreaterThan(t)
        if (a !== 0) expect(front(o, 0)).toBe(a)
        if (b !== 0) expect(front(o, 1)).toBe(b)
      }
    }
    expect(both).toBeGreaterThan(100)
  })
  test(
    "neither a row bus nor a tile takes a packet while a more urgent one of " +
      "the same input (and output) waits that has room",
    () => {
      const [V, cap, ports] = [4, 16, 6]
      const where = {
        pattern: { name: "to-set", set: [4, 5] },
        from: ["0-3"],
        packet: { name: "fixed", size: "8flits" },
      }
      const tight = {
        packet: "8flits",
        rowBuffer: `${cap}flits`,
        columnBuffer: `${cap}flits`,
        buffer: "64flits",
        reserve: "8flits",
      }
      // one tile, one core step in a cycle
      const spec = one(ports, { rows: 1, columns: 1, vcs: V, speed: 1, ...tight }, [
        stream("bulk", 0.6, where),
        stream("urgent", 0.3, { ...where, class: 1, priority: 1 }),
      ])
      const engine = engineOf(spec, 1)
      const { LV, NOV } = engine.layout
      const { packets } = engine.columns
      const { heads, rowHeld, colHeld } = engine.sw.columns
      const waits = { row: 0, tile: 0 }
      // every output has a queue for each VC
      const queue = (q: number, o: number, v: number) => (q * ports + o) * V + v
      const head = (q: number, v: number): number => heads![(q << LV) + v]
      const inRow = (q: number, o: number, v: number): number => heads![2 * NOV + queue(q, o, v)]
      const fits = (held: number, p: number) => held + packets[p + FLITS] <= cap
      const rowSpace = (q: number, p: number) =>
        fits(rowHeld![queue(q, packets[p + STATE] & 255, (packets[p + STATE] >> 8) & 255)], p)
      while (engine.now < 4000) {
        const low: { at: "row" | "tile"; p: number; front: () => number }[] = []
        for (let q = 0; q < ports; q++) {
          if ([2, 3].some((v) => head(q, v) !== 0 && rowSpace(q, head(q, v))))
            for (const v of [0, 1]) low.push({ at: "row", p: head(q, v), front: () => head(q, v) })
          for (let o = 0; o < ports; o++)
            if ([2, 3].some((v) => inRow(q, o, v) !== 0 && fits(colHeld![(o << LV) + v], inRow(q, o, v))))
              for (const v of [0, 1]) low.push({ at: "tile", p: inRow(q, o, v), front: () => inRow(q, o, v) })
        }
        engine.advance(engine.now + 1)
        for (const { at, p, front } of low) {
          if (p === 0) continue
          waits[at]++
          expect(front(), at).toBe(p)
        }
      }
      expect(waits.row).toBeGreaterThan(100)
      expect(waits.tile).toBeGreaterThan(100)
    },
  )
  test("far beyond saturation, with buffers of a few packets, urgent packets pass all that stands", () => {
    const where = { pattern: { name: "to-set", set: [5] }, from: ["0-3"], packet: { name: "fixed", size: "8flits" } }
    const tight = {
      packet: "8flits",
      rowBuffer: "16flits",
      columnBuffer: "16flits",
      buffer: "64flits",
      reserve: "8flits",
      retention: false,
    }
    const bulk = stream("bulk", 0.8, where)
    const engine = engineOf(
      one(6, { rows: 2, columns: 2, vcs: 4, ...tight }, [
        bulk,
        stream("urgent", 0.05, { ...where, class: 1, priority: 1 }),
      ]),
      1,
    )
    engine.advance(6000)
    expect(engine.audit()).toEqual([])
    // alone: two links of 5 cycles, 8 flits, some steps; then 8 flits of a packet on its way at each of row bus, tile,
    // multiplexer and link (a multiplexer that takes turns, or prefers whoever holds less: 169)
    expect(engine.stat("networkMax", 1)).toBeLessThan(2 * 5 + 8 + 6 + 4 * 8 + 8)
    expect(engine.stat("network", 0) / engine.stat("measured", 0)).toBeGreaterThan(200)
  })
  test("a class of its own passes packets of another one that are blocked", () => {
    const latency = (c: number): number => {
      // endpoints 0 to 3 send twice what endpoint 4 can take, and a little to the others behind the same link
      const hot = stream("hot", 0.5, { pattern: { name: "to-set", set: [4] }, from: ["0-3"] })
      const light = stream("light", 0.02, { pattern: { name: "to-set", set: [5, 6, 7] }, from: ["0-3"], class: c })
      const network = { ...pair(10, { vcs: 4, buffer: "300flits" }, []).network, endpoint: { name: "simple" } }
      const engine = engineOf(specOf(network, [hot, light]), 1)
      engine.advance(12_000)
      expect(engine.audit()).toEqual([])
      expect(engine.stat("measured", 1)).toBeGreaterThan(5)
      return engine.stat("network", 1) / engine.stat("measured", 1)
    }
    expect(latency(1)).toBeLessThan(0.5 * latency(0))
  })
})

describe("replies", () => {
  const ask = stream("ask", 0.1, { packet: { name: "fixed", size: "4flits" }, reply: "12flits" })
  const stash = { stash: { end: 0.5 }, reliability: true }
  const loss = { ...stash, errors: { link: 0.02, end: 0.01 }, lost: 0.5, timeout: "2000cycles" }
  const ecn: Named = { name: "ecn-window", window: "96flits" }
  test.each<[string, object, string, Named, string]>([
    ["plain", {}, "0flits", { name: "none" }, "0cycles"],
    ["acknowledged, after a turnaround", {}, "1flit", { name: "none" }, "300cycles"],
    ["copies of every packet, some of them lost", loss, "1flit", { name: "none" }, "0cycles"],
    ["windows, what is congested is absorbed", { stash: { end: 0.5 }, absorb: true }, "1flit", ecn, "0cycles"],
  ])("%s: each request is answered once, on VCs of the next class", (_, switched, ack, congestion, turnaround) => {
    const { network } = pair(10, { vcs: 4, buffer: "400flits", ...switched }, [])
    const endpoint = { name: "queue-pairs", ack, turnaround }
    const engine = drainedEngine(specOf({ ...network, endpoint, congestion }, [ask]), 4000)
    // 8 endpoints, 0.1 flits in a cycle each, 4 flits a packet: 800 in 4,000 cycles
    expect(Math.abs(engine.stat("created", 0) - 800)).toBeLessThan(150)
    expect(engine.stat("delivered", 0)).toBe(engine.stat("created", 0))
    expect([engine.stat("created", 1), engine.stat("delivered", 1)]).toEqual([
      engine.stat("created", 0),
      engine.stat("created", 0),
    ])
    // the shortest way of a reply: its turnaround, two links of endpoints and its flits
    expect(engine.stat("min", 1)).toBeGreaterThanOrEqual(Number.parseInt(turnaround, 10) + 2 * 5 + 12)
    expect(engine.stat("min", 1)).toBeLessThan(Number.parseInt(turnaround, 10) + 100)
  })
})

test("classes, priorities and replies, with a stash and windows: one fingerprint for 1, 2 and 4 partitions", () => {
  const stash = {
    stash: { end: 0.5, local: 0.5 },
    reliability: true,
    absorb: true,
    errors: { local: 0.01 },
    timeout: "3us",
  }
  const dragonfly: NetworkSpec = {
    ...base,
    topology: { name: "dragonfly", p: 2, a: 3, h: 1 },
    routing: { name: "dragonfly.minimal" },
    switch: { name: "tiled", rows: 1, columns: 1, vcs: 9, ...stash },
    endpoint: { name: "queue-pairs" },
    congestion: { name: "ecn-window", window: "200flits" },
    links: { end: "5ns", local: "10ns", global: "100ns" },
  }
  // 0.2 and their answers in class 1, 0.3 in class 2 before them
  const spec = specOf(dragonfly, [
    stream("ask", 0.2, { reply: "12flits" }),
    stream("urgent", 0.3, { class: 2, priority: 1 }),
  ])
  expect(complaintsOf(spec)).toEqual([])
  const ends = [1, 2, 4].map((parts) => {
    const engine = engineOf(spec, parts)
    engine.advance(2000)
    expect(engine.audit()).toEqual([])
    for (const of of [0, 1, 2]) expect(engine.stat("delivered", of)).toBeGreaterThan(100)
    return engine.fingerprint()
  })
  expect(new Set(ends).size).toBe(1)
})
