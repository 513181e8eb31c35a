// All InfiniBand switches of a partition, from the parts of ../parts:
//
//   arrive -> route -> FIFO of the VL -> crossbar (an input offers one VL, an output takes one input) -> queue of the VL -> scheduler -> link
import type { MakeTransferSwitch, TransferSwitch, TransferWires } from "../../fabric/transfer.ts"
import { makeCycle } from "../parts/cycle.ts"
import { laneSpan, laneWaits } from "../parts/lane-waits.ts"
import { makeLaneOutput } from "../parts/lanes.ts"
import { FAR_PORTS } from "../parts/sweep.ts"
import { crossbarUse } from "../parts/use.ts"
import { eachLane, eachQueue } from "../parts/visit.ts"
import { makeVlInput } from "../parts/vls.ts"
import { auditInfiniband } from "./audit.ts"
import { makeVlCrossbar } from "./crossbar.ts"
import { digestInfiniband } from "./digest.ts"
import { frameOf, type InfinibandSpec } from "./frame.ts"

export function makeInfiniband(spec: InfinibandSpec): MakeTransferSwitch {
  const frame = frameOf(spec)
  return (wires: TransferWires): TransferSwitch => {
    const { site, chains, named } = frame
    const input = makeVlInput(frame.input)
    const output = makeLaneOutput(frame.output, wires, input.renew)
    const crossbar = makeVlCrossbar(frame, input, output, wires)
    const columns = { ...chains.columns, ...input.columns, ...output.columns, ...crossbar.columns, ...named }
    const state = { ...frame, columns, queueOf: input.queueOf, roomFor: output.roomFor }
    return {
      ...makeCycle(site, input, output, crossbar),
      arrive: input.arrive,
      ...(site.constants.portWords * 32 >= FAR_PORTS ? { arrivals: input.arrivals, touchCredits: output.touchCredits } : {}),
      credit: output.credit,
      columns,
      digest: (d, outer) => digestInfiniband(state, d, outer),
      audit: (t) => auditInfiniband(state, t),
      copies: () => 0,
      values: (cycles) => crossbarUse(state, cycles),
      tables: () => ({}),
      queues: (visit, first, end) => eachQueue(state, visit, frame.output.atLink, first, end),
      fill: (add, first, end) => eachLane(state, add, first, end),
      waits: () => laneWaits(state),
      span: laneSpan(frame),
      timersDue: () => 0,
    }
  }
}
