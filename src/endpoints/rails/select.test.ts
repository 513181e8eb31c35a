// Rail selection on Fit Fly: planes repeat from the third rail on, so with four rails every shortest path exists at
// least twice.
import { expect, test } from "vitest"
import type { Topology } from "../../model/topology.ts"
import fitfly from "../../topologies/fitfly.ts"
import { makeSelect, type Select } from "./select.ts"

const RAILS = 4

function topology(): Topology {
  const params = fitfly.params.parse({ q: 5, p: 2, rails: RAILS }, "")
  if ("bad" in params) throw new Error(params.bad[0].says)
  return fitfly.make(params.ok)
}

/** `load(entry)`: chunks that are sent and not credited. */
function selector(t: Topology, select: Select, load: (entry: number) => number) {
  return makeSelect({
    graph: t.graph,
    seed: 3,
    select,
    metric: "port",
    hops: (a, b) => t.hops(a, b),
    queued: () => 0,
    sent: load,
  })
}

/** For some pairs of endpoints: links of the path on each rail, the rail that was chosen. */
function* choices(t: Topology, select: Select, load: (entry: number) => number) {
  const rail = selector(t, select, load)
  const { graph } = t
  for (let from = 0; from < graph.ends; from += 3)
    for (let to = 0; to < graph.ends; to++) {
      if (to === from) continue
      const links = Array.from({ length: RAILS }, (_, r) =>
        t.hops(graph.routerOf[graph.entry[from * RAILS + r]], graph.routerOf[graph.home[to * RAILS + r]]),
      )
      yield { from, links, chosen: rail(from, to, from * 1000 + to, 0, 0) }
    }
}

test("by path: never a longer path, however loaded the shorter ones are; the emptier of equals", () => {
  const t = topology()
  const load = (entry: number) => (entry * 7) % 5
  let several = 0
  for (const { from, links, chosen } of choices(t, "path", load)) {
    const least = Math.min(...links)
    const shortest = links.flatMap((n, r) => (n === least ? [r] : []))
    if (shortest.length < RAILS) several++
    expect(shortest).toContain(chosen)
    expect(load(from * RAILS + chosen)).toBe(Math.min(...shortest.map((r) => load(from * RAILS + r))))
  }
  expect(several).toBeGreaterThan(500)
})

test("by path: equals that are equally empty are taken equally often", () => {
  const taken = new Float64Array(RAILS)
  for (const { chosen } of choices(topology(), "path", () => 0)) taken[chosen]++
  const mean = taken.reduce((a, b) => a + b) / RAILS
  // two planes, each of two rails: a quarter each, up to random deviations (standard deviation about 1.7 % of the mean)
  for (const n of taken) expect(Math.abs(n / mean - 1)).toBeLessThan(0.08)
})

test("by congestion: the emptiest of all rails", () => {
  const load = (entry: number) => (entry * 7) % 5
  for (const { from, chosen } of choices(topology(), "congestion", load))
    expect(load(from * RAILS + chosen)).toBe(
      Math.min(...Array.from({ length: RAILS }, (_, r) => load(from * RAILS + r))),
    )
})
