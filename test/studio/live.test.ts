// The engine of the studio without a page: wherever it was scrubbed to, and whoever was asked, it ends in the bits of
// an undisturbed run; what a packet's answer says adds up; chains end where the bottleneck was planted; the circle is
// the command line's.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { draw } from "../../src/core/rng.ts"
import { stashing } from "../../src/experiment/starters/stashing.ts"
import { hostOf } from "../../src/model/host.ts"
import type { Seen } from "../../src/observe/observation.ts"
import { traceParts } from "../../src/observe/packet-trace.ts"
import { prepare, simulate } from "../../src/run/open.ts"
import { channelAnswer, diagnosed, packetAnswer, packetsNow } from "../../studio/engine/answers.ts"
import { root } from "../support/build.ts"
import { live, specOf } from "./live.ts"

const mesh = (more: string, load = 0.35) => `
lacewing: 1
network: { topology: { name: mesh, sides: 4x4 }, routing: mesh.dimension-order${more} }
traffic: { pattern: uniform, load: ${load}, packet: 4flits }
measure: { warmup: 400cycles, window: 1200cycles, limit: 4kcycles, saturation: never, drain: none }
seeds: [3]
`
const engines = {
  "input-queued": mesh(", switch: { name: input-queued, vcs: 2, buffer: 8flits }"),
  combined: mesh(", switch: { name: combined, vcs: 2 }", 0.8),
  chunk: `${mesh("", 0.9)}engine: packet\n`,
}

describe.each(Object.entries(engines))("%s", (name, text) => {
  let truth: { at: string; end: string; why: string }
  const T = 1500
  beforeAll(async () => {
    const one = await live(text)
    one.forward(T)
    const at = one.observation.fingerprint()
    one.forward(1e9)
    const prepared = prepare(await specOf(text), hostOf({}))
    if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
    const result = await simulate(prepared.ok)
    expect((await one.finished()).fingerprint).toBe(result.fingerprint)
    truth = { at, end: result.fingerprint, why: result.why }
  })

  test("run(0..T) is scrub to t, run on to T, for 50 random t, and to the end", async () => {
    const one = await live(text)
    one.forward(T)
    for (let i = 0; i < 50; i++) {
      one.seek(Math.abs(draw(7, i)) % T)
      one.forward(T)
      expect(one.observation.fingerprint()).toBe(truth.at)
    }
    one.forward(1e9)
    const { fingerprint, why } = await one.finished()
    expect({ fingerprint, why }).toEqual({ fingerprint: truth.end, why: truth.why })
  })

  test(
    "two sides with the same experiment never differ, a cycle at a time or in " +
      "jumps, also when one goes on from the other's state",
    async () => {
      const [a, b, c] = [await live(text), await live(text), await live(text)]
      a.forward(400)
      for (let t = 0; t < 400; t += 40) b.forward(t + 40)
      c.adopt(structuredClone(a.state()))
      expect(c.now).toBe(400)
      for (let t = 440; t <= T; t += 212) {
        for (const side of [a, b, c]) side.seek(t)
        expect(b.observation.fingerprint()).toBe(a.observation.fingerprint())
        expect(c.observation.fingerprint()).toBe(a.observation.fingerprint())
        const [x, y] = [a, b].map((side) => {
          const bytes = new Uint8Array(side.observation.topology.graph.chans)
          side.heat("utilisation", bytes)
          return bytes
        })
        expect(y).toEqual(x)
      }
    },
  )

  test("a packet on a link has the routers and the credit stalls that its record says", async () => {
    const one = await live(text)
    one.forward(900)
    const flying: Seen[] = []
    one.observation.places((id, at) => {
      const seen = one.observation.packet(id)
      if (at.at === "wire" && seen !== undefined && flying.length < 8) flying.push(seen)
    })
    expect(flying.length).toBeGreaterThan(2)
    for (const p of flying) {
      const is = packetAnswer(one, p)!
      expect(is.stays.length).toBe(p.hops + 1)
      // the clocked engines count only what a head waits that has its VC already
      if (name === "chunk") expect(is.parts.credits).toBeCloseTo(p.waited, 6)
      else expect(is.parts.credits).toBeGreaterThanOrEqual(p.waited)
    }
  })

  test("parts of packets add up to their age, and asking changes nothing", async () => {
    const one = await live(text)
    one.forward(700)
    const before = one.observation.fingerprint()
    const packets = packetsNow(one.observation, 400)
      .filter((_, i) => i % 4 === 0)
      .slice(0, 8)
    expect(packets.length).toBeGreaterThan(2)
    for (const p of packets) {
      const is = packetAnswer(one, p)
      if (is === undefined) throw new Error("a packet that was seen is gone")
      expect(one.now).toBe(700)
      expect(traceParts.reduce((sum, part) => sum + is.parts[part], 0)).toBeCloseTo(is.age, 6)
      expect(is.age).toBeCloseTo(700 - is.createdAt, 6)
      for (const part of traceParts) expect(is.parts[part]).toBeGreaterThanOrEqual(0)
      // routers of the way follow one another, from the source's on
      const { graph } = one.observation.topology
      expect(is.stays[0].router).toBe(graph.routerOf[graph.entry[is.from]])
      is.stays.slice(1).forEach((stay, i) => {
        expect(graph.routerOf[graph.far[is.stays[i].chan]]).toBe(stay.router)
      })
    }
    expect(one.observation.fingerprint()).toBe(before)
  })
})

test(
  "a failed link makes another machine of the same size: its run does not go on " +
    "from a state in which packets have chosen that link",
  async () => {
    const text = engines["input-queued"]
    const a = await live(text)
    a.forward(700)
    const b = await live(text, 0, ["network.topology.failed=[1-2]"])
    const saved = structuredClone(a.state())
    expect(b.observation.topology.graph.far).toHaveLength(saved.far.length)
    expect(() => b.adopt(saved)).toThrow("Its network has different links.")
    expect(b.now).toBe(0)
  },
)

test(
  "tiled with acknowledgements: data are followed, acknowledgements are not " +
    "listed, and said to be none whose way is known",
  async () => {
    const one = await live(stashing)
    one.forward(3000)
    const packets = packetsNow(one.observation, 400)
    expect(packets.length).toBeGreaterThan(20)
    for (const p of packets.filter((_, i) => i % 20 === 0)) {
      const is = packetAnswer(one, p)!
      expect(traceParts.reduce((sum, part) => sum + is.parts[part], 0)).toBeCloseTo(is.age, 6)
      for (const part of traceParts) expect([is.key, part, is.parts[part] >= 0]).toEqual([is.key, part, true])
    }
    const acks = new Map<number, Seen>()
    one.observation.places((id) => {
      const seen = one.observation.packet(id)
      if (seen?.control === true) acks.set(id, seen)
    })
    expect(acks.size).toBeGreaterThan(0)
    expect(packets.some((p) => p.control)).toBe(false)
    expect(() => packetAnswer(one, [...acks.values()][0])).toThrow(/control packet of a protocol/)
  },
)

test("a channel of the packet engine is busy at most all the time, and as long as its chunks take", async () => {
  // 100 Gb/s and flits of 8 B: 0.64 cycles of 1 ns each
  const one = await live(
    `${mesh(", switch: { name: chunk, vcs: 2, bandwidth: 100Gbps }, cycle: 1ns, flit: 8B", 0.9)}engine: packet\n`,
  )
  one.forward(900)
  expect(one.observation.cyclesOf(0)).toBeCloseTo(0.64, 9)
  const busy = one.busy()
  const all = Array.from({ length: one.observation.topology.graph.chans }, (_, c) => busy(c))
  expect(Math.max(...all)).toBeGreaterThan(0.3)
  expect(Math.max(...all)).toBeLessThanOrEqual(1)
})

describe("causes", () => {
  const hot = (more: string) => `
lacewing: 1
network: { topology: { name: mesh, sides: 6x6 }, routing: mesh.dimension-order${more} }
traffic: { pattern: { name: hotspot, targets: [14] }, load: 0.2, packet: 4flits }
measure: { warmup: 500cycles, window: 4kcycles, limit: 8kcycles, saturation: never, drain: none }
`
  test.each([
    ["input-queued", hot(", switch: { name: input-queued, vcs: 2, buffer: 8flits }")],
    ["combined", hot(", switch: { name: combined, vcs: 2 }")],
    ["chunk", `${hot("")}engine: packet\n`],
  ])("%s: every chain of a hotspot ends at the channel to the hot endpoint", async (_, text) => {
    const one = await live(text)
    one.forward(1200)
    const { graph } = one.observation.topology
    const planted = graph.home[14]
    const { trees } = diagnosed(one)
    expect(trees[0].root).toBe(planted)
    expect(trees[0].channels.length).toBeGreaterThan(3)
    for (const chan of trees[0].channels.slice(0, 12)) {
      const { chain } = channelAnswer(one, chan)
      expect(chain.root).toBe(planted)
    }
    const [oldest] = packetsNow(one.observation, 1)
    expect(packetAnswer(one, oldest!)!.chain.root).toBe(planted)
  })

  test("experiments/deadlock: the circle drawn is the one the command line names", async () => {
    const text = readFileSync(join(root, "experiments/deadlock/experiment.yaml"), "utf8")
    const spec = await specOf(text)
    const prepared = prepare(spec, hostOf({}))
    if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
    const { why, explains } = await simulate(prepared.ok)
    expect(why).toBe("deadlock")
    const one = await live(text)
    one.forward(1e9)
    const found = diagnosed(one)
    expect(found.kind).toBe("deadlock")
    expect(explains.split("\n").slice(1)).toEqual(found.words)
    // every channel of the circle is named in the words, in order
    const { cycle } = found
    expect(cycle.length).toBe(found.words.length - 1)
    for (const [i, { chan, from, to }] of cycle.entries()) {
      expect(found.words[i + 1]).toContain(`from endpoint ${from} to endpoint ${to} holds `)
      if (chan >= 0) expect(found.words[i + 1]).toContain(`holds ${one.observation.waits().channelLabel(chan)}`)
    }
  })
})
