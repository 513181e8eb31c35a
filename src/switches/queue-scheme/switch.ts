// All switches of a partition:
//
//   arrive -> route -> queue of the scheme -> crossbar and link, packet by packet
//
// In a cycle transfers end first, then the crossbars that must look are matched.
import type { MakeTransferSwitch, TransferSwitch, TransferWires } from "../../fabric/transfer.ts"
import { sweep, sweepSlot } from "../parts/sweep.ts"
import { auditQueueScheme } from "./audit.ts"
import { makeCrossbar } from "./crossbar.ts"
import { digestQueueScheme } from "./digest.ts"
import { frameOf, type QueueSchemeSpec } from "./frame.ts"
import { makeInputs } from "./inputs.ts"
import { eachQueue, reportValues } from "./report.ts"
import { queueSpan, waitsOf } from "./waits.ts"

export function makeQueueScheme(spec: QueueSchemeSpec): MakeTransferSwitch {
  const frame = frameOf(spec)
  return (wires: TransferWires): TransferSwitch => {
    const { site, mask: MASK, columns, p } = frame
    const { firstRouter, PS } = site.layout
    const { portWords: WORDS } = site.constants
    const inputs = makeInputs(frame)
    const crossbar = makeCrossbar(frame, inputs, wires)
    const { dirty, ends } = columns
    const { arbitrate, ended, laneCredit } = crossbar
    const SLOT = p.slot
    let wheel = 0
    let portBase = 0
    let routerFrom = 0
    let routerTo = 0

    function enter(part: number): void {
      crossbar.enter(part)
      wheel = part * (MASK + 1)
      portBase = firstRouter[part]! * PS
      routerFrom = firstRouter[part]! >> 5
      routerTo = (firstRouter[part + 1]! + 31) >> 5
    }

    function core(s: number, t: number): void {
      sweepSlot(ends, (wheel + (t & MASK)) * WORDS, WORDS, portBase, ended, s, t)
      if (SLOT === 0 || t % SLOT === 0) sweep(dirty, routerFrom, routerTo, arbitrate, s, t)
    }

    return {
      enter,
      arrive: inputs.arrive,
      credit: () => {},
      laneCredit,
      link: () => {},
      core,
      columns,
      digest: (d, outer) => digestQueueScheme(frame, d, outer),
      audit: (t) => auditQueueScheme(frame, t),
      copies: () => 0,
      values: (cycles) => reportValues(frame, cycles),
      tables: () => ({}),
      queues: (visit) => eachQueue(frame, visit),
      waits: () => waitsOf(frame),
      span: queueSpan(frame),
      timersDue: () => 0,
    }
  }
}
