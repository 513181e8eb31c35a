// Who waits for whom in input-queued routers of any options: packets that are said never to move again do not, what
// stands for good is said to, a network that is proved free of deadlock has no such packets, and the words are the same
// for any number of partitions.
import { describe, expect, test } from "vitest"
import { flitEngine } from "../src/compile/clocked/flits.ts"
import { type Compiled, compile } from "../src/compile/compile.ts"
import type { FlitEngine } from "../src/engines/flit/engine.ts"
import { CONTROL } from "../src/fabric/flit.ts"
import { checkNetwork } from "../src/inspect/check-network.ts"
import { diagnosisOf } from "../src/measure/clocked/watchdog.ts"
import type { Named } from "../src/model/experiment.ts"
import { inputQueued } from "../src/reproduce/peers/matrix/input-queued.ts"
import { RandomConfig } from "../src/reproduce/peers/matrix/random-config.ts"
import { specOf, type Wish } from "./support/machine.ts"
import { ringTable } from "./support/ring.ts"

const files: Record<string, string> = { "ring.table": ringTable(6) }

/** Small networks with and without an order of their VCs: topology, routing, VCs, what it needs of the switch. */
const networks: readonly (readonly [Named, Named, number, object?])[] = [
  [{ name: "torus", sides: [6] }, { name: "any.table", file: "ring.table" }, 1],
  [{ name: "torus", sides: [6] }, { name: "any.table", file: "ring.table" }, 2],
  [{ name: "torus", sides: [4, 4] }, { name: "torus.adaptive" }, 3],
  [{ name: "hyperx", sides: [4], p: 2 }, { name: "hyperx.valiant", odd: "shared" }, 3],
  [{ name: "torus", sides: [4, 3] }, { name: "torus.dimension-order" }, 2],
  [
    { name: "torus", sides: [4, 3] },
    { name: "torus.bubble" },
    1,
    { flow: "cut-through", sharing: "private", buffer: "16flits" },
  ],
  [{ name: "cmesh", k: 3, express: false }, { name: "cmesh.dimension-order" }, 2],
]

/** Drawn for each. */
const EACH = 4
const SEED = 5

/** Network `n` of the list with switch options drawn for `number`, overloaded; undefined if the plan refuses it. */
function drawn(n: number, number: number): Compiled | undefined {
  const [topology, routing, vcs, needs] = networks[n]!
  const d = new RandomConfig(SEED, networks.length * number + n)
  const flits = d.pick([1, 3, 6])
  const packet = d.chance(0.5)
    ? { name: "fixed", size: `${flits}flits` }
    : { name: "weighted", sizes: ["1flits", "3flits", "6flits"], weights: [1, 2, 3] }
  const wish: Wish = {
    topology,
    routing,
    switch: { ...inputQueued(d, vcs), ...needs },
    endpoint: { name: "simple", ...d.maybe(0.3, () => ({ vc: "random" })) },
    traffic: [{ load: 0.9, packet }],
    seed: d.int(1, 1000),
  }
  const got = compile(specOf(wish), { read: (path) => files[path] ?? "" })
  return "bad" in got ? undefined : got.ok
}

const engineFor = (c: Compiled, parts: number): FlitEngine =>
  flitEngine(c, {
    horizon: 20_000,
    series: 1024,
    parts,
    assign: Uint8Array.from({ length: c.network.topology.graph.routers }, (_, r) => r % parts),
  })

const look = (engine: FlitEngine, c: Compiled) => diagnosisOf(engine, c.network.topology, 1)

type Dead = Extract<ReturnType<typeof look>, { kind: "deadlock" }>

/** What stands where: a flit that moves changes it. */
function standing(engine: FlitEngine, { fronts }: Dead): string[] {
  const { layout: l, sw, fields } = engine
  const { cnt, cur, rem, out } = sw.columns
  return fronts.map(({ key }) => {
    const vc = key % l.vcs
    const iv = l.slot[(key - vc) / l.vcs]! + vc
    return `${iv}: ${fields.pKey[cur![iv]!]}, ${rem![iv]} left, output ${out![iv]}, ${cnt![iv]! > 0}`
  })
}

/** Advances as long as something moves, at most to `end`; true if all stands. */
function stands(engine: FlitEngine, end: number): boolean {
  for (let before = -1; engine.now < end && engine.inFlight() > 0; engine.advance(engine.now + 200)) {
    if (engine.flitHops() === before && engine.onLinks() === 0) return true
    before = engine.flitHops()
  }
  return false
}

describe("switch options by the dozen, overloaded", () => {
  const seen = { dead: 0, free: 0, told: 0 }
  for (const [n, [topology, routing, vcs]] of networks.entries())
    test(`${topology.name} ${String(topology["sides"] ?? topology["k"])}, ${routing.name}, ${vcs} VCs`, () => {
      for (let number = 0; number < EACH; number++) {
        const c = drawn(n, number)
        if (c === undefined) continue
        const engine = engineFor(c, 1)
        let dead: Dead | undefined
        let old: string[] = []
        const check = () => {
          if (dead !== undefined) expect(standing(engine, dead)).toEqual(old)
          const found = look(engine, c)
          if (dead !== undefined || found.kind !== "deadlock") return
          dead = found
          old = standing(engine, found)
          seen.dead++
          if (seen.told % 3 === 0)
            for (const parts of [2, 3]) {
              const twin = engineFor(c, parts)
              twin.advance(engine.now)
              expect(look(twin, c)).toMatchObject({ words: found.words })
            }
          seen.told++
        }
        for (let t = 60; t <= 480; t += 60 + (t % 7)) {
          engine.advance(t)
          check()
        }
        engine.columns.control[CONTROL.quiet] = engine.now
        const end = stands(engine, 2000)
        check()
        if (end) expect(look(engine, c).kind).toBe("deadlock")
        if (!checkNetwork(c.network, { brief: true }).deadlock.free) continue
        seen.free++
        expect(dead?.words).toBe(undefined)
      }
    })
  test("both kinds were among them", () => {
    expect(seen.dead).toBeGreaterThan(5)
    expect(seen.free).toBeGreaterThan(10)
  })
})
