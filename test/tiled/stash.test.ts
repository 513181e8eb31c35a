// Structure of the stash: partition, storage path, retrieval path, and that it is a data path which competes with
// everything else.
import { describe, expect, test } from "vitest"
import type { RunSpec } from "../../src/model/experiment.ts"
import { stream } from "../../src/reproduce/papers/stashing/network.ts"
import { copies, engineOf, flitsOut, one, pair, poolsOf, small } from "../support/tiled.ts"

const shares = { stash: { end: 0.875, local: 0.75 } }

describe("partition of port memory", () => {
  const pools = (capacity: number) => {
    const engine = engineOf(small({ load: 0.01, stash: capacity, switch: { reliability: true } }), 1)
    return [...new Set(poolsOf(engine))].sort((a, b) => a - b)
  }
  test("of 2 x 1000 flits the stash has 7/8 at end ports, 3/4 at local and none at global, in packets of 24", () => {
    // 1750 = 72 packets and 22 flits, 1500 = 62 packets and 12 flits
    expect(pools(1)).toEqual([0, 62 * 24, 72 * 24])
  })
  test("half and a quarter of the capacity restrict the pools alone", () => {
    // 875 -> 874 in pairs = 36 packets, 750 = 31; 437 -> 436 = 18, 375 -> 374 = 15
    expect(pools(0.5)).toEqual([0, 31 * 24, 36 * 24])
    expect(pools(0.25)).toEqual([0, 15 * 24, 18 * 24])
  })
  test("what is left for links is the rest: 125, 250, 1000 flits", () => {
    const engine = engineOf(
      small({ load: 0.01, stash: 1, switch: { reliability: true, reserve: "0flits", cap: {} } }),
      1,
    )
    const { layout: l, sharedBuffers } = engine
    const inputs = new Set<number>()
    for (let port = 0; port < l.routers * l.PS; port++)
      if (l.up[port] >= 0) inputs.add(sharedBuffers.shared[l.up[port] >> l.LV])
    expect([...inputs].sort((a, b) => a - b)).toEqual([125, 250, 1000])
  })
})

describe("storage path", () => {
  /** 20 ports as 4 x 4 tiles; one packet enters at port 7 (row 1). Buffers are filled by hand before. */
  const crowded = (fill: (column: (name: string) => Int32Array | Uint16Array, LV: number, PS: number) => void) => {
    const engine = engineOf(
      one(20, { rows: 4, columns: 4, stash: { end: 0.875 }, reliability: true }, [
        stream("one", 0.0001, {
          pattern: { name: "fixed", pairs: [[7, 0]] },
          from: [7],
          arrivals: { name: "periodic", phase: "none" },
        }),
      ]),
      1,
    )
    const { columns } = engine.sw
    const column = (name: string) => {
      const found = columns[name]
      if (found instanceof Int32Array || found instanceof Uint16Array) return found
      throw new Error(`no column ${name}`)
    }
    fill(column, engine.layout.LV, engine.layout.PS)
    return { engine, column }
  }

  test(
    "the column with most storage credits, then most free stash: 3, 4, 4, " +
      "2 packets, 5000 and 6200 flits: column 2",
    () => {
      const { engine, column } = crowded((of) => {
        ;[1, 0, 0, 2].forEach((packets, c) => {
          of("storeHeld")[7 * 4 + c] = 24 * packets
        })
        of("columnFree").set([8640, 5000, 6200, 8640])
      })
      const before = Array.from(column("storeHeld").subarray(28, 32))
      let took = -1
      for (let t = 1; t < 40 && took < 0; t++) {
        engine.advance(t)
        took = before.findIndex((held, c) => column("storeHeld")[28 + c] > held)
      }
      expect(took).toBe(2)
    },
  )

  test(
    "the port with most storage credits, then the largest free pool: credits 4, " +
      "1, 0, 4, 4, pools 900, ., ., 1400, 1400: 13 or 14",
    () => {
      const S = 6
      const { engine, column } = crowded((of, LV, PS) => {
        of("columnFree").set([0, 0, 8640, 0])
        ;[0, 3, 4, 0, 0].forEach((packets, i) => {
          // tile output of row 1: (router 0 * 4 rows + 1) * PS + port
          of("colHeld")[((PS + 10 + i) << LV) + S] = 24 * packets
        })
        ;[900, 1728, 1728, 1400, 1400].forEach((free, i) => {
          of("poolFree")[10 + i] = free
        })
      })
      engine.advance(45)
      const got = [10, 11, 12, 13, 14].filter((port, i) => column("poolFree")[port] < [900, 1728, 1728, 1400, 1400][i])
      expect(got.length).toBe(1)
      expect([13, 14]).toContain(got[0])
    },
  )

  test("copies lie in ports with a stash only, whole, and each costs its flits", () => {
    const engine = engineOf(small({ load: 0.5, stash: 1, switch: { reliability: true } }), 1)
    const pools = poolsOf(engine)
    engine.advance(3000)
    const placed = copies(engine).filter((c) => c.place > 0)
    expect(placed.length).toBeGreaterThan(100)
    expect(placed.filter((c) => pools[c.place] === 0)).toEqual([])
    expect(engine.audit()).toEqual([])
  })

  test("a full stash stalls end ports, and nothing else: acknowledgements still pass, and all drains", () => {
    const engine = engineOf(small({ load: 1, stash: 0.05, switch: { reliability: true }, stop: "4us" }), 1)
    engine.advance(4000)
    expect(engine.sw.values(4000)["stash.stalled"]).toBeGreaterThan(1000)
    const before = engine.stat("delivered")
    engine.advance(8000)
    expect(engine.stat("delivered")).toBeGreaterThan(before)
    expect(engine.audit()).toEqual([])
  })
})

describe("retrieval path", () => {
  /** Four sources of 12 for one sink, a victim stream through the same switch. */
  const hot = (capacity: number, absorb: boolean) => {
    const pairs = [0, 1, 2, 3].map((from) => [from, 11])
    return one(
      12,
      { rows: 2, columns: 3, ...shares, capacity, absorb },
      [
        stream("hot", 1, { pattern: { name: "fixed", pairs }, arrivals: { name: "backlogged" }, from: [0, 1, 2, 3] }),
        stream("victims", 0.3, { pattern: { name: "to-set", set: [8, 9, 10] }, from: [4, 5, 6] }),
      ],
      { name: "ecn-window" },
    )
  }
  test("absorbed packets come back over R on the VC they had, and nothing is lost", () => {
    const engine = engineOf(hot(1, true), 1)
    engine.advance(12_000)
    const v = engine.sw.values(12_000)
    expect(v["stash.absorbed"]).toBeGreaterThan(50)
    expect(v["stash.retrieval.utilisation"]).toBeGreaterThan(0)
    expect(engine.audit()).toEqual([])
  })
  test("victims behind the same inputs as a hot flow keep their rate until the pools are full", () => {
    // four endpoints send 0.6 each to one sink and 0.35 each elsewhere; windows never close. What the sink cannot take,
    // 1.4 flits per cycle, is stashed. Without room, an endpoint's two queues take turns behind the hot one, which
    // moves 1/4: so does the other.
    const sending = { from: [0, 1, 2, 3] }
    const rate = (capacity: number, from: number, to: number) => {
      const spec = one(
        12,
        { rows: 2, columns: 3, ...shares, capacity, absorb: true },
        [
          stream("hot", 0.6, { pattern: { name: "fixed", pairs: [0, 1, 2, 3].map((e) => [e, 11]) }, ...sending }),
          stream("victims", 0.35, {
            pattern: { name: "fixed", pairs: [0, 1, 2, 3].map((e) => [e, 6 + e]) },
            ...sending,
          }),
        ],
        { name: "ecn-window", cut: 1, window: "1Mflits" },
      )
      const engine = engineOf(spec, 1)
      const victims = () => engine.columns.endOut.reduce((sum, flits, i) => (i % 2 === 1 ? sum + flits : sum), 0)
      engine.advance(from)
      const before = victims()
      engine.advance(to)
      return (victims() - before) / (to - from) / 4
    }
    // twelve pools of 1728 flits fill in about 20,736 / 1.4 = 14,800 cycles
    expect(rate(1, 3000, 12_000)).toBeGreaterThan(0.33)
    expect(rate(0, 3000, 12_000)).toBeLessThan(0.28)
    expect(rate(1, 24_000, 30_000)).toBeLessThan(0.28)
  })
  /** Names of the engine's columns (packets, wires, credits, counters, queues as routing sees them) that differ after
   *  so many cycles. */
  const differing = (specs: readonly [RunSpec, RunSpec], cycles: number) => {
    const [a, b] = specs.map((spec) => {
      const engine = engineOf(spec)
      engine.advance(cycles)
      expect(engine.sw.values(cycles)["ecn.marked"]).toBeGreaterThan(0)
      return new Map<string, ArrayBufferView>(
        Object.entries({ ...engine.columns, ...engine.sharedBuffers.columns, queued: engine.queued }),
      )
    })
    const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => Buffer.from(buffer, byteOffset, byteLength)
    return [...a!.keys()].filter((name) => !bytes(a!.get(name)!).equals(bytes(b!.get(name)!)))
  }
  test("pools of capacity 0 are, bit for bit, a switch without stash logic that has the same partition", () => {
    expect(differing([hot(0, true), hot(1, false)], 8000)).toEqual([])
    const network = (capacity: number, absorb: boolean) =>
      small({
        load: 1,
        switch: { ...shares, capacity, absorb },
        congestion: { name: "ecn-window", window: "480flits" },
      })
    expect(differing([network(0, true), network(1, false)], 4000)).toEqual([])
  })
  test("and they differ from a switch that does stash", () => {
    const prints = [hot(0, true), hot(1, true)].map((spec) => {
      const engine = engineOf(spec, 1)
      engine.advance(8000)
      return engine.columns.trail.join()
    })
    expect(prints[0]).not.toBe(prints[1])
  })
})

describe("a data path, not a counter", () => {
  test("use of every path: one packet of 24 flits in 1000 cycles on 12 ports", () => {
    const spec = one(12, { rows: 2, columns: 3, speed: 1, stash: { end: 0.875 }, reliability: true }, [
      stream("one", 0.0001, {
        pattern: { name: "fixed", pairs: [[1, 10]] },
        from: [1],
        arrivals: { name: "periodic", phase: "none" },
      }),
    ])
    const engine = engineOf(spec, 1)
    engine.advance(1000)
    const v = engine.sw.values(1000)
    // 24 flits and 1 of the acknowledgement over 12 row buses, and over 12 multiplexers
    expect(v["switch.row.utilisation"]).toBeCloseTo(25 / 12_000, 12)
    expect(v["switch.mux.utilisation"]).toBeCloseTo(25 / 12_000, 12)
    // the copy crosses a tile and a column channel of its own: 49 flits over 2 x 12 channels
    expect(v["switch.column.utilisation"]).toBeCloseTo(49 / 24_000, 12)
    expect(v["stash.column.share"]).toBeCloseTo(24 / 49, 12)
    expect(v["stash.storage.utilisation"]).toBeCloseTo(24 / 12_000, 12)
    expect(v["stash.retrieval.utilisation"]).toBe(0)
    expect([v["stash.copied"], v["stash.deleted"], v["stash.pool.peak"], v["stash.pool.utilisation"]]).toEqual([
      1, 1, 24, 0,
    ])
    // location and order to delete
    expect(v["stash.messages"]).toBe(2)
  })

  const accepted = (params: Record<string, unknown>, reliability: boolean) => {
    const engine = engineOf(small({ load: 1, switch: { ...shares, reliability, ...params } }))
    engine.advance(3000)
    const before = flitsOut(engine)
    engine.advance(7000)
    return (flitsOut(engine) - before) / 4000 / 110
  }
  test("a core at the speed of the links accepts less", () => {
    expect(accepted({ speed: 1 }, true)).toBeLessThan(accepted({ speed: 1.3 }, true) - 0.01)
  })
  test("one row of tiles leaves one column channel for each port: copies take it from normal traffic", () => {
    const narrow = { rows: 1, columns: 2, speed: 1 }
    expect(accepted(narrow, true)).toBeLessThan(accepted(narrow, false) - 0.03)
  })
})

describe("link-level repetition", () => {
  test("a damaged transmission of 24 flits costs 24 + 2 x 40 cycles: 24 / (24 + p / (1 - p) x 104) of the link", () => {
    for (const p of [0.05, 0.2]) {
      const flow = stream("flow", 1, {
        pattern: { name: "fixed", pairs: [[0, 4]] },
        from: [0],
        arrivals: { name: "backlogged" },
      })
      const engine = engineOf(pair(40, { linkErrors: { link: p } }, [flow]), 1)
      engine.advance(5000)
      const before = flitsOut(engine)
      engine.advance(55_000)
      const rate = (flitsOut(engine) - before) / 50_000
      expect(Math.abs(rate / (24 / (24 + (p / (1 - p)) * 104)) - 1)).toBeLessThan(0.05)
      expect(engine.audit()).toEqual([])
      expect(engine.sw.values(55_000)["errors.relaunched"]).toBeGreaterThan(50)
    }
  })
})
