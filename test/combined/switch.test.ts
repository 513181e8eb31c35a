// What the combined switch does with classes, priorities, replies, bubbles and routers of different sizes; the same
// bits for any partition.
import { describe, expect, test } from "vitest"
import { clockedEngine, partsFor } from "../../src/compile/clocked/engine.ts"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { combinedEngine, compiledCombined, drained } from "../support/combined.ts"
import type { Wish } from "../support/machine.ts"

const mean = (e: TransferEngine, stream: number) => e.stat("latency", stream) / e.stat("measured", stream)

describe("classes and priorities", () => {
  /** Two equal streams of a class each that together want all of one endpoint channel. */
  const latencies = (priority: number): number[] => {
    const hot = { pattern: { name: "to-set", set: [0] }, flits: 8, load: 0.06, stop: "6000cycles" }
    const e = drained(
      combinedEngine({
        topology: { name: "crossbar", n: 9 },
        routing: { name: "crossbar.direct" },
        switch: { vcs: 4 },
        traffic: [hot, { ...hot, class: 1, priority }],
      }),
      1000,
    )
    return [mean(e, 0), mean(e, 1)]
  }
  test(
    "without a priority both wait alike; with one the urgent stream waits for the " +
      "packet on the link at most, and the other for both",
    () => {
      const [a, b] = latencies(0)
      const [low, high] = latencies(1)
      expect(Math.abs(a! / b! - 1)).toBeLessThan(0.3)
      expect(high!).toBeLessThan(0.6 * b!)
      expect(low!).toBeGreaterThan(a!)
    },
  )
})

test("queues that a routing reads are those of the packet's class", () => {
  // an overloaded stream makes detours if it sees its own queues; those of the other class are empty
  const hops = (own: number): number => {
    const e = combinedEngine({
      topology: { name: "slimfly", q: 3, p: 4 },
      routing: { name: "slimfly.ugal-l" },
      switch: { vcs: 8 },
      traffic: [
        { flits: 8, load: 0.9, pattern: { name: "random-permutation" }, class: own },
        { flits: 8, load: 0.001, class: 1 - own },
      ],
    })
    e.advance(1000)
    return e.stat("hops", 0) / e.stat("measured", 0)
  }
  const [first, second] = [hops(0), hops(1)]
  expect(Math.abs(second / first - 1)).toBeLessThan(0.05)
})

describe("replies", () => {
  test("every request is answered, on VCs of the next class", () => {
    const e = drained(
      combinedEngine({ switch: { vcs: 4 }, traffic: [{ flits: 4, load: 0.2, reply: "8flits", stop: "500cycles" }] }),
    )
    expect(e.stat("delivered", 0)).toBeGreaterThan(100)
    expect(e.stat("delivered", 1)).toBe(e.stat("delivered", 0))
  })
})

describe("bubbles", () => {
  test("a torus without datelines, nearly full, drains", () => {
    // 8x8, 2 VCs, packets of 24 flits, buffers of 96: without bubbles rings fill up and stand
    const e = drained(
      combinedEngine({
        topology: { name: "torus", sides: "8x8" },
        routing: { name: "torus.bubble" },
        switch: { vcs: 2, buffer: "96flits" },
        links: { link: "4cycles" },
        traffic: [{ flits: 24, load: 0.95, stop: "1500cycles" }],
      }),
      500,
    )
    expect(e.stat("delivered")).toBe(e.stat("created"))
    expect(e.stat("delivered")).toBeGreaterThan(3000)
  })
})

describe("any partition", () => {
  test("dragonfly.ugal-g, which reads queues of other routers: one fingerprint for any number of workers", () => {
    const made = compiledCombined({
      topology: { name: "dragonfly", p: 2, a: 4, h: 2 },
      routing: { name: "dragonfly.ugal-g" },
      switch: { vcs: 5 },
      links: { end: "5cycles", local: "10cycles", global: "40cycles" },
      traffic: [{ flits: 24, load: 0.3, pattern: { name: "group-adversarial" } }],
    })
    const prints = [1, 2, 4].map((workers) => {
      const e = clockedEngine(made, { ...partsFor(made, workers), horizon: 20_000, series: 1024 })
      e.advance(1200)
      expect(e.audit()).toEqual([])
      expect(e.stat("delivered")).toBeGreaterThan(500)
      return e.fingerprint()
    })
    expect(new Set(prints).size).toBe(1)
  })
  test.each<[string, Wish]>([
    [
      "tree, whose top routers have fewer ports",
      { topology: { name: "tree", k: 3, n: 2 }, routing: { name: "tree.nearest-ancestor", up: "adaptive" } },
    ],
    [
      "HyperX with UGAL, two classes",
      {
        topology: { name: "hyperx", sides: "3x3", p: 2 },
        routing: { name: "hyperx.ugal-l" },
        switch: { vcs: 4 },
        traffic: [
          { flits: 32, load: 0.4 },
          { flits: 3, load: 0.3, class: 1, priority: 2 },
        ],
      },
    ],
  ])("%s: one fingerprint", (_, w) => {
    const prints = [1, 2, 3].map((parts) => {
      const e = combinedEngine({ traffic: [{ flits: 16, load: 0.7 }], ...w, links: { link: "7cycles" } }, parts)
      e.advance(1400)
      expect(e.audit()).toEqual([])
      expect(e.stat("delivered")).toBeGreaterThan(100)
      return e.fingerprint()
    })
    expect(new Set(prints).size).toBe(1)
  })
})
