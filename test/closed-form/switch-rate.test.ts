// What one router can carry when its sources never rest. An input VC passes a packet of n flits every n + route + VC
// steps; an output VC takes one every n + VC steps; a buffer of B flits passes B in each round trip of its credits.
import { describe, expect, it } from "vitest"
import type { Named } from "../../src/model/experiment.ts"
import { accepted, engineOf } from "../support/machine.ts"

const backlogged: Named = { name: "backlogged" }

/** Flits per endpoint and cycle of one switch with `n` endpoints. */
function rate(
  n: number,
  pattern: Named,
  sw: Readonly<Record<string, unknown>>,
  flits: number,
  seed = 1,
  to = 6000,
): number {
  const engine = engineOf({
    topology: { name: "butterfly", k: n, n: 1 },
    routing: { name: "butterfly.destination-tag" },
    switch: { buffer: "16flits", ...sw },
    traffic: [{ pattern, arrivals: backlogged, flits }],
    seed,
  })
  const got = accepted(engine, 2000, to)
  expect(engine.audit()).toEqual([])
  return got
}

const straight: Named = { name: "bit-complement" }
const hotspot: Named = { name: "hotspot", targets: [0], self: true }

describe("one input to one output", () => {
  const table: readonly [what: string, sw: Readonly<Record<string, unknown>>, flits: number, fraction: number][] = [
    ["1 VC: a flit every 1 + 1 + 1 cycles", { vcs: 1 }, 1, 1 / 3],
    ["2 VCs", { vcs: 2 }, 1, 2 / 3],
    ["3 VCs fill the link", { vcs: 3 }, 1, 1],
    ["look-ahead: every 1 + 1", { vcs: 1, route: 0 }, 1, 1 / 2],
    ["look-ahead, 2 VCs", { vcs: 2, route: 0 }, 1, 1],
    ["look-ahead and speculation: every cycle", { vcs: 1, route: 0, speculative: true }, 1, 1],
    ["speculation alone: every 1 + 1", { vcs: 1, speculative: true }, 1, 1 / 2],
    ["2 flits: n / (n + 2)", { vcs: 1 }, 2, 2 / 4],
    ["4 flits", { vcs: 1 }, 4, 4 / 6],
    ["8 flits", { vcs: 1 }, 8, 8 / 10],
    ["8 flits, 3 steps of routing: n / (n + 4)", { vcs: 1, route: 3 }, 8, 8 / 12],
    ["8 flits, held crossbar", { vcs: 1, hold: true }, 8, 8 / 10],
    ["a core of speed 2: two steps in a cycle, every 1.5", { vcs: 1, speed: 2 }, 1, 2 / 3],
    ["speed 2 with look-ahead", { vcs: 1, speed: 2, route: 0 }, 1, 1],
    // the next packet gets the VC when the credit of the last tail is back: 4 flits, then crossbar 1 + links 2 + VC 1 +
    // switch 1
    ["tail credits, 4 flits", { vcs: 1, tailCredit: true }, 4, 4 / 9],
  ]
  for (const [what, sw, flits, fraction] of table)
    it(`${what}: ${fraction.toFixed(4)}`, () => expect(rate(4, straight, sw, flits)).toBeCloseTo(fraction, 2.5))

  // packets of 1000 flits: head and tail cost less than 0.3 %
  for (const [buffer, delay, fraction] of [
    [1, 0, 1 / 5],
    [2, 0, 2 / 5],
    [4, 0, 4 / 5],
    [5, 0, 1],
    [2, 2, 2 / 7],
    [6, 2, 6 / 7],
  ] as const)
    it(`buffers of ${buffer}, credits ${delay} later: ${buffer} in ${5 + delay} cycles`, () => {
      const got = rate(4, straight, { vcs: 1, buffer: `${buffer}flits`, creditDelay: `${delay}cycles` }, 1000, 1, 22000)
      expect(Math.abs(got - fraction)).toBeLessThan(0.004)
    })
})

describe("four inputs to one output", () => {
  // all endpoints share what output 0 can do: n / (n + 1) with one VC, everything with two
  for (const [vcs, flits, fraction] of [
    [1, 1, 1 / 2 / 4],
    [2, 1, 1 / 4],
    [1, 4, 4 / 5 / 4],
    [2, 4, 1 / 4],
  ] as const)
    it(`${vcs} VC(s), ${flits} flit(s): ${fraction}`, () =>
      expect(rate(4, hotspot, { vcs }, flits)).toBeCloseTo(fraction, 3))
})

describe("head-of-line blocking of one FIFO for each input", () => {
  // Input versus output queueing on a space-division packet switch, M. Karol, M. Hluchyj, S. Morgan, 1987: saturation
  // throughput by size
  const fifo = { vcs: 1, route: 0, speculative: true }
  for (const [n, fraction] of [
    [2, 0.75],
    [4, 0.6553],
    [8, 0.6184],
  ] as const)
    it(`${n} inputs: ${fraction}`, () => {
      const runs = [1, 2].map((seed) => rate(n, { name: "uniform", self: true }, fifo, 1, seed, 14000))
      expect(Math.abs((runs[0] + runs[1]) / 2 - fraction)).toBeLessThan(0.008)
    })

  it("64 inputs: 2 - sqrt 2 = 0.5858, a little above because they are not infinitely many", () => {
    const got = rate(64, { name: "uniform", self: true }, fifo, 1, 1, 7000)
    expect(got).toBeGreaterThan(2 - Math.SQRT2 - 0.003)
    expect(got).toBeLessThan(2 - Math.SQRT2 + 0.012)
  })
})
