// From parameters to what the engine must know before it lays out memory.
import type { RoomSpec } from "../../fabric/rooms.ts"
import type { TransferSwitchModel } from "../../fabric/transfer.ts"
import { clockOf, untilNeverDry } from "../parts/clock.ts"
import { mostOf } from "../parts/sense.ts"
import type { InfinibandParams } from "./params.ts"
import { makeInfiniband } from "./switch.ts"
import { unfitTables, vlsOf } from "./tables.ts"

/** Flits of a packet are 11 bits of a credit. */
const MOST_FLITS = 2047

export function infinibandModel(p: InfinibandParams): TransferSwitchModel {
  const clock = clockOf(p.speed) ?? { link: 1, core: 1 }
  const maxPacket = Math.min(MOST_FLITS, mostOf(p, p.input), mostOf(p, p.output))
  const dry = p.start === "dry"
  const hold = Uint16Array.from({ length: maxPacket + 1 }, (_, f) => p.route + (dry && f > 0 ? untilNeverDry(clock, f) : 0))
  const all = 2 ** p.vcs - 1
  const room = (flits: number): RoomSpec => ({ flits, reserve: p.least, reservedVcs: all, cap: mostOf(p, flits) - p.least, part: 0 })
  return {
    moves: "packets",
    vcs: p.vcs,
    innerVcs: 0,
    clock,
    hold,
    // a transfer begins in the first core step of the cycle, the link in the cycle after it
    pass: new Uint16Array(clock.core).fill(1 + p.traverse),
    stashes: false,
    buffers: { input: () => room(p.input), output: () => room(p.output) },
    carried: () => all,
    ackVc: 0,
    anyEntry: true,
    ...(vlsOf(p) === undefined ? {} : { vlOf: vlsOf(p)! }),
    ...(p.sl2vlPorts.length === 0 ? {} : { changesVc: "sl2vlPorts" }),
    unfit: (plan) => unfitTables(p, plan),
    oneLevel: { key: "name", fix: 'leave priorities to network.qos ("strict" goes by class)' },
    ownWord: true,
    sums: true,
    maxPacket,
    packetKeys: ["input", "output"],
    reserveKey: "least",
    innerFlits: p.output,
    copies: 0,
    sequence: false,
    longestTimer: 0,
    build: (site, use) => makeInfiniband({ site, use, p, clock, hold }),
  }
}
