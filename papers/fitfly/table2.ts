// Table 2: configurations of the four networks that the paper compares. Bandwidth, routing and plane selection are choices, not results: they are
// in the experiments of the figures.
import { measure } from "../../src/proof/measures.ts"
import { exact, misprint, type Network, network, type Row } from "./networks.ts"

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
      ? { claim: of("fits the radix (one port of 36 stays free)"), paper: radix, value: m.radix, low: 35, high: 36, pass: m.radix === 35 }
      : exact(of("router radix"), radix, m.radix),
    exact(of("planes"), planes!, "planes" in topology ? Number(topology.planes) : 1),
    exact(of("rails"), rails!, m.rails),
    exact(of("groups"), groups!, m.groups!),
    exact(of("nodes"), nodes!, m.endpoints),
    exact(of("routers"), routers!, m.routers),
    globals === groups! * globalsEach!
      ? exact(of("global connections"), globals, directed)
      : misprint(
          of("global connections"),
          globals!,
          groups! * globalsEach!,
          `${groups} groups of ${globalsEach}, its own row below`,
          directed,
        ),
    exact(of("nodes of a group and rail"), nodesEach!, (m.endpoints * m.rails) / m.groups!),
    exact(of("global connections of a group"), globalsEach!, perGroup),
  ]
}

export default {
  id: "fitfly/table2",
  title: "Configurations of Slim Fly, Fit Fly, Dragonfly and Megafly",
  claim: "four networks of about 3,000 nodes: counts of routers, groups, ports and global connections",
  rows: (): Row[] => (Object.keys(printed) as Network[]).flatMap(rowsOf),
}
