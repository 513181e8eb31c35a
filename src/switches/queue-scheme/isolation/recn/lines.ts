// Allocation and release of lines that are named by turns (RECN). A destination belongs to the line with the longest
// matching path. A congested point behind another one has a separate line, and the line of the nearer point keeps the
// other destinations.
import { lowest } from "../../../../core/bitset.ts"
import type { SharedState } from "../../shared-state.ts"
import type { Lines } from "../columns.ts"
import { CONTROL, type ControlMessages } from "../control-messages.ts"
import type { LineLog } from "../log.ts"
import { intervalOf } from "../series.ts"
import { TURNS, type TurnColumns } from "./columns.ts"
import { crossesOf } from "./paths.ts"

export interface Book {
  enter(part: number): void
  /**
   * Returns a new line of input q for output o, linked to line y - 1 of that output (0 = the output itself is the
   * congested point), or -1 if none is free.
   */
  allocate(q: number, o: number, y: number, t: number): number
  dies(q: number, i: number, t: number): void
  /** Creates line i of output x as a copy of the downstream one. Its n turns are in outPath already. */
  outAllocate(x: number, i: number, n: number, t: number): void
  /** Starts the timer of a port. Returns the cycle in which it is due. */
  arm(port: number, t: number): number
  /** Releases output line i, to which no input line is linked, with a token to the downstream neighbour. */
  freeOutLine(x: number, i: number): void
}

export function makeBook(
  sharedState: SharedState,
  s: Lines,
  v: TurnColumns,
  notes: ControlMessages,
  log: LineLog,
): Book {
  const low = lowest
  const { site, ports, p, table } = sharedState
  const { PS, radix: R, firstRouter, outerRouter, graph } = site.layout
  const { portWords: WORDS, portMarks: MARKS } = site.constants
  const { router, local } = ports
  const { L, W, N, mask: MASK } = s
  const {
    lineOn,
    lineHops,
    lineOut,
    lineNext,
    lineState,
    lineLength,
    lineAllocatedAt,
    lineDue,
    lineList,
    owner,
    lines,
    most,
    allocated: allocatedAt,
  } = s
  const { outOn, outHops, outStop, outLength, outList, outOwner, outLines, camCycles, camSince, timerDue, timerMarks } =
    s
  const { linePath, outPath, joined, after, root, outLinks, outDue } = v
  const crosses = crossesOf(graph, table!)
  const Q = 1 + L
  const TIMER = Math.max(1, p.timer ?? 256)
  const { constants } = site
  const { lineSeries } = s
  let wheel = 0
  let portBase = 0
  let series = 0

  function enter(part: number): void {
    wheel = part * (MASK + 1)
    portBase = firstRouter[part] * PS
    series = part * constants.seriesLength
  }

  /** Sets a timer of TIMER cycles in the timing wheel. */
  function arm(port: number, t: number): number {
    const at = t + TIMER
    const slot = wheel + (at & MASK)
    const rel = port - portBase
    timerDue[slot * WORDS + (rel >> 5)] |= 1 << rel
    timerMarks[slot * MARKS + (rel >> 10)] |= 1 << (rel >> 5)
    return at
  }

  function allocate(q: number, o: number, y: number, t: number): number {
    let i = 0
    while (i < L && lineOn[q * L + i] !== 0) i++
    if (i === L) return -1
    const line = q * L + i
    const x = router[q] * PS + o
    const n = y === 0 ? 0 : outLength[x * L + y - 1]
    lineOn[line] = 1
    lineHops[line] = y === 0 ? 0 : outHops[x * L + y - 1]
    lineOut[line] = o
    lineNext[line] = y
    lineState[line] = 0
    lineLength[line] = n + 1
    lineAllocatedAt[line] = t
    linePath[line * TURNS] = o
    // The path of the line is the turn at this switch, followed by the path of the linked output line.
    for (let k = 0; k < n; k++) linePath[line * TURNS + 1 + k] = outPath[(x * L + y - 1) * TURNS + k]
    if (y !== 0) outLinks[x * L + y - 1]++
    allocatedAt[q]++
    if (log.ON) log.allocated(q, i, lineHops[line], o)
    if (lines[q]++ === 0) camSince[q] = t
    lineSeries[series + intervalOf(t, constants)]++
    if (lines[q] > most[q]) most[q] = lines[q]
    claim(q, i)
    // Possibly no packet ever joins the line, so its timer starts now.
    lineDue[line] = arm(q, t)
    return i
  }

  /**
   * Assigns the destinations of the new line i. It also records, for each queue that may contain packets to them, how
   * many must leave before the queue of the line: this preserves the packet order.
   */
  function claim(q: number, i: number): void {
    const line = q * L + i
    const r = outerRouter[router[q]]
    for (let d = 0; d < N; d++) {
      if (!crosses(r, d, linePath, line * TURNS, lineLength[line])) continue
      lineList[line * W + (d >> 5)] |= 1 << d
      const k = owner[q * N + d]
      if (k === 0 || lineLength[q * L + k - 1] < lineLength[line]) owner[q * N + d] = i + 1
    }
    after[line * Q] = joined[q * Q]
    for (let j = 0; j < L; j++) after[line * Q + 1 + j] = begins(q * L + j, line) ? joined[q * Q + 1 + j] : 0
  }

  /** Returns whether the path of a line starts with the shorter path of another line in use. */
  function begins(shorter: number, line: number): boolean {
    const n = lineLength[shorter]
    if (lineOn[shorter] === 0 || n >= lineLength[line]) return false
    for (let k = 0; k < n; k++) if (linePath[shorter * TURNS + k] !== linePath[line * TURNS + k]) return false
    return true
  }

  /** Frees line i of input q. Its destinations go to the line with the next longest matching path. */
  function dies(q: number, i: number, t: number): void {
    const line = q * L + i
    if (log.ON) log.died(q, i, t - lineAllocatedAt[line])
    lineOn[line] = 0
    for (let w = 0; w < W; w++) {
      for (let m = lineList[line * W + w]; m !== 0; m &= m - 1) {
        const d = (w << 5) + low(m)
        if (owner[q * N + d] === i + 1) owner[q * N + d] = longest(lineOn, lineList, lineLength, q, d)
      }
      lineList[line * W + w] = 0
    }
    lineDue[line] = 0
    lineState[line] = 0
    if (--lines[q] === 0) camCycles[q] += t - camSince[q]
    lineSeries[series + intervalOf(t, constants)]--
    const x = router[q] * PS + lineOut[line]
    const y = lineNext[line]
    lineNext[line] = 0
    // The last line of a root ends the tree; the last link of an output line returns its token downstream.
    if (y === 0) unroot(x)
    else if (--outLinks[x * L + y - 1] === 0) freeOutLine(x, y - 1)
  }

  /** Returns the line + 1 with the longest path that lists d at a port; 0 = none. */
  function longest(on: Uint8Array, list: Int32Array, length: Uint16Array, port: number, d: number): number {
    let best = 0
    for (let i = 0; i < L; i++) {
      const line = port * L + i
      if (on[line] === 0 || ((list[line * W + (d >> 5)] >>> d) & 1) === 0) continue
      if (best === 0 || length[line] > length[port * L + best - 1]) best = i + 1
    }
    return best
  }

  /** Output x is no longer a congested point when its last own line is freed. */
  function unroot(x: number): void {
    const first = router[x] * PS
    for (let q = first; q < first + R; q++)
      for (let i = 0; i < L; i++)
        if (lineOn[q * L + i] !== 0 && lineOut[q * L + i] === local[x] && lineNext[q * L + i] === 0) return
    root[x] = 0
  }

  function outAllocate(x: number, i: number, n: number, t: number): void {
    const line = x * L + i
    const r = outerRouter[router[x]]
    // The downstream router.
    const far = graph.routerOf[graph.far[graph.firstChan[r] + local[x]]]
    outOn[line] = 1
    outHops[line] = n
    outStop[line] = 1
    if (log.ON) log.gate(x, i, n, true)
    outLength[line] = n
    outLines[x]++
    for (let d = 0; d < N; d++) {
      if (table!.ports[r * N + d] !== local[x] || !crosses(far, d, outPath, line * TURNS, n)) continue
      outList[line * W + (d >> 5)] |= 1 << d
      const k = outOwner[x * N + d]
      if (k === 0 || outLength[x * L + k - 1] < n) outOwner[x * N + d] = i + 1
    }
    // The line is released if no input links to it before the timer expires.
    outLinks[line] = 0
    outDue[line] = arm(x, t)
  }

  function freeOutLine(x: number, i: number): void {
    const line = x * L + i
    outOn[line] = 0
    outLines[x]--
    for (let w = 0; w < W; w++) {
      for (let m = outList[line * W + w]; m !== 0; m &= m - 1) {
        const d = (w << 5) + low(m)
        if (outOwner[x * N + d] === i + 1) outOwner[x * N + d] = longest(outOn, outList, outLength, x, d)
      }
      outList[line * W + w] = 0
    }
    if (log.ON && outStop[line] !== 0) log.gate(x, i, outHops[line], false)
    outStop[line] = 0
    outLength[line] = 0
    outHops[line] = 0
    outDue[line] = 0
    notes.down(x, CONTROL.token, i)
  }

  return { enter, allocate, dies, outAllocate, arm, freeOutLine }
}
