// Dimension-order routing on a torus, in the shorter direction of each ring. "Deadlock-free message routing in
// multiprocessor interconnection networks", W. J. Dally and C. L. Seitz, 1987. The VCs form two halves, so that no
// cycle of dependencies closes over the wrap-around link:
//   dateline: fixed     The half is chosen on entering a dimension and kept for the whole ring. Upwards, it is the
//                       upper half if the path will wrap, otherwise the lower one; downwards it is the opposite
//                       (BookSim2's rule; Dally and Towles).
//   dateline: crossing  Each dimension starts in the lower half; the hop over the wrap-around link and all later ones
//                       use the upper half.
//
// The middle one of an odd number of VCs (odd) is used as follows:
//   one-class  On each channel it belongs to the half that more paths use. With paths of up to h links, h (h + 1) / 2
//              paths use a channel, and (h - j) (h - j + 1) / 2 of them also use the wrap-around link j links away.
//              Every (channel, VC) pair has packets of one half only, and each half takes its channels in one order.
//              The result is as free of deadlock as two halves are.
//   shared     It serves both halves, as in BookSim2. A packet in it can block one of the other half behind it, so
//              packets of several flits have no order any more in wormhole flow control.
//
// For two directions of equal length, `tie: coin` draws, and `tie: parity` goes up from an even coordinate and down
// from an odd one. The last hop, to the endpoint, may use every VC. Of a trunk a packet takes member (destination mod
// width), or the least loaded one.
import { choice, schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Torus } from "../../topologies/torus.ts"
import { type OddVcs, oddVcs } from "../odd.ts"
import { hashed, leastLoaded } from "../trunk.ts"
import { allVcs, vcRange } from "../vcs.ts"

type Params = { dateline: "fixed" | "crossing"; odd: OddVcs; tie: "coin" | "parity"; trunk: "hash" | "least-loaded" }

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
  /** the VC between the halves, -1 = there is none */
  private readonly middle: number
  private readonly shared: boolean
  private readonly lower: number
  private readonly upper: number
  /** with the middle VC */
  private readonly lowerMost: number
  private readonly upperMost: number
  /** [firstOwner[d] + 2 * coordinate + direction] -> 1 if the middle VC of the channel that leaves there belongs to the
   *  upper half */
  private readonly owner: Uint8Array
  private readonly firstOwner: Int32Array
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
    this.middle = vcs > 1 && vcs % 2 === 1 ? this.half : -1
    this.shared = params.odd === "shared"
    this.lower = vcRange(0, Math.max(1, this.half))
    this.upper = vcRange(vcs - Math.max(1, this.half), vcs)
    this.lowerMost = vcRange(0, Math.max(1, vcs - this.half))
    this.upperMost = vcRange(this.half, vcs)
    this.all = allVcs(vcs)
    this.firstOwner = new Int32Array(this.n)
    let channels = 0
    for (let d = 0; d < this.n; d++) {
      this.firstOwner[d] = channels
      channels += 2 * this.sides[d]
    }
    this.owner = new Uint8Array(channels)
    for (let d = 0; d < this.n; d++) this.deal(d)
  }

  /** Assigns the middle VC of every channel in the rings of a dimension to one of the halves. */
  private deal(d: number): void {
    const side = this.sides[d]
    const h = side >> 1
    for (let direction = 0; direction < 2; direction++) {
      for (let c = 0; c < side; c++) {
        // links between this channel and the one that wraps, counted forwards and backwards
        const behind = direction === 0 ? (c + 1) % side : side - 1 - ((c + side - 1) % side)
        const before = direction === 0 ? side - 1 - c : c
        const j = this.fixed ? Math.min(behind, before) : behind
        const wrapping = j < h && 2 * (h - j) * (h - j + 1) > h * (h + 1)
        // with fixed datelines and downwards, the paths that wrap are those of the lower half
        const upper = this.fixed && direction === 1 ? !wrapping : wrapping
        this.owner[this.firstOwner[d] + 2 * c + direction] = upper ? 1 : 0
      }
    }
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
    const here = coordinates[at * n + d]
    const there = coordinates[goal * n + d]
    const side = this.sides[d]
    const cameBy = trunk === 1 ? inPort : Math.floor(inPort / trunk)
    let direction = 0
    let upper = false
    if (cameBy >> 1 === d) {
      // the input port it came by leads back, so the opposite direction continues
      direction = (cameBy & 1) ^ 1
      upper = inVc === this.middle ? this.inMiddle(p, d, direction, here, there, net) : inVc >= this.half
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
          ? leastLoaded(this.far, this.firstChan[at] + first, trunk, dst, net)
          : hashed(this.far, this.firstChan[at] + first, trunk, dst)
    const most =
      this.middle >= 0 && (this.shared || this.owner[this.firstOwner[d] + 2 * here + direction] === (upper ? 1 : 0))
    out.add(first + member, upper ? (most ? this.upperMost : this.upper) : most ? this.lowerMost : this.lower, 0)
  }

  /** Returns whether a packet that came by a middle VC is in the upper half: by the owner of the channel, or where the
   *  VC is shared by the coordinate at which the packet entered the ring. */
  private inMiddle(p: Packet, d: number, direction: number, here: number, there: number, net: NetView): boolean {
    const side = this.sides[d]
    if (!this.shared) {
      const before = direction === 0 ? (here + side - 1) % side : (here + 1) % side
      return this.owner[this.firstOwner[d] + 2 * before + direction] === 1
    }
    const entered = this.coordinates[Math.floor(net.src(p) / this.ends) * this.n + d]
    return this.fixed ? entered > there : direction === 0 ? here < entered : here > entered
  }
}

export default {
  kind: "routing",
  name: "torus.dimension-order",
  aliases: ["torus.dor"],
  about: "One dimension after the other in the shorter direction; two halves of the VCs break the cycles of the rings.",
  cites: "Deadlock-free message routing in multiprocessor interconnection networks, W. J. Dally and C. L. Seitz, 1987",
  params: schema({
    dateline: choice(["fixed", "crossing"], {
      about: "Half of the VCs: fixed when a packet enters a ring, or changed at the dateline",
      default: "fixed",
    }),
    odd: oddVcs,
    tie: choice(["coin", "parity"], {
      about: "Direction if both are equally long: random, or by the parity of the coordinate",
      default: "coin",
    }),
    trunk: choice(["hash", "least-loaded"], {
      about: "Selection among parallel links: by destination, or the emptiest",
      default: "least-loaded",
    }),
  }),
  topologies: ["torus"],
  vcs: () => 2,
  make: (p, on) => new DimensionOrder(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, Torus>
