import { expect, test } from "vitest"
import { BINS, bin } from "../core/histogram.ts"
import { Draws } from "../core/rng.ts"
import { probes } from "../library.ts"
import { GraphBuilder } from "../model/graph.ts"
import type { RunCounts, StreamCounts } from "../model/probe.ts"
import type { Topology } from "../model/topology.ts"

// Two groups of two routers, one endpoint each. Ports: 0 endpoint, 1 local, 2 global (router 0 and 2 only are joined; 1
// and 3 leave it unwired).
function pairOfGroups(): Topology {
  const b = new GraphBuilder(4, 4, 3, { classes: ["end", "local", "global"] })
  for (let r = 0; r < 4; r++) b.attach(r, r, 0)
  b.link(0, 1, 1, 1, 1)
  b.link(2, 1, 3, 1, 1)
  b.link(0, 2, 2, 2, 2)
  return { name: "pair", graph: b.finish(), hops: () => 0, label: (r) => `r${r}`, group: Int32Array.of(0, 0, 1, 1) }
}

function stream(name: string, accepted: number[], latencies: number[]): StreamCounts {
  const latency = new Uint32Array(BINS)
  for (const l of latencies) latency[bin(l)]++
  return {
    name,
    injected: Uint32Array.from(accepted, (a) => a + 10),
    accepted: Uint32Array.from(accepted),
    latency,
    // 3 intervals of 50 cycles: 2 packets of 10 and 30 cycles, none, none
    seriesPackets: Uint32Array.of(2, 0, 0),
    seriesFlits: Uint32Array.of(8, 4, 0),
    seriesLatency: Float64Array.of(40, 0, 0),
  }
}

//                                   r0: end local global  r1: end local -  r2: end local global  r3: end local -
const channel = Uint32Array.of(10, 20, 50, 30, 40, 0, 10, 20, 25, 30, 20, 0)
const one: RunCounts = { window: 100, interval: 50, channel, streams: [stream("a", [10, 20, 30, 40], [3, 3, 5, 1000])] }
const two: RunCounts = { ...one, streams: [...one.streams, stream("b", [40, 30, 20, 10], [3])] }

function report(name: string, run: RunCounts) {
  const plugin = probes.find((p) => p.name === name)
  if (plugin === undefined) throw new Error(`no probe ${name}`)
  const parsed = plugin.params.parse({}, "")
  if ("bad" in parsed) throw new Error("no parameters are needed")
  return plugin.make(parsed.ok, { topology: pairOfGroups(), vcs: 1, rng: new Draws(1) }).report(run)
}

test("endpoints: flits over 100 cycles; fairness (10 + 20 + 30 + 40)^2 / (4 * 3000)", () => {
  const { tables, values } = report("endpoints", one)
  expect(tables).toEqual({
    endpoints: { end: [0, 1, 2, 3], injected: [0.2, 0.3, 0.4, 0.5], accepted: [0.1, 0.2, 0.3, 0.4] },
  })
  expect(values?.["accepted.min"]).toBe(0.1)
  expect(values?.["accepted.max"]).toBe(0.4)
  expect(values?.["accepted.fairness"]).toBeCloseTo(10000 / 12000, 12)
  expect(values?.["injected.fairness"]).toBeCloseTo(140 ** 2 / (4 * (400 + 900 + 1600 + 2500)), 12)
})

test("endpoints of two streams: 10 + 40 each in all, and each by itself", () => {
  const { tables, values } = report("endpoints", two)
  expect(Object.keys(tables)).toEqual(["endpoints", "a.endpoints", "b.endpoints"])
  expect(tables["endpoints"]?.["accepted"]).toEqual([0.5, 0.5, 0.5, 0.5])
  expect(tables["b.endpoints"]?.["accepted"]).toEqual([0.4, 0.3, 0.2, 0.1])
  expect(values?.["accepted.fairness"]).toBe(1)
})

test("latency: 3, 3, 5 have bins of their own, 1000 lies in 1000..1003", () => {
  // 1000 = 250 * 4: bins of 4 between 512 and 1023
  expect(report("latency", one).tables["latency.histogram"]).toEqual({
    low: [3, 5, 1000],
    high: [3, 5, 1003],
    count: [2, 1, 1],
    share: [0.5, 0.75, 1],
  })
  expect(report("latency", two).tables["latency.histogram"]?.["count"]).toEqual([3, 1, 1])
  expect(report("latency", two).tables["b.latency.histogram"]?.["count"]).toEqual([1])
})

test(
  "series: (10 + 30) / 2 cycles, 8 flits / 50 cycles / 4 endpoints, an " +
    "interval without packets, the empty end left out",
  () => {
    expect(report("series", one).tables["series"]).toEqual({
      time: [50, 100],
      latency: [20, Number.NaN],
      accepted: [0.04, 0.02],
      packets: [2, 0],
    })
  },
)

test("channels: one row for each wired one, unwired ports left out", () => {
  const { tables } = report("channels", one)
  expect(tables["channels"]).toEqual({
    chan: [0, 1, 2, 3, 4, 6, 7, 8, 9, 10],
    from: [0, 0, 0, 1, 1, 2, 2, 2, 3, 3],
    at: ["r0", "r0", "r0", "r1", "r1", "r2", "r2", "r2", "r3", "r3"],
    to: ["endpoint 0", "r1", "r2", "endpoint 1", "r0", "endpoint 2", "r3", "r0", "endpoint 3", "r2"],
    class: ["end", "local", "global", "end", "local", "end", "local", "global", "end", "local"],
    load: [0.1, 0.2, 0.5, 0.3, 0.4, 0.1, 0.2, 0.25, 0.3, 0.2],
  })
  const classes = tables["channels.classes"]
  expect(classes?.["class"]).toEqual(["end", "local", "global"])
  expect(classes?.["count"]).toEqual([4, 4, 2])
  expect(classes?.["max"]).toEqual([0.3, 0.4, 0.5])
  expect(classes?.["mean"]?.map((m) => Number(m).toFixed(6))).toEqual(["0.200000", "0.250000", "0.375000"])
  expect(classes?.["unevenness"]?.[1]).toBeCloseTo(1.6, 12)
})

test("groups: 50 flits one way, 25 the other, over one channel each", () => {
  expect(report("groups", one).tables["groups"]).toEqual({
    from: [0, 1],
    to: [1, 0],
    load: [0.5, 0.25],
    channels: [1, 1],
  })
})

test("groups are refused where there are none", () => {
  const plugin = probes.find((p) => p.name === "groups")
  const { group: _, ...plain } = pairOfGroups()
  expect(plugin?.check?.({}, { topology: plain, vcs: 1, rng: new Draws(1) })).toEqual([
    { path: "name", says: "a pair network has no groups", fix: "leave the probe out" },
  ])
})

test("several streams together: the sum of all that each counts, and nothing of what none does", () => {
  const network = new Uint32Array(BINS)
  network[bin(7)] = 2
  const more = { network, seriesNetwork: Float64Array.of(14, 0, 0), seriesInjected: Uint32Array.of(6, 2, 0) }
  const counted: RunCounts = { ...two, streams: two.streams.map((s) => ({ ...s, ...more })) }
  // 2 packets of 7 cycles in each stream
  expect(report("latency", counted).tables["network.histogram"]).toEqual({
    low: [7],
    high: [7],
    count: [4],
    share: [1],
  })
  // 28 cycles over 4 packets; 12 and 4 flits over 50 cycles and 4 endpoints
  expect(report("series", counted).tables["series"]).toMatchObject({ network: [7, Number.NaN], injected: [0.06, 0.02] })
  const arriving: RunCounts = { ...one, streams: two.streams.map(({ injected: _, ...s }) => s) }
  expect(Object.keys(report("endpoints", arriving).tables["endpoints"])).toEqual(["end", "accepted"])
  expect(Object.keys(report("endpoints", arriving).values ?? {})).toEqual([
    "accepted.min",
    "accepted.max",
    "accepted.fairness",
  ])
  expect(Object.keys(report("latency", arriving).tables)).toEqual([
    "latency.histogram",
    "a.latency.histogram",
    "b.latency.histogram",
  ])
})

test("occupancy: two intervals of 50 cycles; routers without a flit are left out; (5 + 7 + 9) / 8", () => {
  //                 r0: 50, 100  r1     r2     r3
  const counts = Uint32Array.of(0, 5, 7, 0, 0, 9, 0, 0)
  const routerFlits = { intervals: 2, each: 1, counts }
  const { tables, values } = report("occupancy", { ...one, overTime: { routerFlits } })
  expect(tables).toEqual({ occupancy: { time: [50, 100, 100], router: [1, 0, 2], flits: [7, 5, 9] } })
  expect(values).toEqual({ "occupancy.mean": 21 / 8, "occupancy.max": 9 })
})
