// Networks with stages: an endpoint sends to a router of the first stage and receives from one of the last, which may
// belong to other partitions.
import { describe, expect, it } from "vitest"
import { partition, unitsOf } from "../../src/compile/clocked/partition.ts"
import { compiledOf, engineOf, type Wish } from "../support/machine.ts"

const wish: Wish = {
  topology: { name: "butterfly", k: 2, n: 3 },
  routing: { name: "butterfly.destination-tag" },
  switch: { vcs: 4, buffer: "8flits" },
  traffic: [{ load: 0.3, flits: 2, reply: "1flits" }],
}
const { topology } = compiledOf(wish).network

describe("a butterfly in partitions", () => {
  it("keeps the two routers of an endpoint together", () => {
    // 3 stages of 4 routers: endpoints 2r, 2r + 1 send to router r and receive from router 8 + r; the stage between is
    // free
    expect(Array.from(unitsOf(topology.graph).unit)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3])
    for (const parts of [2, 3, 4]) {
      const of = partition(topology, parts)
      for (let r = 0; r < 4; r++) expect(of[r]).toBe(of[8 + r])
    }
  })

  it("answers the same with replies on any number of partitions", () => {
    const run = (parts: number) => {
      const engine = engineOf(wish, parts === 1 ? {} : { parts, assign: partition(topology, parts) })
      engine.advance(600)
      return { mark: engine.fingerprint(), delivered: engine.stat("delivered"), bad: engine.audit() }
    }
    const whole = run(1)
    expect(whole.delivered).toBeGreaterThan(100)
    for (const parts of [2, 3, 4]) expect(run(parts)).toEqual(whole)
  })

  it("has room for the records that go home from a stage that no endpoint sends to", () => {
    const quiet: Wish = { ...wish, traffic: [{ load: 0.6, flits: 2 }] }
    const run = (assign: Uint8Array, parts: number) => {
      const engine = engineOf(quiet, { parts, assign })
      engine.advance(600)
      return { mark: engine.fingerprint(), bad: engine.audit() }
    }
    // one stage each
    const stages = Uint8Array.from({ length: 12 }, (_, r) => Math.floor(r / 4))
    expect(run(stages, 3)).toEqual(run(new Uint8Array(12), 1))
  })
})
