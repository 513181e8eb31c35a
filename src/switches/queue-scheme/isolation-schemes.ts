// Creates the isolation scheme of a switch, if its queue scheme has one.
import type { SwitchPorts } from "../../fabric/transfer.ts"
import { makeBfc } from "./bfc/bfc.ts"
import type { Inputs } from "./inputs.ts"
import type { ControlMessages } from "./isolation/control-messages.ts"
import { makeFbicm } from "./isolation/fbicm/fbicm.ts"
import { makeRecn } from "./isolation/recn/recn.ts"
import type { IsolationScheme } from "./isolation-scheme.ts"
import type { SharedState } from "./shared-state.ts"

export function makeIsolationScheme(
  sharedState: SharedState,
  inputs: Inputs,
  notes: ControlMessages,
  links: SwitchPorts,
): IsolationScheme | undefined {
  const { lines, turns, flows } = sharedState
  if (flows !== undefined) return makeBfc(sharedState, flows, inputs, notes, links)
  if (lines === undefined) return undefined
  if (turns !== undefined) return makeRecn(sharedState, lines, turns, inputs, notes, links)
  return makeFbicm(sharedState, lines, inputs, notes, links)
}
