// up*/down* routing on any graph: "Autonet: a high-speed, self-configuring local area network using point-to-point
// links", M. D. Schroeder et al., 1991.
//
// A breadth-first tree from a root gives every channel a direction: up is towards the root, and between equal levels
// towards the lower number. A path goes up any number of times, then down, and never up again. Channel dependencies
// therefore have no cycle, and one VC is free of deadlock. Among the legal paths the shortest ones are used.
//
// `levels: ends` gives a router the level of its distance from the nearest endpoint, and up is away from the endpoints.
// In a fat tree, packets then use all roots. Not every graph has a legal path between all endpoints in this order.
//
// Limits: links near the root carry more than their share, and paths are not always minimal.
import { type Complaint, complain } from "../../core/complaint.ts"
import { choice, int, maybe, schema } from "../../core/schema.ts"
import { type Graph, shared } from "../../model/graph.ts"
import type { Chan, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Topology } from "../../model/topology.ts"
import { allVcs } from "../vcs.ts"
import { checkTable, distancesTo, Homes, partsOf, UNREACHED } from "./distances.ts"
import { Spread, type SpreadRule, spreadField } from "./spread.ts"

type Params = { root: number | undefined; levels: "ends" | undefined; spread: SpreadRule }

const MOST = 11585

export class UpDown implements RoutingFunction {
  private readonly graph: Graph
  private readonly spread: Spread
  private readonly all: number
  /** [chan] -> 1 if it goes up */
  private readonly up: Uint8Array
  /** [(to * routers + from) * 2 + phase] -> links of the shortest legal path; phase 1 means that the packet has gone
   *  down already */
  private readonly links: Uint8Array
  private readonly homes: Homes

  constructor(graph: Graph, vcs: number, { root, levels, spread }: Params) {
    this.graph = graph
    this.spread = new Spread(graph, spread)
    this.all = allVcs(vcs)
    this.homes = new Homes(graph)
    this.up = directions(graph, root, levels)
    this.links = legalDistances(graph, this.up)
  }

  route(p: Packet, at: Router, inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { graph, up, links, spread } = this
    const { firstChan, far, near, routerOf, routers } = graph
    const home = this.homes.of(net.dst(p), at)
    const goal = routerOf[home]
    const first = firstChan[at]
    if (goal === at) {
      out.add(home - first, this.all, 0)
      return
    }
    // the direction of the channel it came by gives the phase, so no state in the packet is needed
    const came = inPort < firstChan[at + 1] - first ? near[first + inPort] : -1
    const phase = came >= 0 && up[came] === 0 ? 1 : 0
    const row = goal * routers
    const nearer = links[(row + at) * 2 + phase] - 1
    spread.clear()
    for (let c = first; c < firstChan[at + 1]; c++) {
      if (far[c] < 0 || (phase === 1 && up[c] === 1)) continue
      if (links[(row + routerOf[far[c]]) * 2 + 1 - up[c]] === nearer) spread.add(c - first)
    }
    out.add(spread.pick(p, at, net), this.all, 0)
  }
}

/** Returns the direction of each channel. `root` applies to its plane; by default the root is the middle of a plane. */
function directions(graph: Graph, root: Router | undefined, levels: Params["levels"]): Uint8Array {
  const { chans, far, routerOf } = graph
  const level = levels === "ends" ? fromEnds(graph) : fromRoot(graph, root)
  const up = shared(Uint8Array, chans)
  for (let c = 0; c < chans; c++) {
    if (far[c] < 0) continue
    const a = routerOf[c]
    const b = routerOf[far[c]]
    up[c] = level[b] < level[a] || (level[b] === level[a] && b < a) ? 1 : 0
  }
  return up
}

/** Returns the level of each router: its distance from the root of its plane. */
function fromRoot(graph: Graph, root: Router | undefined): Int32Array {
  const { routers } = graph
  const part = partsOf(graph)
  const links = distancesTo(graph)
  const roots = middles(graph, links, part)
  if (root !== undefined) roots[part[root]] = root
  return Int32Array.from(part, (i, r) => links[roots[i] * routers + r])
}

/** Returns the level of each router: minus its distance from the nearest router with endpoints. */
function fromEnds(graph: Graph): Int32Array {
  const { routers } = graph
  const links = distancesTo(graph)
  const homes = homesOf(graph)
  return Int32Array.from({ length: routers }, (_, r) => -Math.min(...homes.map((home) => links[home * routers + r])))
}

/** Returns the routers with endpoints. */
function homesOf({ ends, rails, home, routerOf }: Graph): Router[] {
  return [...new Set(Array.from({ length: ends * rails }, (_, i) => routerOf[home[i]]))]
}

/** Returns whether some endpoints have no legal path between them. */
function parted(graph: Graph): boolean {
  const { routers } = graph
  const links = legalDistances(graph, directions(graph, undefined, "ends"))
  const homes = homesOf(graph)
  const all = distancesTo(graph)
  return homes.some((a) =>
    homes.some((b) => links[(a * routers + b) * 2] === UNREACHED && all[a * routers + b] !== UNREACHED),
  )
}

/** Returns the lengths of the shortest legal paths, by breadth-first search from every destination over (router,
 *  phase), against the direction of the channels. */
function legalDistances(graph: Graph, up: Uint8Array): Uint8Array {
  const { routers, firstChan, near, routerOf } = graph
  const links = shared(Uint8Array, routers * routers * 2).fill(UNREACHED)
  const queue = new Int32Array(routers * 2)
  for (let to = 0; to < routers; to++) {
    const row = to * routers * 2
    let tail = 0
    const reach = (r: Router, phase: number, d: number) => {
      if (links[row + r * 2 + phase] !== UNREACHED) return
      links[row + r * 2 + phase] = Math.min(d, UNREACHED - 1)
      queue[tail++] = r * 2 + phase
    }
    reach(to, 0, 0)
    reach(to, 1, 0)
    for (let head = 0; head < tail; head++) {
      const r = queue[head] >> 1
      const phase = queue[head] & 1
      const d = links[row + queue[head]] + 1
      for (let i: Chan = firstChan[r]; i < firstChan[r + 1]; i++) {
        const c = near[i]
        if (c < 0) continue
        // arriving by an up channel keeps phase 0, by a down channel leads to phase 1 from either phase
        if (up[c] === 1 && phase === 0) reach(routerOf[c], 0, d)
        else if (up[c] === 0 && phase === 1) {
          reach(routerOf[c], 0, d)
          reach(routerOf[c], 1, d)
        }
      }
    }
  }
  return links
}

/** Returns for each component the router with the smallest sum of distances to the others, the lowest number among
 *  equals. */
function middles({ routers }: Graph, links: Uint8Array, part: Int32Array): Router[] {
  const best: Router[] = []
  const least: number[] = []
  for (let r = 0; r < routers; r++) {
    let sum = 0
    for (let i = r * routers; i < (r + 1) * routers; i++) sum += links[i]
    if (sum < (least[part[r]] ?? Number.POSITIVE_INFINITY)) {
      least[part[r]] = sum
      best[part[r]] = r
    }
  }
  return best
}

/** Returns whether some channel has no opposite channel, which this routing needs. */
function oneWay(graph: Graph): boolean {
  const { chans, far, near, routerOf, firstChan } = graph
  for (let c = 0; c < chans; c++) {
    if (far[c] < 0) continue
    const b = routerOf[far[c]]
    let back = false
    for (let i = firstChan[b]; i < firstChan[b + 1]; i++)
      if (far[i] >= 0 && routerOf[far[i]] === routerOf[c]) back = true
    if (!back || near[far[c]] !== c) return true
  }
  return false
}

export default {
  kind: "routing",
  name: "any.up-down",
  about: "Up towards a root, then down, by the shortest legal path, with one VC on any graph.",
  cites:
    "Autonet: a high-speed, self-configuring local area network using " +
    "point-to-point links, M. D. Schroeder and others, 1991",
  limits: "links must have both directions",
  params: schema({
    root: maybe(
      int({
        about: "Root router of the spanning tree (default: the router nearest to all others)",
        min: 0,
        needed: false,
      }),
    ),
    levels: maybe(
      choice(["ends"], {
        about:
          "Up is away from the endpoints, so that all top routers of a fat tree are roots (default: up is towards one " +
          "root)",
        needed: false,
      }),
    ),
    spread: spreadField,
  }),
  check(p, on): Complaint[] {
    const { graph } = on.topology
    const bad = checkTable(graph, MOST)
    if (bad.length > 0) return bad
    if (p.root !== undefined && p.root >= graph.routers)
      bad.push(complain("root", `${p.root} is not a router`, `choose one of 0..${graph.routers - 1}`))
    if (p.root !== undefined && p.levels === "ends")
      bad.push(complain("root", "levels: ends has no single root", "leave out root or levels"))
    if (p.levels === "ends" && parted(graph))
      bad.push(complain("levels", "some endpoints have no path up and then down", "leave it out"))
    if (oneWay(graph))
      bad.push(complain("", "the network has channels without an opposite channel", "use any.shortest"))
    return bad
  },
  vcs: () => 1,
  make: (p, on) => new UpDown(on.topology.graph, on.vcs, p),
} satisfies RoutingPlugin<Params, Topology>
