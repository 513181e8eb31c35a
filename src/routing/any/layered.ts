// Layered shortest paths (LASH-like): every pair of routers has one shortest path, and each path is put into the first layer of VCs where it closes no
// cycle of channel dependencies. A packet stays in its layer. Two rules for the paths (always the first port that serves, which comes near to dimension
// order on grids; or ports used evenly) and several orders of the pairs are tried, and what needs the fewest layers is kept.
// Limits: one path for each pair; building takes time in proportion to the pairs.
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
/** A path of its own for each pair would always do; a byte holds the layer. */
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
    const goal = routerOf[home]!
    if (goal === at) {
      out.add(home - firstChan[at]!, this.all, 0)
      return
    }
    const source = routerOf[homes.entry(net.src(p), at)]!
    out.add(layers.next[goal * routers + at]! - firstChan[at]!, this.masks[layers.of[source * routers + goal]!]!, 0)
  }
}

/** Shortest-path trees. `balanced`: the channels of a router share its destinations evenly; otherwise always the first port that serves. */
function trees(graph: Graph, balanced: boolean): Int32Array {
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
        if (best < 0 || (balanced && used[c]! < used[best]!)) best = c
      }
      used[best]!++
      next[row + at] = best
    }
  }
  return next
}

/** Undefined once `most` layers are exceeded. */
function assign(graph: Graph, next: Int32Array, pairs: readonly (readonly [Router, Router])[], most: number): Layers | undefined {
  const { routers, routerOf, far, chans } = graph
  const of = shared(Uint8Array, routers * routers)
  const layers: AcyclicGraph[] = []
  const path: Chan[] = []
  for (const [from, to] of pairs) {
    path.length = 0
    for (let at = from; at !== to; at = routerOf[far[path[path.length - 1]!]!]!) path.push(next[to * routers + at]!)
    let layer = 0
    for (; ; layer++) {
      if (layer === layers.length) layers.push(new AcyclicGraph(chans))
      if (layers.length > most) return undefined
      if (layers[layer]!.addPath(path)) break
    }
    of[from * routers + to] = layer
  }
  return { count: Math.max(1, layers.length), of, next }
}

function layersOf(graph: Graph, tries: number): Layers {
  const byTries = kept.get(graph) ?? new Map<number, Layers>()
  kept.set(graph, byTries)
  const before = byTries.get(tries)
  if (before !== undefined) return before
  const rules = [trees(graph, false), trees(graph, true)]
  const { from, to } = terminals(graph)
  // what cannot be reached has no path: it is another plane, or check() complains
  const links = distancesTo(graph)
  const reached = (a: Router, b: Router) => b !== a && links[b * graph.routers + a] !== UNREACHED
  const pairs = from.flatMap((a) => to.filter((b) => reached(a, b)).map((b) => [a, b] as const))
  let best: Layers | undefined
  for (let i = 0; i < tries; i++) {
    const order = i < rules.length ? pairs : shuffled(pairs, new Draws(i))
    best = assign(graph, rules[i % rules.length]!, order, best === undefined ? MOST_LAYERS : best.count - 1) ?? best
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
  params: schema({
    tries: int({ about: "combinations of path rule and order of the pairs that are tried", min: 1, max: 100, default: 4 }),
  }),
  adaptive: false,
  check: (_, on) => checkTable(on.topology.graph, MOST),
  vcs: (p, topology) => (topology.graph.routers > MOST ? 1 : layersOf(topology.graph, p.tries).count),
  make: (p, on) => new Layered(on.topology.graph, on.vcs, layersOf(on.topology.graph, p.tries)),
} satisfies RoutingPlugin<Params, Topology>
