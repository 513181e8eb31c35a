// From parameters to what the engine must know before it lays out memory.
import type { RoomSpec } from "../../fabric/rooms.ts"
import type { TransferSwitchModel } from "../../fabric/transfer.ts"
import { mostOf } from "../parts/sense.ts"
import type { OmniPathParams } from "./params.ts"
import { makeOmniPath } from "./switch.ts"
import { unfitTables, vlsOf } from "./tables.ts"
import { unfitVfabrics } from "./vfabrics.ts"

/** Flits of a packet are 11 bits of a credit. */
const MOST_FLITS = 2047

export function omniPathModel(p: OmniPathParams): TransferSwitchModel {
  const maxPacket = Math.min(MOST_FLITS, mostOf(p, p.input), mostOf(p, p.output), mostOf(p, p.central))
  const hold = new Uint16Array(maxPacket + 1).fill(p.route)
  const all = 2 ** p.vcs - 1
  const room = (flits: number): RoomSpec => ({ flits, reserve: p.least, reservedVcs: all, cap: mostOf(p, flits) - p.least, part: 0 })
  return {
    moves: "packets",
    vcs: p.vcs,
    innerVcs: 0,
    clock: { link: 1, core: 1 },
    hold,
    // the direct way; that through the centre takes `middle` cycles more, which count as waiting
    pass: new Uint16Array(1).fill(1 + p.traverse),
    stashes: false,
    buffers: { input: () => room(p.input), output: () => room(p.output) },
    carried: () => all,
    ackVc: 0,
    anyEntry: true,
    ...(vlsOf(p) === undefined ? {} : { vlOf: vlsOf(p)! }),
    ...(p.sl2scPorts.length === 0 ? {} : { changesVc: "sl2scPorts" }),
    unfit: (plan) => unfitTables(p, plan),
    unfitStreams: (streams, ends) => unfitVfabrics(p.vfabrics, streams, ends),
    oneLevel: { key: "name", fix: 'leave priorities to network.qos ("strict" goes by class)' },
    ownWord: true,
    sums: true,
    maxPacket,
    packetKeys: ["input", "output", "central"],
    reserveKey: "least",
    innerFlits: p.output + Math.ceil(p.central / p.mport),
    copies: 0,
    sequence: false,
    longestTimer: 0,
    build: (site, use) => makeOmniPath({ site, use, p, hold }),
  }
}
