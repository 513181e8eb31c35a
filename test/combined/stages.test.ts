// Queues by class of VC, the VC allocation stage and output buffers in packets: every packet arrives, the audit finds
// each flit, credit and owner, and all partitions give the same bits.
import { describe, expect, test } from "vitest"
import { combinedEngine, drained } from "../support/combined.ts"
import type { Wish } from "../support/machine.ts"

const hyperx = { topology: { name: "hyperx", sides: "4", p: 4 }, routing: { name: "hyperx.ugal-l" } }
const endpoint = { name: "queue-pairs", ack: "0flits", active: 64 }
const stop = "2000cycles"
const traffic: Wish["traffic"] = [
  { flits: 32, load: 0.4, stop },
  { flits: 32, load: 0.5, stop, pattern: { name: "to-set", set: [4] } },
]
const protocols: Readonly<Record<string, Wish>> = {
  none: { ...hyperx, traffic, switch: { vcs: 4, buffer: "256flits" } },
  srp: {
    ...{ ...hyperx, endpoint, traffic },
    congestion: { name: "srp", budget: "300cycles", reserveFrom: "1flits" },
    switch: { vcs: 8, buffer: "256flits", queues: { data: "voq", speculative: "fifo" } },
  },
  cbcm: {
    ...{ ...hyperx, endpoint, traffic },
    congestion: { name: "cbcm" },
    switch: { vcs: 6, buffer: "256flits", queues: { data: "voq", hot: "fifo" } },
  },
}
const keys: Readonly<Record<string, object>> = {
  "queues by class": {},
  "VC allocation, credits flit by flit": { vcAllocation: "turns", release: "each", start: "interleaved" },
  "output buffers of one packet": { outputPackets: 1 },
  "all of them, credits at the tail": { vcAllocation: "turns", outputPackets: 4, loads: "all", release: "tail" },
}
const cases = Object.keys(protocols).flatMap((p) => Object.keys(keys).map((k) => [p, k] as const))
const wish = (p: string, k: string): Wish => ({ ...protocols[p], switch: { ...protocols[p].switch, ...keys[k] } })

describe.each(cases)("%s, %s", (p, k) => {
  test("nothing is lost, and counts and owners stay right", () => {
    const e = drained(combinedEngine(wish(p, k)), 50)
    // about 16 x 0.9 x 2000 / 32 packets
    expect(e.stat("delivered")).toBeGreaterThan(700)
    expect(e.stat("delivered")).toBe(e.stat("created"))
  })
  test("partitions give the same bits", () => {
    const prints = [1, 2, 4].map((parts) => {
      const e = combinedEngine(wish(p, k), parts)
      e.advance(1500)
      return e.fingerprint()
    })
    expect(new Set(prints).size).toBe(1)
  })
})
