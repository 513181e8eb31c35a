// From parameters to what the engine must know before it lays out memory.

import type { RoomSpec } from "../../fabric/rooms.ts"
import { type Table, tableOf } from "../../fabric/table.ts"
import type { TransferSwitchModel } from "../../fabric/transfer.ts"
import type { Graph } from "../../model/graph.ts"
import type { EndpointProtocol, EndpointSite } from "../../model/protocol.ts"
import { makeFlowAdapter } from "./bfc/adapter.ts"
import { FLOWS } from "./bfc/columns.ts"
import { checkPackets } from "./check.ts"
import { makeAdapter } from "./isolation/adapter.ts"
import { longestNote } from "./isolation/pieces.ts"
import { crossesOf } from "./isolation/recn/ways.ts"
import type { QueueSchemeParams } from "./params.ts"
import { schemeOf } from "./schemes.ts"
import { makeQueueScheme } from "./switch.ts"

/** Flits of a packet are 11 bits of a credit. */
const MOST_FLITS = 2047

export function queueSchemeModel(p: QueueSchemeParams, graph: Graph): TransferSwitchModel {
  const scheme = schemeOf(p, graph)
  const { lines = 0, laneFlits, lineFlits = laneFlits } = scheme
  const maxPacket = Math.min(MOST_FLITS, laneFlits, lineFlits)
  const flows = scheme.flows === true
  const tells = flows || (lines > 0 && p.detection !== "off")
  let records: Int32Array = new Int32Array(0)
  const hold = new Uint16Array(maxPacket + 1).fill(p.pipeline)
  const room = (flits: number): RoomSpec => ({ flits, reserve: 0, reservedVcs: 0, cap: flits, part: 0 })
  // known when the routing is: before any packet is sent
  let table: Table | undefined
  const answer = p.scheme === "fbicm-2" && (p.answer ?? true)

  function endpointOf(site: EndpointSite): EndpointProtocol {
    if (flows) return makeFlowAdapter(site, p.flows ?? FLOWS)
    const shared = { lines, header: p.header ?? 8, answer, packets: records }
    if (scheme.turns !== true) return makeAdapter(site, shared)
    const crosses = crossesOf(graph, table!)
    return makeAdapter(site, {
      ...shared,
      crosses: (from, d, turns, n) => crosses(graph.routerOf[graph.entry[from]!]!, d, turns, 0, n),
    })
  }

  return {
    moves: "packets",
    vcs: 1,
    innerVcs: 0,
    clock: { link: 1, core: 1 },
    hold,
    // a transfer through the crossbar is one over the link
    pass: new Uint16Array(1),
    stashes: false,
    buffers: { input: () => room(scheme.lanes * scheme.laneFlits), output: () => room(0) },
    carried: () => 1,
    ackVc: 0,
    sums: true,
    ownWord: lines > 0,
    tells,
    ...(tells ? { longestNote: longestNote(p) } : {}),
    table: scheme.table,
    lanes: { count: scheme.lanes, flits: scheme.laneFlits, of: (router, dst) => scheme.lane(router, dst, table) },
    maxPacket,
    checkPackets: (shortest) => checkPackets(p, scheme, shortest),
    ...(p.scheme === "voq-network" ? { packetKeys: ["queue"] } : { packetKeys: ["memory"], packetParts: scheme.lanes }),
    innerFlits: 0,
    copies: 0,
    sequence: false,
    longestTimer: tells && !flows ? (p.timer ?? 256) + 1 : 0,
    ...(tells ? { endpoint: (site: EndpointSite) => endpointOf(site) } : {}),
    build: (site, use) => {
      records = site.columns.packets
      if (scheme.table) table ??= tableOf(use.routing, graph, use.candidates)
      return makeQueueScheme({ site, use, p, scheme, table, hold })
    },
  }
}
