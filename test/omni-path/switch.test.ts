// What the Omni-Path switch does: two ways through it, shares by table, rings and trees that drain, the same bits for any partition, what is refused.
import { describe, expect, test } from "vitest"
import { STATES } from "../../src/switches/parts/vls.ts"
import { drained } from "../support/combined.ts"
import { complaintsOf, omniPathEngine } from "../support/infiniband.ts"
import type { Wish } from "../support/machine.ts"

const one = { topology: { name: "crossbar", n: 8 }, routing: { name: "crossbar.direct" } }

describe("zero load", () => {
  /** One packet after the other from endpoint 0, over one switch of two MPorts. */
  const alone = (to: number, flits: number, more: Record<string, unknown> = {}): number => {
    const e = omniPathEngine({
      ...one,
      switch: { vcs: 2, ...more },
      links: { end: "3cycles" },
      traffic: [
        {
          flits,
          load: 0.002,
          from: [0],
          pattern: { name: "fixed", pairs: [[0, to]] },
          arrivals: { name: "periodic", phase: "none" },
          stop: "9000cycles",
        },
      ],
    })
    drained(e)
    expect(e.stat("network")).toBe(e.stat("delivered") * e.stat("max"))
    return e.stat("max")
  }
  test.each([1, 5, 32])(
    "%i flits: 3 to the switch, routing 2, crossbar 1, traverse 1, 3 to the endpoint, flits; by the centre 2 more",
    (flits) => {
      expect(alone(3, flits)).toBe(3 + 2 + 1 + 1 + 3 + flits)
      expect(alone(4, flits)).toBe(3 + 2 + 2 + 1 + 1 + 3 + flits)
      expect(alone(4, flits, { middle: "5cycles", route: "1cycle", traverse: "0cycles", queues: "uplink" })).toBe(3 + 1 + 5 + 1 + 3 + flits)
    },
  )
})

describe("one output", () => {
  test("takes a packet from its MPort and one from the centre at the same time", () => {
    // 1 is in the MPort of 0, 5 is not: the buffer of output 0 fills from both, at one flit a cycle each
    const e = omniPathEngine({
      ...one,
      switch: { vcs: 1, output: "512flits", input: "512flits", least: "64flits" },
      traffic: [{ flits: 32, load: 1, from: [1, 5], pattern: { name: "to-set", set: [0] }, arrivals: { name: "periodic", phase: "none" } }],
    })
    const held = () => e.rooms.held[e.rooms.OUT + e.layout.slot[e.layout.graph.firstChan[0]!]!]!
    let both = 0
    for (let t = 1; t < 600; t++) {
      e.advance(t)
      const { states, busyWrite } = e.sw.columns as Record<string, Int32Array>
      if ((states![STATES.busyOut]! & busyWrite![0]! & 1) !== 0) both++
    }
    expect(both).toBeGreaterThan(300)
    // what comes in beyond one flit a cycle is in the buffer, until it is full
    expect(held()).toBeGreaterThan(300)
    expect(e.audit()).toEqual([])
  })
  test("deficit table: as the weights, whatever the sizes, though its levels come by both ways", () => {
    const flits = [3, 2, 32, 16]
    const e = omniPathEngine({
      ...one,
      switch: { vcs: 4, input: "512flits", output: "512flits", rate: 3, centralRate: 3 },
      qos: { name: "dtable", table: "0:12,1:22,0:12,2:93,1:22,3:42" },
      traffic: flits.map((f, s) => ({
        flits: f,
        class: s,
        pattern: { name: "to-set", set: [0] },
        from: [[1, 5], [2, 6], [3], [7]][s]!,
        load: 0.9,
      })),
    })
    const seen = () => flits.map((f, s) => f * e.stat("delivered", s))
    e.advance(4000)
    const before = seen()
    e.advance(44_000)
    expect(e.audit()).toEqual([])
    for (const [s, w] of [24, 44, 93, 42].entries()) expect(Math.abs((seen()[s]! - before[s]!) / 40_000 / (w / 203) - 1)).toBeLessThan(0.01)
  })
  test("up-links that packets share carry three flits a cycle each, all together", () => {
    // endpoints 0 to 3 to 4 to 7, all at once: four flits a cycle cross from MPort 0 to MPort 1 by two up-links
    const crossed = (more: Record<string, unknown>) => {
      const e = omniPathEngine({
        ...one,
        switch: { vcs: 1, ...more },
        traffic: [
          {
            flits: 16,
            load: 1,
            from: ["0-3"],
            pattern: {
              name: "fixed",
              pairs: [
                [0, 4],
                [1, 5],
                [2, 6],
                [3, 7],
              ],
            },
            arrivals: { name: "periodic" },
          },
        ],
      })
      e.advance(1000)
      const before = e.stat("delivered")
      e.advance(9000)
      return (16 * (e.stat("delivered") - before)) / 8000
    }
    expect(crossed({})).toBeGreaterThan(3.95)
    // one read at a time, a flit a cycle: two of four
    expect(crossed({ reads: "one" })).toBeLessThan(2.01)
    expect(crossed({ reads: "one", centralRate: 3 })).toBeGreaterThan(2.5)
  })
})

const nets: readonly (readonly [string, Wish])[] = [
  [
    "tree of two MPorts, Valiant, three levels in a deficit table",
    {
      topology: { name: "tree", k: 4, n: 2 },
      routing: { name: "tree.valiant" },
      switch: { vcs: 3, input: "128flits", output: "128flits", central: "128flits", least: "32flits" },
      qos: { name: "dtable", table: "0:4,1:16,0:4,2:16" },
      traffic: [0.2, 0.4, 0.4].map((load, c) => ({ flits: [3, 16, 16][c]!, class: c, load, stop: "1400cycles" })),
    },
  ],
  [
    "trunks in rings, fair queueing",
    {
      topology: { name: "torus", sides: "3x3", trunk: 2, p: 4 },
      routing: { name: "torus.bubble" },
      switch: { vcs: 2, input: "96flits", output: "96flits", central: "80flits", least: "32flits", queues: "uplink" },
      qos: { name: "wfq", weights: [1, 3] },
      endpoint: { name: "service-levels" },
      traffic: [0.4, 0.7].map((load, c) => ({ flits: [5, 16][c]!, class: c, load, stop: "1400cycles" })),
    },
  ],
]

describe("networks", () => {
  test.each(nets)("%s: one fingerprint in any partition, and it drains", (_, w) => {
    const prints = [1, 2, 3].map((parts) => {
      const e = omniPathEngine({ ...w, links: { link: "7cycles" } }, parts)
      e.advance(1400)
      expect(e.audit()).toEqual([])
      const print = e.fingerprint()
      if (parts === 1) {
        drained(e, 500)
        expect(e.stat("delivered")).toBe(e.stat("created"))
        expect(e.stat("delivered")).toBeGreaterThan(1000)
      }
      return print
    })
    expect(new Set(prints).size).toBe(1)
  })
})

describe("refused", () => {
  const omni = (w: Wish) => complaintsOf({ ...w, switch: { name: "omni-path", ...w.switch } })
  test.each<[string, Wish, string]>([
    [
      "two levels of one SC",
      {
        topology: { name: "crossbar", n: 8 },
        routing: { name: "crossbar.direct" },
        switch: { vcs: 2, sl2sc: "3,3", sc2vl: "0,0,0,1" },
        traffic: [{}, { class: 1 }],
      },
      "network.switch.sl2sc.1: SC 3 is that of SL 0: packets carry the SC alone | choose another one, and join them in sc2vl",
    ],
    [
      "an SC without a VL",
      {
        topology: { name: "crossbar", n: 8 },
        routing: { name: "crossbar.direct" },
        switch: { vcs: 2, sl2sc: "0,3", sc2vl: "0,1" },
        traffic: [{}, { class: 1 }],
      },
      "network.switch.sc2vl: SC 3 of SL 1 has no VL | give 4 VLs",
    ],
    [
      "ports that are not in fours",
      { topology: { name: "mesh", sides: "2", p: 4 } },
      "network.switch.mport: router 0 has 6 ports, which are not whole MPorts of 4 | set it to 3, or give routers a multiple of 4 ports",
    ],
    [
      "minima above the central buffer",
      { topology: { name: "crossbar", n: 8 }, routing: { name: "crossbar.direct" }, switch: { central: "300flits" } },
      "network.switch.least: 7 VLs keep 448 flits, the central buffer has 300 | set it to at most 42flits",
    ],
  ])("%s", (_, w, says) => expect(omni(w)).toEqual([says]))
})
