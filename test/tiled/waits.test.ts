// Who waits for whom in tiled switches of any options: the circle of a forced deadlock by name, also beside traffic
// that moves; packets that are said never to move again do not; what stands for good is said to; a network that is
// proved free of deadlock has no such packets; the same words for any number of partitions.
import { describe, expect, test } from "vitest"
import { transferEngine } from "../../src/compile/clocked/transfers.ts"
import { type Compiled, compile } from "../../src/compile/compile.ts"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import { CONTROL } from "../../src/fabric/flit.ts"
import { KEY } from "../../src/fabric/packets.ts"
import { checkNetwork } from "../../src/inspect/check-network.ts"
import { diagnosisOf } from "../../src/measure/clocked/watchdog.ts"
import type { Named } from "../../src/model/experiment.ts"
import type { RoutingFunction } from "../../src/model/routing.ts"
import { RandomConfig } from "../../src/reproduce/peers/matrix/random-config.ts"
import { specOf, type Wish } from "../support/machine.ts"
import { ringTable } from "../support/ring.ts"

const files: Record<string, string> = { "ring.table": ringTable(6) }
const ring = { topology: { name: "torus", sides: [6] }, routing: { name: "any.table", file: "ring.table" } } as const

function compiled(wish: Wish): Compiled | undefined {
  const got = compile(specOf(wish), { read: (path) => files[path] ?? "" })
  return "bad" in got ? undefined : got.ok
}

function engineFor(c: Compiled, parts = 1, routing?: RoutingFunction): TransferEngine {
  const made = routing === undefined ? c : { ...c, network: { ...c.network, routing } }
  const { routers } = c.network.topology.graph
  return transferEngine(made, {
    horizon: 40_000,
    series: 1024,
    parts,
    assign: Uint8Array.from({ length: routers }, (_, r) => r % parts),
  })
}

const look = (engine: TransferEngine, c: Compiled) => diagnosisOf(engine, c.network.topology, 1)
type Dead = Extract<ReturnType<typeof look>, { kind: "deadlock" }>

describe("a ring without a dateline", () => {
  const tiled = { name: "tiled", rows: 1, columns: 3, vcs: 2, buffer: "64flits", still: {} }
  test("the six packets of its circle, hop by hop, for 1, 2 and 3 partitions", () => {
    const c = compiled({ ...ring, switch: tiled, traffic: [{ load: 0.9, flits: 24 }] })!
    const [words, ...others] = [1, 2, 3].map((parts) => {
      const engine = engineFor(c, parts)
      engine.advance(4000)
      return look(engine, c).words
    })
    expect(words).toHaveLength(7)
    expect(words![0]).toMatch(
      /^deadlock: 6 packets wait for one another in a cycle; in total, \d+ packets can never move again$/,
    )
    // each holds the channel from router r to r + 1, and waits for the next one
    words!.slice(1).forEach((w, i) => {
      const [from, to] = [
        /holds \((\d)\) \(port \d\) -> \((\d)\) VC 0/,
        /waits for \((\d)\) \(port \d\) -> \((\d)\) VC 0/,
      ].map((x) => w.match(x))
      expect([from?.[2], w.match(/held by packet (\d)/)?.[1]]).toEqual([to?.[1], String(((i + 1) % 6) + 1)])
    })
    expect(others).toEqual([words, words])
  })

  const combined = { name: "combined", vcs: 2, buffer: "64flits" }
  test.each(["voq", "fifo"])("the same in combined switches with queues: %s", (queues) => {
    const c = compiled({ ...ring, switch: { ...combined, queues }, traffic: [{ load: 0.9, flits: 24 }] })!
    const said = [1, 2, 3].map((parts) => {
      const engine = engineFor(c, parts)
      engine.advance(4000)
      return look(engine, c).words
    })
    expect(said[0][0]).toMatch(
      /^deadlock: 6 packets wait for one another in a cycle; in total, \d+ packets can never move again$/,
    )
    expect(said[0]).toHaveLength(7)
    for (const words of said[0].slice(1))
      expect(words).toMatch(
        /holds \(\d\) \(port \d\) -> \(\d\) VC \d and waits for \(\d\) \(port \d\) -> \(\d\) VC \d, held by packet \d/,
      )
    expect(said.slice(1)).toEqual([said[0], said[0]])
  })

  test("on VC 0, while VC 1 of the same channels goes on", () => {
    const c = compiled({
      topology: { ...ring.topology, p: 2 },
      routing: { name: "torus.dimension-order" },
      switch: { ...tiled, columns: 4 },
      traffic: [{ load: 0.9, flits: 24 }],
    })!
    const { graph } = c.network.topology
    const port = (at: number, to: number) => {
      const first = graph.firstChan[at]
      for (let ch = first; ; ch++) if (graph.far[ch] >= 0 && graph.routerOf[graph.far[ch]] === to) return ch - first
    }
    // from even endpoints one way round on VC 0, which fills; from odd ones on VC 1 along the line from router 0 to 5,
    // which cannot
    const routing: RoutingFunction = {
      route(packet, at, _in, _vc, net, out) {
        const home = graph.home[net.dst(packet)]
        const goal = graph.routerOf[home]
        const odd = net.src(packet) % 2
        if (goal === at) out.add(home - graph.firstChan[at], 3, 0)
        else out.add(port(at, odd === 1 && goal < at ? at - 1 : (at + 1) % 6), 1 << odd, 0)
      },
    }
    const engine = engineFor(c, 1, routing)
    engine.advance(6000)
    const [found, before] = [look(engine, c), engine.stat("delivered")]
    expect(found.words[0]).toContain("deadlock: 6 packets wait for one another in a cycle")
    expect(found.words.slice(1).filter((w) => !/ VC 0 and waits for .* VC 0, /.test(w))).toEqual([])
    engine.advance(8000)
    expect(engine.stat("delivered") - before).toBeGreaterThan(100)
    expect(look(engine, c).words.slice(1)).toEqual(found.words.slice(1))
  })
})

/** Small networks with and without an order of their VCs: topology, routing, VCs, rows and columns. */
const networks: readonly (readonly [Named, Named, number])[] = [
  [ring.topology, ring.routing, 2],
  [{ name: "torus", sides: [4, 3] }, { name: "torus.dimension-order" }, 2],
  [{ name: "hyperx", sides: [4], p: 2 }, { name: "hyperx.valiant", odd: "shared" }, 3],
]
const EACH = 5

function drawn(n: number, number: number): Compiled | undefined {
  const [topology, routing, vcs] = networks[n]
  const d = new RandomConfig(9, networks.length * number + n)
  const weighted = { name: "weighted", sizes: ["1flits", "8flits", "24flits"], weights: [1, 2, 3] }
  return compiled({
    topology,
    routing,
    switch: {
      name: "tiled",
      vcs,
      rows: 1,
      columns: 1,
      buffer: d.pick(["72flits", "120flits", "300flits"]),
      rowBuffer: d.pick(["24flits", "48flits"]),
      columnBuffer: d.pick(["24flits", "48flits"]),
      rowSharing: d.pick(["queue", "vc"]),
      release: d.pick(["flit", "tail"]),
      fair: d.chance(0.5),
      retention: d.chance(0.5),
      still: d.pick([{}, { link: 0.4 }]),
      cap: d.pick([{}, { link: 0.5 }]),
      speed: d.pick([1, 1.3]),
      ...d.maybe(0.2, () => ({ linkErrors: { link: 0.1 } })),
    },
    traffic: [{ load: 0.95, ...(d.chance(0.5) ? { flits: 24 } : { packet: weighted }) }],
    seed: d.int(1, 1000),
  })
}

/** Which packet stands at the front of which queue. */
function standing(engine: TransferEngine, fronts: Dead["fronts"]): string[] {
  return fronts.map(({ key, packet }) => `${key}: ${engine.columns.packets[packet + KEY]}`)
}

describe("switch options by the dozen, overloaded", () => {
  const seen = { dead: 0, free: 0 }
  for (const [n, [topology, routing]] of networks.entries())
    test(`${topology.name} ${String(topology["sides"])}, ${routing.name}`, () => {
      for (let number = 0; number < EACH; number++) {
        const c = drawn(n, number)
        if (c === undefined) continue
        const engine = engineFor(c)
        let dead: Dead | undefined
        let old: string[] = []
        const check = () => {
          const found = look(engine, c)
          // what was stuck is, in the same place
          if (dead !== undefined)
            expect(found.kind === "deadlock" && standing(engine, found.fronts)).toEqual(expect.arrayContaining(old))
          if (dead !== undefined || found.kind !== "deadlock") return
          dead = found
          old = standing(engine, found.fronts)
          seen.dead++
          const twin = engineFor(c, 2)
          twin.advance(engine.now)
          expect(look(twin, c)).toMatchObject({ words: found.words })
        }
        for (let t = 300; t <= 3000; t += 300 + (t % 7)) {
          engine.advance(t)
          check()
        }
        engine.columns.control[CONTROL.quiet] = engine.now
        for (let before = -1; engine.now < 20_000 && engine.inFlight() > 0; engine.advance(engine.now + 300)) {
          if (engine.flitHops() === before && engine.onLinks() + engine.timersDue() === 0) break
          before = engine.flitHops()
        }
        check()
        // nothing is left that could move, or all has arrived
        if (engine.inFlight() > 0) expect(dead?.kind).toBe("deadlock")
        if (!checkNetwork(c.network, { brief: true }).deadlock.free) continue
        seen.free++
        expect(dead?.words).toBe(undefined)
      }
    })
  test("both kinds were among them", () => {
    expect(seen.dead).toBeGreaterThan(3)
    expect(seen.free).toBeGreaterThan(3)
  })
})
