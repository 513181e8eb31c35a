// Messages of one endpoint: how many are sent at a time, and what closed windows change.
import { expect, test } from "vitest"
import type { Named } from "../../src/model/experiment.ts"
import { stream } from "../../src/reproduce/papers/stashing/network.ts"
import { engineOf, one } from "../support/tiled.ts"

/** Packets that endpoints 1 and 2 have after so many cycles. Endpoint 0 has had a message of ten packets of 24 flits
 *  for each since cycle 0. */
function arrived(cycles: number, active: number, congestion: Named = { name: "none" }): number[] {
  const message = (name: string, to: number) =>
    stream(name, 0.01, {
      pattern: { name: "fixed", pairs: [[0, to]] },
      arrivals: { name: "periodic", phase: "none" },
      message: { name: "fixed", size: "10packets" },
      from: [0],
    })
  const spec = one(4, { rows: 2, columns: 2 }, [message("first", 1), message("second", 2)], congestion)
  const endpoint = { ...spec.network.endpoint, active }
  const engine = engineOf({ ...spec, network: { ...spec.network, endpoint } }, 1)
  engine.advance(cycles)
  const streams = 2
  const flits = (end: number) =>
    engine.columns.endOut.subarray(end * streams, (end + 1) * streams).reduce((a, b) => a + b, 0)
  return [flits(1) / 24, flits(2) / 24]
}

test(
  "one at a time: 10 x 24 = 240 cycles and 60 of way later the first has " +
    "all its packets, the second at most three",
  () => {
    const [first, second] = arrived(300, 1)
    expect(first).toBe(10)
    expect(second).toBeLessThanOrEqual(3)
  },
)

test("two at a time take turns", () => {
  const [first, second] = arrived(300, 2)
  expect(Math.abs(first! - second!)).toBeLessThanOrEqual(1)
  expect(first! + second!).toBeGreaterThanOrEqual(10)
})

test("a window of one packet: while the first waits for its acknowledgement the second sends", () => {
  const [first, second] = arrived(300, 1, { name: "ecn-window", window: "24flits" })
  expect(Math.abs(first! - second!)).toBeLessThanOrEqual(1)
  expect(first).toBeGreaterThanOrEqual(2)
})
