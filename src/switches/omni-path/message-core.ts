// The core of an Omni-Path switch with `grain: message`: in each cycle transfers and reads end, messages come into the
// central buffers, then the crossbars arbitrate.
import { scratch } from "../../fabric/columns.ts"
import type { SwitchPorts, TransferSwitch } from "../../fabric/transfer.ts"
import { FAR_PORTS, gather, visitReady, visitReadySlot } from "../parts/ready-sets.ts"
import type { VlOutput } from "../parts/vl-outputs.ts"
import type { VlInput } from "../parts/vls.ts"
import { makeCalls } from "./calls.ts"
import { makeCentre } from "./centre.ts"
import { makeMportCrossbars } from "./crossbars.ts"
import type { SharedState } from "./shared-state.ts"

/** What is between the inputs and the outputs of all switches of a partition. */
export type Core = Pick<TransferSwitch, "columns" | "enter" | "core">

export function makeMessageCore(sharedState: SharedState, input: VlInput, output: VlOutput, links: SwitchPorts): Core {
  const { UP } = sharedState
  const { layout, constants } = sharedState.site
  const { portWords: WORDS } = constants
  const { firstRouter, PS } = layout
  const { needsArbitration } = input.columns
  // The MPort crossbars feed the centre, and the centre wakes inputs of the MPorts through `calls`.
  const calls = makeCalls(sharedState, input)
  const centre = makeCentre(sharedState, input, output, calls)
  const mports = makeMportCrossbars(sharedState, input, output, centre, calls, links)
  const { inEnds } = mports.columns
  const { readEnds, comingDue, upAwake } = centre.columns
  const { wheelMask: CM, upWords: UP_WORDS, wasRead, came } = centre
  const { ended } = mports
  const FAR = 32 * WORDS >= FAR_PORTS
  const list = scratch(FAR ? 32 * centre.upWords : 0)
  let coreWheel = 0
  let portBase = 0
  let upBase = 0
  let routerFrom = 0
  let routerTo = 0

  function enter(part: number): void {
    centre.enter(part)
    mports.enter(part)
    coreWheel = part * (CM + 1)
    portBase = firstRouter[part] * PS
    upBase = firstRouter[part] * UP
    routerFrom = firstRouter[part] >> 5
    routerTo = (firstRouter[part + 1] + 31) >> 5
  }

  /** Arbitrates router r. The centre goes first, because its reads free space for the MPorts. */
  function arbitrate(r: number, _s: number, t: number): void {
    if (upAwake[r] !== 0) centre.arbitrate(r, t)
    mports.arbitrate(r, t)
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

  return { columns: { ...calls.columns, ...centre.columns, ...mports.columns }, enter, core }
}
