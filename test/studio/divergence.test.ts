// Where A and B part: the cycle by trying all, the packet and its two fates by watching every packet on both sides.
import { describe, expect, test } from "vitest"
import type { Live } from "../../studio/engine/live.ts"
import { fateOf, placesNow } from "../../studio/engine/packets.ts"
import { divergenceOf, firstOdd, type Parted, tellFate } from "../../studio/shared/divergence.ts"
import { live } from "./live.ts"

const dragonfly = (engine: string) => `
lacewing: 1
network:
  topology: { name: dragonfly, p: 2, a: 4, h: 2 }
  routing: dragonfly.minimal${engine}
  links: { local: 5cycles, global: 20cycles }
traffic: { pattern: group-adversarial, load: 0.3, packet: 4flits }
measure: { warmup: 400cycles, window: 2kcycles, limit: 4kcycles, saturation: never, drain: none }
`
const iq = dragonfly("\n  switch: { name: input-queued, vcs: 5, buffer: 32flits, speed: 2 }")

const partedAt = (one: Live, first = 0): Parted => ({
  first,
  seek: async (cycle) => one.seek(cycle),
  fingerprint: async () => one.observation.fingerprint(),
  places: async () => placesNow(one.observation),
  fate: async (name, since) => fateOf(one, name, since),
})

/** The first cycle whose states differ, one by one. */
async function firstCycle(a: Live, b: Live, last: number): Promise<number> {
  for (let t = 0; t <= last; t++) {
    a.seek(t)
    b.seek(t)
    if (a.observation.fingerprint() !== b.observation.fingerprint()) return t
  }
  return -1
}

describe("the first difference", () => {
  test("another routing: the cycle, a packet that goes another way, and when it leaves", async () => {
    const [a, b] = [await live(iq), await live(iq, 0, ["network.routing=dragonfly.ugal-l"])]
    const found = await divergenceOf(partedAt(a), partedAt(b), 600)
    const cycle = await firstCycle(await live(iq), await live(iq, 0, ["network.routing=dragonfly.ugal-l"]), 600)
    expect(found!.cycle).toBe(cycle)
    const packet = found!.packet!
    // until it is seen elsewhere, every packet that can be seen is at one place on both sides
    for (let t = cycle; t < packet.seen; t++) {
      a.seek(t)
      b.seek(t)
      expect(firstOdd(placesNow(a.observation), placesNow(b.observation))).toBeUndefined()
    }
    expect(packet.a).not.toEqual(packet.b)
    for (const fate of [packet.a!, packet.b!]) {
      expect(fate.left).toBeGreaterThan(fate.entered)
      expect(fate.way.length).toBeGreaterThanOrEqual(2)
      expect(tellFate(fate)).toMatch(/leaves in cycle \d+/)
    }
    // minimal: at most one global link
    expect(new Set(packet.a!.way.map((w) => w.label.split(",")[0])).size).toBe(2)
    // a fate is what one sees by watching it
    for (const [side, fate] of [
      [a, packet.a!],
      [b, packet.b!],
    ] as const) {
      side.seek(fate.left!)
      expect(
        placesNow(side.observation).some(
          (p) => p.key === packet.key && p.from === packet.from && p.createdAt === packet.createdAt,
        ),
      ).toBe(false)
      side.seek(fate.left! - 1)
      expect(
        placesNow(side.observation).some(
          (p) => p.key === packet.key && p.from === packet.from && p.createdAt === packet.createdAt,
        ),
      ).toBe(true)
    }
  })

  test("a branch that goes on from A's state: nothing before it counts", async () => {
    const [a, b] = [await live(iq), await live(iq, 0, ["traffic.0.load=0.9"])]
    a.forward(700)
    b.adopt(structuredClone(a.state()))
    const found = await divergenceOf(partedAt(a), partedAt(b, 700), 1000)
    expect(found!.cycle).toBeGreaterThan(700)
    expect(found!.packet!.createdAt).toBeGreaterThanOrEqual(600)
  })

  test.each([
    ["input-queued", iq],
    ["chunk", `${dragonfly("")}engine: packet\n`],
  ])("%s: the same experiment never parts", async (_, text) => {
    expect(await divergenceOf(partedAt(await live(text)), partedAt(await live(text)), 300)).toBeUndefined()
  })

  test("another seed parts from its first packet on", async () => {
    const other = await divergenceOf(partedAt(await live(iq)), partedAt(await live(iq.concat("seeds: [9]\n"))), 120)
    expect(other!.cycle).toBeLessThan(40)
    expect(other!.packet).toBeDefined()
  })
})
