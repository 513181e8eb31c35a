// What the tiled switch once refused, and honours: routers of unequal size, routings that read queues of other routers, bubbles.
import { expect, test } from "vitest"
import { clockedEngine, partsFor } from "../../src/compile/clocked/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import type { NetworkSpec, RunSpec } from "../../src/model/experiment.ts"
import type { Topology } from "../../src/model/topology.ts"
import { stream } from "../../src/papers/stashing/network.ts"
import { diagnosisOf } from "../../src/run/clocked/watchdog.ts"
import { prepareFlit } from "../../src/run/simulate.ts"
import { complaintsOf, drain, engineOf, specOf } from "../support/tiled.ts"

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

test("a tree, whose top switches have half of the ports: all packets arrive, the books are right, for 1 and 2 partitions", () => {
  const spec = specOf(base, [stream("all", 0.6)])
  expect(complaintsOf(spec)).toEqual([])
  const [one, two] = [1, 2].map((parts) => {
    const got = prepareFlit(spec, { read: () => "" })
    if ("bad" in got) throw new Error("refused")
    const engine = clockedEngine(got.ok.compiled, { ...partsFor(got.ok.compiled, parts), horizon: 20_000, series: 1024 })
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
  // 16 endpoints, 0.6 flits in a cycle each, 24 flits a packet: 600 in 1,500 cycles, and its standard deviation is some 24
  expect(Math.abs(Number(one!.split(" ")[1]) - 600)).toBeLessThan(100)
})

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
    const engine = clockedEngine(got.ok.compiled, { ...partsFor(got.ok.compiled, workers), horizon: 20_000, series: 1024 })
    engine.advance(1200)
    expect(engine.stat("delivered")).toBeGreaterThan(500)
    return engine.fingerprint()
  })
  expect(new Set(ends).size).toBe(1)
})

test("torus.bubble, 8x8, 2 VCs, packets of 24 flits, buffers of 96, load 0.95: everything arrives, and the books are right", () => {
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
    const engine = engineOf(specOf({ ...torus, switch: { ...torus.switch, rows, columns } }, [stream("all", 0.95)]), 1)
    engine.advance(6000)
    expect(engine.audit()).toEqual([])
    expect(diagnosisOf(engine, topologyOf(spec), 1).kind).toBe("stall")
    expect(drain(engine, 6000, 60_000)).toBeLessThan(60_000)
    expect([engine.inFlight(), engine.audit()]).toEqual([0, []])
    expect(engine.stat("delivered")).toBeGreaterThan(3000)
  }
  const tight = { ...torus, switch: { ...torus.switch, columnBuffer: "40flits" } }
  expect(complaintsOf(specOf(tight, [stream("all", 0.95)]))).toEqual([
    "network.switch.columnBuffer: 40 flits hold less than two packets of 24: whoever enters a ring must leave room for one behind | set it to at least 48flits",
  ])
})
