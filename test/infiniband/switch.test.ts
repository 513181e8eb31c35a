// What the InfiniBand switch does with service levels, tables, buffers and rings; the same bits for any partition.
import { describe, expect, test } from "vitest"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { drained } from "../support/combined.ts"
import { infinibandEngine } from "../support/infiniband.ts"
import type { StreamWish, Wish } from "../support/machine.ts"

/** Flits of each stream that arrive in [from, to). */
function accepted(e: TransferEngine, flits: readonly number[], from: number, to: number): number[] {
  const seen = () => flits.map((f, s) => f * e.stat("delivered", s))
  e.advance(from)
  const before = seen()
  e.advance(to)
  expect(e.audit()).toEqual([])
  return seen().map((n, s) => n - before[s])
}

/** Each stream has a class and endpoints of its own, and all want endpoint 0, more than its channel has. */
function hot(flits: readonly number[], more: Partial<StreamWish> = {}): StreamWish[] {
  return flits.map((f, s) => ({
    flits: f,
    class: s,
    pattern: { name: "to-set", set: [0] },
    from: [s + 1],
    load: 0.9,
    ...more,
  }))
}

const one = { topology: { name: "crossbar", n: 8 }, routing: { name: "crossbar.direct" } }
/** A crossbar that keeps all queues of its outputs full. */
const fast = { speed: 4, input: "512flits", output: "512flits", reservedPerVl: "64flits" }
const share = (n: readonly number[]) => n.map((x) => x / n.reduce((a, b) => a + b, 0))

describe("a link that all want is shared by its scheduler", () => {
  test("deficit table: as the weights, whatever the sizes", () => {
    // 3, 2, 32, 32 and 16 flits; weights 24, 44, 80, 93 and 21 of 262
    const flits = [3, 2, 32, 32, 16]
    const table = "0:12,1:22,0:12,2:80,1:22,3:93,4:21"
    const e = infinibandEngine({
      ...one,
      switch: { ...fast, vcs: 5 },
      qos: { name: "dtable", table },
      traffic: hot(flits),
    })
    const got = share(accepted(e, flits, 3000, 43_000))
    // full tables of 262 flits go by, a last one in part: 40,000 cycles are 152 of them
    const want = share([24, 44, 80, 93, 21])
    for (const [s, w] of want.entries()) expect(Math.abs(got[s] / w - 1)).toBeLessThan(0.01)
  })
  test("round robin, if nothing is said: packet by packet", () => {
    const flits = [4, 8]
    const e = infinibandEngine({ ...one, switch: { ...fast, vcs: 2 }, traffic: hot(flits) })
    // one of 4 and one of 8 flits in turn: the channel's 12,000 cycles are 1,000 rounds
    expect(share(accepted(e, flits, 1200, 13_200))).toEqual([1 / 3, 2 / 3])
  })
  test("strict: what is left over is nothing", () => {
    const flits = [4, 8]
    const e = infinibandEngine({
      ...one,
      switch: { ...fast, vcs: 2 },
      qos: { name: "strict" },
      traffic: hot(flits, { load: 1 }),
    })
    const [a, b] = accepted(e, flits, 2000, 12_000)
    expect([a, b]).toEqual([10_000, 0])
  })
  test("two VLs of one class take turns, and share what the class has", () => {
    // two streams of class 0 from two rings enter it on different VLs of the dateline
    const e = infinibandEngine({
      topology: { name: "torus", sides: "4", p: 2 },
      routing: { name: "torus.dimension-order" },
      switch: { ...fast, vcs: 4 },
      qos: { name: "dtable", table: "0:48,1:16" },
      links: { link: "3cycles" },
      traffic: [0, 1].map((c) => ({ flits: 16, class: c, pattern: { name: "to-set", set: [0] }, load: 0.5 })),
    })
    const got = share(accepted(e, [16, 16], 3000, 23_000))
    expect(Math.abs(got[0] / 0.75 - 1)).toBeLessThan(0.01)
  })
})

describe("buffers", () => {
  test("a VL that stands leaves the others what they have for themselves, and holds no more than it may", () => {
    // endpoint 0 is wanted by all of class 0: it fills its part; class 1 to other endpoints goes on
    const w: Wish = {
      topology: { name: "mesh", sides: "2", p: 4 },
      switch: { vcs: 2, input: "96flits", output: "96flits", reservedPerVl: "16flits", maxPerVl: "64flits" },
      links: { link: "2cycles" },
      traffic: [
        { flits: 8, class: 0, pattern: { name: "to-set", set: [0] }, load: 0.9 },
        {
          flits: 8,
          class: 1,
          from: ["4-7"],
          pattern: {
            name: "fixed",
            pairs: [
              [4, 1],
              [5, 2],
              [6, 3],
              [7, 1],
            ],
          },
          load: 0.2,
        },
      ],
    }
    const e = infinibandEngine(w)
    let most = 0
    for (let t = 200; t <= 4000; t += 50) {
      e.advance(t)
      expect(e.audit()).toEqual([])
      for (const flits of e.sharedBuffers.held) most = Math.max(most, flits)
    }
    expect(most).toBe(64)
    expect(e.stat("delivered", 1)).toBeGreaterThan(300)
  })
  test("a torus without datelines, nearly full, drains: who enters a ring leaves room for one behind", () => {
    const e = drained(
      infinibandEngine({
        topology: { name: "torus", sides: "6x6", trunk: 2 },
        routing: { name: "torus.bubble" },
        switch: { vcs: 2, input: "128flits", output: "128flits", reservedPerVl: "48flits" },
        links: { link: "4cycles" },
        traffic: [0, 1].map((c) => ({ flits: 24, class: c, load: 0.5, stop: "1500cycles" })),
      }),
      500,
    )
    expect(e.stat("delivered")).toBe(e.stat("created"))
    expect(e.stat("delivered")).toBeGreaterThan(1500)
  })
})

describe("any partition", () => {
  test.each<[string, Wish]>([
    [
      "tree, Valiant, three levels in a deficit table",
      {
        topology: { name: "tree", k: 3, n: 2 },
        routing: { name: "tree.valiant" },
        switch: { vcs: 3, input: "128flits", output: "128flits", reservedPerVl: "32flits" },
        qos: { name: "dtable", table: "0:4,1:16,0:4,2:16" },
        traffic: [0.2, 0.4, 0.4].map((load, c) => ({ flits: [3, 16, 16][c], class: c, load })),
      },
    ],
    [
      "trunks in rings, fair queueing",
      {
        topology: { name: "torus", sides: "3x3", trunk: 2, p: 2 },
        routing: { name: "torus.bubble" },
        switch: { vcs: 2, input: "128flits", output: "96flits", reservedPerVl: "32flits", release: "tail" },
        qos: { name: "wfq", weights: [1, 3] },
        traffic: [0.3, 0.6].map((load, c) => ({ flits: [5, 16][c], class: c, load })),
      },
    ],
  ])("%s: one fingerprint", (_, w) => {
    const prints = [1, 2, 3].map((parts) => {
      const e = infinibandEngine({ ...w, links: { link: "7cycles" } }, parts)
      e.advance(1400)
      expect(e.audit()).toEqual([])
      expect(e.stat("delivered")).toBeGreaterThan(100)
      return e.fingerprint()
    })
    expect(new Set(prints).size).toBe(1)
  })
})
