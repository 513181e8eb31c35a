// Choice among equally good ports: the first, a random one, the one with the fewest queued flits (ties at random), or
// one by a hash of source and destination, as ECMP does. All packets of a pair then take one path, and pairs can
// collide. The routings any.shortest, any.up-down, any.table and rail-optimised.minimal collect the ports of a decision
// here.
import { below, draw, streamOf } from "../../core/rng.ts"
import { choice } from "../../core/schema.ts"
import type { Graph } from "../../model/graph.ts"
import type { Packet, Port, Router } from "../../model/ids.ts"
import type { NetView } from "../../model/routing.ts"

export type SpreadRule = "first" | "random" | "least-queued" | "hash"

export const spreadField = choice(["first", "random", "least-queued", "hash"], {
  about:
    "Selection among several minimal paths: the first, a random one for each packet, the emptiest, or by a hash of " +
    "source and destination (ECMP)",
  default: "random",
})

export class Spread {
  private readonly rule: SpreadRule
  private readonly firstChan: Int32Array
  private readonly ports: Int32Array
  private n = 0

  constructor(graph: Graph, rule: SpreadRule) {
    this.rule = rule
    this.firstChan = graph.firstChan
    let radix = 0
    for (let r = 0; r < graph.routers; r++) radix = Math.max(radix, graph.firstChan[r + 1] - graph.firstChan[r])
    this.ports = new Int32Array(radix)
  }

  clear(): void {
    this.n = 0
  }

  add(port: Port): void {
    this.ports[this.n++] = port
  }

  /** Returns the chosen port, or -1 when none was added. */
  pick(p: Packet, at: Router, net: NetView): Port {
    const { ports, rule } = this
    if (this.n === 0) return -1
    if (this.n === 1 || rule === "first") return ports[0]
    if (rule === "hash") return ports[below(draw(streamOf(net.src(p), net.dst(p)), at), this.n)]
    if (rule === "least-queued") this.keepEmptiest(at, net)
    return ports[this.n === 1 ? 0 : net.draw(p, this.n)]
  }

  /** Keeps only the ports with the fewest queued flits. */
  private keepEmptiest(at: Router, net: NetView): void {
    const { ports } = this
    const first = this.firstChan[at]
    let kept = 0
    let least = 0
    for (let i = 0; i < this.n; i++) {
      const queued = net.queued(first + ports[i])
      if (kept > 0 && queued > least) continue
      if (queued < least) kept = 0
      least = queued
      ports[kept++] = ports[i]
    }
    this.n = kept
  }
}
