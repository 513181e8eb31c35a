// All combined input and output queued switches of a partition, from the parts of ../parts:
//
//   arrive -> route -> queue of the VC (and output) -> crossbar, packet by packet -> output buffer -> link
import type { MakeTransferSwitch, TransferSwitch, TransferWires } from "../../fabric/transfer.ts"
import { makeCrossbar } from "../parts/crossbar.ts"
import { makeCycle } from "../parts/cycle.ts"
import { makeInput } from "../parts/input.ts"
import { makeOutput } from "../parts/output.ts"
import { crossbarUse } from "../parts/use.ts"
import { eachQueue } from "../parts/visit.ts"
import { auditCombined } from "./audit.ts"
import { digestCombined } from "./digest.ts"
import { type CombinedSpec, frameOf } from "./frame.ts"
import { queueSpan, waitsOf } from "./waits.ts"

export function makeCombined(spec: CombinedSpec): MakeTransferSwitch {
  const frame = frameOf(spec)
  return (wires: TransferWires): TransferSwitch => {
    const { site, chains, matching } = frame
    const input = makeInput(frame.input)
    const output = makeOutput(frame.output, wires, input.renew)
    const crossbar = makeCrossbar(frame.crossbar, input, output, wires)
    const columns = { queues: chains.queues, ...matching.columns, ...input.columns, ...output.columns, ...crossbar.columns }
    const state = { ...frame, columns, queueOf: input.queueOf, roomFor: output.roomFor }
    return {
      ...makeCycle(site, input, output, crossbar),
      arrive: input.arrive,
      credit: output.credit,
      columns,
      digest: (d, outer) => digestCombined(state, d, outer),
      audit: (t) => auditCombined(state, t),
      copies: () => 0,
      values: (cycles) => crossbarUse(state, cycles),
      tables: () => ({}),
      queues: (visit, first, end) => eachQueue(state, visit, false, first, end),
      waits: () => waitsOf(state),
      span: queueSpan(frame),
      timersDue: () => 0,
    }
  }
}
