// Finds the VCs on which a routing sends packets, by link class, within a budget of decisions. compile/carried.ts
// compares them with the VCs that the links of a switch carry. Destinations are visited in an order in which any
// beginning is spread over the network, so that an incomplete walk has still seen every kind of position.
import type { RoutingFunction } from "../model/routing.ts"
import { economical } from "./exploration-limit.ts"
import { spaced } from "./spaced.ts"
import type { Subject } from "./subject.ts"
import { Walker } from "./walk.ts"

export interface UsedVcs {
  /** [link class] -> mask of VCs */
  readonly masks: Int32Array
  /** every destination was walked */
  readonly complete: boolean
}

/** Returns the VCs. `choice`: the switch takes any VC of a candidate, or always the lowest one. */
export function usedVcs(subject: Subject, choice: "any" | "lowest", budget: number): UsedVcs {
  const { graph } = subject.topology
  const walker = new Walker(choice === "any" ? subject : { ...subject, routing: lowest(subject.routing) }, economical)
  const dests = spaced(Array.from({ length: graph.ends }, (_, e) => e))
  const walked = walker.walkAll(dests, () => walker.runs > budget)
  const masks = new Int32Array(graph.classes.length)
  const { deps } = walker
  const use = (node: number) => {
    masks[graph.linkClass[deps.chanOf(node)]] |= 1 << deps.vcOf(node)
  }
  for (let node = 0; node < deps.nodes; node++) if (deps.entered[node] !== 0) use(node)
  for (let e = 0; e < deps.edges; e++) use(deps.to.data[e])
  return { masks, complete: walked === dests.length }
}

/** Returns the same routing as a switch sees it that takes the lowest VC of each candidate. */
function lowest(routing: RoutingFunction): RoutingFunction {
  const { inject, room } = routing
  return {
    ...(inject === undefined ? {} : { inject: (p, at, net) => inject.call(routing, p, at, net) }),
    ...(room === undefined ? {} : { room: (at, inPort, port) => room.call(routing, at, inPort, port) }),
    route(p, at, inPort, inVc, net, out) {
      routing.route(p, at, inPort, inVc, net, out)
      for (let i = 0; i < out.n; i++) out.vcMask[i] &= -out.vcMask[i]
    },
  }
}
