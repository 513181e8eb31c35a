// A packet alone in a network of combined switches: latency by closed form, for all ways to start a transfer.
import { describe, expect, test } from "vitest"
import { combinedEngine } from "../support/combined.ts"

/** One packet after the other from endpoint 0 over `hops` - 1 links of a line of routers; network latency. */
function alone(o: { hops: number; latency: number; flits: number; switch: Record<string, unknown> }): number {
  const engine = combinedEngine({
    topology: { name: "mesh", sides: "4", p: 2 },
    switch: { vcs: 2, ...o.switch },
    links: { end: "3cycles", link: `${o.latency}cycles` },
    traffic: [
      {
        flits: o.flits,
        load: 0.002,
        pattern: { name: "fixed", pairs: [[0, 2 * (o.hops - 1) + 1]] },
        from: [0],
        arrivals: { name: "periodic", phase: "none" },
        stop: "3000cycles",
      },
    ],
  })
  engine.advance(20_000)
  expect(engine.audit()).toEqual([])
  expect(engine.inFlight()).toBe(0)
  expect(engine.stat("delivered")).toBeGreaterThan(0)
  expect(engine.stat("network")).toBe(engine.stat("delivered") * engine.stat("max"))
  return engine.stat("max")
}

describe("zero load", () => {
  for (const hops of [1, 2, 4])
    for (const [speed, flits] of [
      [1, 1],
      [1, 32],
      [2, 1],
      [2, 2],
      [2, 32],
      [1.5, 31],
    ] as const)
      test(`${hops} routers, ${flits} flits, core ${speed}x`, () => {
        // 3 cycles to the first router; each router: routing 0, the crossbar in the same cycle, the link in the next;
        // the links; the tail
        const head = 3 + hops + 100 * (hops - 1) + 3 + flits
        expect(alone({ hops, latency: 100, flits, switch: { speed } })).toBe(head)
        // + routing and crossbar of each router
        expect(alone({ hops, latency: 100, flits, switch: { speed, route: "2cycles", traverse: "3cycles" } })).toBe(
          head + 5 * hops,
        )
        // each router has the whole packet before it sends the first flit
        expect(alone({ hops, latency: 100, flits, switch: { speed, start: "stored" } })).toBe(head + (flits - 1) * hops)
        if (speed === 1) return
        // at each router the tail is flits - 1 cycles behind the head and would be (flits - 1) / speed steps behind it
        // in the crossbar
        const dry = Math.ceil(((flits - 1) * (2 * speed - 2)) / (2 * speed))
        expect(alone({ hops, latency: 100, flits, switch: { speed, start: "dry" } })).toBe(head + dry * hops)
      })
})
