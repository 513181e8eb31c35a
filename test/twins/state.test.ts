// State is copyable, complete and nothing else: copies continue alike, one altered draw is seen, a name is not.
import { describe, expect, it } from "vitest"
import { flitEngine } from "../../src/compile/clocked/flits.ts"
import type { FlitEngine } from "../../src/engines/flit/engine.ts"
import type { Stream } from "../../src/model/stream.ts"
import { compiledOf, engineOf, type Wish } from "../support/machine.ts"
import { options } from "../support/options.ts"

function runTo(engine: FlitEngine, end: number): string {
  engine.advance(end)
  return engine.fingerprint()
}

describe("snapshot and restore in the middle", () => {
  for (const [name, w] of Object.entries(options))
    it(name, () => {
      const straight = runTo(engineOf(w), 350)
      const engine = engineOf(w)
      engine.advance(233)
      const middle = engine.snapshot()
      const mark = engine.fingerprint()
      expect(runTo(engine, 350)).toBe(straight)
      // the same engine goes back, another one that has already run elsewhere takes over, and the copy has not been
      // worn out
      engine.restore(middle)
      expect(engine.now).toBe(233)
      expect(engine.fingerprint()).toBe(mark)
      expect(runTo(engine, 350)).toBe(straight)
      const other = engineOf(w)
      other.advance(77)
      other.restore(middle)
      expect(runTo(other, 350)).toBe(straight)
      expect(other.stat("latency")).toBe(engine.stat("latency"))
    })

  it("in the middle of a window of three partitions", () => {
    const w = options["dragonfly, UGAL"]
    const routers = compiledOf(w).network.topology.graph.routers
    const cut = { parts: 3, assign: Uint8Array.from({ length: routers }, (_, r) => (r >> 2) % 3) }
    const straight = runTo(engineOf(w), 400)
    const engine = engineOf(w, cut)
    engine.advance(201)
    const other = engineOf(w, cut)
    other.restore(engine.snapshot())
    expect(runTo(other, 400)).toBe(straight)
  })
})

describe("conservation at every 100 cycles", () => {
  for (const [name, w] of Object.entries(options))
    it(name, () => {
      const engine = engineOf(w)
      for (let t = 100; t <= 600; t += 100) {
        engine.advance(t)
        expect(engine.audit()).toEqual([])
      }
    })

  it("a credit too many is found, and named", () => {
    const engine = engineOf(options["plain"])
    engine.advance(100)
    const { graph, slot } = engine.layout
    engine.buffers.credits[slot[graph.firstChan[5]] + 1]--
    expect(engine.audit().map((c) => c.path)).toEqual(["router 5 port 0 vc 1"])
  })
})

describe("what the fingerprint covers", () => {
  const w: Wish = { traffic: [{ load: 0.3, flits: 2 }, { load: 0.1 }] }
  const straight = () => runTo(engineOf(w), 400)

  it("the same twice", () => expect(straight()).toBe(straight()))

  it("another seed", () => expect(runTo(engineOf({ ...w, seed: 2 }), 400)).not.toBe(straight()))

  /** The run with one stream changed by hand. */
  function altered(change: (s: Stream) => Stream): string {
    const c = compiledOf(w)
    const engine = flitEngine(
      { ...c, streams: [change(c.streams[0]), c.streams[1]] },
      { horizon: 20_000, series: 1024 },
    )
    return runTo(engine, 400)
  }

  it("one destination of one packet", () => {
    expect(altered((s) => s)).toBe(straight())
    let asked = 0
    const flip = (at: number) =>
      altered((s) => ({
        ...s,
        pattern: {
          dest(from, rng) {
            const d = s.pattern.dest(from, rng)
            return ++asked === at ? (d + 1) % 16 : d
          },
        },
      }))
    expect(flip(57)).not.toBe(straight())
    expect(asked).toBeGreaterThan(57)
  })

  it("one creation, one cycle later", () => {
    let asked = 0
    const late = altered((s) => ({
      ...s,
      arrivals: {
        first: (from, rng) => s.arrivals.first(from, rng),
        next: (from, last, rng, state, i) => s.arrivals.next(from, last, rng, state, i) + (++asked === 80 ? 1 : 0),
      },
    }))
    expect(late).not.toBe(straight())
  })

  it("not what things are called", () => {
    const renamed = { ...w, traffic: w.traffic!.map((t, i) => ({ ...t, name: `quite another name ${i}` })) }
    expect(runTo(engineOf(renamed), 400)).toBe(straight())
  })

  it("not what is measured", () => {
    const engine = engineOf(w)
    engine.columns.control[0] = 200
    expect(runTo(engine, 400)).toBe(straight())
  })
})
