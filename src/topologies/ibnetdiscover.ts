// The fabric of an InfiniBand site, read from the output of `ibnetdiscover` (readers/ibnetdiscover.ts). Routers are the
// switches in the order of the file, physical port p of a switch is its port p - 1, and each linked port of a channel
// adapter is an endpoint. Endpoints are numbered along switches and ports. Link classes are the widths and speeds of
// the cables, so that network.links can give each a latency.
//
// Limits: all links carry one flit in each cycle, also those of a slower class. No symmetry is known.
import { type Complaint, complain } from "../core/complaint.ts"
import { Distances } from "../core/csr.ts"
import { schema, text } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { BuildSite, TopologyPlugin } from "../model/plugin.ts"
import { SUBNET, type Subnet } from "../model/topology.ts"
import { readIbnetdiscover, type SubnetFile } from "./readers/ibnetdiscover.ts"

type Params = { file: string }

export class Ibnetdiscover implements Subnet {
  readonly name = SUBNET
  readonly graph: Graph
  readonly guids: readonly string[]
  readonly lids: readonly number[]
  readonly endNames: readonly string[]
  private readonly names: readonly string[]
  private readonly distances: Distances

  constructor({ guids, names, ports, links, ends }: SubnetFile) {
    this.guids = guids
    this.names = names
    this.lids = ends.map((e) => e.lid)
    this.endNames = ends.map((e) => e.name)
    // Class 0 is that of the links to endpoints, whatever their cables are.
    const classes = ["end", ...new Set(links.map((l) => l.cable))]
    const b = new GraphBuilder(ends.length, names.length, ports, { classes })
    for (const l of links) b.link(l.a, l.portA - 1, l.b, l.portB - 1, classes.indexOf(l.cable))
    for (const [e, { router, port }] of ends.entries()) b.attach(e, router, port - 1)
    this.graph = b.finish()
    this.distances = new Distances(neighbours(this.graph))
  }

  hops(a: Router, b: Router): number {
    return this.distances.between(a, b)
  }

  label(r: Router): string {
    return this.names[r]
  }
}

function source(p: Params, on: BuildSite): string | undefined {
  try {
    return on.read?.(p.file)
  } catch {
    return undefined
  }
}

export default {
  kind: "topology",
  name: SUBNET,
  about: "The fabric of an InfiniBand site, from the output of ibnetdiscover.",
  cites: "ibnetdiscover(8), infiniband-diags, OpenFabrics Alliance",
  limits: "all links carry one flit in each cycle, whatever their width and speed",
  params: schema({ file: text({ about: "Output of ibnetdiscover" }) }),
  check(p, on): Complaint[] {
    const read = source(p, on)
    if (read === undefined)
      return [complain("file", `"${p.file}" cannot be read`, "give a path relative to the experiment")]
    return readIbnetdiscover(read).bad
  },
  size: () => ({ ends: 0, routers: 0, chans: 0 }),
  make: (p, on) => new Ibnetdiscover(readIbnetdiscover(source(p, on) ?? "").file),
} satisfies TopologyPlugin<Params, Ibnetdiscover>
