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
import { type Isolation, makeIsolation } from "./isolation/isolation.ts"
import { makeNotes } from "./isolation/notes.ts"
import { armed, lineTable, lineValues } from "./isolation/report.ts"
import { eachQueue, reportValues } from "./report.ts"
import { queueSpan, waitsOf } from "./waits.ts"

export function makeQueueScheme(spec: QueueSchemeSpec): MakeTransferSwitch {
  const frame = frameOf(spec)
  return (wires: TransferWires): TransferSwitch => {
    const { site, mask: MASK, columns, p } = frame
    const { firstRouter, PS } = site.layout
    const { portWords: WORDS } = site.constants
    const inputs = makeInputs(frame)
    const { lines } = frame
    const notes = lines === undefined ? undefined : makeNotes(frame, lines, wires)
    const isolation = lines === undefined ? undefined : makeIsolation(frame, lines, inputs, notes!, wires)
    const crossbar = makeCrossbar(frame, inputs, wires, isolation, notes)
    const { dirty, ends } = columns
    const { arbitrate, ended, laneCredit, tellOne } = crossbar
    const { LV } = site.layout
    const SLOT = p.slot
    let wheel = 0
    let timerWheel = 0
    let portFrom = 0
    let portBase = 0
    let routerFrom = 0
    let routerTo = 0

    function enter(part: number): void {
      crossbar.enter(part)
      isolation?.enter(part)
      timerWheel = part * ((lines?.mask ?? 0) + 1)
      portFrom = (firstRouter[part]! * PS) >> 5
      wheel = part * (MASK + 1)
      portBase = firstRouter[part]! * PS
      routerFrom = firstRouter[part]! >> 5
      routerTo = (firstRouter[part + 1]! + 31) >> 5
    }

    function core(s: number, t: number): void {
      sweepSlot(ends, (wheel + (t & MASK)) * WORDS, WORDS, portBase, ended, s, t)
      if (isolation !== undefined) isolate(isolation, s, t)
      if (SLOT === 0 || t % SLOT === 0) sweep(dirty, routerFrom, routerTo, arbitrate, s, t)
    }

    /** Timers, inputs that look again, messages. */
    function isolate({ timer, post }: Isolation, s: number, t: number): void {
      const { timerDue, postDirty, noteDirty, mask } = lines!
      sweepSlot(timerDue, (timerWheel + (t & mask)) * WORDS, WORDS, portBase, timer, s, t)
      sweep(postDirty, portFrom, portFrom + WORDS, post, s, t)
      sweep(noteDirty, portFrom, portFrom + WORDS, tellOne, s, t)
    }

    function arriveAside(iv: number, p: number, t: number): void {
      inputs.route(p, iv >> LV, t)
      isolation!.arrived(iv >> LV, p, t)
    }

    return {
      enter,
      arrive: isolation === undefined ? inputs.arrive : arriveAside,
      ...(isolation === undefined ? {} : { hear: isolation.hear }),
      credit: () => {},
      laneCredit,
      link: () => {},
      core,
      columns,
      digest: (d, outer) => digestQueueScheme(frame, d, outer),
      audit: (t) => auditQueueScheme(frame, t),
      copies: () => 0,
      values: (cycles) => ({ ...reportValues(frame, cycles), ...(lines === undefined ? {} : lineValues(frame, lines, cycles)) }),
      tables: () => (lines === undefined ? {} : { lines: lineTable(frame, lines) }),
      queues: (visit, first, end) => eachQueue(frame, visit, first, end),
      waits: () => waitsOf(frame),
      span: queueSpan(frame),
      timersDue: () => (lines === undefined ? 0 : armed(lines)),
    }
  }
}
