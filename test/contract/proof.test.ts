// The check on every routing of the library, on small networks: with the VCs that it declares it is free of deadlock,
// and with one fewer than the least that the check itself found it is not. Where fewer VCs are what breaks it, a cycle
// is shown, with a packet for each of its edges.
import { describe, expect, test } from "vitest"
import { Draws } from "../../src/core/rng.ts"
import { routingOn } from "../../src/experiment/bind.ts"
import { checkNetwork, type NetworkCheck } from "../../src/inspect/check-network.ts"
import { contracts } from "../../src/inspect/contract/finding.ts"
import { provedBy } from "../../src/inspect/contract/routing.ts"
import { build, parsed, type Raw, routingNamed, site } from "./cases.ts"
import { cases, title } from "./routing-cases.ts"

/** Declared VCs that do not suffice, as its file says: a rule of another program. */
const unsafe = new Set(["dragonfly.booksim-ugal"])

/** Smaller networks where the suite's would take long. */
const smaller: Readonly<Record<string, Raw>> = {
  "slimfly.ugal-l": { q: 3, p: 1 },
  "slimfly.ugal-g": { q: 3, p: 1 },
  "dragonfly.booksim-ugal": { p: 1, a: 2, h: 1, arrangement: "absolute" },
  "slimfly.codes-adaptive": { q: 3, p: 1, rails: 1 },
  "dragonfly.ugal-l": { p: 1, a: 3, h: 1 },
  "dragonfly.ugal-g": { p: 1, a: 3, h: 1 },
  "dragonfly.par": { p: 1, a: 3, h: 1 },
  "dragonfly.par62": { p: 1, a: 3, h: 1, roles: "random" },
  "dragonfly.par62-direct": { p: 1, a: 3, h: 1, roles: "random" },
}

function check(
  topologyName: string,
  on: Raw,
  routingName: string,
  raw: Raw,
  vcsOf: (declared: number) => number,
  brief = false,
): NetworkCheck {
  const topology = build(topologyName, on)
  const plugin = routingNamed(routingName)
  const params = parsed(plugin, raw)
  const vcs = vcsOf(plugin.vcs(params, topology as never))
  const boundRouting = routingOn(plugin, params, topology, "")
  const routing = boundRouting.make({ ...site, vcs, rng: new Draws(11) })
  return checkNetwork(
    { topology, routing, boundRouting, vcsPerClass: vcs },
    { brief, ...(site.read === undefined ? {} : { read: site.read }) },
  )
}

const small = cases
  .map((c) => ({ ...c, on: smaller[c.routing] ?? c.on }))
  .filter((c) => c.topology !== "fitfly" || c.routing === "slimfly.codes-adaptive")

describe.each(small.map((c) => [title(c), c] as const))("%s", (_, c) => {
  const raw = c.raw ?? {}
  const own = check(c.topology, c.on, c.routing, raw, (declared) => declared)
  const { least } = own.vcs

  test("its own VCs are enough, and every packet arrives", () => {
    expect(own.reachable).toEqual({ all: true, faults: [] })
    expect(own.deadlock.free).toBe(!unsafe.has(c.routing))
  })

  test("what its proof rests on it asks of the switch (escape VCs, bubbles), and it declares the VCs it needs", () => {
    const asks = routingNamed(c.routing).needs?.(parsed(routingNamed(c.routing), raw)) ?? []
    const broken = provedBy(own, asks).map((f) => f.contract)
    expect(broken).toEqual(unsafe.has(c.routing) ? [contracts.deadlock] : [])
  })

  test("one VC fewer than the least is refused", () => {
    if (least === null || least === 1) return
    const fewer = check(c.topology, c.on, c.routing, raw, () => least - 1, true)
    expect(fewer.deadlock.free && fewer.reachable.all).toBe(false)
    if (!fewer.reachable.all) return
    const cycle = fewer.deadlock.cycle!
    expect(cycle.length).toBeGreaterThan(1)
    for (const [i, edge] of cycle.entries()) expect(edge.waitsFor).toBe(cycle[(i + 1) % cycle.length].holds)
  })
})

test("PAR6/2 uses all of its six local VCs with local misrouting, and five without", () => {
  const least = (routing: string) =>
    check("dragonfly", { p: 1, a: 3, h: 1 }, routing, {}, (declared) => declared).vcs.least
  expect([least("dragonfly.par62"), least("dragonfly.par62-direct")]).toEqual([6, 5])
})
