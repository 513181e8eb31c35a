// Routing tables: the output port of every router for every destination, for routing functions that depend only on
// these two. Switches that need a table (switch-rules.ts: tableRouting) obtain it from `tableOf`.
import type { Graph } from "../model/graph.ts"
import { Candidates, NetView, type RoutingFunction } from "../model/routing.ts"

/** [router * endpoints + destination] -> port. */
export interface Table {
  readonly ends: number
  readonly ports: Uint8Array
}

/**
 * Returns the table of a routing function that neither draws random numbers nor reads queues. Returns undefined if the
 * input or the packet's scratch words make a difference. `slot`: that of the routing's view, which throws when a queue
 * is read.
 */
export function tableOf(
  routing: RoutingFunction,
  graph: Graph,
  candidates: number,
  slot: Int32Array,
): Table | undefined {
  if (routing.inject !== undefined) return undefined
  const { routers, ends, firstChan } = graph
  const dst = new Int32Array(1)
  const one = new Int32Array(1)
  const none = new Int32Array(graph.chans)
  const net = new NetView({
    ...{ src: one, dst, flits: new Int32Array([1]), hops: one, key: one, scratch: new Int32Array(16), scratchSlots: 1 },
    ...{ slot, capacity: none, credits: none, vcs: 1 },
  })
  const out = new Candidates(candidates)
  const ports = new Uint8Array(routers * ends)
  for (let r = 0; r < routers; r++)
    for (let d = 0; d < ends; d++) {
      // Each input must give the same single candidate.
      dst[0] = d
      for (let from = 0; from < firstChan[r + 1] - firstChan[r]; from++) {
        out.n = 0
        routing.route(0, r, from, 0, net, out)
        if (out.n !== 1 || (from > 0 && ports[r * ends + d] !== out.port[0])) return undefined
        ports[r * ends + d] = out.port[0]
      }
    }
  return { ends, ports }
}
