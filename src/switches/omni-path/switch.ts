// All Omni-Path switches of a partition, from the parts of ../parts and crossbars of their own:
//
//   arrive -> route -> FIFO of the VL -> crossbar of the MPort ───────────────────────────────────────> queue of the VL -> scheduler -> link
//                                              └─ up-link -> central buffer -> central crossbar ─┘
import { scratch } from "../../fabric/columns.ts"
import type { MakeTransferSwitch, TransferSwitch, TransferWires } from "../../fabric/transfer.ts"
import { laneSpan, laneWaits } from "../parts/lane-waits.ts"
import { makeLaneOutput } from "../parts/lanes.ts"
import { FAR_PORTS, gather, sweep, sweepSlot } from "../parts/sweep.ts"
import { crossbarUse } from "../parts/use.ts"
import { makeVlInput } from "../parts/vls.ts"
import { auditOmniPath } from "./audit.ts"
import { makeCalls } from "./calls.ts"
import { makeCentre } from "./centre.ts"
import { makeMportCrossbars } from "./crossbars.ts"
import { digestOmniPath } from "./digest.ts"
import { frameOf, type OmniPathSpec } from "./frame.ts"
import { eachLaneOf, eachQueueOf } from "./queues.ts"

export function makeOmniPath(spec: OmniPathSpec): MakeTransferSwitch {
  const frame = frameOf(spec)
  return (wires: TransferWires): TransferSwitch => {
    const { site, chains, central, named, upLinks, UP } = frame
    const { layout, constants } = site
    const { portWords: WORDS } = constants
    const { firstRouter, PS } = layout
    const input = makeVlInput(frame.input)
    const { dirty } = input.columns
    const output = makeLaneOutput(frame.output, wires, input.renew)
    const calls = makeCalls(frame, input)
    const centre = makeCentre(frame, input, output, calls)
    const mports = makeMportCrossbars(frame, input, output, centre, calls, wires)
    const columns = {
      ...chains.columns,
      upLinks,
      centralHeld: central.centralHeld,
      centralLeft: central.centralLeft,
      ...input.columns,
      ...output.columns,
      ...calls.columns,
      ...centre.columns,
      ...mports.columns,
      ...named,
    }
    const state = { ...frame, columns, queueOf: input.queueOf, roomFor: output.roomFor }
    const { inEnds } = mports.columns
    const { readEnds, comingDue, upAwake } = centre.columns
    const { linkDirty, linkDue } = output.columns
    const { wheelMask: LM } = output
    const { wheelMask: CM, upWords: UP_WORDS, wasRead, came } = centre
    const { ended } = mports
    const visitLink = output.link
    const FAR = 32 * WORDS >= FAR_PORTS
    const list = scratch(FAR ? Math.max(64 * WORDS, 32 * centre.upWords) : 0)
    let linkWheel = 0
    let coreWheel = 0
    let portBase = 0
    let upBase = 0
    let portFrom = 0
    let portTo = 0
    let routerFrom = 0
    let routerTo = 0

    function enter(part: number): void {
      output.enter(part)
      centre.enter(part)
      mports.enter(part)
      linkWheel = part * (LM + 1)
      coreWheel = part * (CM + 1)
      portBase = firstRouter[part]! * PS
      upBase = firstRouter[part]! * UP
      portFrom = portBase >> 5
      // not beyond this partition, however many words the largest one has
      portTo = Math.min(portFrom + WORDS, (firstRouter[part + 1]! * PS + 31) >> 5)
      routerFrom = firstRouter[part]! >> 5
      routerTo = (firstRouter[part + 1]! + 31) >> 5
    }

    /** The centre goes first: what it reads makes room for what follows. */
    function arbitrate(r: number, _s: number, t: number): void {
      if (upAwake[r] !== 0) centre.arbitrate(r, t)
      mports.arbitrate(r, t)
    }

    function linkFar(t: number): void {
      const at = Math.imul(linkWheel + (t & LM), WORDS)
      const due = gather(linkDue, at, at + WORDS, portBase, list, 0)
      const n = gather(linkDirty, portFrom, portTo, portFrom << 5, list, due)
      output.touch(list, n)
      for (let k = 0; k < n; k++) visitLink(list[k]!, 0, t)
    }

    function link(t: number): void {
      if (FAR) {
        linkFar(t)
        return
      }
      sweepSlot(linkDue, (linkWheel + (t & LM)) * WORDS, WORDS, portBase, visitLink, 0, t)
      sweep(linkDirty, portFrom, portTo, visitLink, 0, t)
    }

    function cameFar(slot: number, s: number, t: number): void {
      const n = gather(comingDue, slot * UP_WORDS, (slot + 1) * UP_WORDS, upBase, list, 0)
      centre.touchComing(list, n)
      for (let k = 0; k < n; k++) came(list[k]!, s, t)
    }

    function core(s: number, t: number): void {
      const slot = coreWheel + (s & CM)
      sweepSlot(inEnds, slot * WORDS, WORDS, portBase, ended, s, t)
      sweepSlot(readEnds, slot * WORDS, WORDS, portBase, wasRead, s, t)
      if (FAR) cameFar(slot, s, t)
      else sweepSlot(comingDue, slot * UP_WORDS, UP_WORDS, upBase, came, s, t)
      sweep(dirty, routerFrom, routerTo, arbitrate, s, t)
    }

    return {
      enter,
      arrive: input.arrive,
      ...(FAR ? { arrivals: input.arrivals, touchCredits: output.touchCredits } : {}),
      credit: output.credit,
      link,
      core,
      columns,
      digest: (d, outer) => digestOmniPath(state, d, outer),
      audit: (t) => auditOmniPath(state, t),
      copies: () => 0,
      values: (cycles) => crossbarUse(state, cycles),
      tables: () => ({}),
      queues: (visit, first, end) => eachQueueOf(state, visit, first, end),
      fill: (add, first, end) => eachLaneOf(state, add, first, end),
      waits: () => laneWaits(state),
      span: laneSpan(frame),
      timersDue: () => 0,
    }
  }
}
