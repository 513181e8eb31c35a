// Endpoint and switch protocols on the engine that moves whole packets, with a switch and a protocol of the tests' own.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { emptied, type PlainWish, plainEngine, recordsInUse } from "../support/plain-machine.ts"
import { COUNT, resend } from "../support/resend-protocol.ts"

const BUSY = 300
const sum = (a: ArrayLike<number>): number => Array.from(a).reduce((x, y) => x + y, 0)
const counted = (engine: TransferEngine, what: keyof typeof COUNT): number => {
  const all = engine.loop.protocol!.columns["counts"]
  return Array.from(all).reduce((n, v, i) => (i % COUNT.width === COUNT[what] ? n + v : n), 0)
}
const own = (engine: TransferEngine, name: string): number => sum(engine.sw.columns[name])
/** That nothing is left anywhere: records, timers, credits, things on wires. */
function expectEmpty(engine: TransferEngine): void {
  expect(engine.standing()).toEqual({ underWay: 0, waiting: 0, onLinks: 0, timers: 0 })
  expect(recordsInUse(engine)).toBe(0)
  expect(sum(engine.sharedBuffers.held)).toBe(0)
  expect(engine.stat("measuredOpen")).toBe(0)
  expect(engine.columns.control[4]).toBe(0)
}

const wishes = fc.record({
  drops: fc.integer({ min: 2, max: 5 }),
  makes: fc.integer({ min: 0, max: 6 }),
  notes: fc.integer({ min: 0, max: 3 }),
  sideband: fc.boolean(),
  delay: fc.integer({ min: 1, max: 400 }),
  flits: fc.integer({ min: 1, max: 12 }),
  load: fc.double({ min: 0.05, max: 0.6, noNaN: true }),
  seed: fc.nat(1000),
})
type Drawn = typeof wishes extends fc.Arbitrary<infer T> ? T : never

function machine({ drops, makes, notes, sideband, delay, flits, load, seed }: Drawn, parts: number): TransferEngine {
  const wish: PlainWish = {
    topology: { name: "mesh", k: 3, n: 2 },
    vcs: 2,
    plain: { drops, makes, notes, sideband },
    congestion: resend({ delay }),
    traffic: [{ flits, load }],
    links: { link: "4cycles", end: "2cycles" },
    seed,
    parts,
  }
  return plainEngine(wish)
}

describe("packets that switches drop, make and tell", () => {
  test(
    "one dropped packet, one answer; messages in order at their price; nothing left; " +
      "one result for 1, 2 and 4 partitions and after a snapshot",
    () => {
      fc.assert(
        fc.property(wishes, (drawn) => {
          const prints = [1, 2, 4].map((parts) => {
            let engine = machine(drawn, parts)
            engine.advance(BUSY / 2)
            if (parts === 2) {
              const copy = machine(drawn, parts)
              copy.restore(engine.snapshot())
              engine = copy
            }
            engine.advance(BUSY)
            const middle = engine.fingerprint()
            emptied(engine, BUSY)
            expectEmpty(engine)
            // each packet once, however often it was dropped; each drop is answered once and sent again once
            const packets = engine.stat("created")
            expect(packets).toBeGreaterThan(0)
            expect(engine.stat("delivered")).toBe(packets)
            expect(counted(engine, "confirmed")).toBe(packets)
            const dropped = sum(engine.columns.dropped)
            expect(counted(engine, "dropped")).toBe(dropped)
            expect(counted(engine, "again")).toBe(dropped)
            expect(counted(engine, "sent")).toBe(packets + dropped)
            expect(counted(engine, "made")).toBe(own(engine, "made"))
            // a message for each packet that reached a switch, to the switch or endpoint that it came from
            const told = drawn.notes > 0 ? own(engine, "arrived") : 0
            expect(own(engine, "heard") + counted(engine, "heard")).toBe(told)
            expect(own(engine, "disorder")).toBe(0)
            expect(own(engine, "controlFlits")).toBe(drawn.sideband ? 0 : told * drawn.notes)
            return `${middle} ${engine.fingerprint()} ${packets} ${dropped}`
          })
          expect(new Set(prints).size).toBe(1)
        }),
        { numRuns: 12 },
      )
    },
  )
  test("a burst on a side band waits for its turn, and one that no wheel could hold is an error, never a loss", () => {
    const told = (burst: number, cycles: number): TransferEngine => {
      const engine = plainEngine({
        vcs: 2,
        plain: { notes: 1, sideband: true, burst },
        traffic: [{ flits: 4, load: 0.02, stop: "20cycles" }],
      })
      engine.advance(cycles)
      return engine
    }
    const wheel = told(1, 1).constants.wheelMask + 1
    const engine = told(wheel / 4, 4000)
    const between = engine.sw.columns["told"].filter((_, port) => engine.layout.down[port] >= 0)
    expect(sum(between)).toBeGreaterThan(wheel)
    expect(own(engine, "heard")).toBe(sum(between))
    expect(own(engine, "disorder")).toBe(0)
    expect(() => told(wheel, 4000)).toThrow(/messages wait on the side band of port/)
  })
  test("something is dropped, made and told", () => {
    const engine = machine(
      { drops: 2, makes: 3, notes: 2, sideband: false, delay: 50, flits: 4, load: 0.3, seed: 1 },
      1,
    )
    engine.advance(BUSY)
    for (const what of ["dropped", "again", "made", "heard"] as const) expect(counted(engine, what)).toBeGreaterThan(20)
  })
})

describe("lanes", () => {
  test("64 of them behind every link, one for each destination: a credit names its lane", () => {
    const prints = [1, 2, 4].map((parts) => {
      const engine = plainEngine({
        topology: { name: "mesh", k: 4, n: 2, p: 4 },
        vcs: 2,
        plain: { lanes: 64, buffer: 24 },
        traffic: [{ flits: 6, load: 0.4, pattern: { name: "uniform" } }],
        parts,
      })
      engine.advance(BUSY)
      const held = [...engine.columns.laneHeld, ...engine.sw.columns["laneHeld"]]
      expect(held.some((flits, i) => flits > 0 && i % 64 > 40)).toBe(true)
      expect(held.filter((flits) => flits < 0 || flits > 24)).toEqual([])
      const middle = engine.fingerprint()
      emptied(engine, BUSY)
      expectEmpty(engine)
      expect(sum(engine.columns.laneHeld) + own(engine, "laneHeld")).toBe(0)
      expect(engine.stat("delivered")).toBe(engine.stat("created"))
      return `${middle} ${engine.fingerprint()} ${engine.stat("created")}`
    })
    expect(new Set(prints).size).toBe(1)
  })
})

describe("messages at their birth", () => {
  test("the protocol knows of all that was created, and of no more than left without it", () => {
    const at = (onCreate: boolean): TransferEngine => {
      const engine = plainEngine({
        vcs: 2,
        congestion: resend({ delay: 10, onCreate }),
        traffic: [{ flits: 4, load: 0.9 }],
      })
      engine.advance(2000)
      return engine
    }
    const early = at(true)
    expect(counted(early, "generated")).toBe(4 * early.stat("created"))
    // 16 endpoints, 2,000 cycles, load 0.9
    expect(Math.abs(counted(early, "generated") - 28_800)).toBeLessThan(1500)
    const late = at(false)
    expect(late.stat("created")).toBeLessThan(0.8 * early.stat("created"))
  })
})

describe("streams", () => {
  test("a class of higher priority waits for nobody, one of lower priority for all", () => {
    const latencies = (priority: number): number[] => {
      const traffic = [
        { flits: 4, load: 0.5, class: 0 },
        { flits: 4, load: 0.3, class: 1, priority },
      ]
      const engine = plainEngine({ vcs: 4, traffic })
      engine.advance(3000)
      return [0, 1].map((s) => engine.stat("latency", s) / engine.stat("measured", s))
    }
    const [low, high] = latencies(1)
    expect(high! * 3).toBeLessThan(low!)
    const [above, below] = latencies(-1)
    expect(above! * 3).toBeLessThan(below!)
  })
  test.each([
    ["in one queue", {}],
    ["a queue for each destination, acknowledged", { perDestination: true, ack: 1, backlog: 64, active: 8 }],
  ])("each request is answered once, after the turnaround at the earliest: %s", (_, end) => {
    const traffic = [{ flits: 3, load: 0.05, reply: "5flits" }]
    const least = (turnaround: number): number => {
      const engine = plainEngine({ vcs: 4, traffic, end: { ...end, turnaround } })
      emptied(engine, 2000)
      expectEmpty(engine)
      expect(engine.stat("created", 0)).toBeGreaterThan(300)
      expect(engine.stat("delivered", 1)).toBe(engine.stat("created", 0))
      expect(sum(engine.columns.endOut)).toBe(8 * engine.stat("created", 0))
      return engine.stat("min", 1)
    }
    expect(least(17) - least(0)).toBe(17)
  })
})
