// Speculative packets on tiled switches: dropped at the front of their input and answered; with a stash the first
// switch of their way keeps a copy of each, and sends it again when the endpoint says so. Every drop has one answer,
// nothing is lost or comes twice, and with the stash each packet leaves its endpoint once.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import { drained, wholeEngine } from "../support/combined.ts"
import { specOf, type Wish } from "../support/machine.ts"
import { complaintsOf } from "../support/tiled.ts"

const sum = (a: ArrayLike<number>): number => Array.from(a).reduce((x, y) => x + y, 0)
const own = (engine: TransferEngine, name: string): number => sum(engine.loop.protocol!.columns[name])
const inside = (engine: TransferEngine, name: string): number => sum(engine.sw.columns[name])
const stash = { end: 0.5, link: 0.25 }

const drawn = fc.record({
  name: fc.constantFrom("srp", "smsrp", "lhrp"),
  again: fc.constantFrom("stash", "stash", "endpoint"),
  budget: fc.integer({ min: 1, max: 200 }),
  threshold: fc.integer({ min: 1, max: 60 }),
  chunk: fc.integer({ min: 16, max: 100 }),
  eps: fc.double({ min: 0, max: 0.5, noNaN: true }),
  flows: fc.constantFrom(1, 2, 256),
  flits: fc.integer({ min: 1, max: 16 }),
  message: fc.integer({ min: 1, max: 5 }),
  load: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
  routing: fc.constantFrom("hyperx.minimal", "hyperx.ugal-l"),
  // of the pools: from a packet or two on
  capacity: fc.constantFrom(0.15, 0.4, 1),
  release: fc.constantFrom("flit", "tail"),
  sideband: fc.constantFrom(1, 5, 300),
  rowSharing: fc.constantFrom("queue", "vc"),
  seed: fc.nat(1000),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

/** The last piece of a message is shorter than reserveFrom, and the endpoint has one flow for all destinations. */
const restOfMessage: Drawn = {
  ...{ name: "srp", again: "stash", budget: 1, threshold: 1, chunk: 16, eps: 0, flows: 1, flits: 4, message: 5 },
  ...{ load: 0.1, routing: "hyperx.minimal", capacity: 0.15, release: "flit", sideband: 1, rowSharing: "queue" },
  seed: 0,
}

function machine(d: Drawn): Wish {
  const numbers = {
    srp: { budget: `${d.budget}cycles`, least: "8flits", chunk: `${d.chunk}flits` },
    smsrp: { budget: `${d.budget}cycles` },
    lhrp: { threshold: `${d.threshold}flits` },
  }[d.name]
  const usual = { flits: d.flits, message: { name: "fixed", size: `${d.message}packets` } }
  return {
    topology: { name: "hyperx", sides: "3", p: 4 },
    routing: { name: d.routing },
    endpoint: { name: "queue-pairs", ack: "0flits", active: 64 },
    links: { link: "12cycles", end: "1cycle" },
    congestion: { name: d.name, eps: d.eps, flows: d.flows, again: d.again, ...numbers },
    switch: {
      name: "tiled",
      vcs: 6,
      rows: 2,
      columns: 2,
      packet: "16flits",
      buffer: "256flits",
      reserve: "16flits",
      rowBuffer: "32flits",
      columnBuffer: "32flits",
      release: d.release,
      rowSharing: d.rowSharing,
      ...(d.again === "stash" ? { stash, capacity: d.capacity, sideband: d.sideband } : {}),
    },
    traffic: [
      { ...usual, name: "hot", from: [0, 1, 5, 7], load: 0.9, pattern: { name: "to-set", set: [4] } },
      { ...usual, name: "all", load: d.load, pattern: { name: "uniform" } },
    ],
    seed: d.seed,
  }
}

/** Nothing is left anywhere. */
function empty(engine: TransferEngine): void {
  expect([own(engine, "open"), engine.loop.protocol!.kept!(), engine.sw.copies?.() ?? 0]).toEqual([0, 0, 0])
  expect(engine.standing()).toEqual({ underWay: 0, waiting: 0, onLinks: 0, timers: 0 })
  expect([
    inside(engine, "condemned"),
    inside(engine, "bound"),
    inside(engine, "sideHead"),
    inside(engine, "routerStash"),
  ]).toEqual([0, 0, 0, 0])
}

describe("packets that tiled switches drop", () => {
  test(
    "one answer for each, all arrive once, nothing is left; 1, 2 and 4 " +
      "workers and a copy in the middle: the same bits",
    () => {
      let [drops, recalled] = [0, 0]
      fc.assert(
        fc.property(drawn, (d) => {
          const spec = specOf(machine(d))
          const prints = [1, 2, 4].map((parts) => {
            let engine = wholeEngine(spec, parts)
            engine.columns.control[CONTROL.quiet] = 600
            engine.advance(400)
            if (parts === 2) {
              const copy = wholeEngine(spec, parts)
              copy.restore(engine.snapshot())
              engine = copy
            }
            engine.advance(600)
            expect(engine.audit()).toEqual([])
            const middle = engine.fingerprint()
            drained(engine, 500)
            engine.advance(engine.now + 3000)
            expect(engine.audit()).toEqual([])
            expect(engine.stat("delivered")).toBe(engine.stat("created"))
            const dropped = sum(engine.columns.dropped)
            expect(own(engine, "dropped")).toBe(dropped)
            empty(engine)
            // flits that left endpoints, and that arrived: with copies the same, else a dropped packet leaves twice
            const [left, came] = [sum(engine.columns.endIn), sum(engine.columns.endOut)]
            expect(left).toBe(came + (d.again === "stash" ? 0 : dropped * d.flits))
            if (d.again === "stash") {
              const values = engine.sw.values(engine.now)
              // what was dropped was sent again from its copy; the others were confirmed
              expect(values["stash.repeated"]).toBe(dropped)
              expect(values["stash.copied"]).toBe(own(engine, "sent"))
              expect(values["stash.unknown"]).toBe(0)
              recalled += dropped
            }
            drops += dropped
            return `${middle} ${engine.fingerprint()} ${engine.stat("created")} ${dropped}`
          })
          expect(new Set(prints).size).toBe(1)
        }),
        { numRuns: 16, examples: [[restOfMessage]] },
      )
      expect(drops).toBeGreaterThan(100)
      expect(recalled).toBeGreaterThan(100)
    },
  )
})

describe("bad input", () => {
  const wish = (congestion: object, sw: object): string[] =>
    complaintsOf(
      specOf({
        ...machine(fc.sample(drawn, { numRuns: 1, seed: 1 })[0]),
        congestion: { name: "lhrp", retransmitFrom: "stash", ...congestion },
        switch: { vcs: 6, ...sw },
      }),
    )
  const tiled = { name: "tiled", packet: "16flits", rows: 2, columns: 2, reserve: "16flits" }
  test("is refused with the reason and what would do", () => {
    expect(wish({}, { ...tiled, stash })).toEqual([])
    expect(wish({}, tiled)).toEqual([
      "network.switch.stash: no port has a stash that holds one packet | give a link " +
        "class a share, for example { end: 0.875, local: 0.75 }",
      "network.switch.stash: router 0, where packets enter, has no port with a " +
        "stash: copies have no place | give the class end a share",
    ])
    expect(wish({}, { ...tiled, stash, capacity: 0 })).toEqual([
      "network.switch.capacity: copies of speculative packets need space in a stash | set it above 0, or network.congestion.retransmitFrom: endpoint",
    ])
    expect(wish({}, { name: "combined" })).toEqual([
      'network.congestion.retransmitFrom: needs copies of speculative packets in the first switch of their path, which switch "combined" does not have | set it to endpoint, or set network.switch.name to tiled',
    ])
    expect(wish({}, { ...tiled, stash, reliability: true })).toEqual([
      "network.switch.reliability: the switch would treat the NACK of a dropped packet as its acknowledgement | set it to false; network.congestion.retransmitFrom: stash stores copies of speculative packets",
    ])
    expect(wish({}, { ...tiled, stash, carries: { link: [0, 1, 2] } })).toEqual([
      'network.switch.carries.link: packets of class "answers" ride on VC 3, which link links do ' +
        "not carry | add 3 to it, or leave link out: then they carry all",
      'network.switch.carries.link: packets of class "speculative" ride on VC 4 and VC 5, which link ' +
        "links do not carry | add 4, 5 to it, or leave link out: then they carry all",
    ])
    expect(wish({ retransmitFrom: "switch" }, { ...tiled, stash })[0]).toMatch(/^network.congestion.retransmitFrom: /)
  })
})
