// Layered shortest paths (LASH-like): every pair of routers has one shortest path, and each path is put into the first layer of VCs where it closes no
// cycle of channel dependencies. A packet stays in its layer. Several orders of the pairs are tried and the one with the fewest layers is kept.
// Limits: one path for each pair; building takes time in proportion to the pairs.
import { Draws } from "../../core/rng.ts"
import { int, schema } from "../../core/schema.ts"
import { type Graph, shared } from "../../model/graph.ts"
import type { Chan, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Topology } from "../../model/topology.ts"
import { allVcs, vcRanks } from "../vcs.ts"
import { checkTable, distancesTo, terminals, UNREACHED } from "./distances.ts"
import { AcyclicGraph } from "./order.ts"

type Params = { tries: number }
type Layers = {
  readonly count: number /** [from * routers + to] */
  readonly of: Uint8Array /** [to * routers + at] -> channel */
  readonly next: Int32Array
}

const MOST = 1024
const kept = new WeakMap<Graph, Map<number, Layers>>()

export class Layered implements RoutingFunction {
  private readonly graph: Graph
  private readonly layers: Layers
  private readonly masks: Int32Array
  private readonly all: number

  constructor(graph: Graph, vcs: number, layers: Layers) {
    this.graph = graph
    this.layers = layers
    this.masks = vcRanks(vcs, layers.count)
    this.all = allVcs(vcs)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { graph, layers } = this
    const { routerOf, routers, firstChan, rails } = graph
    const home = graph.home[net.dst(p) * rails]!
    const goal = routerOf[home]!
    if (goal === at) {
      out.add(home - firstChan[at]!, this.all, 0)
      return
    }
    const source = routerOf[graph.entry[net.src(p) * rails]!]!
    out.add(layers.next[goal * routers + at]! - firstChan[at]!, this.masks[layers.of[source * routers + goal]!]!, 0)
  }
}

/** Deterministic shortest-path trees, each next channel chosen so that the channels of a router share its destinations. */
function trees(graph: Graph): Int32Array {
  const { routers, firstChan, far, routerOf, chans } = graph
  const links = distancesTo(graph)
  const next = shared(Int32Array, routers * routers).fill(-1)
  const used = new Int32Array(chans)
  for (let to = 0; to < routers; to++) {
    const row = to * routers
    for (let at = 0; at < routers; at++) {
      if (links[row + at]! === 0 || links[row + at]! === UNREACHED) continue
      let best: Chan = -1
      for (let c = firstChan[at]!; c < firstChan[at + 1]!; c++) {
        if (far[c]! < 0 || links[row + routerOf[far[c]!]!]! !== links[row + at]! - 1) continue
        if (best < 0 || used[c]! < used[best]!) best = c
      }
      used[best]!++
      next[row + at] = best
    }
  }
  return next
}

function assign(graph: Graph, next: Int32Array, pairs: readonly (readonly [Router, Router])[]): Omit<Layers, "next"> {
  const { routers, routerOf, far, chans } = graph
  const of = shared(Uint8Array, routers * routers)
  const layers: AcyclicGraph[] = []
  for (const [from, to] of pairs) {
    const path: Chan[] = []
    for (let at = from; at !== to; at = routerOf[far[path[path.length - 1]!]!]!) path.push(next[to * routers + at]!)
    let layer = 0
    for (; ; layer++) {
      if (layer === layers.length) layers.push(new AcyclicGraph(chans))
      if (accepts(layers[layer]!, path)) break
    }
    of[from * routers + to] = layer
  }
  return { count: Math.max(1, layers.length), of }
}

function accepts(layer: AcyclicGraph, path: readonly Chan[]): boolean {
  for (let i = 1; i < path.length; i++) {
    if (layer.add(path[i - 1]!, path[i]!)) continue
    while (--i > 0) layer.remove(path[i - 1]!, path[i]!)
    return false
  }
  return true
}

function layersOf(graph: Graph, tries: number): Layers {
  const byTries = kept.get(graph) ?? new Map<number, Layers>()
  kept.set(graph, byTries)
  const before = byTries.get(tries)
  if (before !== undefined) return before
  const next = trees(graph)
  const { from, to } = terminals(graph)
  const pairs = from.flatMap((a) => to.filter((b) => b !== a).map((b) => [a, b] as const))
  let best: Layers | undefined
  for (let i = 0; i < tries; i++) {
    const found = { ...assign(graph, next, i === 0 ? pairs : shuffled(pairs, new Draws(i))), next }
    if (best === undefined || found.count < best.count) best = found
  }
  byTries.set(tries, best!)
  return best!
}

function shuffled<T>(items: readonly T[], rng: Draws): T[] {
  const all = [...items]
  for (let i = all.length - 1; i > 0; i--) {
    const j = rng.below(i + 1)
    const kept = all[i]!
    all[i] = all[j]!
    all[j] = kept
  }
  return all
}

export default {
  kind: "routing",
  name: "any.layered",
  aliases: ["any.lash"],
  about: "One shortest path for each pair of routers, dealt to as few layers of VCs as keep each layer free of cycles.",
  cites: "Layered shortest path (LASH) routing in irregular system area networks, T. Skeie, O. Lysne and I. Theiss, 2002",
  limits: `at most ${MOST} routers`,
  params: schema({ tries: int({ about: "orders of the pairs that are tried", min: 1, max: 100, default: 4 }) }),
  adaptive: false,
  check: (_, on) => checkTable(on.topology.graph, MOST),
  vcs: (p, topology) => (topology.graph.routers > MOST ? 1 : layersOf(topology.graph, p.tries).count),
  make: (p, on) => new Layered(on.topology.graph, on.vcs, layersOf(on.topology.graph, p.tries)),
} satisfies RoutingPlugin<Params, Topology>
