// Routing by the linear forwarding tables (LFT) of an InfiniBand fabric: each switch has one output port for each
// destination LID. The tables come from a dump of the fabric's own switches (tables.ts), so `lacewing check` decides
// whether this fabric can deadlock.
//
// The check follows the tables from every switch with endpoints to every endpoint, and reports missing entries, ports
// without a link, and loops. Limits: one path for each destination; alternative LIDs (lmc above 0) are not used; a
// packet may use all VCs of its class, so layers of virtual lanes for each path (LASH, DFSSSP) are not modelled.
import { type Complaint, complain } from "../../core/complaint.ts"
import { schema, text } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin, Site } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import { SUBNET, type Subnet } from "../../model/topology.ts"
import { allVcs } from "../vcs.ts"
import { type ForwardingTables, readTables, unled } from "./tables.ts"

type Params = { file: string }

export class Lft implements RoutingFunction {
  private readonly ends: number
  private readonly all: number
  private readonly tables: ForwardingTables

  constructor(ends: number, vcs: number, tables: ForwardingTables) {
    this.ends = ends
    this.all = allVcs(vcs)
    this.tables = tables
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    out.add(this.tables[at * this.ends + net.dst(p)] - 1, this.all, 0)
  }
}

function source(p: Params, on: Site<Subnet>): string | undefined {
  try {
    return on.read?.(p.file)
  } catch {
    return undefined
  }
}

export default {
  kind: "routing",
  name: `${SUBNET}.lft`,
  about: "Forwarding tables of the fabric's switches, from dump_lfts.sh, ibroute or OpenSM.",
  cites: "ibroute(8), infiniband-diags, OpenFabrics Alliance",
  limits: "one path for each destination; `lacewing check` decides whether the tables are free of deadlock",
  topologies: [SUBNET],
  params: schema({ file: text({ about: "Output of dump_lfts.sh, or of ibroute for each switch" }) }),
  check(p, on): Complaint[] {
    const read = source(p, on)
    if (read === undefined)
      return [complain("file", `"${p.file}" cannot be read`, "give a path relative to the experiment")]
    const { tables, bad } = readTables(read, on.topology)
    return bad.length > 0 ? bad : unled(on.topology, tables)
  },
  vcs: () => 1,
  make: (p, on) => new Lft(on.topology.graph.ends, on.vcs, readTables(source(p, on) ?? "", on.topology).tables),
} satisfies RoutingPlugin<Params, Subnet>
