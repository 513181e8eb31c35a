// Injection queues of an adapter that mirror a simple scheme. A packet joins the queue with the number that it will
// have at the switch, if that queue has space. Queues whose head packet has credits are served round-robin.
import { i32 } from "../../../fabric/columns.ts"
import { DST, eachInChain, FLITS, KEY } from "../../../fabric/packets.ts"
import { type EndpointProtocol, type EndpointSite, UNTIL_WOKEN } from "../../../model/protocol.ts"
import { makePacketQueues } from "../../parts/packet-queues.ts"
import { sum } from "../isolation/report.ts"
import type { InjectionSpec } from "./spec.ts"

export function makePlainQueues(
  { rows, outer, hasCredits }: EndpointSite,
  { site, scheme, table, wish }: InjectionSpec,
): EndpointProtocol {
  const { packets } = site.columns
  const { graph } = site.layout
  const { lanes: Q, laneFlits: LANE_FLITS, lane } = scheme
  const packetQueues = makePacketQueues(packets, rows * Q)
  const { push, pop, heads } = packetQueues
  // [endpoint, queue] -> its flits; [endpoint] -> number of packets, round-robin pointer
  const used = i32(rows * Q)
  const packetsIn = i32(rows)
  const turn = i32(rows)
  // [endpoint] -> the first cycle in which a packet may join its queues
  const ready = i32(rows)
  const PACED = wish.rate !== "any"
  const laneOf = (e: number, to: number): number => lane(graph.routerOf[graph.entry[outer(e)]], to, table)

  function mayInject(e: number, to: number, flits: number, t: number): number {
    if (used[e * Q + laneOf(e, to)] + flits > LANE_FLITS) return UNTIL_WOKEN
    return ready[e] > t ? ready[e] : 0
  }

  function joins(e: number, p: number, t: number): void {
    if (PACED) ready[e] = t + packets[p + FLITS]
    const queue = e * Q + laneOf(e, packets[p + DST])
    used[queue] += packets[p + FLITS]
    packetsIn[e]++
    push(queue, p)
  }

  function next(e: number): number {
    if (packetsIn[e] === 0) return 0
    let k = turn[e]
    for (let n = 0; n < Q; n++) {
      const p = heads[e * Q + k]
      if (p !== 0 && hasCredits(e, packets[p + DST], packets[p + FLITS])) {
        pop(e * Q + k)
        used[e * Q + k] -= packets[p + FLITS]
        packetsIn[e]--
        turn[e] = k + 1 === Q ? 0 : k + 1
        return p
      }
      k = k + 1 === Q ? 0 : k + 1
    }
    return 0
  }

  return {
    mayInject,
    joins,
    next,
    columns: { ...packetQueues.columns, used, packetsIn, turn, ready },
    kept: () => sum(packetsIn),
    digest(add) {
      for (let e = 0; e < rows; e++) {
        if (outer(e) < 0) continue
        add(outer(e), turn[e])
        for (let k = 0; k < Q; k++)
          eachInChain(packets, packetQueues.first(e * Q + k), (p, place) =>
            add(outer(e) + (k << 20), packets[p + KEY], place),
          )
      }
    },
  }
}
