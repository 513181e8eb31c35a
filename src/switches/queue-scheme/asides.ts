// Schemes with a part of their own in the switch.
import type { TransferWires } from "../../fabric/transfer.ts"
import type { Aside } from "./aside.ts"
import type { Frame } from "./frame.ts"
import type { Inputs } from "./inputs.ts"
import { makeFbicm } from "./isolation/fbicm/fbicm.ts"
import type { Notes } from "./isolation/notes.ts"

export function makeAside(frame: Frame, inputs: Inputs, notes: Notes, wires: TransferWires): Aside | undefined {
  const { lines } = frame
  return lines === undefined ? undefined : makeFbicm(frame, lines, inputs, notes, wires)
}
