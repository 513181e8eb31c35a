// From parameters to what the engine must know before it lays out memory.

import type { RoomSpec } from "../../fabric/rooms.ts"
import { type Table, tableOf } from "../../fabric/table.ts"
import type { TransferSite, TransferSwitchModel } from "../../fabric/transfer.ts"
import type { InjectionWish } from "../../model/endpoint.ts"
import type { Graph } from "../../model/graph.ts"
import type { EndpointProtocol, EndpointSite } from "../../model/protocol.ts"
import { makeFlowAdapter } from "./bfc/adapter.ts"
import { FLOWS } from "./bfc/columns.ts"
import { checkPackets } from "./check.ts"
import { makeLineQueues } from "./injection/lines.ts"
import { makePlainQueues } from "./injection/plain.ts"
import { makeAdapter } from "./isolation/adapter.ts"
import { longestNote } from "./isolation/pieces.ts"
import { crossesOf } from "./isolation/recn/ways.ts"
import { MEMORY, type QueueSchemeParams } from "./params.ts"
import { schemeOf } from "./schemes.ts"
import { makeQueueScheme } from "./switch.ts"

/** A routing is asked so many times at most for the table of a scheme that could do without. */
const MOST_ASKED = 2 ** 21
/** Flits of a packet are 11 bits of a credit. */
const MOST_FLITS = 2047

export function queueSchemeModel(p: QueueSchemeParams, graph: Graph): TransferSwitchModel {
  const scheme = schemeOf(p, graph)
  const { lines = 0, laneFlits, lineFlits = laneFlits } = scheme
  const maxPacket = Math.min(MOST_FLITS, laneFlits, lineFlits)
  const flows = scheme.flows === true
  const tells = flows || (lines > 0 && p.detection !== "off")
  const hold = new Uint16Array(maxPacket + 1).fill(p.pipeline)
  const room = (flits: number): RoomSpec => ({ flits, reserve: 0, reservedVcs: 0, cap: flits, part: 0 })
  // known when the routing is: before any packet is sent
  let table: Table | undefined
  let built: TransferSite | undefined
  const answer = p.scheme === "fbicm-2" && (p.answer ?? true)

  function endpointOf(site: EndpointSite): EndpointProtocol {
    if (flows) return makeFlowAdapter(site, p.flows ?? FLOWS)
    const shared = { lines, header: p.header ?? 8, answer, packets: built!.columns.packets }
    if (scheme.turns !== true) return makeAdapter(site, shared)
    const crosses = crossesOf(graph, table!)
    return makeAdapter(site, {
      ...shared,
      crosses: (from, d, turns, n) => crosses(graph.routerOf[graph.entry[from]!]!, d, turns, 0, n),
    })
  }

  function queues(wish: InjectionWish): (site: EndpointSite) => EndpointProtocol {
    return (site) => (lines > 0 ? makeLineQueues : makePlainQueues)(site, { site: built!, p, scheme, table, wish })
  }

  return {
    moves: "packets",
    vcs: 1,
    innerVcs: 0,
    clock: { link: 1, core: 1 },
    hold,
    // one credit for each transfer; of the normal queue alone, two may leave in a cycle
    near: p.credits !== "nfq",
    bursts: p.credits === "nfq",
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
    ...(flows || scheme.turns === true
      ? {}
      : { injection: { flits: lines > 0 ? (p.memory ?? MEMORY) : scheme.lanes * laneFlits, lines: lines > 0, queues } }),
    build: (site, use) => {
      built = site
      if (scheme.table) table ??= tableOf(use.routing, graph, use.candidates, use.net.at.slot)
      const small = graph.chans * graph.ends <= MOST_ASKED
      const ways = table ?? (use.adaptive || !small ? undefined : tableOf(use.routing, graph, use.candidates, use.net.at.slot))
      return makeQueueScheme({ site, use, p, scheme, table, ways, hold })
    },
  }
}
