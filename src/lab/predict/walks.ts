// Sample packets of every stream, sent one by one through the network to see where its traffic goes: mean hops, the load of every channel, and how much of what is
// offered gets through. A channel beyond its capacity lets through what it can, and every flow as much as the worst channel of its way does. Where the routing
// looks at queues, packets go in rounds: a channel that the rounds before loaded has a queue, and so have those that lead to full ones.
// Limits: one queue for all VCs of a channel; flows do not make room for each other; what was not sampled is not seen.
import { Draws } from "../../core/rng.ts"
import { Candidates, NetView } from "../../model/routing.ts"
import type { Stream } from "../../model/stream.ts"
import type { Routed } from "../check-network.ts"

/** What is asked of: streams with the flits per cycle that each of their senders creates. */
export interface Offered {
  readonly stream: Pick<Stream, "pattern" | "senders">
  readonly load: number
  /** what one VC of a channel carries at most: in a router that allots a VC to one packet after the other, less than the channel */
  readonly each: number
}

export interface StreamWays {
  /** endpoints that send */
  readonly senders: number
  /** the part of it that gets through */
  readonly passes: number
  /** the part that gets through of the worst flow */
  readonly worst: number
  /** routers visited, and cycles on links */
  readonly hops: number
  readonly wires: number
}

export interface Ways {
  readonly streams: readonly StreamWays[]
  /** load of the busiest channel of a packet's way, as a part of what it carries, on average */
  readonly busiest: number
}

/** Part of its cycles that a channel carries flits in a saturated network: what allocators and blocked packets leave of it. */
export const FULL = 0.9
const ROUNDS = 8
const FORGOTTEN = 3
const MOST_HOPS = 4096
/** what a queue that is full holds in flits, for routings that compare queues */
const DEEP = 64
const SEED = 0x70726564

/** `steps`: hops that may be walked in all. `reads`: does the routing look at queues? */
export function waysOf(network: Routed, offered: readonly Offered[], steps: number, reads: boolean): Ways {
  const walk = new Walk(network, reads)
  const rounds = reads ? ROUNDS : 1
  let found = new Round(network, offered)
  for (let r = 0; r < rounds; r++) {
    // the first ones go by queues that are not yet true
    if (r > 0 && r <= FORGOTTEN) found = new Round(network, offered)
    for (const [s, o] of offered.entries()) sample(walk, found, o, s, steps / rounds / offered.length, r)
    found.close()
    if (reads) walk.fill(found, r)
  }
  return found.ways()
}

/** Whole sweeps over all senders as far as the steps reach; else some of them, spread evenly. */
function sample(walk: Walk, round: Round, { stream, load }: Offered, s: number, steps: number, turn: number): void {
  const { ends } = walk.network.topology.graph
  const senders: number[] | undefined = stream.senders === undefined ? undefined : []
  stream.senders?.forEach((on, e) => {
    if (on === 1) senders!.push(e)
  })
  const n = senders?.length ?? ends
  const sweep = Math.ceil(steps / 4) < n
  let taken = 0
  let packets = 0
  const golden = 0.6180339887498949
  while (n > 0 && (taken < steps || packets === 0)) {
    const upTo = sweep ? 1 : n
    for (let i = 0; i < upTo; i++) {
      const k = sweep ? Math.floor((((packets + turn) * golden) % 1) * n) : i
      const from = senders?.[k] ?? k
      const to = stream.pattern.dest(from, walk.rng)
      packets++
      if (to >= 0 && to !== from) taken += round.take(s, walk.go(from, to), walk)
      else taken++
    }
  }
  round.weigh(s, n, load, packets)
}

/** One packet in a network that stands still. */
class Walk {
  readonly network: Routed
  readonly way = new Int32Array(MOST_HOPS)
  /** VCs that it may take on each channel */
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
    const { routingPlugin: plugin } = network
    this.vcs = network.vcsPerClass
    const slots = reads ? graph.chans : 1
    this.credits = new Int32Array(slots * this.vcs).fill(DEEP)
    this.fullness = new Float32Array(reads ? graph.chans : 1)
    this.scratch = new Int32Array(Math.max(1, plugin.scratch ?? 0))
    this.out = new Candidates(Math.max(plugin.candidates ?? 1, 1))
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
      seed: SEED,
    })
  }

  /** Fills `way` with the channels that it takes, the one to its destination last; answers how many. */
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
    net.decide(0)
    let mask = routing.entry?.(0, net) ?? 1
    let port = graph.entry[from * rails + (rails > 1 ? this.rng.below(rails) : 0)]!
    for (let n = 0; n < MOST_HOPS; ) {
      const at = graph.routerOf[port]!
      const first = graph.firstChan[at]!
      net.decide(n)
      if (n === 0) routing.inject?.(0, at, net)
      out.n = 0
      routing.route(0, at, port - first, 31 - Math.clz32(mask & -mask), net, out)
      if (out.n === 0) return n
      const best = this.cheapest()
      const c = first + out.port[best]!
      way[n++] = c
      mask = out.vcMask[best]!
      this.choice[n - 1] = bitCount(mask)
      const far = graph.far[c]!
      // endpoints take whatever comes
      if (far < 0) this.choice[n - 1] = 32
      if (far < 0) return n
      port = far
      this.hops[0] = n
    }
    return MOST_HOPS
  }

  /** Ties are broken by chance: a switch spreads what costs the same. */
  private cheapest(): number {
    const { out } = this
    let best = 0
    let ties = 1
    for (let i = 1; i < out.n; i++) {
      if (out.cost[i]! > out.cost[best]!) continue
      ties = out.cost[i]! < out.cost[best]! ? 1 : ties + 1
      if (ties === 1 || this.rng.below(ties) === 0) best = i
    }
    return best
  }

  /** Queues after a round: of its channels' own loads, and of those that their packets wait for next. */
  fill(round: Round, turn: number): void {
    const { fullness, credits, vcs } = this
    const { load, blocked } = round
    // sources that are held back do not fill queues
    const sent = round.passes()
    const share = 1 / (turn + 1)
    for (let c = 0; c < load.length; c++) {
      const busy = load[c]! * sent
      const own = Math.min(1, Math.max(busy ** 2 / 4, (busy - 0.8) / 0.2))
      const now = Math.max(own, load[c]! > 0 ? blocked[c]! / load[c]! : 0)
      fullness[c]! += share * (now - fullness[c]!)
      credits.fill(DEEP - Math.round((fullness[c]! * DEEP) / vcs), c * vcs, (c + 1) * vcs)
    }
  }
}

/** What the packets of one round did. */
class Round {
  readonly load: Float64Array
  /** the part of a channel's load that wants to go on over a full one */
  readonly blocked: Float64Array
  private readonly counts: Int32Array
  /** what a channel carries at most: the sum over its packets, then the mean */
  private readonly carries: Float64Array
  private readonly each: readonly number[]
  private readonly paths: number[][]
  private readonly senders: number[]
  private readonly packets: number[]
  private readonly weight: number[]
  private readonly network: Routed

  constructor(network: Routed, offered: readonly Offered[]) {
    const { chans } = network.topology.graph
    this.network = network
    this.load = new Float64Array(chans)
    this.blocked = new Float64Array(chans)
    this.counts = new Int32Array(chans)
    this.carries = new Float64Array(chans)
    this.each = offered.map((o) => o.each)
    // ways one after the other: length, channels
    this.paths = offered.map(() => [])
    this.senders = offered.map(() => 0)
    this.packets = offered.map(() => 0)
    this.weight = offered.map(() => 0)
  }

  take(s: number, hops: number, walk: Walk): number {
    const path = this.paths[s]!
    path.push(hops)
    for (let i = 0; i < hops; i++) {
      const c = walk.way[i]!
      path.push(c)
      this.counts[c]!++
      this.carries[c]! += Math.min(FULL, walk.choice[i]! * this.each[s]!)
    }
    return Math.max(1, hops)
  }

  weigh(s: number, senders: number, load: number, packets: number): void {
    this.senders[s] = senders
    this.packets[s]! += packets
    this.weight[s] = packets === 0 ? 0 : (load * senders) / this.packets[s]!
  }

  /** Loads of all channels, as parts of what they carry: what was seen of each, less what may be chance, but not below the mean of its class. */
  close(): void {
    const { graph } = this.network.topology
    const { load, counts, carries, blocked } = this
    load.fill(0)
    blocked.fill(0)
    this.eachWay((s, path, at, n) => {
      for (let i = at; i < at + n; i++) {
        load[path[i]!]! += this.weight[s]!
      }
    })
    const { classes, linkClass } = graph
    const sum = new Float64Array(classes.length)
    const wired = new Float64Array(classes.length)
    for (let c = 0; c < graph.chans; c++) {
      if (graph.far[c] === -1) continue
      sum[linkClass[c]!]! += load[c]!
      wired[linkClass[c]!]!++
    }
    for (let c = 0; c < graph.chans; c++) {
      if (load[c] === 0) continue
      const k = linkClass[c]!
      const mean = Math.min(load[c]!, sum[k]! / wired[k]!)
      load[c] = (Math.max(mean, load[c]! * certain(counts[c]!)) * counts[c]!) / carries[c]!
    }
    const sent = this.passes()
    this.eachWay((s, path, at, n) => {
      let full = false
      for (let i = at + n - 1; i >= at; i--) {
        if (full) blocked[path[i]!]! += this.weight[s]!
        full ||= load[path[i]!]! * sent > FULL
      }
    })
  }

  /** The part of all that is offered that gets through. */
  passes(): number {
    const { streams } = this.ways()
    const offered = streams.map((_, s) => this.weight[s]! * this.packets[s]!)
    const all = offered.reduce((a, b) => a + b, 0)
    return all === 0 ? 1 : streams.reduce((sum, w, s) => sum + w.passes * offered[s]!, 0) / all
  }

  ways(): Ways {
    const { graph } = this.network.topology
    const { load } = this
    const packets = this.paths.map(() => 0)
    const sums = this.paths.map(() => ({ hops: 0, wires: 0, passes: 0, worst: 1 }))
    let busy = 0
    let all = 0
    this.eachWay((s, path, at, n) => {
      const of = sums[s]!
      let most = 0
      for (let i = at; i < at + n; i++) {
        of.wires += graph.latency[path[i]!]!
        most = Math.max(most, load[path[i]!]!)
      }
      const passes = Math.min(1, 1 / most)
      busy += this.weight[s]! * most
      all += this.weight[s]!
      packets[s]!++
      of.hops += n * passes
      of.passes += passes
      of.worst = Math.min(of.worst, passes)
    })
    const streams = sums.map((of, s) => ({
      senders: this.senders[s]!,
      passes: packets[s] === 0 ? 0 : of.passes / packets[s]!,
      worst: of.worst,
      hops: packets[s] === 0 ? 0 : of.hops / of.passes,
      wires: packets[s] === 0 ? 0 : of.wires / packets[s]!,
    }))
    return { streams, busiest: all === 0 ? 0 : busy / all }
  }

  private eachWay(visit: (s: number, path: readonly number[], at: number, n: number) => void): void {
    for (const [s, path] of this.paths.entries()) for (let i = 0; i < path.length; i += path[i]! + 1) visit(s, path, i + 1, path[i]!)
  }
}

function bitCount(mask: number): number {
  let n = 0
  for (let m = mask; m !== 0; m &= m - 1) n++
  return n
}

/** The part of so many sightings that is not chance. */
function certain(seen: number): number {
  return Math.max(0, 1 - 1 / Math.sqrt(seen) - 4 / seen)
}
