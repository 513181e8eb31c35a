// A router that is opened: what is said of its buffers, output VCs and pools agrees with what the queues, the credits
// and the counters of the run say.
import { describe, expect, test } from "vitest"
import { endpointAnswer, routerAnswer } from "../../studio/engine/answers.ts"
import { live } from "./live.ts"

const mesh = (more: string, load: number, rest = "") => `
lacewing: 1
network: { topology: { name: mesh, sides: 4x4 }, routing: mesh.dimension-order${more} }
traffic: { pattern: uniform, load: ${load}, packet: 4flits }
measure: { warmup: 400cycles, window: 1200cycles, limit: 4kcycles, saturation: never, drain: none }
${rest}`

describe("input-queued", () => {
  const text = mesh(", switch: { name: input-queued, vcs: 2, buffer: 8flits }", 0.9)

  test("buffers hold what the queues hold, and their fronts are those of the queues", async () => {
    const one = await live(text)
    one.forward(700)
    const { graph } = one.observation.topology
    const queued = new Map<string, { flits: number; packet: number }>()
    one.observation.fronts((f) => void queued.set(`${f.input} ${f.inputVc}`, { flits: f.flits, packet: f.packet }))
    expect(queued.size).toBeGreaterThan(40)
    let seen = 0
    for (let r = 0; r < graph.routers; r++)
      for (const b of one.observation.inside(r).buffers) {
        const { flits, packet } = queued.get(`${graph.firstChan[r] + b.input} ${b.vc}`) ?? { flits: 0, packet: -1 }
        if (b.packet < 0 && b.flits > 0) continue
        expect([b.flits, b.packet]).toEqual([flits, packet])
        expect(b.flits).toBeLessThanOrEqual(b.of)
        if (packet >= 0) seen++
      }
    expect(seen).toBe(queued.size)
  })

  test(
    "an output VC is held by the buffer whose front says so, and its room " +
      "is what the buffer behind it has not taken",
    async () => {
      const one = await live(text)
      one.forward(700)
      const { graph } = one.observation.topology
      const all = Array.from({ length: graph.routers }, (_, r) => one.observation.inside(r))
      let held = 0
      let tight = 0
      for (let r = 0; r < graph.routers; r++) {
        for (const o of all[r].outputs) {
          if (o.input >= 0) {
            const holder = all[r].buffers.find((b) => b.input === o.input && b.vc === o.inputVc)!
            // one whose tail has not come yet may be empty for a while
            if (holder.flits > 0 && holder.packet >= 0)
              expect(holder.does).toContain(`has output ${o.port}, VC ${o.vc}`)
            held++
          }
          const far = graph.far[graph.firstChan[r] + o.port]
          if (far < 0) {
            expect(o.credits).toBe(-1)
            continue
          }
          const to = graph.routerOf[far]
          const behind = all[to].buffers.find((b) => b.input === far - graph.firstChan[to] && b.vc === o.vc)!
          expect(o.of).toBe(behind.of)
          expect(o.credits + behind.flits).toBeLessThanOrEqual(o.of)
          if (o.credits === 0) tight++
        }
      }
      expect(held).toBeGreaterThan(20)
      expect(tight).toBeGreaterThan(5)
    },
  )

  test("endpoints: what they sent and received adds up to the counters of the run, and their packets are theirs", async () => {
    const one = await live(text)
    one.forward(700)
    const { ends } = one.observation.topology.graph
    const all = Array.from({ length: ends }, (_, e) => endpointAnswer(one, e))
    const { accepted } = one.observation.totals()
    // The last hop to an endpoint takes a cycle, so as many flits as endpoints may be on it.
    const received = all.reduce((sum, e) => sum + e.received, 0)
    expect(received).toBeGreaterThanOrEqual(accepted)
    expect(received).toBeLessThanOrEqual(accepted + ends)
    expect(all.reduce((sum, e) => sum + e.sent, 0)).toBeGreaterThan(received)
    expect(all.reduce((sum, e) => sum + e.from.count, 0)).toBe(all.reduce((sum, e) => sum + e.to.count, 0))
    for (const { end, from, to, waited } of all) {
      expect(from.oldest.every((p) => p.from === end) && to.oldest.every((p) => p.to === end)).toBe(true)
      expect(waited).toBeGreaterThanOrEqual(0)
    }
  })

  test("arbiters have a line for each port, and the answer names the packets of the fronts", async () => {
    const one = await live(text)
    one.forward(700)
    const { inside, packets, ports } = routerAnswer(one, 5)
    expect(inside.arbiters.length).toBe(ports.length)
    expect(inside.arbiters[0].says).toMatch(/VC [01] next, output \d next; as an output input \d next/)
    expect(packets.map((p) => p.id)).toEqual(inside.buffers.filter((b) => b.packet >= 0).map((b) => b.packet))
    expect(inside.state.map((c) => c.name)).toEqual(expect.arrayContaining(["freeVc", "sg", "sa"]))
  })
})

test("combined: whoever crosses is named, with an input that has a packet under way", async () => {
  const one = await live(mesh(", switch: { name: combined, vcs: 2 }", 0.9))
  one.forward(700)
  let crossing = 0
  for (let r = 0; r < 16; r++) {
    const { outputs, buffers, arbiters } = one.observation.inside(r)
    expect(arbiters.length).toBeGreaterThan(0)
    crossing += arbiters.filter((a) => a.says.includes("takes a packet of input")).length
    for (const o of outputs) expect(o.of === -1 || (o.credits >= 0 && o.credits <= o.of)).toBe(true)
    for (const b of buffers) expect(b.flits).toBeLessThanOrEqual(b.of)
  }
  expect(crossing).toBeGreaterThan(5)
})

test("the packet engine: what waits at inputs and outputs is what stands before the channels", async () => {
  const one = await live(mesh("", 0.9, "engine: packet\n"))
  one.forward(700)
  const { graph } = one.observation.topology
  const [queued, stalled] = [new Float64Array(graph.chans), new Float64Array(graph.chans)]
  one.observation.queued(queued, stalled)
  let all = 0
  for (let r = 0; r < graph.routers; r++) {
    const { outputs } = one.observation.inside(r)
    for (const o of outputs) {
      const chan = graph.firstChan[r] + o.port
      expect(o.buffered).toBe(queued[chan] - stalled[chan])
      all += o.buffered
    }
  }
  expect(all).toBeGreaterThan(0)
})

describe("tiled", () => {
  const stash = `
lacewing: 1
network:
  topology: { name: dragonfly, p: 2, a: 4, h: 2 }
  routing: dragonfly.minimal
  switch: { name: tiled, rows: 7, columns: 7, stash: { end: 0.875 }, reliability: true }
  endpoint: { name: queue-pairs }
traffic: { pattern: uniform, load: 0.4, packet: 8flits }
measure: { warmup: 200cycles, window: 1kcycles, limit: 1200cycles, saturation: never, drain: none }
`
  test("pools hold as much as the switch has counted", async () => {
    const one = await live(stash)
    one.forward(1e9)
    const { values } = await one.finished()
    let [held, of] = [0, 0]
    for (let r = 0; r < one.observation.topology.graph.routers; r++)
      for (const p of one.observation.inside(r).pools) {
        expect(p.flits).toBeGreaterThanOrEqual(0)
        expect(p.flits).toBeLessThanOrEqual(p.of)
        held += p.flits
        of += p.of
      }
    expect(held).toBeGreaterThan(50)
    expect(of / one.observation.topology.graph.routers).toBeCloseTo(values["stash.pool.flits"], 6)
    expect(held / of).toBeCloseTo(values["stash.pool.utilisation"], 9)
  })

  test("without a stash there are none; buses, multiplexers and links are told", async () => {
    const one = await live(stash.replace(", stash: { end: 0.875 }, reliability: true", ""))
    one.forward(400)
    const { pools, arbiters } = one.observation.inside(3)
    expect(pools).toEqual([])
    expect(arbiters[0].says).toMatch(/row bus (free|busy), VC \d+ next; multiplexer .*, VC \d+ next; link/)
  })
})
