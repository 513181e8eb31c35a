// Butterfly, a k-ary n-fly (Dally and Towles, chapter 4). It has k^n endpoints and n stages of k^(n-1) routers, each
// with k inputs and k outputs. Traffic flows only from stage 0 to stage n-1, so every packet crosses one router of each
// stage.
//
// Router (stage s, address a) has the number s * k^(n-1) + a. Endpoint c injects at (0, c div k), port c mod k, and
// ejects at (n-1, c div k), port c mod k. Output o of (s, a) leads to stage s+1, to the address in which the digit of
// weight k^(n-2-s) is replaced by o; it arrives there on the input whose number is the old digit.
//
// Limits: channels have one direction, so a routing that turns back cannot use this network.
import { int, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { Router } from "../model/ids.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

type Params = { k: number; n: number }

export class Butterfly implements Topology {
  readonly name = "butterfly"
  readonly graph: Graph
  readonly k: number
  readonly n: number
  /** routers in one stage */
  readonly width: number
  readonly digits: { readonly radix: number; readonly count: number; readonly ends: number }

  constructor({ k, n }: Params) {
    this.k = k
    this.n = n
    this.width = k ** (n - 1)
    this.digits = { radix: k, count: n, ends: 1 }
    this.graph = this.build()
  }

  private build(): Graph {
    const { k, n, width } = this
    const b = new GraphBuilder(k * width, n * width, k, { classes: ["end", "link"] })
    for (let e = 0; e < k * width; e++) {
      b.inject(e, Math.floor(e / k), e % k)
      b.eject(e, (n - 1) * width + Math.floor(e / k), e % k)
    }
    // Stage s corrects the most significant digit that is still open: after n-1 stages all digits are those of the
    // output.
    for (let s = 0; s + 1 < n; s++) {
      const weight = k ** (n - 2 - s)
      for (let a = 0; a < width; a++) {
        const digit = Math.floor(a / weight) % k
        for (let o = 0; o < k; o++) b.wire(s * width + a, o, (s + 1) * width + a + (o - digit) * weight, digit)
      }
    }
    return b.finish()
  }

  /** Returns the links from router a to router b, or Infinity where this one-way network has no path. A router reaches
   *  the routers of later stages that agree with it in every digit that the stages between them do not change. */
  hops(a: Router, b: Router): number {
    const { k, n, width } = this
    const from = Math.floor(a / width)
    const to = Math.floor(b / width)
    if (to < from) return Number.POSITIVE_INFINITY
    for (let i = 0; i < n - 1; i++) {
      const changed = n - 2 - i >= from && n - 2 - i < to
      const weight = k ** i
      if (!changed && Math.floor(a / weight) % k !== Math.floor(b / weight) % k) return Number.POSITIVE_INFINITY
    }
    return to - from
  }

  label(r: Router): string {
    return `stage ${Math.floor(r / this.width)}, router ${r % this.width}`
  }
}

export default {
  kind: "topology",
  name: "butterfly",
  aliases: ["fly"],
  about: "Unidirectional multistage network in which each packet crosses one router of each stage.",
  cites: "Principles and Practices of Interconnection Networks, W. J. Dally and B. Towles, 2004",
  limits: "channels have one direction only: routings that turn back cannot use it",
  params: schema({
    k: int({ about: "Number of inputs and of outputs of a router", min: 2 }),
    n: int({ about: "Number of stages", min: 1, max: 30 }),
  }),
  size: ({ k, n }) => ({ ends: k ** n, routers: n * k ** (n - 1), chans: n * k ** n }),
  make: (p) => new Butterfly(p),
} satisfies TopologyPlugin<Params, Butterfly>
