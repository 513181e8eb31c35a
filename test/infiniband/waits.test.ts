// A ring without a dateline stands: InfiniBand and Omni-Path switches say which packets wait for one another, in the
// same words for any number of partitions.
import { expect, test } from "vitest"
import { transferEngine } from "../../src/compile/clocked/transfers.ts"
import { compile } from "../../src/compile/compile.ts"
import { diagnosisOf } from "../../src/measure/clocked/watchdog.ts"
import { specOf } from "../support/machine.ts"
import { ringTable } from "../support/ring.ts"

const buffers = { vcs: 1, input: "64flits", output: "64flits", reservedPerVl: "0flits" }

test.each([
  ["infiniband", { ...buffers }],
  ["infiniband", { ...buffers, grain: "message" }],
  ["infiniband", { ...buffers, grain: "message", credits: "crossbar" }],
  ["omni-path", { ...buffers, central: "64flits", mport: 3 }],
] as const)("%s %j: a circle of six packets, hop by hop", (name, given) => {
  const spec = specOf({
    topology: { name: "torus", sides: [6] },
    routing: { name: "any.table", file: "ring.table" },
    switch: { name, ...given },
    traffic: [{ load: 0.9, flits: 24 }],
  })
  const c = compile(spec, { read: () => ringTable(6) })
  if ("bad" in c) throw new Error(c.bad.map((b) => b.says).join("; "))
  const said = [1, 2, 3].map((parts) => {
    const assign = Uint8Array.from({ length: 6 }, (_, r) => r % parts)
    const engine = transferEngine(c.ok, { horizon: 40_000, series: 1024, parts, assign })
    engine.advance(6000)
    expect(engine.audit()).toEqual([])
    return diagnosisOf(engine, c.ok.network.topology, 1).words
  })
  // one for each channel of the ring, each held by the next
  expect(said[0][0]).toMatch(/^deadlock: 6 packets wait for one another in a cycle/)
  said[0].slice(1).forEach((w, i) => {
    const [from, to] = [
      /holds \((\d)\) \(port \d\) -> \((\d)\) VC 0/,
      /waits for \((\d)\) \(port \d\) -> \((\d)\) VC 0/,
    ].map((x) => w.match(x))
    expect([from?.[2], w.match(/held by packet (\d)/)?.[1]]).toEqual([to?.[1], String(((i + 1) % 6) + 1)])
  })
  expect(said.slice(1)).toEqual([said[0], said[0]])
})
