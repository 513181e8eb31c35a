// Evaluates a round of sample packets: the load of each channel, the accepted share of each flow, and the channels that
// are blocked behind full ones. walks.ts sends the packets, walk.ts finds their paths.

import type { Routed } from "../compile/subject.ts"
import type { Stream } from "../model/stream.ts"

/** A stream with its load in flits per cycle and sender. */
export interface Offered {
  readonly stream: Pick<Stream, "pattern" | "senders">
  readonly load: number
  /** capacity of one VC of a channel: less than the channel, if a router assigns a VC to one packet after the other */
  readonly each: number
}

/** Results of one stream. */
export interface StreamWays {
  /** endpoints that send */
  readonly senders: number
  /** accepted share, and that of the flow with the least */
  readonly passes: number
  /** the part that gets through of the worst flow */
  readonly worst: number
  /** routers visited, and cycles on links */
  readonly hops: number
  readonly wires: number
}

export interface Ways {
  readonly streams: readonly StreamWays[]
  /** utilisation of the busiest channel on a packet's path, on average */
  readonly busiest: number
}

/** Utilisation of a channel in a saturated network: allocators and blocked packets leave the rest unused. */
export const FULL = 0.9

export class Round {
  readonly load: Float64Array
  /** the part of a channel's load that continues over a full channel */
  readonly blocked: Float64Array
  private readonly counts: Int32Array
  /** capacity of a channel: the sum over its packets, then the mean */
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
    // Paths are stored one after the other: length, channels.
    this.paths = offered.map(() => [])
    this.senders = offered.map(() => 0)
    this.packets = offered.map(() => 0)
    this.weight = offered.map(() => 0)
  }

  /** Adds one packet. `walk`: channels of its path, and the number of VCs that could be chosen on each. */
  take(s: number, hops: number, walk: { readonly way: Int32Array; readonly choice: Uint8Array }): number {
    const path = this.paths[s]
    path.push(hops)
    for (let i = 0; i < hops; i++) {
      const c = walk.way[i]
      path.push(c)
      this.counts[c]++
      this.carries[c] += Math.min(FULL, walk.choice[i] * this.each[s])
    }
    return Math.max(1, hops)
  }

  /** Sets the weight of a sample packet of stream s, in flits per cycle. */
  weigh(s: number, senders: number, load: number, packets: number): void {
    this.senders[s] = senders
    this.packets[s] += packets
    this.weight[s] = packets === 0 ? 0 : (load * senders) / this.packets[s]
  }

  /**
   * Computes the loads of all channels relative to their capacity: the observed load minus its sampling error, but not
   * below the mean of the link class.
   */
  close(): void {
    const { graph } = this.network.topology
    const { load, counts, carries, blocked } = this
    load.fill(0)
    blocked.fill(0)
    this.eachWay((s, path, at, n) => {
      for (let i = at; i < at + n; i++) {
        load[path[i]] += this.weight[s]
      }
    })
    const { classes, linkClass } = graph
    const sum = new Float64Array(classes.length)
    const wired = new Float64Array(classes.length)
    for (let c = 0; c < graph.chans; c++) {
      if (graph.far[c] === -1) continue
      sum[linkClass[c]] += load[c]
      wired[linkClass[c]]++
    }
    for (let c = 0; c < graph.chans; c++) {
      if (load[c] === 0) continue
      const k = linkClass[c]
      const mean = Math.min(load[c], sum[k] / wired[k])
      load[c] = (Math.max(mean, load[c] * certain(counts[c])) * counts[c]) / carries[c]
    }
    // A channel that leads to a full one is blocked too. Each path is followed backwards from its destination.
    const sent = this.passes()
    this.eachWay((s, path, at, n) => {
      let full = false
      for (let i = at + n - 1; i >= at; i--) {
        if (full) blocked[path[i]] += this.weight[s]
        full ||= load[path[i]] * sent > FULL
      }
    })
  }

  /** Returns the accepted share of all traffic. */
  passes(): number {
    const { streams } = this.ways()
    const offered = streams.map((_, s) => this.weight[s] * this.packets[s])
    const all = offered.reduce((a, b) => a + b, 0)
    return all === 0 ? 1 : streams.reduce((sum, w, s) => sum + w.passes * offered[s], 0) / all
  }

  /** Returns the results. A flow gets the share of its worst channel. */
  ways(): Ways {
    const { graph } = this.network.topology
    const { load } = this
    const packets = this.paths.map(() => 0)
    const sums = this.paths.map(() => ({ hops: 0, wires: 0, passes: 0, worst: 1 }))
    let busy = 0
    let all = 0
    this.eachWay((s, path, at, n) => {
      const of = sums[s]
      let most = 0
      for (let i = at; i < at + n; i++) {
        of.wires += graph.latency[path[i]]
        most = Math.max(most, load[path[i]])
      }
      const passes = Math.min(1, 1 / most)
      busy += this.weight[s] * most
      all += this.weight[s]
      packets[s]++
      of.hops += n * passes
      of.passes += passes
      of.worst = Math.min(of.worst, passes)
    })
    const streams = sums.map((of, s) => ({
      senders: this.senders[s],
      passes: packets[s] === 0 ? 0 : of.passes / packets[s],
      worst: of.worst,
      hops: packets[s] === 0 ? 0 : of.hops / of.passes,
      wires: packets[s] === 0 ? 0 : of.wires / packets[s],
    }))
    return { streams, busiest: all === 0 ? 0 : busy / all }
  }

  /** Visits all stored paths. */
  private eachWay(visit: (s: number, path: readonly number[], at: number, n: number) => void): void {
    for (const [s, path] of this.paths.entries())
      for (let i = 0; i < path.length; i += path[i] + 1) visit(s, path, i + 1, path[i])
  }
}

/** Returns the part of a load that remains after subtracting the sampling error of `seen` samples. */
function certain(seen: number): number {
  return Math.max(0, 1 - 1 / Math.sqrt(seen) - 4 / seen)
}
