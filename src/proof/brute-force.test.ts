// Verdicts against brute force on random small networks and random routing tables. The brute force shares nothing with
// the walk: it follows the table hop by hop without memory of states, and looks for a set of waiting packets that all
// wait for one another, by trying every packet for every buffer that somebody waits for.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Candidates, NetView, RoutingFunction } from "../model/routing.ts"
import type { Topology } from "../model/topology.ts"
import { fromEdges, subjectOf } from "./fixtures.ts"
import { prove } from "./prove.ts"

interface Case {
  readonly routers: number
  readonly edges: readonly (readonly [number, number])[]
  readonly vcs: number
  /** one way out of the ways of the table: all offered together, one drawn, or the one with the shortest queue */
  readonly choice: "offer" | "draw" | "queue"
  readonly vcRule: "table" | "hops" | "above" | "adaptive" | "escape"
  /** [dst][router] -> ports and VCs, leading nearer to dst in a random order of routers */
  readonly table: readonly (readonly { port: number; vc: number }[][])[]
}

/** Everything random is drawn from one list of numbers, so that a failing case shrinks. */
const cases = fc
  .tuple(
    fc.integer({ min: 3, max: 6 }),
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom<Case["choice"]>("offer", "draw", "queue"),
    fc.constantFrom<Case["vcRule"]>("table", "hops", "above", "adaptive", "escape"),
    fc.array(fc.nat(1000), { minLength: 400, maxLength: 400 }),
  )
  .map(([routers, vcs, choice, vcRule, numbers]): Case => {
    let next = 0
    const below = (n: number) => numbers[next++ % numbers.length] % n
    const edges: [number, number][] = []
    for (let r = 0; r < routers; r++) edges.push([r, (r + 1) % routers])
    for (let i = below(3); i > 0; i--) {
      const a = below(routers)
      const b = below(routers)
      if (a !== b) edges.push([a, b])
    }
    const { graph } = fromEdges(routers, edges)
    const table = Array.from({ length: routers }, (_, dst) => {
      const rank = new Map([[dst, 0]])
      const ways: { port: number; vc: number }[][] = Array.from({ length: routers }, () => [])
      while (rank.size < routers) {
        const r = below(routers)
        if (rank.has(r)) continue
        const nearer: number[] = []
        for (let c = graph.firstChan[r] + 1; c < graph.firstChan[r + 1]; c++)
          if (rank.has(graph.routerOf[graph.far[c]])) nearer.push(c - graph.firstChan[r])
        if (nearer.length === 0) continue
        rank.set(r, rank.size)
        const some = nearer.filter(() => below(3) > 0)
        for (const port of some.length > 0 ? some : [nearer[0]]) ways[r].push({ port, vc: below(vcs) })
      }
      return ways
    })
    return { routers, edges, vcs, choice, vcRule, table }
  })

type Way = { readonly port: number; readonly vcs: readonly number[] }

/** The ways of a packet. VCs: from the table; by hop count or one above the current, clipped; VC 0 as a further
 *  candidate; or VC 0 for the line 0, 1, 2, … only, which is always offered too, and never left. */
function waysOf(c: Case, topology: Topology, dst: number, at: number, hops: number, inVc: number): Way[] {
  const ways = c.table[dst][at]
  if (c.vcRule === "hops") return ways.map(({ port }) => ({ port, vcs: [Math.min(hops, c.vcs - 1)] }))
  if (c.vcRule === "above")
    return ways.map(({ port }) => ({ port, vcs: [Math.min(hops === 0 ? 0 : inVc + 1, c.vcs - 1)] }))
  if (c.vcRule === "table") return ways.map(({ port, vc }) => ({ port, vcs: [vc] }))
  if (c.vcRule === "adaptive") return ways.map(({ port, vc }) => ({ port, vcs: [...new Set([0, vc])] }))
  const { firstChan, far, routerOf } = topology.graph
  const along = dst > at ? at + 1 : at - 1
  let port = 1
  while (routerOf[far[firstChan[at] + port]] !== along) port++
  const line = { port, vcs: [0] }
  return hops > 0 && inVc === 0
    ? [line]
    : [...ways.map(({ port, vc }) => ({ port, vcs: [c.vcs === 1 ? 0 : 1 + (vc % (c.vcs - 1))] })), line]
}

function routingOf(c: Case, topology: Topology): RoutingFunction {
  const { firstChan } = topology.graph
  return {
    route(p: number, at: number, _inPort: number, inVc: number, net: NetView, out: Candidates) {
      const dst = net.dst(p)
      if (dst === at) return out.add(0, 1, 0)
      const ways = waysOf(c, topology, dst, at, net.hops(p), inVc)
      const add = (way: Way, cost: number) =>
        out.add(
          way.port,
          way.vcs.reduce((mask, vc) => mask | (1 << vc), 0),
          cost,
        )
      const queue = (way: Way) => net.queued(firstChan[at] + way.port)
      if (c.choice === "offer") for (const way of ways) add(way, queue(way))
      else if (c.choice === "draw") add(ways[net.draw(p, ways.length)], 0)
      else
        add(
          ways.reduce((best, way) => (queue(way) < queue(best) ? way : best)),
          0,
        )
    },
  }
}

/** A packet that holds a buffer and waits: the buffers of which any one would do. */
type Waiting = { readonly wants: readonly number[] }

/** [buffer] -> all packets that can stand in it and still have to go on, by following the table from every source to
 *  every destination. */
function packetsIn(c: Case, topology: Topology): Map<number, Waiting[]> {
  const { firstChan, far, routerOf } = topology.graph
  const found = new Map<number, Map<string, Waiting>>()
  const follow = (dst: number, at: number, hops: number, inVc: number, held: number) => {
    if (at === dst) return
    const ways = waysOf(c, topology, dst, at, hops, inVc)
    const wants = ways.map((way) => way.vcs.map((vc) => ({ chan: firstChan[at] + way.port, vc })))
    const node = (w: { chan: number; vc: number }) => w.chan * c.vcs + w.vc
    if (held >= 0) {
      const here = found.get(held) ?? new Map<string, Waiting>()
      found.set(held, here)
      for (const set of c.choice === "offer" ? [wants.flat()] : wants)
        here.set(set.map(node).join(), { wants: set.map(node) })
    }
    for (const w of wants.flat()) follow(dst, routerOf[far[w.chan]], hops + 1, w.vc, node(w))
  }
  for (let src = 0; src < c.routers; src++)
    for (let dst = 0; dst < c.routers; dst++)
      if (src !== dst) for (let vc = 0; vc < c.vcs; vc++) follow(dst, src, 0, vc, -1)
  return new Map([...found].map(([held, waiting]) => [held, [...waiting.values()]]))
}

/** Is there a set of packets, one in each of some buffers, such that each waits only for buffers of the set? */
function canDeadlock(packets: Map<number, Waiting[]>): boolean {
  const hopeless = new Set<number>()
  const fill = (filled: Map<number, Waiting>, needed: readonly number[]): boolean => {
    const next = needed.find((n) => !filled.has(n))
    if (next === undefined) return true
    if (hopeless.has(next)) return false
    for (const packet of packets.get(next) ?? []) {
      if (fill(new Map(filled).set(next, packet), [...needed, ...packet.wants])) return true
    }
    return false
  }
  for (const start of packets.keys()) {
    if (fill(new Map(), [start])) return true
    // no deadlock holds this buffer, whatever the others do
    hopeless.add(start)
  }
  return false
}

/** Naive depth-first search for a cycle in the relation "holds, may ask for". */
function hasCycle(packets: Map<number, Waiting[]>): boolean {
  const done = new Set<number>()
  const visit = (node: number, on: readonly number[]): boolean => {
    if (on.includes(node)) return true
    if (done.has(node)) return false
    for (const packet of packets.get(node) ?? []) for (const w of packet.wants) if (visit(w, [...on, node])) return true
    done.add(node)
    return false
  }
  return [...packets.keys()].some((node) => visit(node, []))
}

describe("the verdict on random networks and tables equals brute force", () => {
  it("600 cases, safe and unsafe, of every kind", () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(cases, (c) => {
        const topology = fromEdges(c.routers, c.edges)
        const proof = prove(subjectOf(topology, routingOf(c, topology), c.vcs, { candidates: 16 }))
        const packets = packetsIn(c, topology)
        expect(proof.faults).toEqual([])
        expect(proof.walked.economy).toBe("none")
        expect(proof.verdict.free).toBe(!hasCycle(packets))
        const single = c.choice !== "offer" && c.vcRule !== "adaptive"
        // one candidate at a time: a cycle is a deadlock; several: what is called free must be free
        if (single) expect(proof.free).toBe(!canDeadlock(packets))
        else if (proof.free) expect(canDeadlock(packets)).toBe(false)
        if (!proof.free) {
          proof.cycle!.forEach((packet, i) => {
            const next = proof.cycle![(i + 1) % proof.cycle!.length]
            const wants = packet.hops.at(-1)!
            const held = next.hops.at(-2)!
            expect([wants.chan, wants.vc]).toEqual([held.chan, held.vc])
          })
          expect(proof.cycle).toHaveLength(proof.verdict.free ? 0 : proof.verdict.cycle.length)
        }
        const kind = `${c.choice} ${c.vcRule} ${proof.by}`
        seen.set(kind, (seen.get(kind) ?? 0) + 1)
      }),
      { numRuns: 600, seed: 4 },
    )
    const count = (by: string) => [...seen].filter(([k]) => k.endsWith(by)).reduce((n, [, v]) => n + v, 0)
    // the sample is worth something only if it holds plenty of each
    expect(count("order")).toBeGreaterThan(80)
    expect(count("cycle")).toBeGreaterThan(80)
    expect(count("escape")).toBeGreaterThan(10)
  })
})
