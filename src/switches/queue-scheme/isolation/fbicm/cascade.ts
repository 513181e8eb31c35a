// Packets that move on from line to line: lists mix congested points, and what goes to the nearer one must not wait for the farther. Fronts of a line's queue
// whose destination is listed in another line of the output move to the queue that is linked to that one; once at most, and whoever comes behind follows.
import { CREDIT_SHIFT, DST, FLITS, HOPS } from "../../../../fabric/packets.ts"
import type { Lines } from "../columns.ts"
import type { LineFrame } from "../home.ts"
import type { Flow } from "./flow.ts"
import type { Gates } from "./gates.ts"
import type { LineBook } from "./lines.ts"

export interface Cascade {
  /** the line of input q that is linked to line y of output o (its number in the router); -1 if there is none */
  linked(q: number, o: number, y: number): number
  /** fronts of line i move on */
  cascade(q: number, i: number, t: number): void
  /** packet p leaves a queue whose front had found no room: it waits for something else now */
  unlack(queue: number, p: number, t: number): void
}

export function makeCascade(frame: LineFrame, s: Lines, { list, born }: LineBook, { portOf }: Gates, flow: Flow): Cascade {
  const { site, chains, p: params } = frame
  const { packets } = site.columns
  const { own: OWN } = site.constants
  const { pop, heads } = chains
  const { lacking } = frame.columns
  const { L, N, lineOn, lineOut, lineNext, lineFlits, outHops, outPoint, outOwner, outLines, movedTo, moved, cascaded, lineStale } = s
  const { join, left, checkStop, checkGo, idle } = flow
  const Q = 1 + L
  const ALL = 2 ** L - 1
  const CASCADE = params.cascade ?? true
  const LINE_ROOM = frame.scheme.lineFlits!

  function linked(q: number, o: number, y: number): number {
    for (let j = 0; j < L; j++) if (lineOn[q * L + j] !== 0 && lineOut[q * L + j] === o && lineNext[q * L + j] === y + 1) return j
    return -1
  }

  function unlack(queue: number, p: number, t: number): void {
    if (lacking[queue] === 0) return
    lacking[queue] = 0
    packets[p + HOPS]! += t << CREDIT_SHIFT
  }

  function cascade(q: number, i: number, t: number): void {
    if (!CASCADE) return
    const line = q * L + i
    for (;;) {
      const p = heads[q * Q + 1 + i]!
      if (p === 0 || (packets[p + OWN]! & 1) !== 0) return
      const d = packets[p + DST]!
      // neither has anybody moved on, nor does the output list it: the rule
      const x = portOf(q, line)
      if (moved[q * N + d] === 0 && (outLines[x] === 0 || outOwner[x * N + d] === 0)) return
      const j = target(q, line, d, t)
      if (j < 0 || j === i || !moves(q, i, j, p, d, t)) return
    }
  }

  function moves(q: number, i: number, j: number, p: number, d: number, t: number): boolean {
    if (lineFlits[q * L + j]! + packets[p + FLITS]! > LINE_ROOM || !list(q, j, d)) return false
    pop(q * Q + 1 + i)
    unlack(q * Q + 1 + i, p, t)
    left(q, i, p)
    packets[p + OWN]! |= 1
    moved[q * N + d]!++
    movedTo[q * N + d] = j + 1
    // whoever else goes to d waits for it from now on
    lineStale[q] = ALL
    cascaded[q]!++
    join(q, j, p)
    checkStop(q, j)
    checkGo(q, i)
    idle(q, i, t)
    return true
  }

  function target(q: number, line: number, d: number, t: number): number {
    if (moved[q * N + d]! > 0) return movedTo[q * N + d]! - 1
    const o = lineOut[line]!
    const x = portOf(q, line)
    const y = outOwner[x * N + d]!
    if (y === 0 || lineNext[line] === y) return -1
    const j = linked(q, o, y - 1)
    return j >= 0 ? j : born(q, o, outHops[x * L + y - 1]!, outPoint[x * L + y - 1]!, y, t)
  }

  return { linked, cascade, unlack }
}
