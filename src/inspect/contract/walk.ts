// Routes a single packet through a network with random queue lengths, from source to destination, with the candidates
// that a routing proposes. It checks every proposal: ports, VC masks and the number of candidates. routing.ts uses it
// for the contracts of routings.
import { lowest, population } from "../../core/bitset.ts"
import { draw, streamOf } from "../../core/rng.ts"
import { endMark, endOf } from "../../model/graph.ts"
import type { Chan, End, Router, Vc } from "../../model/ids.ts"
import { Candidates, NetView, type RoutingFunction } from "../../model/routing.ts"
import type { Topology } from "../../model/topology.ts"
import { Broken, contracts } from "./finding.ts"

/** A routing on a topology, ready to be called. */
export interface Built {
  readonly topology: Topology
  readonly routing: RoutingFunction
  readonly vcs: number
  readonly scratch: number
  readonly candidates: number
}

/** flits of each queue */
const CAPACITY = 64

export type Step = {
  readonly at: Router
  readonly port: number
  readonly chan: number
  readonly mask: number
  readonly vc: Vc
}
export type Walk = { readonly steps: readonly Step[]; readonly arrived: boolean }

/** Counts how often a routing reads queues. */
class CountingView extends NetView {
  looks = 0
  override queued(c: Chan): number {
    this.looks++
    return super.queued(c)
  }
  override published(c: Chan): number {
    this.looks++
    return super.published(c)
  }
  override behind(c: Chan): number {
    this.looks++
    return super.behind(c)
  }
  override queuedVc(c: Chan, v: Vc): number {
    this.looks++
    return super.queuedVc(c, v)
  }
  override credits(c: Chan, v: Vc): number {
    this.looks++
    return super.credits(c, v)
  }
}

export class Walker {
  readonly built: Built
  readonly net: CountingView
  /** how often inject() and route() read queues */
  readonly looks = { inject: 0, route: 0 }
  readonly credits: Int32Array
  private readonly hops = new Uint16Array(1)
  private readonly src = new Int32Array(1)
  private readonly dst = new Int32Array(1)
  private readonly key = new Int32Array(1)
  private readonly out: Candidates

  constructor(built: Built) {
    const { topology, vcs, scratch } = built
    const { chans } = topology.graph
    this.built = built
    this.out = new Candidates(built.candidates)
    this.credits = new Int32Array(chans * vcs).fill(CAPACITY)
    this.net = new CountingView({
      src: this.src,
      dst: this.dst,
      flits: Uint16Array.of(1),
      hops: this.hops,
      key: this.key,
      scratch: new Int32Array(scratch),
      scratchSlots: scratch,
      slot: Int32Array.from({ length: chans }, (_, c) => c * vcs),
      capacity: new Int32Array(chans * vcs).fill(CAPACITY),
      credits: this.credits,
      vcs,
    })
  }

  /** Sets random lengths of all queues. */
  load(seed: number): void {
    for (let i = 0; i < this.credits.length; i++) this.credits[i] = (draw(seed, i) >>> 0) % (CAPACITY + 1)
  }

  /** Returns the path of a packet. `choose(n)` selects one of n: a candidate, then a VC. Stops after `most` routers. */
  walk(from: End, to: End, key: number, most: number, choose: (n: number) => number, rail = 0): Walk {
    const { net, built, out } = this
    const { routing, candidates } = built
    const { graph } = built.topology
    const steps: Step[] = []
    this.src[0] = from
    this.dst[0] = to
    this.key[0] = streamOf(3, key)
    this.hops[0] = 0
    let into = graph.entry[from * graph.rails + rail]
    let vc = 0
    for (let i = 0; i < most; i++) {
      const at = graph.routerOf[into]
      net.decide(i)
      const before = net.looks
      if (i === 0) routing.inject?.(0, at, net)
      const injected = net.looks
      out.n = 0
      routing.route(0, at, into - graph.firstChan[at], vc, net, out)
      this.looks.inject += injected - before
      this.looks.route += net.looks - injected
      // An engine reserves memory for the declared number of candidates only.
      if (out.n < 1 || out.n > candidates)
        throw new Broken(
          contracts.candidates,
          `${out.n} candidates at router ${at} from ${from} to ${to}; ${candidates} declared`,
        )
      for (let j = 0; j < out.n; j++) this.legal(at, out.port[j], out.vcMask[j], to)
      const j = choose(out.n)
      const mask = out.vcMask[j]
      vc = nthVc(mask, choose(population(mask)))
      const chan = graph.firstChan[at] + out.port[j]
      steps.push({ at, port: out.port[j], chan, mask, vc })
      this.hops[0]++
      if (graph.far[chan] === endMark(to)) return { steps, arrived: true }
      into = graph.far[chan]
    }
    return { steps, arrived: false }
  }

  /**
   * Throws if a proposal is not legal: a port that does not exist or has no link, a wrong endpoint, or an invalid VC
   * mask.
   */
  private legal(at: Router, port: number, mask: number, to: End): void {
    const { graph } = this.built.topology
    const chan = graph.firstChan[at] + port
    if (!(port >= 0 && chan < graph.firstChan[at + 1]))
      throw new Broken(contracts.ports, `router ${at} has no port ${port}`)
    const far = graph.far[chan]
    if (far === -1) throw new Broken(contracts.ports, `port ${port} of router ${at} is not wired`)
    if (far < 0 && endOf(far) !== to)
      throw new Broken(contracts.delivers, `router ${at} ejects to endpoint ${endOf(far)}, not to ${to}`)
    if (mask === 0 || (this.built.vcs < 32 && mask >>> this.built.vcs !== 0))
      throw new Broken(contracts.vcs, `router ${at} proposes VC mask ${mask} of ${this.built.vcs} VCs`)
  }
}

/** Returns the VC of a mask before which the mask has `n` others. */
function nthVc(mask: number, n: number): number {
  let left = mask
  for (let i = 0; i < n; i++) left &= left - 1
  return lowest(left)
}

export function vcsOf(mask: number, vcs: number): number[] {
  return Array.from({ length: vcs }, (_, v) => v).filter((v) => (mask >> v) & 1)
}
