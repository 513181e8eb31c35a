// From parameters to what the engine must know before it lays out memory.
import type { RoomSpec } from "../../fabric/rooms.ts"
import type { TransferSwitchModel } from "../../fabric/transfer.ts"
import type { Graph } from "../../model/graph.ts"
import { clockOf, untilNeverDry } from "../parts/clock.ts"
import type { CombinedParams } from "./params.ts"
import { makeCombined } from "./switch.ts"

/** Flits of a packet are 11 bits of a credit. */
const MOST_FLITS = 2047

/** Ports of the largest router. */
export function radixOf(graph: Graph): number {
  let radix = 1
  for (let r = 0; r < graph.routers; r++) radix = Math.max(radix, graph.firstChan[r + 1]! - graph.firstChan[r]!)
  return radix
}

/** Flits of one VC of an input, where the largest router has so many outputs. */
export function inputFlits(p: Pick<CombinedParams, "buffer" | "depth">, outputs: number): number {
  return p.depth === "each" ? p.buffer * outputs : p.buffer
}

export function combinedModel(p: CombinedParams, graph: Graph): TransferSwitchModel {
  const clock = clockOf(p.speed) ?? { link: 1, core: 1 }
  const maxPacket = Math.min(MOST_FLITS, p.buffer, p.output)
  const dry = p.start === "dry"
  const hold = Uint16Array.from({ length: maxPacket + 1 }, (_, f) => p.route + (dry && f > 0 ? untilNeverDry(clock, f) : 0))
  // every VC has a buffer of its own
  const room = (flits: number): RoomSpec => ({ flits: flits * p.vcs, reserve: flits, reservedVcs: 2 ** p.vcs - 1, cap: 0, part: 0 })
  return {
    moves: "packets",
    vcs: p.vcs,
    innerVcs: 0,
    clock,
    hold,
    // a transfer begins in the first core step of the cycle, the link in the cycle after it
    pass: new Uint16Array(clock.core).fill(1 + p.traverse),
    stashes: false,
    buffers: { input: () => room(inputFlits(p, radixOf(graph))), output: () => ({ ...room(0), flits: p.output }) },
    carried: () => 2 ** p.vcs - 1,
    ackVc: 0,
    anyEntry: true,
    ...(p.allocator === "islip" ? { oneLevel: { key: "allocator", fix: "set it to input-first or output-first" } } : {}),
    ownWord: true,
    sums: true,
    maxPacket,
    packetKeys: ["buffer", "output"],
    innerFlits: p.output,
    copies: 0,
    sequence: false,
    longestTimer: 0,
    build: (site, use) => makeCombined({ site, use, p, clock, hold }),
  }
}
