// What the Omni-Path switch does: two ways through it, shares by table, rings and trees that drain, the same bits for
// any partition, what is refused.
import { describe, expect, test } from "vitest"
import { params } from "../../src/switches/omni-path/params.ts"
import { portVlsOf, sc2slOf } from "../../src/switches/omni-path/tables.ts"
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
      switch: { vcs: 2, grain: "message", ...more },
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
      expect(alone(4, flits, { middle: "5cycles", route: "1cycle", traverse: "0cycles", queues: "uplink" })).toBe(
        3 + 1 + 5 + 1 + 3 + flits,
      )
    },
  )
  test.each([1, 5, 32])("%i flits with packets of one flit: a message leaves when all of it has crossed", (flits) => {
    expect(alone(3, flits, { grain: "packet" })).toBe(3 + 2 + 1 + 1 + 3 + flits + (flits - 1))
    expect(alone(4, flits, { grain: "packet" })).toBe(3 + 2 + 2 + 1 + 1 + 3 + flits + (flits - 1))
  })
})

describe("one output", () => {
  test.each([3, 7, 11])(
    "that inputs of three MPorts ask for serves them in turn, whichever MPort it is in: output %i",
    (to) => {
      const from = [0, 4, 8]
      for (const load of [1, 0.5, 0.36]) {
        const e = omniPathEngine({
          topology: { name: "crossbar", n: 12 },
          routing: { name: "crossbar.direct" },
          switch: { vcs: 1 },
          traffic: from.map((x) => ({ flits: 4, load, from: [x], pattern: { name: "to-set", set: [to] } })),
        })
        const accepted = () => from.map((_, s) => 4 * e.stat("delivered", s))
        // the buffers of the senders are full by then
        const [warm, end] = [load === 0.36 ? 60_000 : 20_000, load === 0.36 ? 80_000 : 40_000]
        e.advance(warm)
        const before = accepted()
        e.advance(end)
        const got = accepted().map((x, i) => (x - before[i]) / (end - warm))
        // together they offer more than a flit a cycle: a third for each, within a packet
        for (const x of got) expect(Math.abs(x - 1 / 3)).toBeLessThan(0.001)
      }
    },
  )

  test("takes a packet from its MPort and one from the centre at the same time", () => {
    // 1 is in the MPort of 0, 5 is not: the buffer of output 0 fills from both, at one flit a cycle each
    const e = omniPathEngine({
      ...one,
      switch: { vcs: 1, grain: "message", output: "512flits", input: "512flits", reservedPerVl: "64flits" },
      traffic: [
        {
          flits: 32,
          load: 1,
          from: [1, 5],
          pattern: { name: "to-set", set: [0] },
          arrivals: { name: "periodic", phase: "none" },
        },
      ],
    })
    const held = () => e.sharedBuffers.held[e.sharedBuffers.OUT + e.layout.slot[e.layout.graph.firstChan[0]]]
    let both = 0
    for (let t = 1; t < 600; t++) {
      e.advance(t)
      const { states, busyWrite } = e.sw.columns as Record<string, Int32Array>
      if ((states![STATES.busyOut] & busyWrite![0] & 1) !== 0) both++
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
        from: [[1, 5], [2, 6], [3], [7]][s],
        load: 0.9,
      })),
    })
    const seen = () => flits.map((f, s) => f * e.stat("delivered", s))
    e.advance(4000)
    const before = seen()
    e.advance(44_000)
    expect(e.audit()).toEqual([])
    for (const [s, w] of [24, 44, 93, 42].entries())
      expect(Math.abs((seen()[s] - before[s]) / 40_000 / (w / 203) - 1)).toBeLessThan(0.01)
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
    expect(crossed({ grain: "message" })).toBeGreaterThan(3.95)
    // one read at a time, a flit a cycle: two of four
    expect(crossed({ grain: "message", reads: "one", centralRate: 1 })).toBeLessThan(2.01)
    expect(crossed({ grain: "message", reads: "one" })).toBeGreaterThan(2.5)
  })
})

describe("room", () => {
  /** Most flits of the central buffer in use while endpoints 0 to 3 send to endpoint 4, which is in another MPort. */
  const most = (room: string) => {
    const e = omniPathEngine({
      ...one,
      switch: { vcs: 1, output: "16flits", central: "64flits", reservedPerVl: "4flits", room },
      traffic: [{ flits: 4, load: 1, from: ["0-3"], pattern: { name: "to-set", set: [4] } }],
    })
    let found = 0
    for (let t = 10; t < 3000; t += 10) {
      e.advance(t)
      const { centralHeld } = e.sw.columns as Record<string, Uint16Array>
      found = Math.max(found, centralHeld![0])
    }
    expect(e.audit()).toEqual([])
    return found
  }
  test("centre: messages wait in the central buffer until it is full; input: as many as the output buffer takes", () => {
    expect(most("centre")).toBe(64)
    // all of them hold space of the output buffer, which has 16 flits
    expect(most("input")).toBeLessThanOrEqual(16)
    expect(most("input")).toBeGreaterThan(0)
  })
  test("input is of packets of one flit", () =>
    expect(complaintsOf({ ...one, switch: { name: "omni-path", vcs: 1, grain: "message", room: "input" } })).toEqual([
      "network.switch.room: is of the crossbars with grain: packet | leave it out, or set grain to packet",
    ]))
})

const nets: readonly (readonly [string, Wish])[] = [
  [
    "tree of two MPorts, Valiant, three levels in a deficit table",
    {
      topology: { name: "tree", k: 4, n: 2 },
      routing: { name: "tree.valiant" },
      switch: { vcs: 3, input: "128flits", output: "128flits", central: "128flits", reservedPerVl: "32flits" },
      qos: { name: "dtable", table: "0:4,1:16,0:4,2:16" },
      traffic: [0.2, 0.4, 0.4].map((load, c) => ({ flits: [3, 16, 16][c], class: c, load, stop: "1400cycles" })),
    },
  ],
  [
    "trunks in rings, fair queueing",
    {
      topology: { name: "torus", sides: "3x3", trunk: 2, p: 4 },
      routing: { name: "torus.bubble" },
      switch: {
        vcs: 2,
        input: "96flits",
        output: "96flits",
        central: "80flits",
        reservedPerVl: "32flits",
        queues: "uplink",
        grain: "message",
      },
      qos: { name: "wfq", weights: [1, 3] },
      endpoint: { name: "service-levels" },
      traffic: [0.4, 0.7].map((load, c) => ({ flits: [5, 16][c], class: c, load, stop: "1400cycles" })),
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
      "network.switch.sl2sc.1: SC 3 is that of SL 0: packets carry only the SC " +
        "| choose another one, and join them in sc2vl",
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
      "an SC of two levels, between some ports",
      {
        ...one,
        switch: { vcs: 2, sl2sc: "0,1", sl2scPorts: [{ inputs: "0-3", to: "1,2" }] },
        traffic: [{}, { class: 1 }],
      },
      "network.switch.sl2scPorts.0.to.0: SC 1 is that of SL 1: packets carry only the SC " +
        "| choose another one, and join them in sc2vl",
    ],
    [
      "management's SC between some ports",
      {
        ...one,
        switch: {
          vcs: 2,
          sl2sc: "0,1",
          sc2vl: "0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0",
          sl2scPorts: [{ outputs: "7", to: "0,15" }],
        },
        traffic: [{}, { class: 1 }],
      },
      "network.switch.sl2scPorts.0.to.1: SC 15 is for management and carries no data | choose another one",
    ],
    [
      "a level of two traffic classes",
      {
        ...one,
        switch: { vcs: 2, vfabrics: { a: { tc: 0, levels: [0, 1] }, b: { tc: 1, levels: [1] } } },
        traffic: [{}, { class: 1 }],
      },
      'network.switch.vfabrics.b.levels.0: SL 1 is in TC 0 by vFabric "a": a level ' +
        "has one TC | set tc to 0, or leave the level out",
    ],
    [
      "a level of no vFabric",
      { ...one, switch: { vcs: 2, vfabrics: { a: { tc: 0, levels: [0] } } }, traffic: [{}, { class: 1 }] },
      'traffic.1.class: no vFabric has SL 1 | give it to one of "a"',
    ],
    [
      "a sender outside of its vFabric",
      {
        ...one,
        switch: { vcs: 2, vfabrics: { a: { tc: 0, levels: [0], endpoints: "0-3" } } },
        traffic: [{ from: ["0-4"] }],
      },
      "traffic.0.pattern: endpoint 0 sends to endpoint TO on SL 0, and no vFabric of this level " +
        'has both | add it to "a", or choose a pattern that stays inside',
    ],
    [
      "a sender that is in none",
      {
        ...one,
        switch: { vcs: 2, vfabrics: { a: { tc: 0, levels: [0], endpoints: "0-3" } } },
        traffic: [{ from: [5], pattern: { name: "to-set", set: [0] } }],
      },
      'traffic.0.from: endpoint 5 sends on SL 0 and is not in "a" | add it there, or change the senders',
    ],
    [
      "endpoints that there are not",
      { ...one, switch: { vcs: 2, vfabrics: { a: { tc: 0, levels: [0], endpoints: "6-8" } } } },
      'network.switch.vfabrics.a.endpoints: "6-8" does not name endpoints from 0 to 7 | write numbers or ranges such as 0-7',
    ],
    [
      "ports that are not in fours",
      { topology: { name: "mesh", sides: "2", p: 4 } },
      "network.switch.mport: router 0 has 6 ports, which are not whole MPorts of 4 | " +
        "set it to 3, or give routers a multiple of 4 ports",
    ],
    [
      "minima above the central buffer",
      { topology: { name: "crossbar", n: 8 }, routing: { name: "crossbar.direct" }, switch: { central: "300flits" } },
      "network.switch.reservedPerVl: 7 VLs reserve 448 flits, but the central buffer has 300 | set it to at most 42flits",
    ],
  ])("%s", (_, w, says) => expect(omni(w).map((s) => s.replace(/endpoint [4-7] on/, "endpoint TO on"))).toEqual([says]))
  test("two vFabrics of one traffic class, each with its own endpoints", () => {
    const vfabrics = { a: { tc: 0, levels: [0], endpoints: "0-3" }, b: { tc: 0, levels: [0, 1], endpoints: "4-7" } }
    const traffic = [
      { from: ["0-3"], pattern: { name: "to-set", set: [0, 1, 2, 3] } },
      { from: ["4-7"], pattern: { name: "to-set", set: [4, 5] }, class: 1 },
    ]
    expect(omni({ ...one, switch: { vcs: 2, vfabrics }, traffic })).toEqual([])
    // the same run as without them
    const print = (more: Record<string, unknown>) => {
      const e = omniPathEngine({ ...one, switch: { vcs: 2, ...more }, traffic })
      e.advance(300)
      return e.fingerprint()
    }
    expect(print({ vfabrics })).toBe(print({}))
  })
})

describe("SC to SL", () => {
  test("is the inverse of all tables SL to SC", () => {
    const p = params.parse(
      { vcs: 2, sl2sc: "0,4", sc2vl: "0,0,0,0,1,0,1", sl2scPorts: [{ inputs: "0-3", to: "2,6" }] },
      "",
    )
    if ("bad" in p) throw new Error(JSON.stringify(p.bad))
    const table = sc2slOf(p.ok, 2)
    expect(table.slice(0, 8)).toEqual([0, -1, 0, -1, 1, -1, 1, -1])
    // ports of MPort 0 to all others go by SC 2 and 6: VL 0 and 1
    expect([...portVlsOf(p.ok, 8)!.slice(0, 4)]).toEqual([0, 1, 0, 1])
  })
})
