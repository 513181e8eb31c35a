// Every routing of the library on small instances: always arrives, never more links than allowed, only wired ports and VCs that exist, and
// (except where the file says that it is not) no cycle among the channel dependencies that the walks make.
import { describe, expect, test } from "vitest"
import { Draws } from "../../src/core/rng.ts"
import { routings } from "../../src/library.ts"
import { pair } from "./cases.ts"
import { cases, title } from "./routing-cases.ts"
import { Walker } from "./walk.ts"

test("every routing of the library is in this suite", () => {
  const missing = routings.map((r) => r.name).filter((name) => !cases.some((c) => c.routing === name))
  expect(missing).toEqual([])
})

describe.each(cases.map((c) => [title(c), c] as const))("%s", (_, c) => {
  test.each([0, 3])("with %i VCs to spare: arrives, legal, within its bound", (spare) => {
    const built = pair(c.topology, c.on, c.routing, c.raw ?? {}, spare)
    const walker = new Walker(built)
    const { graph } = built.topology
    const chance = new Draws(5).at(spare, 0)
    const waits = new Map<number, Set<number>>()
    for (let round = 0; round < 3; round++) {
      walker.load(round)
      for (let from = 0; from < graph.ends; from++) {
        for (let to = 0; to < graph.ends; to++) {
          const rail = round % graph.rails
          const key = (round * graph.ends + from) * graph.ends + to
          const { steps, arrived } = walker.walk(from, to, key, 64, (n) => chance.below(n), rail)
          if (!arrived) throw new Error(`${from} -> ${to} never arrives: ${steps.map((s) => s.at).join(" ")}`)
          const links = steps.length - 1
          const routerAt = (chans: Int32Array, e: number) => graph.routerOf[chans[e * graph.rails + rail]!]!
          const least = built.topology.hops(routerAt(graph.entry, from), routerAt(graph.home, to))
          if (c.most === "minimal" ? links !== least : links > c.most) throw new Error(`${from} -> ${to} takes ${links} links`)
          for (let i = 1; i < steps.length; i++) {
            const held = steps[i - 1]!.chan * built.vcs + steps[i - 1]!.vc
            const wanted = waits.get(held) ?? new Set()
            waits.set(held, wanted)
            for (let v = 0; v < built.vcs; v++) if ((steps[i]!.mask >> v) & 1) wanted.add(steps[i]!.chan * built.vcs + v)
          }
        }
      }
    }
    if (!c.deadlocks) expect(hasCycle(waits)).toBe(false)
  })
})

/** Removes what waits for nothing until nothing is left, or only cycles. */
function hasCycle(waits: ReadonlyMap<number, ReadonlySet<number>>): boolean {
  const state = new Map<number, "open" | "done">()
  for (const start of waits.keys()) {
    if (state.has(start)) continue
    const stack: [number, Iterator<number>][] = [[start, waits.get(start)!.values()]]
    state.set(start, "open")
    while (stack.length > 0) {
      const [node, rest] = stack[stack.length - 1]!
      const next = rest.next()
      if (next.done) {
        state.set(node, "done")
        stack.pop()
      } else if (state.get(next.value) === "open") return true
      else if (!state.has(next.value)) {
        state.set(next.value, "open")
        stack.push([next.value, (waits.get(next.value) ?? new Set<number>()).values()])
      }
    }
  }
  return false
}
