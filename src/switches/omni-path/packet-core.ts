// The core of an Omni-Path switch with `grain: packet`: in each cycle flits come into the centre, then the central
// crossbar and those of the MPorts arbitrate. The centre goes first, because its reads free space for the MPorts.
import type { SwitchPorts } from "../../fabric/transfer.ts"
import { visitReady, visitReadySlot } from "../parts/ready-sets.ts"
import type { VlOutput } from "../parts/vl-outputs.ts"
import type { VlInput } from "../parts/vls.ts"
import type { Core } from "./message-core.ts"
import { makePacketCentre } from "./packet-centre.ts"
import { makePacketCrossbars } from "./packet-crossbars.ts"
import type { SharedState } from "./shared-state.ts"

export function makePacketCore(sharedState: SharedState, input: VlInput, output: VlOutput, links: SwitchPorts): Core {
  const { UP } = sharedState
  const { firstRouter } = sharedState.site.layout
  const centre = makePacketCentre(sharedState, input, output)
  const mports = makePacketCrossbars(sharedState, input, output, centre, links)
  const { needsArbitration } = input.columns
  const { comingDue, upAwake } = centre.columns
  const { wheelMask: CM, upWords: UP_WORDS, came } = centre
  let coreWheel = 0
  let upBase = 0
  let routerFrom = 0
  let routerTo = 0

  function enter(part: number): void {
    centre.enter(part)
    mports.enter(part)
    coreWheel = part * (CM + 1)
    upBase = firstRouter[part] * UP
    routerFrom = firstRouter[part] >> 5
    routerTo = (firstRouter[part + 1] + 31) >> 5
  }

  function arbitrate(r: number, _s: number, t: number): void {
    if (upAwake[r] !== 0) centre.arbitrate(r, t)
    mports.arbitrate(r, t)
  }

  function core(s: number, t: number): void {
    visitReadySlot(comingDue, (coreWheel + (s & CM)) * UP_WORDS, UP_WORDS, upBase, came, s, t)
    visitReady(needsArbitration, routerFrom, routerTo, arbitrate, s, t)
  }

  return { columns: { ...centre.columns, ...mports.columns }, enter, core }
}
