// All switches of a partition:
//
//   arrive -> route -> queue of the scheme -> crossbar and link, packet by packet
//
// In a cycle transfers end first, then the crossbars that must look are matched.
import type { MakeTransferSwitch, TransferSwitch, TransferWires } from "../../fabric/transfer.ts"
import { sweep, sweepMarked, sweepMarkedSlot } from "../parts/sweep.ts"
import type { Aside } from "./aside.ts"
import { makeAside } from "./asides.ts"
import { auditQueueScheme } from "./audit.ts"
import { makeCrossbar } from "./crossbar.ts"
import { digestQueueScheme } from "./digest.ts"
import { frameOf, type QueueSchemeSpec } from "./frame.ts"
import { makeInputs } from "./inputs.ts"
import { makeNotes } from "./isolation/notes.ts"
import { eachQueue, reportValues } from "./report.ts"
import { queueSpan, waitsOf } from "./waits.ts"

export function makeQueueScheme(spec: QueueSchemeSpec): MakeTransferSwitch {
  const frame = frameOf(spec)
  return (wires: TransferWires): TransferSwitch => {
    const { site, mask: MASK, columns, p, lines, talk } = frame
    const { firstRouter, PS, LV } = site.layout
    const { portWords: WORDS, portMarks: MARKS } = site.constants
    const inputs = makeInputs(frame)
    const notes = talk === undefined ? undefined : makeNotes(frame, talk, lines?.lineList, wires)
    const aside = notes === undefined ? undefined : makeAside(frame, inputs, notes, wires)
    const crossbar = makeCrossbar(frame, inputs, wires, aside, notes)
    const { dirty, ends, endMarks } = columns
    const { arbitrate, ended, laneCredit, tellOne } = crossbar
    const SLOT = p.slot
    let wheel = 0
    let timerWheel = 0
    // words of marks of this partition's ports
    let marksFrom = 0
    let marksTo = 0
    let portBase = 0
    let routerFrom = 0
    let routerTo = 0

    function enter(part: number): void {
      crossbar.enter(part)
      aside?.enter(part)
      timerWheel = part * ((lines?.mask ?? 0) + 1)
      wheel = part * (MASK + 1)
      portBase = firstRouter[part]! * PS
      marksFrom = portBase >> 10
      marksTo = (firstRouter[part + 1]! * PS + 1023) >> 10
      routerFrom = firstRouter[part]! >> 5
      routerTo = (firstRouter[part + 1]! + 31) >> 5
    }

    function core(s: number, t: number): void {
      sweepMarkedSlot(ends, endMarks, wheel + (t & MASK), WORDS, portBase, ended, s, t)
      if (aside !== undefined) isolate(aside, s, t)
      if (SLOT === 0 || t % SLOT === 0) sweep(dirty, routerFrom, routerTo, arbitrate, s, t)
    }

    /** Without parts that look at something in every cycle. */
    function due(t: number): boolean {
      let bits = 0
      const at = Math.imul(wheel + (t & MASK), MARKS)
      for (let w = 0; w < MARKS; w++) bits |= endMarks[at + w]!
      for (let w = routerFrom; w < routerTo; w++) bits |= dirty[w]!
      return bits !== 0
    }

    /** Timers, inputs that look again, messages. */
    function isolate({ timer, post }: Aside, s: number, t: number): void {
      if (lines !== undefined) {
        const { timerDue, timerMarks, postDirty, postMarks, mask } = lines
        if (timer !== undefined) sweepMarkedSlot(timerDue, timerMarks, timerWheel + (t & mask), WORDS, portBase, timer, s, t)
        if (post !== undefined) sweepMarked(postDirty, postMarks, marksFrom, marksTo, post, s, t)
      }
      sweepMarked(talk!.noteDirty, talk!.noteMarks, marksFrom, marksTo, tellOne, s, t)
    }

    function arriveAside(iv: number, p: number, t: number): void {
      inputs.route(p, iv >> LV, t)
      aside!.arrived(iv >> LV, p, t)
    }

    return {
      enter,
      arrive: aside === undefined ? inputs.arrive : arriveAside,
      ...(aside === undefined ? {} : { hear: aside.hear }),
      credit: () => {},
      laneCredit,
      link: () => {},
      core,
      ...(aside === undefined ? { due } : {}),
      columns,
      digest: (d, outer) => digestQueueScheme(frame, aside, d, outer),
      audit: (t, kept) => auditQueueScheme(frame, aside, t, kept ?? 0),
      copies: () => 0,
      values: (cycles) => ({ ...reportValues(frame, cycles), ...aside?.values(cycles) }),
      tables: (now) => aside?.tables(now) ?? {},
      queues: (visit, first, end) => eachQueue(frame, visit, first, end),
      waits: () => waitsOf(frame),
      span: queueSpan(frame),
      timersDue: () => aside?.armed() ?? 0,
    }
  }
}
