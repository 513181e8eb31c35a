// Injection queues of adapters that copy the scheme of the switch: what is stopped waits in a queue of its own, and not
// in front of others.
import { describe, expect, test } from "vitest"
import type { Wish } from "../support/machine.ts"
import { complaintsOf, fingerprints, schemeEngine } from "../support/queue-scheme.ts"

type Keys = Readonly<Record<string, unknown>>
const copy = { name: "adapter", injection: "copy" }
const lined = { scheme: "fbicm-2", memory: "1024flits", detect: 3, stop: 3, go: 1 }

/** Four endpoints send all they can to 3, one of them 0.4 of a link to 10 as well: what of that arrives. */
function victim(sw: Keys, endpoint: Keys): number {
  const engine = schemeEngine({
    topology: { name: "crossbar", n: 12 },
    routing: { name: "crossbar.direct" },
    switch: sw,
    endpoint: { ...copy, backlog: 4000, ...endpoint },
    traffic: [
      { pattern: { name: "to-set", set: [3] }, from: ["0-2", "4"], load: 1 },
      { pattern: { name: "to-set", set: [10] }, from: ["0"], load: 0.4 },
    ],
  })
  engine.advance(8000)
  const before = engine.columns.endOut[10 * 2 + 1]
  engine.advance(16_000)
  expect(engine.audit()).toEqual([])
  return (engine.columns.endOut[10 * 2 + 1] - before) / 8000
}

describe("who waits behind whom in an adapter", () => {
  test("a line that is stopped closes the queues of messages to its destinations, and the others pass", () => {
    expect(victim(lined, {})).toBeGreaterThan(0.38)
  })
  test("without it the queue fills its share of the memory, and then the normal queue's front waits", () => {
    // 3 takes a quarter of a link from endpoint 0, and the other comes after it, in turn
    expect(victim(lined, { gate: false })).toBeLessThan(0.27)
  })
  test("queues of plain schemes are those that the packets will join at the switch", () => {
    expect(victim({ scheme: "1q", memory: "128flits" }, {})).toBeLessThan(0.27)
    expect(victim({ scheme: "dbbm", memory: "128flits" }, {})).toBeGreaterThan(0.38)
    expect(victim({ scheme: "dbbm", memory: "128flits", queues: 7 }, {})).toBeLessThan(0.27)
    expect(victim({ scheme: "voq-switch", memory: "192flits" }, {})).toBeGreaterThan(0.38)
    expect(victim({ scheme: "voq-network", queue: "16flits" }, {})).toBeGreaterThan(0.38)
  })
})

describe("lines of an adapter", () => {
  const used = (column: ArrayLike<number>): number => Array.from(column).filter((x) => x !== 0).length
  // Packets join at any rate: at that of the link, these queues hardly ever hold one.
  const loaded = (cycles: number, sw: Keys, endpoint: Keys) => {
    const engine = schemeEngine({ switch: sw, endpoint: { ...copy, rate: "any", ...endpoint }, traffic: [{ load: 1 }] })
    engine.advance(cycles)
    expect(engine.audit()).toEqual([])
    return engine.loop.protocol!.columns
  }

  test(
    "are born by its own queue where it looks for congested flows, and by " +
      "messages of the switch alone where it does not",
    () => {
      // the switch never finds any: its messages are none
      const deaf = { ...lined, detection: "off" }
      expect(used(loaded(300, deaf, { detect: true })["lineOn"])).toBeGreaterThan(5)
      expect(used(loaded(300, deaf, {})["lineOn"])).toBe(0)
    },
  )

  test("packets join the queues at the rate of the link, so a free link leaves one packet in them", () => {
    // one source and a free network: a packet of 8 flits leaves and one joins in 8 cycles; at any rate, all join at
    // once
    const held = (rate: string): number => {
      const engine = schemeEngine({
        switch: lined,
        endpoint: { ...copy, rate },
        traffic: [{ from: ["0"], load: 1, pattern: { name: "to-set", set: [3] } }],
      })
      let most = 0
      for (let n = 0; n < 300; n++) {
        engine.advance(engine.now + 1)
        most = Math.max(most, (engine.loop.protocol!.columns["used"] as Int32Array)[0])
      }
      return most
    }
    expect(held("link")).toBeLessThanOrEqual(8)
    expect(held("any")).toBeGreaterThan(8)
  })

  test("memory is never exceeded", () => {
    for (const sw of [
      { ...lined, memory: "128flits" },
      { scheme: "1q", memory: "64flits" },
    ]) {
      const { used: held } = loaded(500, sw, {})
      const most = Math.max(...(held as Int32Array))
      expect(most).toBeGreaterThan(32)
      expect(most).toBeLessThanOrEqual(sw.scheme === "1q" ? 64 : 128)
    }
  })
})

describe("one fingerprint", () => {
  test.each<[string, Wish]>([
    ["fbicm-2", { switch: { ...lined, list: 2 }, endpoint: { ...copy, detect: true } }],
    ["fbicm-1", { switch: { ...lined, scheme: "fbicm-1", timer: "9cycles" }, endpoint: { ...copy, gate: false } }],
    ["dbbm", { switch: { scheme: "dbbm", memory: "128flits", queues: 3 }, endpoint: copy }],
    ["any rate", { switch: { scheme: "dbbm", memory: "128flits" }, endpoint: { ...copy, rate: "any" } }],
  ])("%s: for any partition, and after a snapshot", (_, w) => {
    const hot = { pattern: { name: "to-set", set: [4] }, from: ["1", "5", "9", "13"], load: 1 }
    const made = (parts: number) =>
      schemeEngine({ ...w, links: { link: "5cycles" }, traffic: [hot, { load: 0.7 }] }, parts)
    const prints = fingerprints(made, 300, 600)
    expect(new Set(prints).size).toBe(1)
  })
})

test("what makes no difference is refused", () => {
  const none = complaintsOf({ switch: { scheme: "bfc" }, endpoint: copy })
  expect(none).toEqual([
    "network.endpoint.injection: this scheme has no injection queues, because stopped packets wait in the message " +
      "queues | set it to none, or set network.switch.scheme to a scheme other than recn and bfc",
  ])
  expect(complaintsOf({ switch: { scheme: "dbbm" }, endpoint: { ...copy, gate: true } })).toEqual([
    "network.endpoint.gate: this scheme has no CAM lines | leave it out, or set scheme to fbicm-1 or fbicm-2",
  ])
  expect(complaintsOf({ switch: { scheme: "fbicm-2" }, endpoint: { name: "adapter", detect: true } })).toEqual([
    "network.endpoint.detect: there are no injection queues | leave it out, or set injection to copy",
  ])
  expect(complaintsOf({ switch: { scheme: "dbbm" }, endpoint: { name: "adapter", rate: "any" } })).toEqual([
    "network.endpoint.rate: there are no injection queues | leave it out, or set injection to copy",
  ])
})
