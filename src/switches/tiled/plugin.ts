// The plug-in `tiled`: a high-radix tiled switch with an optional stash. M. A. Blumrich, N. Jiang and L. R. Dennison,
// "Exploiting Idle Resources in a High-Radix Switch for Supplemental Storage", 2018. Details that the paper leaves open
// are parameters; papers/stashing/README.md explains the defaults.
//
// Limits: packets move as a whole; all routers have the tiles of the largest one, and smaller routers leave ports
// empty; a packet has at most 2047 flits.
import type { SwitchSiteInfo, TransferSwitchModel } from "../../fabric/switch-model.ts"
import type { SwitchPlugin } from "../../model/plugin.ts"
import { checkTiled } from "./check.ts"
import { tiledModel } from "./model.ts"
import { params, type TiledParams } from "./params.ts"
import { tiledRules } from "./rules.ts"
import { values } from "./values.ts"

export default {
  kind: "switch",
  name: "tiled",
  moves: "packets",
  revision: 2,
  about:
    "High-radix switch of tiles with row buses, tile crossbars and column channels; idle port memory " +
    "can serve as a stash.",
  cites:
    "Exploiting Idle Resources in a High-Radix Switch for Supplemental Storage, " +
    "M. A. Blumrich, N. Jiang and L. R. Dennison, 2018",
  limits:
    "moves whole packets (virtual cut-through); smaller routers have the tiles of the largest one, with unused ports",
  can: [
    "classes",
    "priorities",
    "replies",
    "acknowledgements",
    "marks",
    "drops",
    "copies",
    "protocols",
    "bubbles",
    "farQueues",
    "occupancy",
    "events",
    "packetEvents",
  ],
  values,
  drawing: [
    ["store", "input VCs", "DAMQ"],
    ["move", "row bus", "one packet", "at a time"],
    ["store", "row buffer", "a queue for each", "output and VC"],
    ["move", "tile crossbar", "output first,", "packet-held"],
    ["store", "column buffer", "of a row", "and VC"],
    ["choose", "multiplexer", "rows and VCs", "round-robin"],
    ["store", "output VCs", "DAMQ, retained", "for a round trip"],
    ["move", "link", "round-robin VCs"],
  ],
  behaviour: {
    // By default, packets draw their VC on the last link, so the load of its VCs would not be equal.
    stand: (flits) => ({
      vcs: 2,
      rows: 1,
      columns: 1,
      buffer: `${flits}flits`,
      packet: "4flits",
      reserve: "4flits",
      eject: "last",
    }),
    variants: [
      { uniform: 0.95 },
      { with: () => ({ rows: 2, columns: 2 }), uniform: 0.95 },
      { with: () => ({ iterations: 2 }), uniform: 0.95 },
      { with: () => ({ fair: false }), uniform: 0.95 },
      { with: () => ({ retention: false }), uniform: 0.95 },
      { with: () => ({ release: "tail" }), uniform: 0.9 },
    ],
    // The multiplexer of an output serves rows round-robin.
    group: (p, ports) => Math.ceil(ports / Number(p["rows"])),
  },
  params,
  check: (p: TiledParams, on: SwitchSiteInfo) => checkTiled(p, on.topology.graph, on.asked),
  make: (p: TiledParams, on: SwitchSiteInfo) => ({
    ...tiledModel(p, on.topology.graph, on.asked),
    rules: tiledRules(p, on.topology.graph),
  }),
} satisfies SwitchPlugin<TiledParams, TransferSwitchModel, SwitchSiteInfo>
