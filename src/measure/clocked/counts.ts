// The counters of the window of a clocked run. The engine counts from cycle 0 and never resets a counter. The window is
// the difference of two copies.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"

/**
 * Counters of the window: a copy at its beginning, then the difference. Flits by endpoint and stream, and by output
 * port.
 */
export interface WindowCounts {
  readonly endIn: Uint32Array
  readonly endOut: Uint32Array
  readonly portFlits: Uint32Array
}

export function copyCounts({ columns: a }: ClockedEngine): WindowCounts {
  return { endIn: a.endIn.slice(), endOut: a.endOut.slice(), portFlits: a.portFlits.slice() }
}

/** Returns the counters since `begin`, or since cycle 0. Differences are exact across an overflow of 32 bits. */
export function since(engine: ClockedEngine, begin: WindowCounts | undefined): WindowCounts {
  const now = copyCounts(engine)
  for (const key of ["endIn", "endOut", "portFlits"] as const)
    for (let i = 0; i < now[key].length; i++) now[key][i] -= begin?.[key][i] ?? 0
  return now
}

/** Returns the flits that all endpoints received, of the first `most` of all streams. */
export function flitsOut({ endOut }: WindowCounts, streams: number, most: number): number {
  let sum = 0
  for (let i = 0; i < endOut.length; i++) if (i % streams < most) sum += endOut[i]
  return sum
}
