// Both switches with service levels, packet by packet, against their twins, flit by flit: every packet arrives in the
// same cycle over as many routers.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Compiled } from "../../src/compile/compile.ts"
import { hash3 } from "../../src/core/hash.ts"
import { params as infiniband } from "../../src/switches/infiniband/params.ts"
import { type OmniPathParams, params as omniPath } from "../../src/switches/omni-path/params.ts"
import { compiledWhole, drained, wholeEngine } from "../support/combined.ts"
import { specOf, type Wish } from "../support/machine.ts"
import type { Arrival } from "../support/plain-combined.ts"
import { PlainInfiniband } from "../support/plain-infiniband.ts"
import { PlainOmniPackets } from "../support/plain-omni-packets.ts"
import { PlainOmniPath } from "../support/plain-omni-path.ts"

const STOP = 300

/** The engine's hash of all deliveries: a sum over (packet, cycle, routers, source). */
function hashOf(arrived: readonly Arrival[]): [number, number] {
  let a = 0
  let b = 0
  for (const { key, at, hops, from } of arrived) {
    const h = hash3(key, at, (hops << 20) ^ from)
    a = (a + h) | 0
    b = (b + Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)) | 0
  }
  return [a, b]
}

function parsed<T>(got: { ok: T } | { bad: readonly { says: string }[] }): T {
  if ("bad" in got) throw new Error(got.bad.map((c) => c.says).join("; "))
  return got.ok
}

function plainOmniPath(made: Compiled, p: OmniPathParams): PlainOmniPath | PlainOmniPackets {
  return p.grain === "packet" ? new PlainOmniPackets(made, p, STOP) : new PlainOmniPath(made, p, STOP)
}

function same(name: "infiniband" | "omni-path", w: Wish): number {
  const spec = specOf({ flit: "64B", endpoint: { name: "service-levels" }, ...w, switch: { name, ...w.switch } })
  const engine = drained(wholeEngine(spec), 500)
  const made = compiledWhole(spec)
  const plain =
    name === "infiniband"
      ? new PlainInfiniband(made, parsed(infiniband.parse({ ...w.switch }, "network.switch")), STOP)
      : plainOmniPath(made, parsed(omniPath.parse({ ...w.switch }, "network.switch")))
  plain.run(engine.now)
  const { trail } = engine.columns
  expect(plain.left).toBe(0)
  expect(engine.stat("delivered")).toBe(plain.arrived.length)
  expect([trail[0], trail[1]]).toEqual(hashOf(plain.arrived))
  return plain.arrived.length
}

const nets = {
  tree: { topology: { name: "tree", k: 2, n: 2 }, routing: { name: "tree.valiant" } },
  deep: { topology: { name: "tree", k: 2, n: 3 }, routing: { name: "tree.valiant" } },
  ring: { topology: { name: "torus", sides: "4", p: 2 }, routing: { name: "torus.bubble" } },
  trunks: { topology: { name: "torus", sides: "3x3", p: 4, trunk: 2 }, routing: { name: "torus.bubble" } },
} satisfies Record<string, Wish>

const wishes = fc.record({
  net: fc.constantFrom(...(Object.keys(nets) as (keyof typeof nets)[])),
  /** flits of each class */
  flits: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
  table: fc.boolean(),
  packets: fc.integer({ min: 0, max: 4 }),
  most: fc.boolean(),
  delays: fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 })),
  latency: fc.integer({ min: 1, max: 6 }),
  load: fc.constantFrom(0.2, 0.6, 1),
  seed: fc.integer({ min: 1, max: 1e6 }),
  /** VL of each class; classes may share one */
  vls: fc.option(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 })),
  /** others from some inputs to some outputs */
  ports: fc.option(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 })),
})
const grains = fc.oneof(
  fc.record({ grain: fc.constant("packet"), iterations: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ grain: fc.constant("message") }),
)
const rooms = fc.constantFrom("centre", "input")
const ib = fc.record({
  speed: fc.constantFrom(1, 1.25, 1.5, 2),
  dry: fc.boolean(),
  release: fc.constantFrom("flit", "tail"),
  credits: fc.constantFrom("link", "crossbar"),
})
const opa = fc.record({
  mport: fc.constantFrom(1, 2),
  uplink: fc.constantFrom("shared", "one"),
  reads: fc.constantFrom("shared", "one"),
  queues: fc.constantFrom("output", "uplink"),
  rate: fc.integer({ min: 1, max: 3 }),
  centralRate: fc.integer({ min: 1, max: 3 }),
  middle: fc.integer({ min: 1, max: 3 }).map((n) => `${n}cycles`),
})

type Common = typeof wishes extends fc.Arbitrary<infer T> ? T : never

/** SL to VL, or SL to SC to VL where levels have an SC of their own; between some ports another one. Bubbles want one
 *  VL for good. */
function tables(o: Common, mapped: "sl2vl" | "sc2vl", vcs: number): Record<string, unknown> {
  if (o.vls === null) return {}
  const vls = o.vls.map((v) => v % vcs)
  if (o.ports === null || o.net === "ring" || o.net === "trunks") return { [mapped]: vls.join(",") }
  const other = o.ports.map((v) => v % vcs)
  const row = { inputs: "0-1", outputs: "1-2" }
  if (mapped === "sl2vl") return { sl2vl: vls.join(","), sl2vlPorts: [{ ...row, to: other.join(",") }] }
  return { sl2sc: "0,1,2,3", sc2vl: [...vls, ...other].join(","), sl2scPorts: [{ ...row, to: "4,5,6,7" }] }
}

function wishOf(o: Common, mapped: "sl2vl" | "sc2vl", more: Readonly<Record<string, unknown>>): Wish {
  const vcs = o.flits.length
  const longest = Math.max(...o.flits)
  const least = (o.net === "tree" || o.net === "deep" ? 1 : 2) * longest
  const buffer = vcs * least + o.packets * longest
  const [route, traverse, early] = o.delays
  return {
    ...nets[o.net],
    switch: {
      vcs,
      input: `${buffer}flits`,
      output: `${buffer}flits`,
      reservedPerVl: `${least}flits`,
      ...(o.most ? { maxPerVl: `${Math.min(2 * least, buffer - (vcs - 1) * least)}flits` } : {}),
      route: `${route}cycles`,
      traverse: `${traverse}cycles`,
      body: `${Math.max(0, route - early)}cycles`,
      ...tables(o, mapped, vcs),
      ...more,
    },
    ...(o.table
      ? { qos: { name: "dtable", table: o.flits.map((f, c) => `${c}:${f},${(c + 1) % vcs}:${longest}`).join(",") } }
      : {}),
    links: { end: `${1 + (o.latency % 3)}cycles`, link: `${o.latency}cycles` },
    traffic: o.flits.map((flits, c) => ({ flits, class: c, load: o.load / vcs, stop: `${STOP}cycles` })),
    seed: o.seed,
  }
}

describe("packets arrive when their flits would", () => {
  for (const name of ["infiniband", "omni-path"] as const)
    it(`${name}: seven levels with the table of the paper's weights`, () => {
      const flits = [3, 2, 32, 32, 16, 16, 16]
      const table = "0:3,1:11,0:3,2:40,0:3,1:11,0:3,3:93,0:4,4:21,5:39,6:17"
      const traffic = flits.map((f, c) => ({ flits: f, class: c, load: 0.13, stop: `${STOP}cycles` }))
      expect(
        same(name, { ...nets.trunks, switch: {}, qos: { name: "dtable", table }, links: { link: "1cycle" }, traffic }),
      ).toBeGreaterThan(500)
    })
  it("infiniband: any size, speed, buffer, delay, release and load", () =>
    fc.assert(
      fc.property(wishes, ib, grains, (o, { dry, credits, ...more }, grain) => {
        const whole = grain.grain === "message"
        const start = whole && dry && more.speed > 1 ? { start: "dry" } : {}
        same("infiniband", wishOf(o, "sl2vl", { ...more, ...grain, ...start, ...(whole ? { credits } : {}) }))
      }),
      { numRuns: 24 },
    ))
  it("omni-path: any size, MPort, up-link, queue, rate, buffer, delay and load", () =>
    fc.assert(
      fc.property(wishes, opa, grains, rooms, (o, { uplink, reads, queues, ...more }, grain, room) => {
        const whole = grain.grain === "message" ? { uplink, reads, queues } : { room }
        const w = wishOf(o, "sc2vl", { ...more, ...grain, ...whole })
        same("omni-path", { ...w, switch: { ...w.switch, central: w.switch!["input"] } })
      }),
      { numRuns: 20 },
    ))
})
