// Any network, read from a file of links; edges.ts and readers/ define the forms of the file. The ports of a router are
// its links in the order of the file, then its endpoints. Latencies are in cycles, and links are used in both
// directions. Limits: no symmetry is known, so analyses visit every router.
import { type Complaint, complain } from "../core/complaint.ts"
import { Distances } from "../core/csr.ts"
import { choice, flag, int, schema, text } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { BuildSite, TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"
import { beyond, type EdgeList } from "./edges.ts"
import { type GraphForm, graphForms, readGraph } from "./readers/read.ts"

type Params = { file: string; form: GraphForm; p: number; duplicates: boolean }

export class AnyGraph implements Topology {
  readonly name = "graph"
  readonly graph: Graph
  readonly names: readonly string[]
  private readonly distances: Distances

  constructor(list: EdgeList, p: number) {
    this.names = list.names
    const routers = list.names.length
    const classes = ["end", ...new Set(list.edges.map((e) => e.linkClass))]
    const degree = new Int32Array(routers)
    for (const { a, b } of list.edges) {
      degree[a]++
      degree[b]++
    }
    const ends = Array.from(degree, (_, r) => list.ends?.[r] ?? p)
    const total = ends.reduce((a, b) => a + b, 0)
    const b = new GraphBuilder(
      total,
      routers,
      ends.map((e, r) => e + degree[r]),
      { classes },
    )
    const next = new Int32Array(routers)
    for (const edge of list.edges) {
      const out = next[edge.a]++
      const back = next[edge.b]++
      b.wire(edge.a, out, edge.b, back, classes.indexOf(edge.linkClass), edge.latency)
      b.wire(edge.b, back, edge.a, out, classes.indexOf(edge.linkClass), edge.latency)
    }
    let e = 0
    for (let r = 0; r < routers; r++) for (let i = 0; i < ends[r]; i++) b.attach(e++, r, degree[r] + i)
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

/** Returns the text of the file, or undefined where it cannot be read. The site reads it, because a browser has no file
 *  system. */
function source(p: Params, on: BuildSite): string | undefined {
  try {
    return on.read?.(p.file)
  } catch {
    return undefined
  }
}

export default {
  kind: "topology",
  name: "graph",
  about: "Any network from a file: edge list, CSV, JSON, GraphML or adjacency matrix.",
  params: schema({
    file: text({
      about:
        "File of the network; an edge list has lines A B [CLASS [CYCLES]], lines end ROUTER COUNT, and " +
        "comments after #",
    }),
    form: choice(graphForms, { about: "Format of the file; auto = by its extension", default: "auto" }),
    p: int({ about: "Number of endpoints on each router, if the file has no end lines", min: 1, default: 1 }),
    duplicates: flag({ about: "Treat a link that the file lists twice as two parallel links", default: false }),
  }),
  check(p, on): Complaint[] {
    const read = source(p, on)
    if (read === undefined)
      return [complain("file", `"${p.file}" cannot be read`, "give a path relative to the experiment")]
    const { list, bad } = readGraph(read, p.file, p.form, p.duplicates)
    if (list.names.length === 0)
      return [complain("file", `"${p.file}" has no links`, "write one link on each line: A B"), ...bad]
    if (list.ends === undefined) bad.push(...beyond(0, list.names.length * p.p, 0))
    if (list.ends?.every((n) => n === 0)) bad.push(complain("file", "has no endpoints", "add a line: end ROUTER COUNT"))
    return bad
  },
  size: () => ({ ends: 0, routers: 0, chans: 0 }),
  make(p, on) {
    return new AnyGraph(readGraph(source(p, on) ?? "", p.file, p.form, p.duplicates).list, p.p)
  },
} satisfies TopologyPlugin<Params, AnyGraph>
