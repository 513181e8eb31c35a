// Table 2: configurations of the four networks that the paper compares. Bandwidth, routing and plane selection are choices, not results: they are
// in the experiments of the figures.

import { measure } from "../../proof/measures.ts"
import { definition, exactly, type Facts, type PaperFigure, type Read, type Row } from "../paper.ts"
import { cites, misprint, type Network, network } from "./networks.ts"

/** Global connections count both directions. */
const what = [
  "router radix",
  "planes",
  "rails",
  "groups",
  "nodes",
  "routers",
  "global connections",
  "nodes of a group and rail",
  "global connections of a group",
] as const
type Nine = [number, number, number, number, number, number, number, number, number]

const printed: Readonly<Record<Network, Readonly<Nine>>> = {
  "Slim Fly": [28, 1, 1, 26, 3042, 338, 4732, 117, 169],
  "Fit Fly": [28, 2, 2, 52, 3042, 676, 9464, 117, 169],
  Dragonfly: [36, 1, 1, 19, 3078, 342, 3078, 162, 162],
  Megafly: [36, 1, 1, 10, 3240, 360, 3240, 324, 324],
}
const names = Object.keys(printed) as Network[]

function inspect(): Facts {
  const facts: Record<string, number> = {}
  for (const name of names) {
    const topology = network(name)
    const m = measure(topology, { bisection: false })
    const groups = m.groups ?? Number.NaN
    const globals = 2 * m.linksByClass["global"]!
    const planes = "planes" in topology ? Number(topology.planes) : 1
    const read = [m.radix, planes, m.rails, groups, m.endpoints, m.routers, globals, (m.endpoints * m.rails) / groups, globals / groups]
    what.forEach((of, i) => {
      facts[`${name}: ${of}`] = read[i]!
    })
  }
  return facts
}

function rowsOf(name: Network, read: Read): Row[] {
  const [, , , groups, , routers, , nodesEach, globalsEach] = printed[name]
  return what.map((of, i): Row => {
    const claim = `${name}: ${of}`
    const [paper, value] = [printed[name][i]!, read(claim)]
    if (of === "global connections" && paper !== groups * globalsEach)
      return misprint(claim, paper, groups * globalsEach, `${groups} groups of ${globalsEach}, its own row below`, value)
    if (of === "router radix" && name === "Dragonfly") {
      // endpoints, the other routers of the group, global links: from the table's own rows
      const each = routers / groups
      const used = nodesEach / each + each - 1 + globalsEach / each
      const note = `ports of the router that is bought; ${used} are in use by the table's own rows (${nodesEach / each} + ${each - 1} + ${globalsEach / each})`
      return definition({ claim, paper, value, low: used, high: used, note })
    }
    return exactly(claim, paper, value)
  })
}

export default {
  id: "fitfly/table2",
  cites,
  title: "Configurations of Slim Fly, Fit Fly, Dragonfly and Megafly",
  claim: "four networks of about 3,000 nodes: counts of routers, groups, ports and global connections",
  inspect,
  rows: (_runs, _mode, read) => names.flatMap((name) => rowsOf(name, read)),
} satisfies PaperFigure
