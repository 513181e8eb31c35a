// Dimension order on a torus, the shorter way round each ring. VCs are two halves, so that no ring of waits closes over the wrap-around link:
//   dateline: fixed     the half is chosen on entering a dimension and kept for the whole ring: going up, the upper half if the way will wrap,
//                       else the lower; going down the other way round (BookSim's rule; Dally and Towles)
//   dateline: crossing  each dimension starts in the lower half; the hop over the wrap-around link and all later ones use the upper half
// Two ways of equal length: `tie: coin` draws, `tie: parity` goes up from an even coordinate and down from an odd one.
// The last hop, to the endpoint, may use every VC. Trunks: member (destination mod width), or the one with the fewest flits queued.
import { choice, schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Torus } from "../../topologies/torus.ts"
import { hashed, leastLoaded } from "../trunk.ts"
import { allVcs, vcRange } from "../vcs.ts"

type Params = { dateline: "fixed" | "crossing"; tie: "coin" | "parity"; trunk: "hash" | "least-loaded" }

export class DimensionOrder implements RoutingFunction {
  private readonly coordinates: Uint8Array | Uint16Array | Int32Array
  private readonly sides: Int32Array
  private readonly firstChan: Int32Array
  private readonly far: Int32Array
  private readonly n: number
  private readonly ends: number
  private readonly trunk: number
  private readonly fixed: boolean
  private readonly coin: boolean
  private readonly leastLoaded: boolean
  readonly readsQueues: boolean
  private readonly half: number
  private readonly lower: number
  private readonly upper: number
  private readonly all: number

  constructor(torus: Torus, vcs: number, params: Params) {
    this.coordinates = torus.grid.at
    this.sides = Int32Array.from(torus.grid.sides)
    this.firstChan = torus.graph.firstChan
    this.far = torus.graph.far
    this.n = torus.grid.n
    this.ends = torus.p
    this.trunk = torus.trunk
    this.fixed = params.dateline === "fixed"
    this.coin = params.tie === "coin"
    this.leastLoaded = params.trunk === "least-loaded" && torus.trunk > 1
    this.readsQueues = this.leastLoaded
    this.half = vcs >> 1
    this.lower = vcRange(0, Math.max(1, this.half))
    this.upper = vcRange(this.half, vcs)
    this.all = allVcs(vcs)
  }

  route(p: Packet, at: Router, inPort: Port, inVc: Vc, net: NetView, out: Candidates): void {
    const { n, ends, trunk, coordinates } = this
    const dst = net.dst(p)
    const goal = ends === 1 ? dst : Math.floor(dst / ends)
    let d = 0
    while (d < n && coordinates[at * n + d] === coordinates[goal * n + d]) d++
    if (d === n) {
      out.add(2 * n * trunk + dst - goal * ends, this.all, 0)
      return
    }
    const here = coordinates[at * n + d]!
    const there = coordinates[goal * n + d]!
    const side = this.sides[d]!
    const cameBy = trunk === 1 ? inPort : Math.floor(inPort / trunk)
    let direction = 0
    let upper = false
    if (cameBy >> 1 === d) {
      // the port it came in by is the one it would go back by
      direction = (cameBy & 1) ^ 1
      upper = inVc >= this.half
    } else {
      const up = there > here ? there - here : there - here + side
      if (2 * up > side) direction = 1
      else if (2 * up === side) direction = this.coin ? net.draw(p, 2) : here & 1
      upper = this.fixed && here > there
    }
    if (!this.fixed && here === (direction === 0 ? side - 1 : 0)) upper = true
    const first = (2 * d + direction) * trunk
    const member =
      trunk === 1
        ? 0
        : this.leastLoaded
          ? leastLoaded(this.far, this.firstChan[at]! + first, trunk, dst, net)
          : hashed(this.far, this.firstChan[at]! + first, trunk, dst)
    out.add(first + member, upper ? this.upper : this.lower, 0)
  }
}

export default {
  kind: "routing",
  name: "torus.dimension-order",
  aliases: ["torus.dor"],
  about: "Correct one dimension after the other, the shorter way round; two halves of VCs break the rings.",
  cites: "Deadlock-free message routing in multiprocessor interconnection networks, W. J. Dally and C. L. Seitz, 1987",
  params: schema({
    dateline: choice(["fixed", "crossing"], {
      about: "half of the VCs fixed on entering a ring, or changed where it wraps",
      default: "fixed",
    }),
    tie: choice(["coin", "parity"], { about: "which of two equally long ways: at random, or by the coordinate's parity", default: "coin" }),
    trunk: choice(["hash", "least-loaded"], { about: "which of parallel links: by destination, or the emptiest", default: "least-loaded" }),
  }),
  topologies: ["torus"],
  vcs: () => 2,
  make: (p, on) => new DimensionOrder(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, Torus>
