// Wake-up lists of MPorts: the inputs that wait for space in the central buffer of their MPort, or for one of its
// up-links.
//
// Columns:
//   `mports`  [m << 1]  inputs (numbers in the MPort) to wake when the central buffer has space; [(m << 1) + 1] those
//                       to wake when an up-link can carry more.
import { lowest } from "../../core/bitset.ts"
import { i32 } from "../../fabric/columns.ts"
import type { VlInput } from "../parts/vls.ts"
import type { SharedState } from "./shared-state.ts"

export const BY_SPACE = 0
export const RATE = 1

export type Calls = ReturnType<typeof makeCalls>

/** Creates the lists. The crossbars add inputs, and the centre and the ends of transfers wake them. */
export function makeCalls({ site, p: params, MP }: SharedState, { wake }: VlInput) {
  const low = lowest
  const { PS, routers } = site.layout
  const { mport: MPORT } = params
  const mports = i32(2 * routers * MP)

  /** Wakes the inputs of MPort m that wait for space or for rate. */
  function call(m: number, what: number): void {
    const who = mports[2 * m + what]
    if (who === 0) return
    mports[2 * m + what] = 0
    const r = (m / MP) | 0
    const first = r * PS + (m - r * MP) * MPORT
    for (let left = who; left !== 0; left &= left - 1) wake(first + low(left))
  }

  return { columns: { mports }, call }
}
