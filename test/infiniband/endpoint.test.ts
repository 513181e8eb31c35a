// Endpoints with a queue for each service level: the channel into the network is shared by the scheduler of the links.
import { describe, expect, test } from "vitest"
import { infinibandEngine } from "../support/infiniband.ts"
import type { Wish } from "../support/machine.ts"

const flits = [3, 2, 32, 16]
const weights = [24, 44, 93, 42]

/** Endpoint 0 sends a stream to each of endpoints 1 to 4, more than its channel has; flits that come from it in 40,000
 *  cycles. */
function shares(w: Wish, loads: readonly number[] = [1, 1, 1, 1], cycles = 40_000): number[] {
  const e = infinibandEngine({
    topology: { name: "crossbar", n: 8 },
    routing: { name: "crossbar.direct" },
    switch: { vcs: 4, speed: 2 },
    traffic: flits.map((f, s) => ({
      flits: f,
      class: s,
      from: [0],
      pattern: { name: "fixed", pairs: [[0, s + 1]] },
      load: loads[s],
      arrivals: { name: "periodic" },
    })),
    ...w,
  })
  const seen = () => flits.map((f, s) => f * e.stat("delivered", s))
  e.advance(2000)
  const before = seen()
  e.advance(2000 + cycles)
  expect(e.audit()).toEqual([])
  return seen().map((n, s) => (n - before[s]) / cycles)
}

const qos = { name: "dtable", table: "0:12,1:22,0:12,2:93,1:22,3:42" }
const endpoint = { name: "service-levels" }

describe("service levels at an endpoint", () => {
  test("share its channel as the table says, whatever the sizes", () => {
    const got = shares({ qos, endpoint })
    const sum = weights.reduce((a, b) => a + b)
    for (const [s, w] of weights.entries()) expect(Math.abs(got[s] / (w / sum) - 1)).toBeLessThan(0.01)
  })
  test("a simple endpoint sends in order of creation: as much as is offered of each", () => {
    const got = shares({ qos })
    for (const share of got) expect(Math.abs(share / 0.25 - 1)).toBeLessThan(0.01)
  })
  test("who asks for less than its share gets all of it, though the channel is full", () => {
    // levels 0, 1 and 2 offer less than 0.118, 0.217 and 0.458
    const got = shares({ qos, endpoint }, [0.06, 0.06, 0.3, 1])
    for (const [s, offered] of [0.06, 0.06, 0.3].entries()) expect(Math.abs(got[s] / offered - 1)).toBeLessThan(0.005)
    expect(Math.abs(got[3] - (1 - got[0] - got[1] - got[2]))).toBeLessThan(0.001)
  })
  test("what overflows waits outside, and its wait counts", () => {
    // a channel that carries half of what is offered: after 20,000 cycles the last message has waited for about 10,000
    const e = infinibandEngine({
      topology: { name: "crossbar", n: 4 },
      routing: { name: "crossbar.direct" },
      endpoint: { name: "service-levels", queue: 2 },
      switch: { vcs: 2 },
      traffic: [0, 1].map((c) => ({
        flits: 16,
        class: c,
        load: 1,
        from: [0],
        pattern: { name: "fixed", pairs: [[0, 1]] },
        arrivals: { name: "periodic" },
      })),
    })
    e.advance(20_000)
    expect(e.stat("max")).toBeGreaterThan(9900)
    expect(e.stat("max")).toBeLessThan(10_100)
  })
})
