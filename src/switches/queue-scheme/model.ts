// From parameters to the model that the engine reads before it allocates memory: buffers, lanes, timing, endpoint
// protocol and injection queues.

import type { SharedBufferSpec } from "../../fabric/shared-buffers.ts"
import type { SwitchExtensions, SwitchRules, TransferSwitchModel } from "../../fabric/switch-model.ts"
import { longestPacket, ofSwitch, tableRouting } from "../../fabric/switch-rules.ts"
import { type Table, tableOf } from "../../fabric/table.ts"
import type { TransferSite } from "../../fabric/transfer.ts"
import type { InjectionRequest } from "../../model/endpoint.ts"
import type { Graph } from "../../model/graph.ts"
import type { EndpointProtocol, EndpointSite } from "../../model/protocol.ts"
import { makeFlowAdapter } from "./bfc/adapter.ts"
import { FLOWS } from "./bfc/columns.ts"
import { checkPackets } from "./check.ts"
import { makeLineQueues } from "./injection/lines.ts"
import { makePlainQueues } from "./injection/plain.ts"
import { makeAdapter } from "./isolation/adapter.ts"
import { longestControl } from "./isolation/pieces.ts"
import { crossesOf } from "./isolation/recn/paths.ts"
import { MEMORY, type QueueSchemeParams } from "./params.ts"
import type { Scheme } from "./scheme.ts"
import { schemeOf } from "./schemes.ts"
import { makeQueueScheme } from "./switch.ts"

/** Maximum number of routing calls for the table of a scheme that does not need one. */
const MAX_REQUESTED = 2 ** 21
/** The flits of a packet are 11 bits of a credit. */
const MOST_FLITS = 2047

export function queueSchemeModel(p: QueueSchemeParams, graph: Graph): TransferSwitchModel {
  const scheme = schemeOf(p, graph)
  const { lines = 0, laneFlits, lineFlits = laneFlits } = scheme
  const maxPacket = Math.min(MOST_FLITS, laneFlits, lineFlits)
  const flows = scheme.flows === true
  const tells = flows || (lines > 0 && p.detection !== "off")
  const hold = new Uint16Array(maxPacket + 1).fill(p.pipeline)
  const bufferOf = (flits: number): SharedBufferSpec => ({ flits, reserve: 0, reservedVcs: 0, cap: flits, part: 0 })
  // Known once the routing is known, which is before any packet is sent.
  let table: Table | undefined
  let built: TransferSite | undefined
  const answer = p.scheme === "fbicm-2" && (p.allocateAck ?? true)

  /** Returns the endpoint part of the scheme, which holds packets back on messages of the switch. */
  function endpointOf(site: EndpointSite): EndpointProtocol {
    if (flows) return makeFlowAdapter(site, p.flows ?? FLOWS)
    const shared = { lines, header: p.header ?? 8, answer, packets: built!.columns.packets }
    if (scheme.turns !== true) return makeAdapter(site, shared)
    const crosses = crossesOf(graph, table!)
    return makeAdapter(site, {
      ...shared,
      crosses: (from, d, turns, n) => crosses(graph.routerOf[graph.entry[from]], d, turns, 0, n),
    })
  }

  /** Returns the constructor of injection queues that mirror the scheme in the adapter. */
  function queues(wish: InjectionRequest): (site: EndpointSite) => EndpointProtocol {
    return (site) => (lines > 0 ? makeLineQueues : makePlainQueues)(site, { site: built!, p, scheme, table, wish })
  }

  const extensions: SwitchExtensions = {
    lanes: { count: scheme.lanes, flits: scheme.laneFlits, of: (router, dst) => scheme.lane(router, dst, table) },
    ...(tells ? { messages: { longest: longestControl(p), endpoint: endpointOf } } : {}),
    ...(flows || scheme.turns === true
      ? {}
      : {
          injection: { flits: lines > 0 ? (p.memory ?? MEMORY) : scheme.lanes * laneFlits, lines: lines > 0, queues },
        }),
  }
  return {
    moves: "packets",
    vcs: 1,
    layout: {
      clock: { link: 1, core: 1 },
      hold,
      // A transfer through the crossbar is at the same time one over the link.
      pass: new Uint16Array(1),
      maxPacket,
      innerFlits: 0,
      input: () => bufferOf(scheme.lanes * scheme.laneFlits),
      output: () => bufferOf(0),
      // One credit for each transfer. With credits of the normal queue only, two may be returned in a cycle.
      near: p.credits !== "nfq",
      bursts: p.credits === "nfq",
      ownWord: lines > 0,
      sums: true,
      longestTimer: tells && !flows ? (p.timer ?? 256) + 1 : 0,
    },
    rules: rulesOf(p, scheme, maxPacket),
    extensions,
    build: (site, use) => {
      built = site
      if (scheme.table) table ??= tableOf(use.routing, graph, use.candidates, use.net.at.slot)
      const small = graph.chans * graph.ends <= MAX_REQUESTED
      const ways =
        table ?? (use.adaptive || !small ? undefined : tableOf(use.routing, graph, use.candidates, use.net.at.slot))
      return makeQueueScheme({ site, use, p, scheme, table, ways, hold })
    },
  }
}

function rulesOf(p: QueueSchemeParams, scheme: Scheme, maxPacket: number): SwitchRules {
  return {
    routing: scheme.table ? [tableRouting("scheme")] : [],
    traffic: [
      p.scheme === "voq-network"
        ? longestPacket(maxPacket, ["queue"])
        : longestPacket(maxPacket, ["memory"], scheme.lanes),
      {
        reads: ["traffic.*.packet", "network.switch"],
        test: ({ given }) => ofSwitch(checkPackets(p, scheme, Math.min(...given.map((s) => s.fixed ?? 1)))),
      },
    ],
  }
}
