// What one switch carries when its sources never rest. One FIFO for each input: 0.750, 0.655, 0.618 and 0.60 with 2, 4,
// 8 and 16 ports, 2 - sqrt(2) with many (M. J. Karol, M. G. Hluchyj and S. P. Morgan, "Input versus output queueing on
// a space-division packet switch", 1987, table I). Virtual output queues: all.
import { describe, expect, test } from "vitest"
import type { Named } from "../../src/model/experiment.ts"
import { accepted, schemeEngine } from "../support/queue-scheme.ts"

const uniform: Named = { name: "uniform", self: true }

function rate(n: number, sw: Readonly<Record<string, unknown>>, endpoint: Named, to: number): number {
  const engine = schemeEngine({
    topology: { name: "crossbar", n },
    routing: { name: "crossbar.direct" },
    switch: { memory: "128flits", ...sw },
    endpoint,
    traffic: [{ pattern: uniform, arrivals: { name: "backlogged" } }],
  })
  const got = accepted(engine, 2000, to)
  expect(engine.audit()).toEqual([])
  return got
}

const fifo: Named = { name: "adapter", admittance: "fifo" }

describe("one FIFO for each input", () => {
  test.each([
    [2, 0.75, 80_000],
    [4, 0.655, 60_000],
    [8, 0.618, 40_000],
    [16, 0.6, 30_000],
  ])("%i ports: %f", (n, expected, to) => {
    expect(Math.abs(rate(n, {}, fifo, to) - expected)).toBeLessThan(0.01)
  })

  test("in slots of a packet: the same", () => {
    expect(Math.abs(rate(8, { slot: "8cycles" }, fifo, 40_000) - 0.618)).toBeLessThan(0.01)
  })
})

describe("virtual output queues", () => {
  test.each([
    ["voq-switch", { scheme: "voq-switch", memory: "512flits" }],
    ["voq-network", { scheme: "voq-network", memory: undefined, queue: "64flits" }],
    ["dbbm with as many queues as destinations", { scheme: "dbbm", queues: 8, memory: "512flits" }],
  ])("%s: at least 0.97", (_, sw) => {
    expect(rate(8, sw, { name: "adapter" }, 12_000)).toBeGreaterThan(0.97)
  })
})
