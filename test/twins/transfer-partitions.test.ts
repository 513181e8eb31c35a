// Switches that move whole packets, cut into pieces of any size: the same bits. Memory is laid out for whole multiples
// of 32 routers, so sizes around them are drawn, and pieces without any router.
import fc from "fast-check"
import { expect, test } from "vitest"
import { transferEngine } from "../../src/compile/clocked/transfers.ts"
import type { Named } from "../../src/model/experiment.ts"
import { compiledWhole } from "../support/combined.ts"
import { specOf } from "../support/machine.ts"

const ROUTERS = 129
const CYCLES = 900

const switches: Readonly<Record<string, Named>> = {
  combined: { name: "combined", vcs: 2, buffer: "128flits" },
  infiniband: { name: "infiniband", vcs: 2 },
  "omni-path": { name: "omni-path", vcs: 2 },
  "queue-scheme": { name: "queue-scheme", scheme: "voq-switch" },
}

/** Routers 0, 1, 2, … in pieces of these sizes, the last one with what is left. */
function piecesOf(sizes: readonly number[]): Uint8Array {
  const of = new Uint8Array(ROUTERS)
  let at = 0
  for (const [p, size] of sizes.entries()) {
    of.fill(p, at, at + size)
    at += size
  }
  return of.fill(sizes.length, at)
}

function run(sw: Named, assign: Uint8Array, parts: number) {
  const spec = specOf({
    topology: { name: "mesh", sides: "43x3", p: 4 },
    routing: { name: "mesh.dimension-order" },
    switch: sw,
    links: { link: "60cycles" },
    flit: "64B",
    traffic: [{ flits: 16, load: 0.02 }],
  })
  const engine = transferEngine(compiledWhole(spec), { horizon: 2000, series: 1024, parts, assign })
  engine.advance(CYCLES)
  return { mark: engine.fingerprint(), delivered: engine.stat("delivered"), bad: engine.audit() }
}

test.each(Object.entries(switches))("%s", (_, sw) => {
  const whole = run(sw, new Uint8Array(ROUTERS), 1)
  expect(whole.bad).toEqual([])
  expect(whole.delivered).toBeGreaterThan(100)
  const same = (sizes: readonly number[]): void => {
    expect({ sizes, ...run(sw, piecesOf(sizes), sizes.length + 1) }).toEqual({ sizes, ...whole })
  }
  same([64])
  same([32, 32, 32])
  same([0, 64, 0])
  const size: fc.Arbitrary<number> = fc.constantFrom(0, 1, 31, 32, 33, 63, 64)
  fc.assert(
    fc.property(
      fc.array(size, { minLength: 1, maxLength: 5 }).filter((s) => s.reduce((a, b) => a + b, 0) <= ROUTERS),
      same,
    ),
    { numRuns: 4 },
  )
})
