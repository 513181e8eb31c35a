// Switches that ask for the routing's table, against the routing.
import { type Complaint, complain } from "../core/complaint.ts"
import { tableOf } from "../fabric/table.ts"
import { unreadable } from "../model/routing.ts"
import type { Network } from "./network.ts"

type Routed = Pick<Network, "topology" | "routing" | "routingPlugin">

export function noTable(sw: Network["switch"], { topology, routing, routingPlugin: plugin }: Routed): Complaint[] {
  if (sw.moves !== "packets" || sw.table !== true) return []
  const table = () => tableOf(routing, topology.graph, plugin.candidates ?? 1, unreadable(plugin.name))
  if (plugin.adaptive === false && table() !== undefined) return []
  return [
    complain(
      "network.switch.scheme",
      `asks for a table of the output for each destination, and "${plugin.name}" does not choose by the destination alone`,
      "choose another scheme, or a deterministic routing such as tree.destination-digit",
    ),
  ]
}
