// Link-level retransmission: a flit stays in the output buffer of its sender for one round trip, so a buffer of N flits
// sends N per round trip.
import { describe, expect, it } from "vitest"
import { accepted, engineOf } from "../support/machine.ts"

/** Flits per cycle from endpoint 0 to its neighbour over a link of 500 cycles with room for everything at the far end.
 *  */
function rate(retention: number, sw: Readonly<Record<string, unknown>> = {}): number {
  const engine = engineOf({
    topology: { name: "mesh", k: 2, n: 1 },
    switch: { vcs: 4, buffer: "2000flits", retention: `${retention}flits`, ...sw },
    links: { link: "500cycles" },
    traffic: [{ pattern: { name: "fixed", pairs: [[0, 1]] }, arrivals: { name: "backlogged" }, flits: 20 }],
  })
  const got = 2 * accepted(engine, 4000, 10_000)
  expect(engine.audit()).toEqual([])
  return got
}

describe("output buffers with a round trip of 2 x 500 cycles", () => {
  for (const [flits, expected] of [
    [0, 1],
    [1000, 1],
    [500, 0.5],
    [250, 0.25],
  ] as const)
    it(`${flits === 0 ? "no" : flits} flits: ${expected} flits per cycle`, () =>
      expect(rate(flits)).toBeCloseTo(expected, 2.5))

  it("a held crossbar and cut-through wait alike", () => {
    expect(rate(500, { hold: true })).toBeCloseTo(0.5, 2.5)
    expect(Math.abs(rate(500, { flow: "cut-through" }) - 0.5)).toBeLessThan(0.02)
  })
})
