// Four routers in a row, one to a cabinet, on a floor of two by two cabinets a metre apart: routers at (0,0), (1,0),
// (0,1) and (1,1). The links 0-1 and 2-3 are 1 m long, 1-2 runs 1 m across and 1 m along.
import { expect, test } from "vitest"
import { specOf } from "../../../test/support/machine.ts"
import type { LayoutSpec, RunSpec } from "../../model/experiment.ts"
import type { Graph } from "../../model/graph.ts"
import { compile } from "../compile.ts"
import { compilePacket } from "../packet/compile.ts"

const floor: LayoutSpec = { routers: 1, width: "1m", depth: "1m", inside: "2m", overhead: "0m", delay: "5ns" }

function rowOf(layout: Partial<LayoutSpec>, links: Record<string, string> = {}): RunSpec {
  const spec = specOf({ topology: { name: "mesh", sides: "4" }, links })
  return { ...spec, network: { ...spec.network, layout: { ...floor, ...layout } } }
}

function graphOf(spec: RunSpec, engine: "flit" | "packet"): Graph {
  const host = { read: () => "" }
  const got = engine === "flit" ? compile(spec, host) : compilePacket({ ...spec, engine: { name: "packet" } }, host)
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok.network.topology.graph
}

/** Latency of the channel from one router to the next. */
function cycles({ far, routerOf, latency }: Graph, from: number, to: number): number {
  return latency[far.findIndex((there, c) => routerOf[c] === from && there >= 0 && routerOf[there] === to)]
}

test.each(["flit", "packet"] as const)(
  "%s engine: 5 ns for each metre of cable, in both directions and to the endpoints",
  (engine) => {
    const g = graphOf(rowOf({}), engine)
    expect([cycles(g, 0, 1), cycles(g, 1, 2), cycles(g, 2, 3), cycles(g, 2, 1)]).toEqual([5, 10, 5, 10])
    expect([g.entryLatency[3], g.latency[g.home[3]]]).toEqual([10, 10])
  },
)

test("whole cycles, rounded up, at least one; every cable between cabinets has its overhead", () => {
  const g = graphOf(rowOf({ delay: "1.5ns", inside: "0m", overhead: "0.2m" }), "flit")
  // 1.2 m x 1.5 = 1.8 cycles, 2.2 m x 1.5 = 3.3
  expect([cycles(g, 0, 1), cycles(g, 1, 2), g.entryLatency[0]]).toEqual([2, 4, 1])
})

test("classes that links names keep their latency", () => {
  const g = graphOf(rowOf({}, { end: "3cycles" }), "flit")
  expect([cycles(g, 1, 2), g.entryLatency[0], g.latency[g.home[0]]]).toEqual([10, 3, 3])
})

test("all routers in one cabinet: every cable is as long", () => {
  const g = graphOf(rowOf({ routers: 4 }), "flit")
  expect([cycles(g, 0, 1), cycles(g, 1, 2)]).toEqual([10, 10])
})

test("cables that take too long are refused", () => {
  const got = compile(rowOf({ delay: "1ms" }), { read: () => "" })
  expect("bad" in got && got.bad[0]).toMatchObject({
    path: "network.layout",
    says: "a cable of 2 m takes 2000000 cycles",
  })
})
