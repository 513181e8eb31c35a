// What endpoint protocols keep, counted in the columns that they ask for: four times the endpoints have four times the
// room, however many pairs they are; and of that room only what active flows use is ever written.
import { describe, expect, test } from "vitest"
import { congestions } from "../../src/library.ts"
import type { CongestionModel } from "../../src/model/congestion.ts"
import type { EndpointProtocol } from "../../src/model/protocol.ts"
import { combinedEngine } from "../support/combined.ts"
import { contention } from "../support/contention.ts"
import { endpointSite } from "../support/endpoint-site.ts"

const MIB = 2 ** 20
const names = ["ecn-delay", "cbcm", "srp", "smsrp", "lhrp", "dcqcn", "hpcc", "nscc", "rccc"]

function built(name: string, ends: number): EndpointProtocol {
  const plugin = congestions.find((p) => p.name === name)!
  const got = plugin.params.parse({}, "")
  if ("bad" in got) throw new Error("its defaults are refused")
  const made = plugin.make(got.ok, undefined as never) as CongestionModel
  const fitted = made.fit?.({ roundTrip: 512, packet: 32, cycle: 1000, flit: 8 }) ?? { ok: made }
  if ("bad" in fitted) throw new Error("its defaults are refused")
  return fitted.ok.endpoint!(endpointSite(ends, 32))
}
const bytes = (p: EndpointProtocol): number => Object.values(p.columns).reduce((n, c) => n + c.byteLength, 0)

/** Words that were written, where so many of 64 endpoints send to another one. */
function written(name: string, senders: number): number {
  const from = Array.from({ length: senders }, (_, i) => 4 * i + 4)
  const engine = combinedEngine(
    contention(
      { name },
      [
        {
          flits: 32,
          message: { name: "fixed", size: "4packets" },
          from,
          load: 1,
          pattern: { name: "to-set", set: [0] },
        },
      ],
      {
        topology: { name: "hyperx", sides: "4x4", p: 4 },
        switch: { vcs: 8 },
      },
    ),
  )
  engine.advance(2500)
  let words = 0
  for (const column of Object.values(engine.loop.protocol!.columns)) for (const word of column) if (word !== 0) words++
  return words
}

describe.each(names)("%s", (name) => {
  test("4,096 endpoints have four times the room of 1,024, and at most 128 MiB", () => {
    // all that may grow with the pairs is a bit for each that ever exchanged a packet
    expect(bytes(built(name, 4096)) - 4 * bytes(built(name, 1024))).toBeLessThanOrEqual((4096 ** 2 - 4 * 1024 ** 2) / 8)
    expect(bytes(built(name, 4096))).toBeLessThan(128 * MIB)
  })
  test("16,384 endpoints have at most four times the bytes of 4,096: no bit for every pair", () => {
    // a bit for each pair would be 512 bytes for each of 4,096 endpoints and 2,048 bytes for each of 16,384
    expect(bytes(built(name, 16_384)) - 4 * bytes(built(name, 4096))).toBeLessThanOrEqual(0)
  })
  test("12 flows of 64 endpoints: at most 32 words each are written, where 4,096 pairs could be", () => {
    const [few, many] = [written(name, 3), written(name, 12)]
    expect(many).toBeGreaterThan(few)
    expect(many).toBeLessThan(32 * 12)
  })
})
