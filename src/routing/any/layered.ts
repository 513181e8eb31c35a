// Layered shortest paths on any graph, similar to LASH: "Layered shortest path (LASH) routing in irregular system area
// networks", T. Skeie, O. Lysne and I. Theiss, 2002.
//
// Every pair of routers has one shortest path. Each path is assigned to the first layer of VCs in which it closes no
// cycle of channel dependencies, and a packet stays in its layer. Each layer is acyclic, so the routing is free of
// deadlock. Two rules for the paths are tried: the first port that serves, which comes close to dimension order on
// grids, or ports used evenly. Several orders of the pairs are tried, too, and the result with the fewest layers is
// used.
//
// Limits: one path for each pair; the time to build it is proportional to the number of pairs.
import { Draws } from "../../core/rng.ts"
import { int, schema } from "../../core/schema.ts"
import { type Graph, shared } from "../../model/graph.ts"
import type { Chan, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Topology } from "../../model/topology.ts"
import { allVcs, vcRanks } from "../vcs.ts"
import { checkTable, distancesTo, Homes, terminals, UNREACHED } from "./distances.ts"
import { AcyclicGraph } from "./order.ts"

type Params = { tries: number }
type Layers = {
  readonly count: number /** [from * routers + to] */
  readonly of: Uint8Array /** [to * routers + at] -> channel */
  readonly next: Int32Array
}

const MOST = 1024
/** Maximum number of layers, because a byte holds the layer of a path. */
const MOST_LAYERS = 255
const kept = new WeakMap<Graph, Map<number, Layers>>()

export class Layered implements RoutingFunction {
  private readonly graph: Graph
  private readonly layers: Layers
  private readonly masks: Int32Array
  private readonly all: number
  private readonly homes: Homes

  constructor(graph: Graph, vcs: number, layers: Layers) {
    this.graph = graph
    this.layers = layers
    this.masks = vcRanks(vcs, layers.count)
    this.all = allVcs(vcs)
    this.homes = new Homes(graph)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { graph, layers, homes } = this
    const { routerOf, routers, firstChan } = graph
    const home = homes.of(net.dst(p), at)
    const goal = routerOf[home]
    if (goal === at) {
      out.add(home - firstChan[at], this.all, 0)
      return
    }
    const source = routerOf[homes.entry(net.src(p), at)]
    out.add(layers.next[goal * routers + at] - firstChan[at], this.masks[layers.of[source * routers + goal]], 0)
  }
}

/** Returns shortest-path trees, [to * routers + at] -> channel. `balanced`: the channels of a router share its
 *  destinations evenly; otherwise the first port that serves is used. */
function trees(graph: Graph, balanced: boolean): Int32Array {
  const { routers, firstChan, far, routerOf, chans } = graph
  const links = distancesTo(graph)
  const next = shared(Int32Array, routers * routers).fill(-1)
  const used = new Int32Array(chans)
  for (let to = 0; to < routers; to++) {
    const row = to * routers
    for (let at = 0; at < routers; at++) {
      if (links[row + at] === 0 || links[row + at] === UNREACHED) continue
      let best: Chan = -1
      for (let c = firstChan[at]; c < firstChan[at + 1]; c++) {
        if (far[c] < 0 || links[row + routerOf[far[c]]] !== links[row + at] - 1) continue
        if (best < 0 || (balanced && used[c] < used[best])) best = c
      }
      used[best]++
      next[row + at] = best
    }
  }
  return next
}

/** Assigns the path of each pair to a layer. Returns undefined as soon as `most` layers are exceeded, because a worse
 *  result than the best one so far is of no use. */
function assign(
  graph: Graph,
  next: Int32Array,
  pairs: readonly (readonly [Router, Router])[],
  most: number,
): Layers | undefined {
  const { routers, routerOf, far, chans } = graph
  const of = shared(Uint8Array, routers * routers)
  const layers: AcyclicGraph[] = []
  const path: Chan[] = []
  for (const [from, to] of pairs) {
    path.length = 0
    for (let at = from; at !== to; at = routerOf[far[path[path.length - 1]]]) path.push(next[to * routers + at])
    let layer = 0
    for (; ; layer++) {
      if (layer === layers.length) layers.push(new AcyclicGraph(chans))
      if (layers.length > most) return undefined
      if (layers[layer].addPath(path)) break
    }
    of[from * routers + to] = layer
  }
  return { count: Math.max(1, layers.length), of, next }
}

/** Returns the best layers of several tries. The result is stored for each graph, because the number of VCs is needed
 *  before the routing is made. */
function layersOf(graph: Graph, tries: number): Layers {
  const byTries = kept.get(graph) ?? new Map<number, Layers>()
  kept.set(graph, byTries)
  const before = byTries.get(tries)
  if (before !== undefined) return before
  const rules = [trees(graph, false), trees(graph, true)]
  const { from, to } = terminals(graph)
  // a router that cannot be reached has no path: it lies in another plane, or check() reports it
  const links = distancesTo(graph)
  const reached = (a: Router, b: Router) => b !== a && links[b * graph.routers + a] !== UNREACHED
  const pairs = from.flatMap((a) => to.filter((b) => reached(a, b)).map((b) => [a, b] as const))
  let best: Layers | undefined
  for (let i = 0; i < tries; i++) {
    const order = i < rules.length ? pairs : shuffled(pairs, new Draws(i))
    best = assign(graph, rules[i % rules.length], order, best === undefined ? MOST_LAYERS : best.count - 1) ?? best
  }
  byTries.set(tries, best!)
  return best!
}

function shuffled<T>(items: readonly T[], rng: Draws): T[] {
  const all = [...items]
  for (let i = all.length - 1; i > 0; i--) {
    const j = rng.below(i + 1)
    const kept = all[i]
    all[i] = all[j]
    all[j] = kept
  }
  return all
}

export default {
  kind: "routing",
  name: "any.layered",
  aliases: ["any.lash"],
  about:
    "One minimal path for each pair of routers, assigned to as few layers of VCs as keep each layer free of cycles.",
  cites:
    "Layered shortest path (LASH) routing in irregular system area networks, T. Skeie, O. Lysne and I. Theiss, 2002",
  limits: `at most ${MOST} routers`,
  params: schema({
    tries: int({
      about: "Number of combinations of path rule and order of the pairs that are tried",
      min: 1,
      max: 100,
      default: 4,
    }),
  }),
  adaptive: false,
  check: (_, on) => checkTable(on.topology.graph, MOST),
  vcs: (p, topology) => (topology.graph.routers > MOST ? 1 : layersOf(topology.graph, p.tries).count),
  make: (p, on) => new Layered(on.topology.graph, on.vcs, layersOf(on.topology.graph, p.tries)),
} satisfies RoutingPlugin<Params, Topology>
