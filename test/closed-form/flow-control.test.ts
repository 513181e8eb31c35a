// Who may go with how many credits: a packet of 24 flits before a buffer that has room for 23, over a link so long that
// no credit comes back while we look.
import { describe, expect, it } from "vitest"
import { flitEngine } from "../../src/compile/clocked/flits.ts"
import type { FlitEngine } from "../../src/engines/flit/engine.ts"
import { watchdog } from "../../src/measure/clocked/watchdog.ts"
import { compiledOf, engineOf, type Wish } from "../support/machine.ts"

function before23(flow: "wormhole" | "cut-through"): {
  engine: FlitEngine
  sent(): number
  held(): boolean
  credit(): void
} {
  const engine = engineOf({
    topology: { name: "mesh", k: 2, n: 1 },
    switch: { vcs: 1, buffer: "24flits", flow },
    links: { link: "200cycles" },
    traffic: [
      {
        pattern: { name: "fixed", pairs: [[0, 1]] },
        arrivals: { name: "periodic", phase: "none" },
        flits: 24,
        load: 24 / 5000,
      },
    ],
  })
  const { graph, slot, LV } = engine.layout
  const ov = slot[graph.firstChan[0]]
  engine.buffers.credits[ov]--
  return {
    engine,
    sent: () => engine.columns.portFlits[ov >> LV],
    held: () => engine.sw.columns["own"][ov] > 0,
    credit: () => engine.sw.credit(ov, engine.now),
  }
}

describe("24 flits, 23 credits", () => {
  it("wormhole sends 23 and stalls with the VC held", () => {
    const { engine, sent, held, credit } = before23("wormhole")
    engine.advance(100)
    expect([sent(), held()]).toEqual([23, true])
    credit()
    engine.advance(102)
    expect([sent(), held()]).toEqual([24, false])
  })

  it("cut-through waits, and after one more credit sends the whole packet without a gap", () => {
    const { engine, sent, held, credit } = before23("cut-through")
    engine.advance(100)
    expect([sent(), held()]).toEqual([0, true])
    credit()
    engine.advance(101)
    expect(sent()).toBe(1)
    engine.advance(100 + 24)
    expect([sent(), held()]).toEqual([24, false])
  })
})

describe("bubbles", () => {
  // one VC, rings of 8, room for two packets in each buffer, everybody sends all the time
  const ring = (flits: number, vcs = 1): Wish => ({
    topology: { name: "torus", k: 8, n: 2 },
    routing: { name: "torus.bubble" },
    switch: { vcs, buffer: `${2 * flits}flits`, flow: "cut-through" },
    traffic: [{ pattern: { name: "tornado" }, arrivals: { name: "backlogged" }, flits }],
  })
  function moved(engine: FlitEngine): number {
    engine.advance(2000)
    const before = engine.stat("delivered")
    engine.advance(3000)
    expect(engine.audit()).toEqual([])
    return engine.stat("delivered") - before
  }

  it("keep every ring moving with one VC, and with two", () => {
    expect(moved(engineOf(ring(4)))).toBeGreaterThan(500)
    expect(moved(engineOf(ring(4, 2)))).toBeGreaterThan(500)
    expect(moved(engineOf(ring(1)))).toBeGreaterThan(1000)
  })

  for (const flits of [1, 4])
    it(`without them the rings fill and stand still, and the circle is named (${flits} flit(s))`, () => {
      const c = compiledOf(ring(flits))
      const { routing, topology } = c.network
      const careless = { route: routing.route.bind(routing) }
      const engine = flitEngine({ ...c, network: { ...c.network, routing: careless } }, { horizon: 4000, series: 1024 })
      expect(moved(engine)).toBe(0)
      const verdict = watchdog(engine, topology, 1).ask(engine.now)
      expect(verdict).toMatchObject({ kind: "deadlock" })
      expect("words" in verdict && verdict.words).toMatch(/deadlock: \d+ packets wait for one another in a cycle/)
    })
})
