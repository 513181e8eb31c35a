// Crossbar: one router with n endpoints. It serves as the ideal with which networks are compared, and as a test bench
// for a switch model, because nothing but the switch can delay a packet.
import { int, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

type Params = { n: number }

export class Crossbar implements Topology {
  readonly name = "crossbar"
  readonly graph: Graph
  readonly digits: { readonly radix: number; readonly count: number; readonly ends: number }
  readonly representatives = [0]

  constructor({ n }: Params) {
    const b = new GraphBuilder(n, 1, n, { classes: ["end"] })
    for (let e = 0; e < n; e++) b.attach(e, 0, e)
    this.graph = b.finish()
    this.digits = { radix: n, count: 1, ends: 1 }
  }

  hops(): number {
    return 0
  }

  label(): string {
    return "crossbar"
  }
}

export default {
  kind: "topology",
  name: "crossbar",
  about: "A single router with n endpoints.",
  params: schema({ n: int({ about: "Number of endpoints", min: 2 }) }),
  size: ({ n }) => ({ ends: n, routers: 1, chans: n }),
  make: (p) => new Crossbar(p),
} satisfies TopologyPlugin<Params, Crossbar>
