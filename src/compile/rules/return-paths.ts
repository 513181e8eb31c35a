// Checks return paths: routers that respond to dropped packets, or send throttles, from inside the network need a path
// to every endpoint. A network with unidirectional links, such as a butterfly, does not have them.
import { complain, type Rule } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import type { StreamsLook, VcsLook } from "./looks.ts"

/** Routers that answer sources need a path to each. */
export const returnPaths: Rule<VcsLook> = {
  reads: ["network.congestion.name", "network.topology"],
  test({ topology: { graph, name: topology }, congestion, name }) {
    if (congestion.dropping === undefined && congestion.sensing?.routers === undefined) return []
    // Router 0 reaches all routers and is reached from all: then every router has a path to every other.
    if (reached(graph, true) === graph.routers && reached(graph, false) === graph.routers) return []
    return [
      complain(
        "network.congestion.name",
        `routers of "${name}" send responses to sources, but in this ${topology} not every router has a path to them`,
        "choose a topology with bidirectional links, or a protocol without responses from routers, such as ecn-delay",
      ),
    ]
  },
}

/** An epoch in which no whole packet can arrive is too short to decide anything. */
export const shortEpochs: Rule<StreamsLook> = {
  reads: ["network.congestion.*", "traffic.*.packet"],
  test({ network, given }) {
    if (network.switch.moves === "flits") return []
    const most = Math.max(1, ...given.map((s) => s.packet.max))
    return Object.entries(network.congestion.epochs ?? {}).flatMap(([key, cycles]) =>
      cycles < most
        ? [
            complain(
              `network.congestion.${key}`,
              `${cycles} cycles are less than the ${most} cycles of the longest packet`,
              `set it to at least ${most}cycles`,
            ),
          ]
        : [],
    )
  },
}

/** Returns the number of routers that router 0 reaches, or that reach it. */
function reached(graph: Graph, forwards: boolean): number {
  const { firstChan, routerOf } = graph
  const ways = forwards ? graph.far : graph.near
  const seen = new Uint8Array(graph.routers)
  const queue = [0]
  seen[0] = 1
  for (const r of queue)
    for (let c = firstChan[r]; c < firstChan[r + 1]; c++) {
      const other = ways[c] >= 0 ? routerOf[ways[c]] : r
      if (seen[other] !== 0) continue
      seen[other] = 1
      queue.push(other)
    }
  return queue.length
}
