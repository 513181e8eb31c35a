// Who may ask: a line's queue waits while its front is stopped behind the output, or must let others go first.
import { lowest } from "../../../../core/bitset.ts"
import { DST } from "../../../../fabric/packets.ts"
import type { Inputs } from "../../inputs.ts"
import type { Lines } from "../columns.ts"
import type { LineFrame } from "../home.ts"

export interface Gates {
  /** the output port of a line of input q */
  portOf(q: number, line: number): number
  /** is some destination of the line stopped? */
  stopped(q: number, line: number): boolean
  /** which of the line queues of input q that are stale ask */
  refresh(q: number): void
}

export function makeGates(frame: LineFrame, s: Lines, { front, gone }: Pick<Inputs, "front" | "gone">): Gates {
  const low = lowest
  const { site, ports, chains, p: params } = frame
  const { PS } = site.layout
  const { packets } = site.columns
  const { own: OWN } = site.constants
  const { router } = ports
  const { heads } = chains
  const { L, W, N, lineOut, lineNext, lineList, outStop, outOwner, outLines, moved, movedTo, lineAsks, lineStale } = s
  const Q = 1 + L
  const CASCADE = params.cascade ?? true
  const HEAD_STOPS = (params.stopRule ?? "head") === "head"

  function stops(x: number, d: number): boolean {
    if (outLines[x] === 0) return false
    const k = outOwner[x * N + d]!
    return k !== 0 && outStop[x * L + k - 1] !== 0
  }

  function portOf(q: number, line: number): number {
    return router[q]! * PS + lineOut[line]!
  }

  /** May the front of line i's queue not ask? */
  function blocked(q: number, i: number, p: number): boolean {
    const line = q * L + i
    const d = packets[p + DST]!
    if (CASCADE && (packets[p + OWN]! & 1) === 0 && moved[q * N + d]! > 0 && movedTo[q * N + d] !== i + 1) return true
    const x = portOf(q, line)
    if (HEAD_STOPS) return stops(x, d)
    return lineNext[line] !== 0 && outStop[x * L + lineNext[line]! - 1] !== 0
  }

  function refresh(q: number): void {
    let stale = lineStale[q]!
    lineStale[q] = 0
    let asks = lineAsks[q]!
    for (; stale !== 0; stale &= stale - 1) {
      const i = low(stale)
      const p = heads[q * Q + 1 + i]!
      const was = ((asks >>> i) & 1) !== 0
      const may = p !== 0 && !blocked(q, i, p)
      if (may === was) continue
      asks ^= 1 << i
      if (may) front(q, lineOut[q * L + i]!, 1 + i)
      else gone(q, lineOut[q * L + i]!, 1 + i)
    }
    lineAsks[q] = asks
  }

  function stopped(q: number, line: number): boolean {
    const x = portOf(q, line)
    if (!HEAD_STOPS) return lineNext[line] !== 0 && outStop[x * L + lineNext[line]! - 1] !== 0
    for (let w = 0; w < W; w++) for (let m = lineList[line * W + w]!; m !== 0; m &= m - 1) if (stops(x, (w << 5) + low(m))) return true
    return false
  }

  return { portOf, stopped, refresh }
}
