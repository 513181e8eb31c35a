// From parameters to the model of the combined switch that the engine reads before it allocates memory.
import type { SharedBufferSpec } from "../../fabric/shared-buffers.ts"
import type { SwitchLayout, SwitchRules, TransferSwitchModel } from "../../fabric/switch-model.ts"
import { longestPacket, noDrops, onePriority, repeats, twoPacketReserve } from "../../fabric/switch-rules.ts"
import type { Graph } from "../../model/graph.ts"
import { clockOf, untilNeverDry } from "../parts/clock.ts"
import { radixOf } from "../parts/parameter-checks.ts"
import type { OutsideArbiter } from "./arbiter-reads.ts"
import { type CombinedParams, inputFlits } from "./params.ts"
import { queueRules } from "./queues.ts"
import { makeCombined } from "./switch.ts"

/** The flits of a packet are 11 bits of a credit. */
const MOST_FLITS = 2047

/**
 * Returns the model. A packet must fit into an input buffer and into an output buffer. With `start: dry`, a packet is
 * held until its transfer cannot run out of flits, with `start: stored` until its last flit is here. `arbiter`: instead
 * of the allocators of the library.
 */
export function combinedModel(p: CombinedParams, graph: Graph, arbiter?: OutsideArbiter): TransferSwitchModel {
  const clock = clockOf(p.speed) ?? { link: 1, core: 1 }
  const maxPacket = Math.min(MOST_FLITS, p.buffer, p.output)
  const wait = {
    head: () => 0,
    interleaved: () => 0,
    dry: (f: number) => untilNeverDry(clock, f),
    stored: (f: number) => f - 1,
  }[p.start]
  const hold = Uint16Array.from({ length: maxPacket + 1 }, (_, f) => p.route + (f > 0 ? wait(f) : 0))
  // Each VC has a private buffer.
  const bufferOf = (flits: number): SharedBufferSpec => ({
    flits: flits * p.vcs,
    reserve: flits,
    reservedVcs: 2 ** p.vcs - 1,
    cap: 0,
    part: 0,
  })
  const layout: SwitchLayout = {
    clock,
    hold,
    // A transfer starts in the first core step of the cycle, and the link follows in the next cycle.
    pass: new Uint16Array(clock.core).fill(1 + p.traverse),
    maxPacket,
    innerFlits: p.outputPackets === undefined ? p.output : p.outputPackets * p.vcs * maxPacket,
    input: () => bufferOf(inputFlits(p, radixOf(graph))),
    output: () => ({ ...bufferOf(0), flits: p.output }),
    ownWord: true,
    ...(p.release === "each" ? { flitCredits: true } : {}),
    sums: true,
    ...(p.timeout === undefined ? {} : { longestTimer: p.timeout }),
  }
  return {
    moves: "packets",
    vcs: p.vcs,
    layout,
    entry: { anyEntry: true },
    rules: rulesOf(p, layout),
    ...(p.trim === undefined ? {} : { extensions: { trims: true, lossTimer: p.timeout ?? 0 } as const }),
    build: (site, use, congestion) =>
      makeCombined({ site, use, p, clock, hold, congestion, ...(arbiter === undefined ? {} : { arbiter }) }),
  }
}

function rulesOf(p: CombinedParams, { maxPacket, input }: SwitchLayout): SwitchRules {
  return {
    congestion: [
      ...(p.queues === "fifo" ? [noDrops("queues", "set it to voq")] : queueRules(p.queues)),
      ...(p.trim === undefined ? [] : [repeats("trim")]),
    ],
    traffic: [
      longestPacket(maxPacket, ["buffer", "output"]),
      twoPacketReserve(input(0).reserve, "buffer"),
      ...(p.allocator === "islip" ? [onePriority("allocator", "set it to input-first or output-first")] : []),
    ],
  }
}
