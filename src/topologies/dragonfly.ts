// Dragonfly (p, a, h, g) with fully connected groups. "Technology-driven, highly-scalable dragonfly topology", J. Kim,
// W. J. Dally, S. Scott and D. Abts, 2008. A group has a switches; each switch has p endpoints and h global links. The
// same number of global links joins every pair of groups.
//
// Switch r of group G has the number G * a + r, and its endpoints follow in order. The ports of a switch have roles in
// this order: p endpoints, a-1 local links (peers ascending, the switch itself skipped), h global links. `roles:
// random` permutes the port numbers of each switch.
//
// Global link L = r * h + j of a group is link l = L mod (g-1) of round floor(L / (g-1)). A round reaches every other
// group once. Within a round, a link of group G leads to the following group (names after Hastings et al., 2015):
//   `absolute`   Group l, or l+1 from l >= G on (BookSim2; "consecutive" in Kim et al., 2008).
//   `relative`   Group G + l + 1.
//   `palmtree`   Group G - l - 1 (Camarero et al., 2014).
//   `circulant`  Group G + (floor(l/2) + 1) for even l, G - (floor(l/2) + 1) for odd l; both ends are on the same
//                switch number.
//   `codes`      As relative, but rounds are joined last to first: link L of a group meets link (last - L) of the
//                other.
//
// Limits: links that do not fill a whole round stay unwired.
import { type Complaint, complain } from "../core/complaint.ts"
import type { Draws } from "../core/rng.ts"
import { choice, int, maybe, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder, shared } from "../model/graph.ts"
import type { Chan, End, Port, Router } from "../model/ids.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

const arrangements = ["palmtree", "absolute", "relative", "circulant", "codes"] as const
type Arrangement = (typeof arrangements)[number]
type Params = {
  p: number
  a: number
  h: number
  g: number | undefined
  parallel: number | undefined
  arrangement: Arrangement
  roles: "fixed" | "random"
}

export const LOCAL = 1
export const GLOBAL = 2

export class Dragonfly implements Topology {
  readonly name = "dragonfly"
  readonly graph: Graph
  readonly group: Int32Array
  readonly p: number
  readonly a: number
  readonly h: number
  readonly groups: number
  /** global links between two groups */
  readonly parallel: number
  readonly representatives?: readonly Router[]
  /** [(from * groups + to) * parallel + i] -> global channel i from one group to the other, in ascending order of its
   *  switch; -1 where from = to. Routings draw a gate here instead of searching the graph. */
  readonly gates: Int32Array
  /** [router] -> its number in its group */
  private readonly index: Int32Array
  /** [router * radix + role] -> port */
  private readonly roles: Int32Array | undefined
  private readonly radix: number

  constructor(params: Params, rng: Draws) {
    const { p, a, h } = params
    const g = groupsOf(params)
    this.p = p
    this.a = a
    this.h = h
    this.groups = g
    this.parallel = g === 1 ? 0 : parallelOf(params)
    this.radix = p + a - 1 + h
    if (params.arrangement !== "absolute") this.representatives = Array.from({ length: a }, (_, r) => r)
    this.group = shared(Int32Array, a * g)
    this.index = shared(Int32Array, a * g)
    for (let r = 0; r < a * g; r++) {
      this.group[r] = Math.floor(r / a)
      this.index[r] = r % a
    }
    this.roles = params.roles === "random" ? deal(a * g, this.radix, rng) : undefined
    this.graph = this.build(params.arrangement)
    this.gates = this.findGates()
  }

  private build(arrangement: Arrangement): Graph {
    const { p, a, h, groups } = this
    const b = new GraphBuilder(p * a * groups, a * groups, this.radix, {
      classes: ["end", "local", "global"],
      latencies: [1, 10, 100],
    })
    for (let r = 0; r < a * groups; r++) {
      for (let i = 0; i < p; i++) b.attach(r * p + i, r, this.role(r, i))
      for (let peer = r + 1; peer < (this.group[r] + 1) * a; peer++)
        b.link(r, this.localPort(r, peer), peer, this.localPort(peer, r), LOCAL)
    }
    // Each direction of a link is wired by the group where it starts, so every pair of groups is visited twice.
    const links = this.parallel * (groups - 1)
    for (let from = 0; from < groups; from++) {
      for (let L = 0; L < links; L++) {
        const round = Math.floor(L / (groups - 1))
        const to = peerGroup(arrangement, from, L % (groups - 1), groups)
        const back =
          arrangement === "codes"
            ? links - 1 - L
            : round * (groups - 1) + peerLink(arrangement, from, to, L % (groups - 1), groups)
        const r = from * a + Math.floor(L / h)
        const s = to * a + Math.floor(back / h)
        b.wire(r, this.role(r, p + a - 1 + (L % h)), s, this.role(s, p + a - 1 + (back % h)), GLOBAL)
      }
    }
    return b.finish()
  }

  /** Returns the table of global channels by pair of groups. Channels are visited in ascending order, so the gates of a
   *  pair are ordered by switch. */
  private findGates(): Int32Array {
    const { graph, groups, parallel } = this
    const gates = shared(Int32Array, groups * groups * parallel).fill(-1)
    const found = new Int32Array(groups * groups)
    for (let c = 0; c < graph.chans; c++) {
      if (graph.linkClass[c] !== GLOBAL) continue
      const pair = this.group[graph.routerOf[c]] * groups + this.group[graph.routerOf[graph.far[c]]]
      gates[pair * parallel + found[pair]++] = c
    }
    return gates
  }

  /** Returns the port of router r that has this role: 0 to p-1 endpoints, from p local links, from p+a-1 global
   *  links. */
  role(r: Router, role: number): Port {
    return this.roles === undefined ? role : this.roles[r * this.radix + role]
  }

  routerOf(e: End): Router {
    return (e / this.p) | 0
  }

  groupOf(r: Router): number {
    return this.group[r]
  }

  /** Returns the port of a switch that leads to another switch of its group. */
  localPort(at: Router, peer: Router): Port {
    const i = this.index[peer]
    return this.role(at, this.p + (i < this.index[at] ? i : i - 1))
  }

  isGlobal(at: Router, port: Port): boolean {
    return this.graph.linkClass[this.graph.firstChan[at] + port] === GLOBAL
  }

  /** Returns global channel i between two groups. */
  gate(from: number, to: number, i: number): Chan {
    return this.gates[(from * this.groups + to) * this.parallel + i]
  }

  /** Returns the port that brings a packet nearer to a global channel of its group: the port of the channel itself, or
   *  the local port to its switch. */
  portToward(at: Router, gate: Chan): Port {
    const owner = this.graph.routerOf[gate]
    return owner === at ? gate - this.graph.firstChan[at] : this.localPort(at, owner)
  }

  /** Returns the links of the shortest path with at most one global link. This is the meaning of "minimal" on a
   *  dragonfly, although a path of two global links can be shorter. */
  hops(a: Router, b: Router): number {
    if (a === b) return 0
    const from = this.group[a]
    const to = this.group[b]
    if (from === to) return 1
    const { routerOf, far } = this.graph
    let least = 3
    for (let i = 0; i < this.parallel; i++) {
      const gate = this.gate(from, to, i)
      least = Math.min(least, 1 + (routerOf[gate] === a ? 0 : 1) + (routerOf[far[gate]] === b ? 0 : 1))
    }
    return least
  }

  label(r: Router): string {
    return `group ${this.group[r]}, switch ${r % this.a}`
  }
}

/** Returns the group that link l of group `from` leads to, within one round. */
function peerGroup(arrangement: Arrangement, from: number, l: number, g: number): number {
  switch (arrangement) {
    case "absolute":
      return l < from ? l : l + 1
    case "palmtree":
      return (from - l - 1 + g) % g
    case "circulant":
      return (from + (l % 2 === 0 ? 1 : -1) * ((l >> 1) + 1) + g) % g
    default:
      return (from + l + 1) % g
  }
}

/** Returns the link of group `to` that is the other end of link l of group `from`, within one round. It is the inverse
 *  of peerGroup: peerGroup(to, peerLink) = from. */
function peerLink(arrangement: Arrangement, from: number, to: number, l: number, g: number): number {
  switch (arrangement) {
    case "absolute":
      return from < to ? from : from - 1
    case "palmtree":
      return ((to - from + g) % g) - 1
    case "circulant":
      return l ^ 1
    default:
      return ((from - to + g) % g) - 1
  }
}

/** Returns a random permutation of the ports of each router (Fisher-Yates, with a separate random stream for each
 *  router). */
function deal(routers: number, radix: number, rng: Draws): Int32Array {
  const roles = shared(Int32Array, routers * radix)
  for (let r = 0; r < routers; r++) {
    const first = r * radix
    for (let i = 0; i < radix; i++) roles[first + i] = i
    rng.at(r, 0)
    for (let i = radix - 1; i > 0; i--) {
      const j = rng.below(i + 1)
      const kept = roles[first + i]
      roles[first + i] = roles[first + j]
      roles[first + j] = kept
    }
  }
  return roles
}

/** Returns the number of groups. Without g it is the largest with one global link for each pair: a * h + 1. */
function groupsOf(p: Params): number {
  return p.g ?? p.a * p.h + 1
}

/** Returns the global links between two groups. By default it is the number of whole rounds that fit into a * h
 *  links. */
function parallelOf(p: Params): number {
  return p.parallel ?? Math.floor((p.a * p.h) / (groupsOf(p) - 1))
}

export default {
  kind: "topology",
  name: "dragonfly",
  about: "Fully connected groups of switches, with global links between each pair of groups.",
  cites: "Technology-driven, highly-scalable dragonfly topology, J. Kim, W. J. Dally, S. Scott and D. Abts, 2008",
  limits: "one-dimensional groups; the same number of global links between any two groups",
  params: schema({
    p: int({ about: "Number of endpoints on each switch", min: 1 }),
    a: int({ about: "Number of switches in a group", min: 1 }),
    h: int({ about: "Number of global links of a switch", min: 1 }),
    g: maybe(
      int({
        about: "Number of groups (default: a*h + 1, the maximum with one link for each pair)",
        min: 2,
        needed: false,
      }),
    ),
    parallel: maybe(
      int({ about: "Number of global links between two groups (default: as many as fit)", min: 1, needed: false }),
    ),
    arrangement: choice(arrangements, {
      about: "Arrangement of the global links: which one leads to which group",
      default: "palmtree",
    }),
    roles: choice(["fixed", "random"], {
      about: "Order of the ports: by their roles, or shuffled on each switch",
      default: "fixed",
    }),
  }),
  check(p): Complaint[] {
    const bad: Complaint[] = []
    const links = p.a * p.h
    const g = groupsOf(p)
    if (g > links + 1) {
      bad.push(
        complain("g", `${g} groups need ${g - 1} global links each, a*h gives ${links}`, `set g: ${links + 1} or less`),
      )
      return bad
    }
    const most = Math.floor(links / (g - 1))
    if (p.parallel !== undefined && p.parallel > most)
      bad.push(
        complain(
          "parallel",
          `${p.parallel} links for each of ${g - 1} groups, a*h gives ${links}`,
          `set parallel: ${most} or less`,
        ),
      )
    if (p.arrangement === "circulant") {
      if (p.h % 2 === 1)
        bad.push(
          complain(
            "h",
            `${p.h} is odd, circulant pairs the links of a switch`,
            `set h: ${p.h + 1}, or arrangement: palmtree`,
          ),
        )
      if (g % 2 === 0)
        bad.push(
          complain("g", `${g} groups are even, circulant pairs them`, `set g: ${g - 1}, or arrangement: palmtree`),
        )
    }
    return bad
  },
  size(p) {
    const routers = p.a * groupsOf(p)
    return { ends: routers * p.p, routers, chans: routers * (p.p + p.a - 1 + p.h) }
  },
  make: (p, on) => new Dragonfly(p, on.rng),
} satisfies TopologyPlugin<Params, Dragonfly>
