// The tiled switch with an optional stash: M. A. Blumrich, N. Jiang and L. R. Dennison, "Exploiting Idle Resources in a High-Radix Switch for
// Supplemental Storage", 2018. What the paper leaves open is a parameter here; docs/stashing.md says why each default is what it is.
// Limits: packets move as a whole; all routers have the tiles of the largest one, smaller ones leave ports empty; no packet is longer than 2047 flits.
import type { SwitchSiteInfo, TransferSwitchModel } from "../../fabric/transfer.ts"
import type { Plugin } from "../../model/plugin.ts"
import { checkPlan, checkTiled } from "./check.ts"
import { tiledModel } from "./model.ts"
import { params, type TiledParams } from "./params.ts"

export default {
  kind: "switch",
  name: "tiled",
  revision: 2,
  about: "High-radix switch of tiles: row buses, tile crossbars, column channels; idle port memory can serve as a stash.",
  cites: "Exploiting Idle Resources in a High-Radix Switch for Supplemental Storage, M. A. Blumrich, N. Jiang and L. R. Dennison, 2018",
  limits: "moves whole packets (virtual cut-through); smaller routers have the tiles of the largest one, with empty ports",
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
  behaviour: {
    // packets draw their VC on the last link otherwise, and demands on a VC are not equal
    stand: (flits) => ({ vcs: 2, rows: 1, columns: 1, buffer: `${flits}flits`, packet: "4flits", reserve: "4flits", eject: "last" }),
    variants: [
      { uniform: 0.95 },
      { with: () => ({ rows: 2, columns: 2 }), uniform: 0.95 },
      { with: () => ({ iterations: 2 }), uniform: 0.95 },
      { with: () => ({ fair: false }), uniform: 0.95 },
      { with: () => ({ retention: false }), uniform: 0.95 },
      { with: () => ({ release: "tail" }), uniform: 0.9 },
    ],
    // the multiplexer of an output serves rows in turn
    group: (p, ports) => Math.ceil(ports / Number(p["rows"])),
  },
  params,
  check: (p: TiledParams, on: SwitchSiteInfo) => checkTiled(p, on.topology.graph, on.asked),
  make: (p: TiledParams, on: SwitchSiteInfo) => ({
    ...tiledModel(p, on.topology.graph, on.asked),
    unfit: (plan, acknowledged) => checkPlan(p, on.topology.graph, plan, acknowledged),
  }),
} satisfies Plugin<TiledParams, TransferSwitchModel, SwitchSiteInfo>
