// All queue-scheme switches of a partition:
//
//   arrive -> route -> queue of the scheme -> crossbar and link, packet by packet
//
// In each cycle, transfers end first; then come timers, repeated checks and messages of the isolation scheme; then the
// crossbars that need arbitration.
import type { MakeTransferSwitch, SwitchPorts, TransferSwitch } from "../../fabric/transfer.ts"
import { visitMarked, visitMarkedSlot, visitReady } from "../parts/ready-sets.ts"
import { auditQueueScheme } from "./audit.ts"
import { makeCrossbar } from "./crossbar.ts"
import { digestQueueScheme } from "./digest.ts"
import { makeInputs } from "./inputs.ts"
import { makeControlMessages } from "./isolation/control-messages.ts"
import type { IsolationScheme } from "./isolation-scheme.ts"
import { makeIsolationScheme } from "./isolation-schemes.ts"
import { eachQueue, reportValues } from "./report.ts"
import { type QueueSchemeSpec, sharedStateOf } from "./shared-state.ts"
import { queueSpan, waitsOf } from "./waits.ts"

export function makeQueueScheme(spec: QueueSchemeSpec): MakeTransferSwitch {
  const sharedState = sharedStateOf(spec)
  return (links: SwitchPorts): TransferSwitch => {
    const { site, mask: MASK, columns, p, lines, talk } = sharedState
    const { firstRouter, PS, LV } = site.layout
    const { portWords: WORDS, portMarks: MARKS } = site.constants
    const inputs = makeInputs(sharedState)
    // Simple schemes have neither messages nor an isolation part.
    const notes = talk === undefined ? undefined : makeControlMessages(sharedState, talk, lines?.lineList, links)
    const aside = notes === undefined ? undefined : makeIsolationScheme(sharedState, inputs, notes, links)
    const crossbar = makeCrossbar(sharedState, inputs, links, aside, notes)
    const { needsArbitration, ends, endMarks } = columns
    const { arbitrate, ended, laneCredit, sendOne } = crossbar
    const SLOT = p.slot
    let wheel = 0
    let timerWheel = 0
    // Words of marks of the ports of this partition.
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
      portBase = firstRouter[part] * PS
      marksFrom = portBase >> 10
      marksTo = (firstRouter[part + 1] * PS + 1023) >> 10
      routerFrom = firstRouter[part] >> 5
      routerTo = (firstRouter[part + 1] + 31) >> 5
    }

    function core(s: number, t: number): void {
      visitMarkedSlot(ends, endMarks, wheel + (t & MASK), WORDS, portBase, ended, s, t)
      if (aside !== undefined) isolate(aside, s, t)
      if (SLOT === 0 || t % SLOT === 0) visitReady(needsArbitration, routerFrom, routerTo, arbitrate, s, t)
    }

    /** Returns whether cycle t has work; only used without an isolation scheme, which has work in each cycle. */
    function due(t: number): boolean {
      let bits = 0
      const at = Math.imul(wheel + (t & MASK), MARKS)
      for (let w = 0; w < MARKS; w++) bits |= endMarks[at + w]
      for (let w = routerFrom; w < routerTo; w++) bits |= needsArbitration[w]
      return bits !== 0
    }

    /** The isolation part of a cycle: timers, inputs to check again, messages. */
    function isolate({ timer, post }: IsolationScheme, s: number, t: number): void {
      if (lines !== undefined) {
        const { timerDue, timerMarks, postPending, postMarks, mask } = lines
        if (timer !== undefined)
          visitMarkedSlot(timerDue, timerMarks, timerWheel + (t & mask), WORDS, portBase, timer, s, t)
        if (post !== undefined) visitMarked(postPending, postMarks, marksFrom, marksTo, post, s, t)
      }
      visitMarked(talk!.messagePending, talk!.noteMarks, marksFrom, marksTo, sendOne, s, t)
    }

    /** Arrival with an isolation scheme, which selects the queue itself. */
    function arriveAside(iv: number, p: number, t: number): void {
      inputs.route(p, iv >> LV, t)
      aside!.arrived(iv >> LV, p, t)
    }

    return {
      enter,
      arrive: aside === undefined ? inputs.arrive : arriveAside,
      ...(aside === undefined ? {} : { receiveFromNeighbour: aside.receiveFromNeighbour }),
      credit: () => {},
      laneCredit,
      link: () => {},
      core,
      ...(aside === undefined ? { due } : {}),
      columns,
      digest: (d, outer) => digestQueueScheme(sharedState, aside, d, outer),
      audit: (t, kept) => auditQueueScheme(sharedState, aside, t, kept ?? 0),
      values: (cycles) => ({ ...reportValues(sharedState, cycles), ...aside?.values(cycles) }),
      tables: (now) => aside?.tables(now) ?? {},
      queues: (visit, first, end) => eachQueue(sharedState, visit, first, end),
      waits: () => waitsOf(sharedState),
      span: queueSpan(sharedState),
      timersDue: () => aside?.armed() ?? 0,
    }
  }
}
