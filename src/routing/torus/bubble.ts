// Dimension-order routing on a torus with bubble flow control instead of datelines: "The adaptive bubble router", V.
// Puente et al., 2001. A packet may enter a ring, from an endpoint or another dimension, only if the VC there has
// buffer space for two packets of the largest size. To continue in the ring it needs space for one. Every ring
// therefore keeps at least one free packet buffer (the bubble) and can always move.
//
// Inside a ring a packet keeps its VC and its member of a trunk, so that each of them is a ring of its own for this
// argument. Limits: virtual cut-through only, because whole packets must fit into a buffer; the switch must honour
// room().
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
  private readonly coordinates: Uint8Array | Uint16Array | Int32Array
  private readonly n: number
  private readonly ends: number
  private readonly coin: boolean
  private readonly leastLoaded: boolean
  private readonly all: number
  /** [port] -> its dimension (n for endpoints), and the opposite port. A packet in a ring needs only these two small
   *  tables. */
  private readonly ringOf: Uint8Array
  private readonly opposite: Uint16Array

  constructor(torus: Torus, vcs: number, params: Params) {
    const { grid, trunk, p } = torus
    this.torus = torus
    this.coordinates = grid.at
    this.n = grid.n
    this.ends = p
    this.coin = params.tie === "coin"
    this.leastLoaded = params.trunk === "least-loaded"
    this.all = allVcs(vcs)
    const ports = 2 * grid.n * trunk
    this.ringOf = Uint8Array.from({ length: ports + p }, (_, port) => Math.min(grid.n, Math.floor(port / (2 * trunk))))
    this.opposite = Uint16Array.from(
      { length: ports },
      (_, port) => port + (Math.floor(port / trunk) % 2 === 0 ? trunk : -trunk),
    )
  }

  route(p: Packet, at: Router, inPort: Port, inVc: Vc, net: NetView, out: Candidates): void {
    const { n, ends, coordinates } = this
    const dst = net.dst(p)
    const goal = ends === 1 ? dst : Math.floor(dst / ends)
    let d = 0
    while (d < n && coordinates[at * n + d] === coordinates[goal * n + d]) d++
    if (d === n) out.add(this.opposite.length + dst - goal * ends, this.all, 0)
    else if (this.ringOf[inPort] === d) out.add(this.opposite[inPort], 1 << inVc, 0)
    else out.add(this.enter(p, at, d, goal, dst, net), this.all, 0)
  }

  /** Returns the port by which a packet enters the ring of dimension d. */
  private enter(p: Packet, at: Router, d: number, goal: Router, dst: number, net: NetView): Port {
    const { graph, grid, trunk } = this.torus
    const here = this.coordinates[at * this.n + d]
    const side = grid.sides[d]
    const up = (this.coordinates[goal * this.n + d] - here + side) % side
    const direction = 2 * up === side ? (this.coin ? net.draw(p, 2) : here & 1) : 2 * up > side ? 1 : 0
    const first = (2 * d + direction) * trunk
    const c = graph.firstChan[at] + first
    return first + (this.leastLoaded ? leastLoaded(graph.far, c, trunk, dst, net) : hashed(graph.far, c, trunk, dst))
  }

  /** Returns the packets for which the output VC must have buffer space: 2 to enter a ring, 1 otherwise. */
  room(_at: Router, inPort: Port, port: Port): number {
    const { grid, trunk } = this.torus
    const ring = Math.floor(port / (2 * trunk))
    return ring < grid.n && Math.floor(inPort / (2 * trunk)) !== ring ? 2 : 1
  }
}

export default {
  kind: "routing",
  name: "torus.bubble",
  about: "Dimension order with one VC; a packet enters a ring only if two packets fit into the buffer.",
  cites: "The adaptive bubble router, V. Puente and others, 2001",
  limits: "virtual cut-through only",
  params: schema({
    tie: choice(["coin", "parity"], {
      about: "Direction if both are equally long: random, or by the parity of the coordinate",
      default: "parity",
    }),
    trunk: choice(["hash", "least-loaded"], {
      about: "Selection among parallel links: by destination, or the emptiest",
      default: "least-loaded",
    }),
  }),
  topologies: ["torus"],
  needs: () => ["bubbles"],
  vcs: () => 1,
  make: (p, on) => new Bubble(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, Torus>
