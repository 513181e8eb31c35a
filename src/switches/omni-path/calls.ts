// Inputs of an MPort that wait for room in its central buffer, or for one of its up-links.
// Columns:
//   mports  [m << 1] inputs (numbers in the MPort) to call when the central buffer has room; [(m << 1) + 1] when an up-link can carry more
import { lowest } from "../../core/bitset.ts"
import { i32 } from "../../fabric/columns.ts"
import type { VlInput } from "../parts/vls.ts"
import type { Frame } from "./frame.ts"

export const ROOM = 0
export const RATE = 1

export type Calls = ReturnType<typeof makeCalls>

export function makeCalls({ site, p: params, MP }: Frame, { wake }: VlInput) {
  const low = lowest
  const { PS, routers } = site.layout
  const { mport: MPORT } = params
  const mports = i32(2 * routers * MP)

  /** MPort m has more of what some of its inputs wait for. */
  function call(m: number, what: number): void {
    const who = mports[2 * m + what]!
    if (who === 0) return
    mports[2 * m + what] = 0
    const r = (m / MP) | 0
    const first = r * PS + (m - r * MP) * MPORT
    for (let left = who; left !== 0; left &= left - 1) wake(first + low(left))
  }

  return { columns: { mports }, call }
}
