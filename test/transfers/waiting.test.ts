// Answers that wait at an overloaded server: how many can wait is a number of the network, so neither results nor the
// end of a run depend on its partitions.
import { describe, expect, test } from "vitest"
import { transferEngine } from "../../src/compile/clocked/transfers.ts"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { waitingSlots } from "../../src/engines/flit/waiting.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import { combinedSpec, compiledWhole } from "../support/combined.ts"

/** Three clients ask one server for 24 flits with one, as fast as it can hear them. */
function server(parts: number, cycles: number): TransferEngine {
  const spec = combinedSpec({
    topology: { name: "hypercube", n: 2 },
    routing: { name: "any.up-down" },
    switch: { vcs: 6, buffer: "24flits", output: "24flits" },
    traffic: [{ load: 0.6, flits: 1, reply: "24flits", pattern: { name: "hotspot", targets: [0], share: 1 } }],
    links: { link: "4cycles", end: "2cycles" },
  })
  const engine = transferEngine(compiledWhole(spec), {
    horizon: cycles,
    series: 1024,
    ...(parts > 1 ? { parts, assign: [0, 1, 2, 3].map((r) => r % parts) } : {}),
  })
  engine.advance(cycles)
  return engine
}

const owed = (e: TransferEngine): number => e.columns.waits.reduce((a, b) => a + b, 0)

describe("answers that wait at their endpoint", () => {
  test("thousands of them: one result for 1, 2 and 4 partitions", () => {
    const engines = [1, 2, 4].map((parts) => server(parts, 6000))
    // one request in each cycle, one answer in 24
    expect(owed(engines[0])).toBeGreaterThan(5000)
    for (const e of engines) {
      expect(e.audit()).toEqual([])
      expect(e.columns.control[CONTROL.full]).toBe(0)
      expect(e.fingerprint()).toBe(engines[0].fingerprint())
    }
  })

  test("more than there is room for: the run ends, with the same state for 1 and 4 partitions", () => {
    const capacity = waitingSlots(4)
    // it fills by 23 answers in 24 cycles
    const cycles = Math.ceil((capacity * 24) / 23) + 300
    const [one, four] = [1, 4].map((parts) => server(parts, cycles))
    expect(owed(one!)).toBe(capacity)
    for (const e of [one!, four!]) {
      expect(e.columns.control[CONTROL.full]).toBe(1)
      expect(e.fingerprint()).toBe(one!.fingerprint())
    }
    expect(four!.audit()).toEqual([])
  })
})

test.each([
  [4, 65_536],
  [32, 8192],
  [72, 4096],
  [3080, 4096],
])("%i endpoints have room for %i each", (ends, each) => expect(waitingSlots(ends)).toBe(each))
