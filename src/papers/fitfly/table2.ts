// Table 2: configurations of the four networks that the paper compares. Bandwidth, routing and plane selection are choices, not results: they are
// in the experiments of the figures.

import { exactly, type PaperFigure, type Row, within } from "../../lab/paper.ts"
import { measure } from "../../proof/measures.ts"
import { cites, misprint, type Network, network } from "./networks.ts"

/** [router radix, planes, rails, groups, nodes, routers, global connections (both directions), nodes of a group and rail, global connections of a group] */
const printed: Readonly<Record<Network, readonly number[]>> = {
  "Slim Fly": [28, 1, 1, 26, 3042, 338, 4732, 117, 169],
  "Fit Fly": [28, 2, 2, 52, 3042, 676, 9464, 117, 169],
  Dragonfly: [36, 1, 1, 19, 3078, 342, 3078, 162, 162],
  Megafly: [36, 1, 1, 10, 3240, 360, 3240, 324, 324],
}

function rowsOf(name: Network): Row[] {
  const [radix, planes, rails, groups, nodes, routers, globals, nodesEach, globalsEach] = printed[name] as [number, ...number[]]
  const topology = network(name)
  const m = measure(topology, { bisection: false })
  const directed = 2 * m.linksByClass["global"]!
  const perGroup = directed / m.groups!
  const of = (what: string) => `${name}: ${what}`
  return [
    name === "Dragonfly"
      ? within({
          claim: of("router radix"),
          paper: radix,
          value: m.radix,
          low: 35,
          high: 35,
          note: "ports in use; one port of 36 stays free",
        })
      : exactly(of("router radix"), radix, m.radix),
    exactly(of("planes"), planes!, "planes" in topology ? Number(topology.planes) : 1),
    exactly(of("rails"), rails!, m.rails),
    exactly(of("groups"), groups!, m.groups!),
    exactly(of("nodes"), nodes!, m.endpoints),
    exactly(of("routers"), routers!, m.routers),
    globals === groups! * globalsEach!
      ? exactly(of("global connections"), globals, directed)
      : misprint(
          of("global connections"),
          globals!,
          groups! * globalsEach!,
          `${groups} groups of ${globalsEach}, its own row below`,
          directed,
        ),
    exactly(of("nodes of a group and rail"), nodesEach!, (m.endpoints * m.rails) / m.groups!),
    exactly(of("global connections of a group"), globalsEach!, perGroup),
  ]
}

export default {
  id: "fitfly/table2",
  cites,
  title: "Configurations of Slim Fly, Fit Fly, Dragonfly and Megafly",
  claim: "four networks of about 3,000 nodes: counts of routers, groups, ports and global connections",
  rows: () => (Object.keys(printed) as Network[]).flatMap(rowsOf),
} satisfies PaperFigure
