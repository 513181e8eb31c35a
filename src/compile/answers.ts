// Routers that answer what they drop, or throttle, in the middle of the way: from each of them there must be a way to every endpoint. A network whose links go
// one way only, such as a butterfly, has none.
import { type Complaint, complain } from "../core/complaint.ts"
import type { CongestionModel } from "../model/congestion.ts"
import type { Graph } from "../model/graph.ts"
import type { Stream } from "../model/stream.ts"

export function withoutAnswers(graph: Graph, topology: string, congestion: CongestionModel, name: string): Complaint[] {
  if (congestion.dropping === undefined && congestion.sensing?.routers === undefined) return []
  // every router reaches router 0, and is reached from it
  if (reached(graph, true) === graph.routers && reached(graph, false) === graph.routers) return []
  return [
    complain(
      "network.congestion.name",
      `routers of "${name}" answer sources, and in this ${topology} not every router has a way to them`,
      "choose a topology whose links go both ways, or a protocol of endpoints alone, such as ecn-delay",
    ),
  ]
}

/** Epochs in which no whole packet would come prove nothing. */
export function shortEpochs(streams: readonly Stream[], { epochs }: CongestionModel): Complaint[] {
  const most = Math.max(1, ...streams.map((s) => s.packet.max))
  return Object.entries(epochs ?? {}).flatMap(([key, cycles]) =>
    cycles < most
      ? [
          complain(
            `network.congestion.${key}`,
            `${cycles} cycles are less than a packet of ${most} flits takes`,
            `set it to at least ${most}cycles`,
          ),
        ]
      : [],
  )
}

/** Routers that router 0 reaches, or that reach it. */
function reached(graph: Graph, forwards: boolean): number {
  const { firstChan, routerOf } = graph
  const ways = forwards ? graph.far : graph.near
  const seen = new Uint8Array(graph.routers)
  const queue = [0]
  seen[0] = 1
  for (const r of queue)
    for (let c = firstChan[r]!; c < firstChan[r + 1]!; c++) {
      const other = ways[c]! >= 0 ? routerOf[ways[c]!]! : r
      if (seen[other] !== 0) continue
      seen[other] = 1
      queue.push(other)
    }
  return queue.length
}
