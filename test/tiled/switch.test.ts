// The tiled switch against sums done by hand.
import { describe, expect, test } from "vitest"
import { sharedBufferRules } from "../../src/fabric/shared-buffers.ts"
import { stream } from "../../src/reproduce/papers/stashing/network.ts"
import { complaintsOf, engineOf, flitsOut, pair, small, specOf } from "../support/tiled.ts"

/** One packet from endpoint 0 to endpoint 4 over a link of this latency; cycles from injection to the arrival of its
 *  tail. */
function alone(latency: number, speed: number, flits: number): number {
  const traffic = stream("one", 0.001, {
    pattern: { name: "fixed", pairs: [[0, 4]] },
    from: [0],
    packet: { name: "fixed", size: `${flits}flits` },
    arrivals: { name: "periodic", phase: "none" },
  })
  const engine = engineOf(pair(latency, { speed }, [traffic]), 1)
  engine.advance(3000)
  expect(engine.audit()).toEqual([])
  return engine.stat("network") / engine.stat("measured")
}

/** Link cycles t are at t * 13, core steps s at s * 10 (speed 1.3): the head waits `hold` cycles, then row bus, tile
 *  and multiplexer take a step each. */
function expected(latency: number, [link, core]: readonly [number, number], flits: number): number {
  const hold = Math.ceil(flits * (1 - core / link)) + 1
  let t = 5 + hold
  for (const out of [latency, 5]) {
    const row = Math.ceil((t * link) / core)
    const mux = row + 2
    // the first link cycle after the multiplexer's step
    const start = Math.floor((mux * core) / link) + 1
    t = start + out + (out === 5 ? flits : hold)
  }
  return t
}

describe("a packet alone", () => {
  for (const [latency, speed, clock, flits] of [
    [40, 1.3, [13, 10], 24],
    [40, 1.3, [13, 10], 1],
    [500, 1, [1, 1], 24],
    [7, 2, [2, 1], 10],
  ] as const) {
    test(`${flits} flits, ${latency} cycles, core ${speed}x`, () => {
      expect(alone(latency, speed, flits)).toBe(expected(latency, clock, flits))
    })
  }
})

describe("buffers of one round trip", () => {
  const flow = stream("flow", 1, {
    pattern: { name: "fixed", pairs: [[0, 4]] },
    from: [0],
    arrivals: { name: "periodic" },
  })
  const rate = (buffer: number, retention: boolean) => {
    const engine = engineOf(
      pair(500, { buffer: `${buffer}flits`, retention, carries: { link: [0] }, packet: "25flits" }, [
        { ...flow, packet: { name: "fixed", size: "25flits" } },
      ]),
      1,
    )
    engine.advance(10_000)
    const before = engine.columns.endOut.reduce((a, b) => a + b, 0)
    engine.advance(30_000)
    return (engine.columns.endOut.reduce((a, b) => a + b, 0) - before) / 20_000
  }
  test("with a round trip of 1000 cycles, 1000 flits of buffer carry 1 flit per cycle, 500 flits half", () => {
    // input: 1000 flits and the packet's own hold and transfer beside the round trip; output: exactly one round trip
    expect(rate(1100, true)).toBeCloseTo(1, 2)
    expect(rate(500, true)).toBeGreaterThan(0.46)
    expect(rate(500, true)).toBeLessThanOrEqual(0.5)
  })
})

describe("a VC whose flits do not move", () => {
  /** Flits per cycle over a link of 500 cycles, whose far buffer of 1000 flits holds `stuck` flits that nobody will
   *  ever take out. */
  const rate = (stuck: number, still: Record<string, number>) => {
    const flow = stream("flow", 1, {
      pattern: { name: "fixed", pairs: [[0, 4]] },
      from: [0],
      arrivals: { name: "periodic" },
    })
    const engine = engineOf(pair(500, { carries: { link: [0] }, still }, [flow]), 1)
    const { layout: l, sharedBuffers } = engine
    const { take } = sharedBufferRules(sharedBuffers, l.LV)
    for (let port = 0; port < l.routers * l.PS; port++) if (l.down[port] >= 0) take(port << l.LV, stuck)
    engine.advance(30_000)
    return flitsOut(engine) / 30_000
  }
  test("may go on while they are less than its share of the buffer: 400 flits are left for each round trip", () => {
    expect(rate(600, {})).toBeGreaterThan(0.33)
    expect(rate(600, {})).toBeLessThan(0.4)
    expect(rate(576, { link: 0.6 })).toBeGreaterThan(0.2)
  })
  test("and waits when they are as much: what is left is for others", () => {
    expect(rate(600, { link: 0.6 })).toBe(0)
  })
})

describe("any partition gives the same bits", () => {
  for (const [name, o] of [
    ["baseline", { load: 0.9 }],
    ["copies", { load: 0.9, stash: 0.25, switch: { reliability: true } }],
    [
      "errors of all kinds",
      {
        load: 0.6,
        stash: 1,
        switch: {
          reliability: true,
          errors: { local: 0.01, global: 0.01 },
          lost: 0.5,
          timeout: "3us",
          linkErrors: { local: 0.01 },
          sidebandSpread: 400,
        },
      },
    ],
    [
      "windows",
      {
        load: 0.9,
        stash: 0.1,
        switch: { absorb: true },
        congestion: { name: "ecn-window", window: "200flits", base: "vc" },
      },
    ],
  ] as const) {
    test(name, () => {
      const prints = [1, 2, 4, 0].map((parts) => {
        const engine = engineOf(small(o), parts)
        engine.advance(2000)
        expect(engine.audit()).toEqual([])
        return engine.fingerprint()
      })
      expect(new Set(prints).size).toBe(1)
    })
  }
})

describe("state is columns", () => {
  test("run(0..2000) = run(0..900), elsewhere, restore, run(900..2000)", () => {
    const o = { load: 0.8, stash: 0.5, switch: { reliability: true, errors: { local: 0.01 }, timeout: "2us" } } as const
    const straight = engineOf(small(o))
    straight.advance(2000)
    const engine = engineOf(small(o))
    engine.advance(900)
    const kept = engine.snapshot()
    engine.advance(1500)
    expect(engine.fingerprint()).not.toBe(straight.fingerprint())
    engine.restore(kept)
    engine.advance(2000)
    expect(engine.fingerprint()).toBe(straight.fingerprint())
  })
  test("another seed, another trajectory", () => {
    const prints = [1, 2].map((seed) => {
      const engine = engineOf(small({ load: 0.3, seed }))
      engine.advance(1000)
      return engine.fingerprint()
    })
    expect(prints[0]).not.toBe(prints[1])
  })
})

describe("what makes no sense is refused before cycle 0", () => {
  const bad = (o: Parameters<typeof small>[0]) => complaintsOf(small(o))
  test("a tile grid that does not fit", () => {
    expect(bad({ load: 0.1, switch: { rows: 3 } })).toEqual([
      "network.switch.rows: 8 ports are not 3 rows of equal size | choose one of 1, 2, 4, 8",
    ])
  })
  test("a stash that leaves less than a packet, or less than a round trip", () => {
    expect(bad({ load: 0.1, switch: { reliability: true, stash: { end: 0.98 } } })[0]).toContain(
      "network.switch.stash.end: leaves 20 flits to links of class end, a packet has 24",
    )
    expect(bad({ load: 0.1, switch: { reliability: true, stash: { global: 0.5 } } })[0]).toContain(
      "network.switch.stash.global: leaves 500 flits to links of class global, whose round trip holds 1000",
    )
  })
  test("no retries", () => {
    expect(bad({ load: 0.1, stash: 1, switch: { reliability: true, retries: 0 } })[0]).toContain(
      "network.switch.retries: 0 is too small",
    )
  })
  test("a window smaller than a packet", () => {
    expect(bad({ load: 0.1, congestion: { name: "ecn-window", least: "12flits" } })[0]).toContain(
      "network.congestion.minWindow: a window of 12 flits is too small for a packet of 24",
    )
  })
  test("copies without acknowledgements, errors without copies, answers that nobody waits for", () => {
    expect(
      bad({ load: 0.1, stash: 1, switch: { reliability: true }, endpoint: { name: "queue-pairs", ack: "0flits" } })[0],
    ).toContain("network.endpoint.ack")
    expect(bad({ load: 0.1, switch: { errors: { local: 0.1 }, timeout: "1us" } }).join()).toContain(
      "set reliability: true",
    )
    expect(bad({ load: 0.1, stash: 1, switch: { reliability: true, errors: { local: 0.1 } } })[0]).toContain(
      "network.switch.timeout",
    )
    expect(bad({ load: 0.1, endpoint: { name: "queue-pairs", reorder: 4 } })[0]).toContain("network.endpoint.reorder")
  })
  test("windows on a switch that moves flits", () => {
    const network = {
      topology: { name: "mesh", sides: "2x2" },
      routing: { name: "mesh.dimension-order" },
      switch: { name: "input-queued" },
      endpoint: { name: "queue-pairs" },
      congestion: { name: "ecn-window" },
      links: {},
      cycle: "1ns",
      flit: "8B",
    }
    expect(complaintsOf(specOf(network, [stream("x", 0.1)])).length).toBe(2)
  })
})
