// The Slim Fly routings of the CODES simulator. They are separate from lacewing's own because their choices differ, and
// serve to compare results with CODES. "Fit Fly: a case study on interconnect innovation through parallel simulation",
// N. McGlohon et al., 2019.
//
// CODES has one path for each pair of routers. The path to a router two links away leads over the first neighbour that
// is adjacent to it. Neighbours in the other half come first, then those of the column, each by rising number in the
// first half and by falling number in the second. The VC is the number of routers visited before; ejection uses VC 0.
//   `codes-minimal`     Uses that path.
//   `codes-nonminimal`  Goes first to a random router (moved by q if it lies in its own column), then to the
//                       destination.
//   `codes-adaptive`    Is UGAL with 4 random routers, decided at the source. The cost is (H_i / H_min) * occupancy of
//                       VC 0 of the first channel, minimal on ties. It sees only VC 0, so transit traffic is invisible
//                       to it. It may draw its own router, at a distance of 2.
//
// Limits: a table of routers² entries.
import { choice, int, schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { SlimFly } from "../../topologies/slimfly.ts"

/** Scratch slot: intermediate router of its plane + 1; 0 = none, -1 = visited. */
const VIA = 0
/** Bit of a table entry: the two routers are neighbours. */
const ADJACENT = 1 << 15
const PORT = ADJACENT - 1

class Minimal implements RoutingFunction {
  protected readonly t: SlimFly
  /** routers of a plane, and their ports */
  protected readonly n: number
  protected readonly radix: number
  /** [from * n + to] -> port, and whether they are adjacent */
  protected readonly table: Uint16Array
  /** [end * planes + plane] -> router of the plane */
  private readonly homes: Uint16Array

  constructor(t: SlimFly) {
    this.t = t
    this.n = t.plane.routers
    this.radix = t.p + t.plane.degree
    this.table = pathsOf(t)
    this.homes = new Uint16Array(t.graph.ends * t.planes)
    for (let e = 0; e < t.graph.ends; e++)
      for (let k = 0; k < t.planes; k++) this.homes[e * t.planes + k] = t.routerOf(e, k) - k * this.n
  }

  protected home(end: number, plane: number): Router {
    return this.homes[end * this.t.planes + plane]
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const plane = this.t.planes === 1 ? 0 : Math.floor(at / this.n)
    const here = at - plane * this.n
    const dst = net.dst(p)
    const goal = this.home(dst, plane)
    if (goal === here) out.add(dst % this.t.p, 1, 0)
    else out.add(this.table[here * this.n + this.aim(p, here, goal, net)] & PORT, 1 << net.hops(p), 0)
  }

  /** Returns the router to head for: the goal, or first an intermediate. */
  protected aim(_p: Packet, _here: Router, goal: Router, _net: NetView): Router {
    return goal
  }
}

class NonMinimal extends Minimal implements RoutingFunction {
  inject(p: Packet, at: Router, net: NetView): void {
    const { q } = this.t
    const here = at % this.n
    let via = net.draw(p, this.n)
    if (Math.floor(via / q) === Math.floor(here / q)) via = (via + q) % this.n
    net.set(p, VIA, via + 1)
  }

  protected override aim(p: Packet, here: Router, goal: Router, net: NetView): Router {
    const via = net.get(p, VIA) - 1
    if (via < 0) return goal
    if (via !== here) return via
    net.set(p, VIA, -1)
    return goal
  }
}

type Sees = "vc0" | "all"

class Adaptive extends NonMinimal {
  private readonly draws: number
  private readonly all: boolean

  constructor(t: SlimFly, draws: number, sees: Sees) {
    super(t)
    this.draws = draws
    this.all = sees === "all"
  }

  override inject(p: Packet, at: Router, net: NetView): void {
    const { n, table } = this
    net.set(p, VIA, 0)
    const plane = this.t.planes === 1 ? 0 : Math.floor(at / n)
    const here = at - plane * n
    const goal = this.home(net.dst(p), plane)
    if (goal === here) return
    const first = at * this.radix
    const way = table[here * n + goal]
    let least = this.queue(first + (way & PORT), net)
    if (least === 0) return
    least *= way & ADJACENT ? 1 : 2
    for (let k = 0; k < this.draws; k++) {
      let via = net.draw(p, n)
      if (via === goal) via = (via + 1) % (n - 1)
      const out = table[here * n + via]
      const links = (out & ADJACENT ? 1 : 2) + (table[via * n + goal] & ADJACENT ? 1 : 2)
      const cost = links * this.queue(first + (out & PORT), net)
      if (cost >= least) continue
      least = cost
      net.set(p, VIA, via + 1)
    }
  }

  /** Returns the occupancy that the decision sees. */
  private queue(chan: number, net: NetView): number {
    return this.all ? net.queued(chan) : net.queuedVc(chan, 0)
  }
}

/** Returns the table of next ports, [from * n + to]. Choices are entered from the last to the first, so that the first
 *  one remains. */
function pathsOf(t: SlimFly): Uint16Array {
  const { plane, p } = t
  const n = plane.routers
  const table = new Uint16Array(n * n)
  for (let r = 0; r < n; r++) {
    const half = Math.floor(r / (t.q * t.q))
    const ports = Array.from({ length: plane.degree }, (_, i) => i)
    const rank = (i: number) => {
      const other = plane.neighbour(r, i)
      const global = Math.floor(other / (t.q * t.q)) !== half
      return (global ? 0 : n) + (half === 0 ? other : n - 1 - other)
    }
    ports.sort((a, b) => rank(a) - rank(b))
    // from the last choice to the first, so that the first stays
    for (let k = ports.length - 1; k >= 0; k--) {
      const i = ports[k]
      const next = plane.neighbour(r, i)
      for (let j = 0; j < plane.degree; j++) table[r * n + plane.neighbour(next, j)] = p + i
    }
    for (const i of ports) table[r * n + plane.neighbour(r, i)] = (p + i) | ADJACENT
  }
  return table
}

const cites = "Fit Fly: a case study on interconnect innovation through parallel simulation, N. McGlohon et al., 2019"
const topologies = ["slimfly", "fitfly"]

export const minimal = {
  kind: "routing",
  name: "slimfly.codes-minimal",
  about: "Minimal routing of CODES' Slim Fly, for comparison.",
  cites,
  params: schema({}),
  topologies,
  adaptive: false,
  vcs: () => 2,
  make: (_, on) => new Minimal(on.topology),
} satisfies RoutingPlugin<Record<never, never>, SlimFly>

export const nonMinimal = {
  kind: "routing",
  name: "slimfly.codes-nonminimal",
  about: "Non-minimal routing of CODES' Slim Fly over a random router, for comparison.",
  cites,
  params: schema({}),
  topologies,
  scratch: 1,
  vcs: () => 4,
  make: (_, on) => new NonMinimal(on.topology),
} satisfies RoutingPlugin<Record<never, never>, SlimFly>

export const adaptive = {
  kind: "routing",
  name: "slimfly.codes-adaptive",
  about: "UGAL of CODES' Slim Fly, which reads only the queue of VC 0, for comparison.",
  cites,
  params: schema({
    draws: int({ about: "Number of random intermediate routers that are compared", min: 1, max: 64, default: 4 }),
    sees: choice(["vc0", "all"], { about: "Queues that count: only VC 0 as in CODES, or all VCs", default: "vc0" }),
  }),
  topologies,
  scratch: 1,
  vcs: () => 4,
  make: (p, on) => new Adaptive(on.topology, p.draws, p.sees),
} satisfies RoutingPlugin<{ draws: number; sees: Sees }, SlimFly>
