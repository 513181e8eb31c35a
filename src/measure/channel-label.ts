// Names of channels in the messages of the watchdogs.
import type { Topology } from "../model/topology.ts"

/** Returns the name of a channel: the router and its output port, and the next router or endpoint. */
export function channelLabel(topology: Topology, c: number): string {
  const { graph } = topology
  const far = graph.far[c]
  return (
    `${topology.label(graph.routerOf[c])} (port ${c - graph.firstChan[graph.routerOf[c]]}) -> ` +
    `${far >= 0 ? topology.label(graph.routerOf[far]) : `endpoint ${-2 - far}`}`
  )
}
