// All InfiniBand switches of a partition, made of the stages in ../parts:
//
//   arrive -> route -> VL FIFO -> crossbar -> VL queue -> scheduler -> link
//
// At the crossbar, an input offers one VL, and an output grants one input: for a packet of one flit (packet-grain.ts)
// or for a whole message (crossbar.ts).
import type { MakeTransferSwitch, SwitchPorts, TransferSwitch } from "../../fabric/transfer.ts"
import { makeCycle } from "../parts/cycle.ts"
import { eachQueue, eachVl } from "../parts/each-queue.ts"
import { FAR_PORTS } from "../parts/ready-sets.ts"
import { crossbarUtilisation } from "../parts/utilisation.ts"
import { makeVlOutput } from "../parts/vl-outputs.ts"
import { vlSpan, vlWaits } from "../parts/vl-waits.ts"
import { makeVlInput } from "../parts/vls.ts"
import { auditInfiniband } from "./audit.ts"
import { makeVlCrossbar } from "./crossbar.ts"
import { digestInfiniband } from "./digest.ts"
import { makePacketCrossbar } from "./packet-grain.ts"
import { type InfinibandSpec, sharedStateOf } from "./shared-state.ts"

/** Allocates the state, and returns a function that connects the stages with the ports of the engine. */
export function makeInfiniband(spec: InfinibandSpec): MakeTransferSwitch {
  const sharedState = sharedStateOf(spec)
  return (links: SwitchPorts): TransferSwitch => {
    const { site, packetQueues, named } = sharedState
    const input = makeVlInput(sharedState.input)
    const output = makeVlOutput(sharedState.output, links, input.renew)
    const crossbar =
      sharedState.p.grain === "packet"
        ? makePacketCrossbar(sharedState, input, output, links)
        : makeVlCrossbar(sharedState, input, output, links)
    const columns = { ...packetQueues.columns, ...input.columns, ...output.columns, ...crossbar.columns, ...named }
    const state = { ...sharedState, columns, queueOf: input.queueOf, neededCredits: output.neededCredits }
    return {
      ...makeCycle(site, input, output, crossbar),
      arrive: input.arrive,
      ...(site.constants.portWords * 32 >= FAR_PORTS
        ? { arrivals: input.arrivals, touchCredits: output.touchCredits }
        : {}),
      credit: output.credit,
      columns,
      digest: (d, outer) => digestInfiniband(state, d, outer),
      audit: (t) => auditInfiniband(state, t),
      values: (cycles) => crossbarUtilisation(state, cycles),
      queues: (visit, first, end) => eachQueue(state, visit, sharedState.output.atLink, first, end),
      fill: (add, first, end) => eachVl(state, add, first, end),
      waits: () => vlWaits(state),
      span: vlSpan(sharedState),
    }
  }
}
