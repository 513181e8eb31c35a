// Moves of packets between line queues (FBICM). The destinations of one list may belong to different congested points,
// and a packet to the nearer point must not wait for the farther one. If the head packet of a line queue has a
// destination that another line of its output lists, it moves to the queue that is linked to that line. A packet moves
// at most once, and later packets to its destination follow it, so that order is preserved.
import { CREDIT_SHIFT, DST, FLITS, HOPS } from "../../../../fabric/packets.ts"
import type { Lines } from "../columns.ts"
import type { LineState } from "../home.ts"
import type { Eligibility } from "./eligibility.ts"
import type { Flow } from "./flow.ts"
import type { LineBook } from "./lines.ts"

export interface Cascade {
  /** Returns the line of input q that is linked to line y of output o (its number in the router), or -1. */
  linked(q: number, o: number, y: number): number
  /** Moves head packets of line i, as long as they belong to another line. */
  cascade(q: number, i: number, t: number): void
  /**
   * Packet p leaves a queue without having been sent: ends its credit stall, because it now waits for something else.
   */
  unlack(queue: number, p: number, t: number): void
}

export function makeCascade(
  sharedState: LineState,
  s: Lines,
  { list, allocate }: LineBook,
  { portOf }: Eligibility,
  flow: Flow,
): Cascade {
  const { site, packetQueues, p: params } = sharedState
  const { packets } = site.columns
  const { own: OWN } = site.constants
  const { pop, heads } = packetQueues
  const { stalledSince } = sharedState.columns
  const {
    L,
    N,
    lineOn,
    lineOut,
    lineNext,
    lineFlits,
    outHops,
    outPoint,
    outOwner,
    outLines,
    movedTo,
    moved,
    cascaded,
    lineStale,
  } = s
  const { join, left, checkStop, checkGo, idle } = flow
  const Q = 1 + L
  const ALL = 2 ** L - 1
  const CASCADE = params.cascade ?? true
  const LINE_FLITS = sharedState.scheme.lineFlits!

  function linked(q: number, o: number, y: number): number {
    for (let j = 0; j < L; j++)
      if (lineOn[q * L + j] !== 0 && lineOut[q * L + j] === o && lineNext[q * L + j] === y + 1) return j
    return -1
  }

  function unlack(queue: number, p: number, t: number): void {
    if (stalledSince[queue] === 0) return
    stalledSince[queue] = 0
    packets[p + HOPS] += t << CREDIT_SHIFT
  }

  function cascade(q: number, i: number, t: number): void {
    if (!CASCADE) return
    const line = q * L + i
    for (;;) {
      const p = heads[q * Q + 1 + i]
      if (p === 0 || (packets[p + OWN] & 1) !== 0) return
      const d = packets[p + DST]
      // The usual case: no packet to d was moved, and the output does not list d.
      const x = portOf(q, line)
      if (moved[q * N + d] === 0 && (outLines[x] === 0 || outOwner[x * N + d] === 0)) return
      const j = target(q, line, d, t)
      if (j < 0 || j === i || !moves(q, i, j, p, d, t)) return
    }
  }

  /**
   * Moves packet p from line i to line j. Returns false if line j has no space for the packet or for its destination.
   */
  function moves(q: number, i: number, j: number, p: number, d: number, t: number): boolean {
    if (lineFlits[q * L + j] + packets[p + FLITS] > LINE_FLITS || !list(q, j, d)) return false
    pop(q * Q + 1 + i)
    unlack(q * Q + 1 + i, p, t)
    left(q, i, p)
    packets[p + OWN] |= 1
    moved[q * N + d]++
    movedTo[q * N + d] = j + 1
    // All other packets to d must wait behind it from now on.
    lineStale[q] = ALL
    cascaded[q]++
    join(q, j, p)
    checkStop(q, j)
    checkGo(q, i)
    idle(q, i, t)
    return true
  }

  /** Returns the line to which packets to d move: that of earlier packets, or the one linked to the output's line. */
  function target(q: number, line: number, d: number, t: number): number {
    if (moved[q * N + d] > 0) return movedTo[q * N + d] - 1
    const o = lineOut[line]
    const x = portOf(q, line)
    const y = outOwner[x * N + d]
    if (y === 0 || lineNext[line] === y) return -1
    const j = linked(q, o, y - 1)
    return j >= 0 ? j : allocate(q, o, outHops[x * L + y - 1], outPoint[x * L + y - 1], y, t)
  }

  return { linked, cascade, unlack }
}
