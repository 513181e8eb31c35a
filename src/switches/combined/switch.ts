// All combined input and output queued switches of a partition, from the parts of ../parts:
//
//   arrive -> route -> queue of the VC (and output) -> crossbar, packet by packet -> output buffer -> link
//
// In a cycle the links go first, then the core steps: transfers that end, then the crossbars that must look.
import type { MakeTransferSwitch, TransferSwitch, TransferWires } from "../../fabric/transfer.ts"
import { makeCrossbar } from "../parts/crossbar.ts"
import { makeInput } from "../parts/input.ts"
import { makeOutput } from "../parts/output.ts"
import { sweep, sweepSlot } from "../parts/sweep.ts"
import { auditCombined } from "./audit.ts"
import { digestCombined } from "./digest.ts"
import { type CombinedSpec, frameOf } from "./frame.ts"
import { eachQueue } from "./queues.ts"
import { reportValues } from "./report.ts"
import { queueSpan, waitsOf } from "./waits.ts"

export function makeCombined(spec: CombinedSpec): MakeTransferSwitch {
  const frame = frameOf(spec)
  return (wires: TransferWires): TransferSwitch => {
    const { site, chains, matching } = frame
    const { layout, constants } = site
    const input = makeInput(frame.input)
    const output = makeOutput(frame.output, wires, input.renew)
    const crossbar = makeCrossbar(frame.crossbar, input, output, wires)
    const columns = { queues: chains.queues, ...matching.columns, ...input.columns, ...output.columns, ...crossbar.columns }
    const state = { ...frame, columns, queueOf: input.queueOf, roomFor: output.roomFor }
    const { dirty, linkDirty, linkDue, ends } = columns
    const { portWords: WORDS } = constants
    const { wheelMask: LM } = output
    const { wheelMask: CM } = crossbar
    const { firstRouter, PS } = layout
    const visitLink = output.link
    const { ended, arbitrate } = crossbar
    let linkWheel = 0
    let coreWheel = 0
    let portBase = 0
    let portFrom = 0
    let portTo = 0
    let routerFrom = 0
    let routerTo = 0

    function enter(part: number): void {
      output.enter(part)
      crossbar.enter(part)
      linkWheel = part * (LM + 1)
      coreWheel = part * (CM + 1)
      portBase = firstRouter[part]! * PS
      portFrom = portBase >> 5
      // without the holes behind the last router of a partition, as wheels have no words for them
      portTo = portFrom + WORDS
      routerFrom = firstRouter[part]! >> 5
      routerTo = (firstRouter[part + 1]! + 31) >> 5
    }

    function link(t: number): void {
      sweepSlot(linkDue, (linkWheel + (t & LM)) * WORDS, WORDS, portBase, visitLink, 0, t)
      sweep(linkDirty, portFrom, portTo, visitLink, 0, t)
    }

    function core(s: number, t: number): void {
      sweepSlot(ends, (coreWheel + (s & CM)) * WORDS, WORDS, portBase, ended, s, t)
      sweep(dirty, routerFrom, routerTo, arbitrate, s, t)
    }

    return {
      enter,
      arrive: input.arrive,
      credit: output.credit,
      link,
      core,
      columns,
      digest: (d, outer) => digestCombined(state, d, outer),
      audit: (t) => auditCombined(state, t),
      copies: () => 0,
      values: (cycles) => reportValues(state, cycles),
      tables: () => ({}),
      queues: (visit, first, end) => eachQueue(state, visit, first, end),
      waits: () => waitsOf(state),
      span: queueSpan(frame),
      timersDue: () => 0,
    }
  }
}
