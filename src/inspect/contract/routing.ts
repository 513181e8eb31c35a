// The contracts of routings: paths of single packets with random queue lengths, and the results of the deadlock proof.
import type { Routed } from "../../compile/subject.ts"
import { Draws } from "../../core/rng.ts"
import type { NetworkCheck } from "../check-network.ts"
import { contracts, type Finding, looked } from "./finding.ts"
import { type Built, type Step, Walker } from "./walk.ts"

export interface Declared {
  /** links (router to router) of the longest path; "minimal": exactly topology.hops(); absent: unlimited */
  readonly most?: "minimal" | number | undefined
  /**
   * true: explored paths do not decide about deadlock, because escape VCs or bubbles may resolve a cyclic dependency
   */
  readonly deadlocks?: boolean
}

/** Routers after which a packet counts as lost. */
const LOST = 64

/**
 * Explores every pair of endpoints three times with other queue lengths. Checks that packets arrive on legal ports
 * within the hop bound, and that the dependencies of these paths are acyclic.
 */
export function walked(built: Built, { most, deadlocks }: Declared, seed = 0): Finding[] {
  return looked((found) => {
    const walker = new Walker(built)
    const { graph } = built.topology
    const chance = new Draws(5).at(seed, 0)
    const waits = new Map<number, Set<number>>()
    for (let round = 0; round < 3; round++) {
      walker.load(round)
      for (let from = 0; from < graph.ends; from++) {
        for (let to = 0; to < graph.ends; to++) {
          const rail = round % graph.rails
          const key = (round * graph.ends + from) * graph.ends + to
          const { steps, arrived } = walker.walk(from, to, key, LOST, (n) => chance.below(n), rail)
          if (!arrived) found(contracts.delivers, `${from} -> ${to} never arrives: ${steps.map((s) => s.at).join(" ")}`)
          const links = steps.length - 1
          const routerAt = (chans: Int32Array, e: number) => graph.routerOf[chans[e * graph.rails + rail]]
          const least = built.topology.hops(routerAt(graph.entry, from), routerAt(graph.home, to))
          if (arrived && most !== undefined && (most === "minimal" ? links !== least : links > most))
            found(
              contracts.hops,
              `${from} -> ${to} takes ${links} links, ` +
                `${most === "minimal" ? `the shortest path has ${least}` : `at most ${most} are declared`}`,
            )
          note(waits, steps, built.vcs)
        }
      }
    }
    if (deadlocks !== true && hasCycle(waits))
      found(contracts.deadlock, "explored packets wait for one another in a cycle")
  })
}

/** Adds the dependencies of a path: a held VC of a channel waits for all VCs that the next hop may take. */
function note(waits: Map<number, Set<number>>, steps: readonly Step[], vcs: number): void {
  for (let i = 1; i < steps.length; i++) {
    const held = steps[i - 1].chan * vcs + steps[i - 1].vc
    const wanted = waits.get(held) ?? new Set()
    waits.set(held, wanted)
    for (let v = 0; v < vcs; v++) if ((steps[i].mask >> v) & 1) wanted.add(steps[i].chan * vcs + v)
  }
}

/** Returns true if the dependency graph has a cycle (depth-first search). */
function hasCycle(waits: ReadonlyMap<number, ReadonlySet<number>>): boolean {
  const state = new Map<number, "open" | "done">()
  for (const start of waits.keys()) {
    if (state.has(start)) continue
    const stack: [number, Iterator<number>][] = [[start, waits.get(start)!.values()]]
    state.set(start, "open")
    while (stack.length > 0) {
      const [node, rest] = stack[stack.length - 1]
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

/** Pairs of endpoints that are explored a second time. */
const AGAIN = 200

/**
 * Checks that a routing has no internal state: packets in another order get the same paths. A routing that is not
 * adaptive must not read queues.
 */
export function alike(built: Built, adaptive = true): Finding[] {
  return looked((found) => {
    const walker = new Walker(built)
    const { ends } = built.topology.graph
    walker.load(1)
    const way = (pair: number) => {
      const chance = new Draws(9).at(pair, 0)
      const { steps } = walker.walk(pair % ends, Math.floor(pair / ends), pair, LOST, (n) => chance.below(n))
      return steps.map((s) => `${s.at}.${s.port}.${s.mask}`).join(" ")
    }
    const pairs = Array.from({ length: Math.min(AGAIN, ends * ends) }, (_, i) =>
      Math.floor((i * ends * ends) / Math.min(AGAIN, ends * ends)),
    )
    const first = pairs.map(way)
    for (let i = pairs.length - 1; i >= 0; i--)
      if (way(pairs[i]) !== first[i]) {
        const [from, to] = [pairs[i] % ends, Math.floor(pairs[i] / ends)]
        found(
          contracts.alike,
          `${from} -> ${to} takes another path the second time, with the same random draws and queues`,
        )
      }
    for (const [by, looks] of Object.entries(walker.looks))
      if (!adaptive && looks > 0) found(contracts.idle, `${by}() read queues ${looks} times; remove adaptive: false`)
  })
}

/**
 * Returns the findings of the proof. The second argument lists the abilities that the routing requires of the switch.
 */
export function provedBy(check: NetworkCheck, asks: readonly string[]): Finding[] {
  return looked((found) => {
    if (!check.reachable.all) found(contracts.delivers, check.reachable.faults.join("; "))
    const { free, words, by, cycle } = check.deadlock
    const circle = (cycle ?? []).map(
      (e) => `; a packet from ${e.from} to ${e.to} holds ${e.holds} and waits for ${e.waitsFor}`,
    )
    if (!free) found(contracts.deadlock, `${words}${circle.join("")}`)
    const rests = { escape: "escapes", bubble: "bubbles" }[by as string]
    if (rests !== undefined && !asks.includes(rests))
      found(contracts.needs, `the proof rests on ${rests}, which needs() does not declare`)
    const { least, declared } = check.vcs
    if (free && least !== null && least > declared)
      found(contracts.vcs, `${declared} VCs are declared, ${least} are needed`)
  })
}

/** Converts the plug-ins of a path exploration to the form that the proof takes. */
export function routedOf(built: Built, boundRouting: Routed["boundRouting"]): Routed {
  return {
    topology: built.topology,
    routing: built.routing,
    boundRouting,
    vcsPerClass: built.vcs,
  }
}
