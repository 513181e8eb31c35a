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
import { digestOmniPath } from "./digest.ts"
import { makeMessageCore } from "./message-core.ts"
import { makePacketCore } from "./packet-core.ts"
import { eachLaneOf, eachQueueOf } from "./queues.ts"
import { type OmniPathSpec, sharedStateOf } from "./shared-state.ts"

/** Allocates the state, and returns a function that connects the stages with the ports of the engine. */
export function makeOmniPath(spec: OmniPathSpec): MakeTransferSwitch {
  const sharedState = sharedStateOf(spec)
  return (links: SwitchPorts): TransferSwitch => {
    const { site, packetQueues, central, named, upLinks, p } = sharedState
    const { layout, constants } = site
    const { portWords: WORDS } = constants
    const { firstRouter, PS } = layout
    const input = makeVlInput(sharedState.input)
    const output = makeVlOutput(sharedState.output, links, input.renew)
    const middle = (p.grain === "packet" ? makePacketCore : makeMessageCore)(sharedState, input, output, links)
    const columns = {
      ...packetQueues.columns,
      upLinks,
      centralHeld: central.centralHeld,
      centralLeft: central.centralLeft,
      ...input.columns,
      ...output.columns,
      ...middle.columns,
      ...named,
    }
    const state = { ...sharedState, columns, queueOf: input.queueOf, neededCredits: output.neededCredits }
    const { linkPending, linkDue } = output.columns
    const { wheelMask: LM } = output
    const visitLink = output.link
    const FAR = 32 * WORDS >= FAR_PORTS
    const list = scratch(FAR ? 64 * WORDS : 0)
    let linkWheel = 0
    let portBase = 0
    let portFrom = 0
    let portTo = 0

    function enter(part: number): void {
      output.enter(part)
      middle.enter(part)
      linkWheel = part * (LM + 1)
      portBase = firstRouter[part] * PS
      portFrom = portBase >> 5
      // The range ends with this partition, even if the largest partition has more words.
      portTo = Math.min(portFrom + WORDS, (firstRouter[part + 1] * PS + 31) >> 5)
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

    return {
      enter,
      arrive: input.arrive,
      ...(FAR ? { arrivals: input.arrivals, touchCredits: output.touchCredits } : {}),
      credit: output.credit,
      link,
      core: middle.core,
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
