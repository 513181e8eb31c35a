// Finds the path of one packet through an idle network, with the routing of the run and given queue lengths. walks.ts
// calls it for each sample packet.

import type { Routed } from "../compile/subject.ts"
import { lowest } from "../core/bitset.ts"
import { Draws } from "../core/rng.ts"
import { Candidates, NetView } from "../model/routing.ts"
import type { Round } from "./round.ts"

const MOST_HOPS = 4096
/** flits in a full queue, for routings that compare queues */
const DEEP = 64
const SEED = 0x70726564

export class Walk {
  readonly network: Routed
  readonly way = new Int32Array(MOST_HOPS)
  /** number of VCs that it may take on each channel */
  readonly choice = new Uint8Array(MOST_HOPS)
  readonly rng = new Draws(SEED)
  private readonly net: NetView
  private readonly out: Candidates
  private readonly scratch: Int32Array
  private readonly key = new Int32Array(1)
  private readonly src = new Int32Array(1)
  private readonly dst = new Int32Array(1)
  private readonly hops = new Int32Array(1)
  private readonly credits: Int32Array
  private readonly fullness: Float32Array
  private readonly vcs: number

  constructor(network: Routed, reads: boolean) {
    this.network = network
    const { graph } = network.topology
    const { scratch, candidates } = network.boundRouting
    this.vcs = network.vcsPerClass
    const slots = reads ? graph.chans : 1
    this.credits = new Int32Array(slots * this.vcs).fill(DEEP)
    this.fullness = new Float32Array(reads ? graph.chans : 1)
    this.scratch = new Int32Array(Math.max(1, scratch))
    this.out = new Candidates(Math.max(candidates, 1))
    const slot = new Int32Array(graph.chans)
    if (reads) for (let c = 0; c < graph.chans; c++) slot[c] = c * this.vcs
    this.net = new NetView({
      src: this.src,
      dst: this.dst,
      flits: new Int32Array([1]),
      hops: this.hops,
      key: this.key,
      scratch: this.scratch,
      scratchSlots: this.scratch.length,
      slot,
      capacity: new Int32Array(slots * this.vcs).fill(DEEP),
      credits: this.credits,
      vcs: this.vcs,
    })
  }

  /** Finds the channels of a path, the channel to the destination last. Returns their number. */
  go(from: number, to: number): number {
    const { graph } = this.network.topology
    const { routing } = this.network
    const { net, out, way } = this
    const { rails } = graph
    this.src[0] = from
    this.dst[0] = to
    this.key[0] = this.rng.bits()
    this.hops[0] = 0
    this.scratch.fill(0)
    let mask = 1
    let port = graph.entry[from * rails + (rails > 1 ? this.rng.below(rails) : 0)]
    for (let n = 0; n < MOST_HOPS; ) {
      const at = graph.routerOf[port]
      const first = graph.firstChan[at]
      net.decide(n)
      if (n === 0) routing.inject?.(0, at, net)
      out.n = 0
      routing.route(0, at, port - first, lowest(mask), net, out)
      if (out.n === 0) return n
      const best = this.cheapest()
      const c = first + out.port[best]
      way[n++] = c
      mask = out.vcMask[best]
      this.choice[n - 1] = bitCount(mask)
      const far = graph.far[c]
      // endpoints take whatever comes
      if (far < 0) this.choice[n - 1] = 32
      if (far < 0) return n
      port = far
      this.hops[0] = n
    }
    return MOST_HOPS
  }

  /**
   * Returns the cheapest candidate. Ties are broken randomly, because a switch spreads packets over equal candidates.
   */
  private cheapest(): number {
    const { out } = this
    let best = 0
    let ties = 1
    for (let i = 1; i < out.n; i++) {
      if (out.cost[i] > out.cost[best]) continue
      ties = out.cost[i] < out.cost[best] ? 1 : ties + 1
      if (ties === 1 || this.rng.below(ties) === 0) best = i
    }
    return best
  }

  /**
   * Sets the queue lengths after a round: from the channel's own load, and from full channels downstream. Each round
   * counts less, so the lengths converge.
   */
  fill(round: Round, turn: number): void {
    const { fullness, credits, vcs } = this
    const { load, blocked } = round
    // Sources that are throttled do not fill queues.
    const sent = round.passes()
    const share = 1 / (turn + 1)
    for (let c = 0; c < load.length; c++) {
      const busy = load[c] * sent
      const own = Math.min(1, Math.max(busy ** 2 / 4, (busy - 0.8) / 0.2))
      const now = Math.max(own, load[c] > 0 ? blocked[c] / load[c] : 0)
      fullness[c] += share * (now - fullness[c])
      credits.fill(DEEP - Math.round((fullness[c] * DEEP) / vcs), c * vcs, (c + 1) * vcs)
    }
  }
}

function bitCount(mask: number): number {
  let n = 0
  for (let m = mask; m !== 0; m &= m - 1) n++
  return n
}
