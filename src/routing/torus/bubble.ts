// Dimension order on a torus without datelines: bubble flow control keeps every ring able to move. A packet may enter a ring (from an endpoint or
// another dimension) only if the VC there has room for two packets of the largest size; to go on in the ring it needs room for one. Once in a
// ring a packet keeps its VC and its member of a trunk, so that each is a ring of its own.
// Limits: virtual cut-through only (whole packets fit a buffer); the switch must honour room().
import { choice, schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Torus } from "../../topologies/torus.ts"
import { hashed, leastLoaded } from "../trunk.ts"
import { allVcs } from "../vcs.ts"

type Params = { tie: "coin" | "parity"; trunk: "hash" | "least-loaded" }

export class Bubble implements RoutingFunction {
  private readonly torus: Torus
  private readonly coin: boolean
  private readonly leastLoaded: boolean
  private readonly all: number

  constructor(torus: Torus, vcs: number, params: Params) {
    this.torus = torus
    this.coin = params.tie === "coin"
    this.leastLoaded = params.trunk === "least-loaded"
    this.all = allVcs(vcs)
  }

  route(p: Packet, at: Router, inPort: Port, inVc: Vc, net: NetView, out: Candidates): void {
    const { graph, grid, trunk } = this.torus
    const { n, at: coordinates } = grid
    const dst = net.dst(p)
    const home = graph.home[dst]!
    const goal = graph.routerOf[home]!
    let d = 0
    while (d < n && coordinates[at * n + d] === coordinates[goal * n + d]) d++
    if (d === n) {
      out.add(home - graph.firstChan[at]!, this.all, 0)
      return
    }
    if (Math.floor(inPort / (2 * trunk)) === d) {
      // the port opposite to the one it came in by
      out.add(inPort + (Math.floor(inPort / trunk) % 2 === 0 ? trunk : -trunk), 1 << inVc, 0)
      return
    }
    const here = coordinates[at * n + d]!
    const up = (coordinates[goal * n + d]! - here + grid.sides[d]!) % grid.sides[d]!
    const equal = 2 * up === grid.sides[d]!
    const direction = equal ? (this.coin ? net.draw(p, 2) : here & 1) : 2 * up > grid.sides[d]! ? 1 : 0
    const first = (2 * d + direction) * trunk
    const c = graph.firstChan[at]! + first
    out.add(first + (this.leastLoaded ? leastLoaded(graph.far, c, trunk, dst, net) : hashed(graph.far, c, trunk, dst)), this.all, 0)
  }

  room(_at: Router, inPort: Port, port: Port): number {
    const { grid, trunk } = this.torus
    const ring = Math.floor(port / (2 * trunk))
    return ring < grid.n && Math.floor(inPort / (2 * trunk)) !== ring ? 2 : 1
  }
}

export default {
  kind: "routing",
  name: "torus.bubble",
  about: "Dimension order with one VC; entering a ring needs room for two packets.",
  cites: "The adaptive bubble router, V. Puente and others, 2001",
  limits: "virtual cut-through only",
  params: schema({
    tie: choice(["coin", "parity"], {
      about: "which of two equally long ways: at random, or by the coordinate's parity",
      default: "parity",
    }),
    trunk: choice(["hash", "least-loaded"], { about: "which of parallel links: by destination, or the emptiest", default: "least-loaded" }),
  }),
  topologies: ["torus"],
  needs: () => ["bubbles"],
  vcs: () => 1,
  make: (p, on) => new Bubble(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, Torus>
