// Schemes with a part of their own in the switch.
import type { TransferWires } from "../../fabric/transfer.ts"
import type { Aside } from "./aside.ts"
import { makeBfc } from "./bfc/bfc.ts"
import type { Frame } from "./frame.ts"
import type { Inputs } from "./inputs.ts"
import { makeFbicm } from "./isolation/fbicm/fbicm.ts"
import type { Notes } from "./isolation/notes.ts"
import { makeRecn } from "./isolation/recn/recn.ts"

export function makeAside(frame: Frame, inputs: Inputs, notes: Notes, wires: TransferWires): Aside | undefined {
  const { lines, turns, flows } = frame
  if (flows !== undefined) return makeBfc(frame, flows, inputs, notes, wires)
  if (lines === undefined) return undefined
  if (turns !== undefined) return makeRecn(frame, lines, turns, inputs, notes, wires)
  return makeFbicm(frame, lines, inputs, notes, wires)
}
