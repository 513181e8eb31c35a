// Eligibility of line queues (FBICM): a line queue does not request its output while its head packet is stopped there,
// or while it must wait for packets that were moved to another queue.
import { lowest } from "../../../../core/bitset.ts"
import { DST } from "../../../../fabric/packets.ts"
import type { Inputs } from "../../inputs.ts"
import type { Lines } from "../columns.ts"
import type { LineState } from "../home.ts"

export interface Eligibility {
  /** Returns the output port of a line of input q. */
  portOf(q: number, line: number): number
  /** Returns whether some destination of the line is stopped. */
  stopped(q: number, line: number): boolean
  /** Updates the requests of the stale line queues of input q. */
  refresh(q: number): void
}

export function makeEligibility(
  sharedState: LineState,
  s: Lines,
  { front, gone }: Pick<Inputs, "front" | "gone">,
): Eligibility {
  const low = lowest
  const { site, ports, packetQueues, p: params } = sharedState
  const { PS } = site.layout
  const { packets } = site.columns
  const { own: OWN } = site.constants
  const { router } = ports
  const { heads } = packetQueues
  const { L, W, N, lineOut, lineNext, lineList, outStop, outOwner, outLines, moved, movedTo, lineRequests, lineStale } =
    s
  const Q = 1 + L
  const CASCADE = params.cascade ?? true
  const HEAD_STOPS = (params.stopRule ?? "head") === "head"

  /** Returns whether destination d is stopped at output x. */
  function stops(x: number, d: number): boolean {
    if (outLines[x] === 0) return false
    const k = outOwner[x * N + d]
    return k !== 0 && outStop[x * L + k - 1] !== 0
  }

  function portOf(q: number, line: number): number {
    return router[q] * PS + lineOut[line]
  }

  /**
   * Returns whether the head packet p of line i must not request its output. Packets to d that were moved to another
   * queue go first, because packets of a flow must not overtake each other.
   */
  function blocked(q: number, i: number, p: number): boolean {
    const line = q * L + i
    const d = packets[p + DST]
    if (CASCADE && (packets[p + OWN] & 1) === 0 && moved[q * N + d] > 0 && movedTo[q * N + d] !== i + 1) return true
    const x = portOf(q, line)
    if (HEAD_STOPS) return stops(x, d)
    return lineNext[line] !== 0 && outStop[x * L + lineNext[line] - 1] !== 0
  }

  /** Recomputes the requests of the line queues that have changed since the last call (`lineStale`). */
  function refresh(q: number): void {
    let stale = lineStale[q]
    lineStale[q] = 0
    let requests = lineRequests[q]
    for (; stale !== 0; stale &= stale - 1) {
      const i = low(stale)
      const p = heads[q * Q + 1 + i]
      const was = ((requests >>> i) & 1) !== 0
      const may = p !== 0 && !blocked(q, i, p)
      if (may === was) continue
      requests ^= 1 << i
      if (may) front(q, lineOut[q * L + i], 1 + i)
      else gone(q, lineOut[q * L + i], 1 + i)
    }
    lineRequests[q] = requests
  }

  function stopped(q: number, line: number): boolean {
    const x = portOf(q, line)
    if (!HEAD_STOPS) return lineNext[line] !== 0 && outStop[x * L + lineNext[line] - 1] !== 0
    for (let w = 0; w < W; w++)
      for (let m = lineList[line * W + w]; m !== 0; m &= m - 1) if (stops(x, (w << 5) + low(m))) return true
    return false
  }

  return { portOf, stopped, refresh }
}
