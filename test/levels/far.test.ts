// In a large partition stages are told their visits before the first of them (parts/ready-sets.ts, `gather`), in small
// ones they are not: the bits are the same. 8x8x8 routers with one VL have places for 32 ports each: 16,384 in one
// partition, and 1,024 in each of sixteen.
import { expect, test } from "vitest"
import { FAR_PORTS } from "../../src/switches/parts/ready-sets.ts"
import { infinibandEngine, omniPathEngine } from "../support/infiniband.ts"

test.each([
  ["infiniband", infinibandEngine],
  ["omni-path", omniPathEngine],
] as const)("%s: one partition of 512 routers and sixteen of 32 give the same bits", (_, engineOf) => {
  const wish = {
    topology: { name: "torus", sides: "8x8x8", p: 2 },
    routing: { name: "torus.bubble" },
    switch: { vcs: 1, input: "256flits", output: "128flits", reservedPerVl: "64flits" },
    traffic: [{ flits: 8, load: 0.6 }],
  }
  const prints = [1, 16].map((parts) => {
    const e = engineOf(wish, parts)
    expect(32 * e.constants.portWords >= FAR_PORTS).toBe(parts === 1)
    e.advance(300)
    expect(e.audit()).toEqual([])
    return [e.stat("delivered") > 500, e.fingerprint()]
  })
  expect(prints[0]).toEqual([true, prints[1][1]])
})
