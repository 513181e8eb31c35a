// The channel dependency graph: "Deadlock-free message routing in multiprocessor interconnection networks", W. J. Dally
// and C. L. Seitz, 1987. A node is a (channel, VC) pair, node = chan * vcs + vc. An edge means that some packet may
// hold the first node and request the second.
//
// An edge leads from a channel to a channel of the router where it arrives. The set of edges is therefore stored as one
// bit per (node, port there, VC), and a list holds the edges in the order in which they were found.
import { type Graph, UNWIRED } from "../model/graph.ts"
import type { Chan, End, Vc } from "../model/ids.ts"
import { Ints } from "./ints.ts"

export class Dependencies {
  readonly graph: Graph
  readonly vcs: number
  readonly nodes: number
  readonly from = new Ints()
  readonly to = new Ints()
  /** [edge] -> destination of a packet that makes it; witness.ts starts from there */
  readonly dest = new Ints()
  /** [node] -> 1 if a packet may request it directly from its endpoint */
  readonly entered: Uint8Array
  private readonly words: number
  private readonly bits: Int32Array
  private readonly first: Int32Array

  constructor(graph: Graph, vcs: number) {
    this.graph = graph
    this.vcs = vcs
    this.nodes = graph.chans * vcs
    this.entered = new Uint8Array(this.nodes)
    let ports = 0
    for (let r = 0; r < graph.routers; r++) ports = Math.max(ports, graph.firstChan[r + 1] - graph.firstChan[r])
    this.words = (ports * vcs + 31) >> 5
    this.bits = new Int32Array(this.nodes * this.words)
    this.first = new Int32Array(graph.chans)
    for (let c = 0; c < graph.chans; c++) this.first[c] = graph.firstChan[graph.routerOf[c]]
  }

  get edges(): number {
    return this.from.n
  }

  /** Adds an edge. Returns true if it is new. */
  add(from: number, to: number, dest: End): boolean {
    const bit = to - this.first[(to / this.vcs) | 0] * this.vcs
    const word = from * this.words + (bit >> 5)
    const old = this.bits[word]
    const one = 1 << (bit & 31)
    if ((old & one) !== 0) return false
    this.bits[word] = old | one
    this.from.push(from)
    this.to.push(to)
    this.dest.push(dest)
    return true
  }

  /** Returns whether the edge is in the set. */
  has(from: number, to: number): boolean {
    const bit = to - this.first[(to / this.vcs) | 0] * this.vcs
    return (this.bits[from * this.words + (bit >> 5)] & (1 << (bit & 31))) !== 0
  }

  clear(): void {
    this.bits.fill(0)
    this.entered.fill(0)
    this.from.n = this.to.n = this.dest.n = 0
  }

  chanOf(node: number): Chan {
    return Math.floor(node / this.vcs)
  }
  vcOf(node: number): Vc {
    return node % this.vcs
  }

  /** Returns a node as text, as in `3,1 (port 2) -> 4,0 VC 1`, with the names of the routers. */
  tell(node: number, label: (r: number) => string): string {
    const { graph } = this
    const c = this.chanOf(node)
    const at = graph.routerOf[c]
    const far = graph.far[c]
    const there = far >= 0 ? label(graph.routerOf[far]) : far === UNWIRED ? "nowhere" : "an endpoint"
    return `${label(at)} (port ${c - graph.firstChan[at]}) -> ${there} VC ${this.vcOf(node)}`
  }
}
