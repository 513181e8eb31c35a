// What was counted in the measured window.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"

/** Counters of the window: a copy at its begin, then the difference. */
export interface WindowCounts {
  readonly endIn: Uint32Array
  readonly endOut: Uint32Array
  readonly portFlits: Uint32Array
}

export function copyCounts({ columns: a }: ClockedEngine): WindowCounts {
  return { endIn: a.endIn.slice(), endOut: a.endOut.slice(), portFlits: a.portFlits.slice() }
}

export function since(engine: ClockedEngine, begin: WindowCounts | undefined): WindowCounts {
  const now = copyCounts(engine)
  for (const key of ["endIn", "endOut", "portFlits"] as const)
    for (let i = 0; i < now[key].length; i++) now[key][i]! -= begin?.[key][i] ?? 0
  return now
}

export function flitsOut(c: WindowCounts): number {
  let sum = 0
  for (let i = 0; i < c.endOut.length; i++) sum += c.endOut[i]!
  return sum
}
