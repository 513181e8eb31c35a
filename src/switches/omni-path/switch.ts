// All Omni-Path switches of a partition, made of the stages in ../parts and of the crossbars in this folder:
//
//   arrive -> route -> VL FIFO -> crossbar of the MPort ────────────────────────────> VL queue -> scheduler -> link
//                                  └─ up-link -> central buffer -> central crossbar ─┘
import { scratch } from "../../fabric/columns.ts"
import type { MakeTransferSwitch, SwitchPorts, TransferSwitch } from "../../fabric/transfer.ts"
import { FAR_PORTS, gather, visitReady, visitReadySlot } from "../parts/ready-sets.ts"
import { crossbarUtilisation } from "../parts/utilisation.ts"
import { makeVlOutput } from "../parts/vl-outputs.ts"
import { vlSpan, vlWaits } from "../parts/vl-waits.ts"
import { makeVlInput } from "../parts/vls.ts"
import { auditOmniPath } from "./audit.ts"
import { makeCalls } from "./calls.ts"
import { makeCentre } from "./centre.ts"
import { makeMportCrossbars } from "./crossbars.ts"
import { digestOmniPath } from "./digest.ts"
import { eachLaneOf, eachQueueOf } from "./queues.ts"
import { type OmniPathSpec, sharedStateOf } from "./shared-state.ts"

/** Allocates the state, and returns a function that connects the stages with the ports of the engine. */
export function makeOmniPath(spec: OmniPathSpec): MakeTransferSwitch {
  const sharedState = sharedStateOf(spec)
  return (links: SwitchPorts): TransferSwitch => {
    const { site, packetQueues, central, named, upLinks, UP } = sharedState
    const { layout, constants } = site
    const { portWords: WORDS } = constants
    const { firstRouter, PS } = layout
    const input = makeVlInput(sharedState.input)
    const { needsArbitration } = input.columns
    const output = makeVlOutput(sharedState.output, links, input.renew)
    // The MPort crossbars feed the centre, and the centre wakes inputs of the MPorts through `calls`.
    const calls = makeCalls(sharedState, input)
    const centre = makeCentre(sharedState, input, output, calls)
    const mports = makeMportCrossbars(sharedState, input, output, centre, calls, links)
    const columns = {
      ...packetQueues.columns,
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
    const state = { ...sharedState, columns, queueOf: input.queueOf, neededCredits: output.neededCredits }
    const { inEnds } = mports.columns
    const { readEnds, comingDue, upAwake } = centre.columns
    const { linkPending, linkDue } = output.columns
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
      portBase = firstRouter[part] * PS
      upBase = firstRouter[part] * UP
      portFrom = portBase >> 5
      // The range ends with this partition, even if the largest partition has more words.
      portTo = Math.min(portFrom + WORDS, (firstRouter[part + 1] * PS + 31) >> 5)
      routerFrom = firstRouter[part] >> 5
      routerTo = (firstRouter[part + 1] + 31) >> 5
    }

    /** Arbitrates router r. The centre goes first, because its reads free space for the MPorts. */
    function arbitrate(r: number, _s: number, t: number): void {
      if (upAwake[r] !== 0) centre.arbitrate(r, t)
      mports.arbitrate(r, t)
    }

    /** `link` for large partitions: prefetches the state of all links first. */
    function linkFar(t: number): void {
      const at = Math.imul(linkWheel + (t & LM), WORDS)
      const due = gather(linkDue, at, at + WORDS, portBase, list, 0)
      const n = gather(linkPending, portFrom, portTo, portFrom << 5, list, due)
      output.touch(list, n)
      for (let k = 0; k < n; k++) visitLink(list[k], 0, t)
    }

    /** Serves the links that became free, or have new packets or credits. */
    function link(t: number): void {
      if (FAR) {
        linkFar(t)
        return
      }
      visitReadySlot(linkDue, (linkWheel + (t & LM)) * WORDS, WORDS, portBase, visitLink, 0, t)
      visitReady(linkPending, portFrom, portTo, visitLink, 0, t)
    }

    /** Packets that arrive in central buffers, for large partitions: prefetches their queues first. */
    function cameFar(slot: number, s: number, t: number): void {
      const n = gather(comingDue, slot * UP_WORDS, (slot + 1) * UP_WORDS, upBase, list, 0)
      centre.touchComing(list, n)
      for (let k = 0; k < n; k++) came(list[k], s, t)
    }

    /** One core step: ends transfers and reads, moves packets into the central buffers, then arbitrates. */
    function core(s: number, t: number): void {
      const slot = coreWheel + (s & CM)
      visitReadySlot(inEnds, slot * WORDS, WORDS, portBase, ended, s, t)
      visitReadySlot(readEnds, slot * WORDS, WORDS, portBase, wasRead, s, t)
      if (FAR) cameFar(slot, s, t)
      else visitReadySlot(comingDue, slot * UP_WORDS, UP_WORDS, upBase, came, s, t)
      visitReady(needsArbitration, routerFrom, routerTo, arbitrate, s, t)
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
      values: (cycles) => crossbarUtilisation(state, cycles),
      queues: (visit, first, end) => eachQueueOf(state, visit, first, end),
      fill: (add, first, end) => eachLaneOf(state, add, first, end),
      waits: () => vlWaits(state),
      span: vlSpan(sharedState),
    }
  }
}
