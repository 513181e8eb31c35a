// Allocation, lists and release of CAM lines (FBICM). Invariant: at one port, at most one line in use owns a
// destination. Packets to it therefore never overtake each other. Otherwise an Update could add the destination to an
// older line while a newer line still has packets to it.
import { type Lines, MAPPED, PENDING } from "../columns.ts"
import { CONTROL, type LineMessages } from "../control-messages.ts"
import type { LineHome, LineState } from "../home.ts"
import type { LineLog } from "../log.ts"

export interface LineBook {
  inList(line: number, d: number): boolean
  inOutList(line: number, d: number): boolean
  /** Adds destination d to the list of input line i, if it has no owner and the list has space. */
  add(q: number, i: number, d: number): boolean
  /** The same without becoming the owner. */
  list(q: number, i: number, d: number): boolean
  /**
   * Returns a new line for output o (its number in the router), or -1 if none is free. `next` is the linked line of
   * that output + 1; 0 = none.
   */
  allocate(q: number, o: number, hops: number, point: number, next: number, t: number): number
  dies(q: number, i: number, t: number): void
  /** The queue of a line is empty and not stopped: starts its timer. */
  arm(q: number, i: number, t: number): void
  outAllocate(x: number, i: number): void
  outAdd(x: number, i: number, d: number): void
  outDies(x: number, i: number): void
}

export function makeLineBook({ p }: LineState, s: Lines, notes: LineMessages, log: LineLog, home: LineHome): LineBook {
  const { ON: LOGS } = log
  const { L, W, N } = s
  const {
    lineOn,
    lineHops,
    linePoint,
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
  } = s
  const {
    outOn,
    outHops,
    outStop,
    outLength,
    outList,
    outOwner,
    camCycles,
    camSince,
    skipped,
    allocated: allocatedAt,
    outLines,
  } = s
  const SHORT = p.scheme === "fbicm-2"
  const CAP = SHORT ? (p.list ?? 8) : N
  const CASCADE = p.cascade ?? true
  const TIMER = Math.max(1, p.timer ?? 256)
  function inList(line: number, d: number): boolean {
    return ((lineList[line * W + (d >> 5)] >>> d) & 1) !== 0
  }

  function inOutList(line: number, d: number): boolean {
    return ((outList[line * W + (d >> 5)] >>> d) & 1) !== 0
  }

  function add(q: number, i: number, d: number): boolean {
    if (owner[q * N + d] !== 0) {
      skipped[q]++
      return false
    }
    if (!list(q, i, d)) return false
    owner[q * N + d] = i + 1
    return true
  }

  function list(q: number, i: number, d: number): boolean {
    const line = q * L + i
    if (inList(line, d)) return true
    if (lineLength[line] >= CAP) return false
    lineList[line * W + (d >> 5)] |= 1 << d
    lineLength[line]++
    // Version 2: the sender has a copy of the line, which must learn the new destination.
    if (SHORT && (lineState[line] & (MAPPED | PENDING)) !== 0) notes.upOne(q, CONTROL.update, i, d)
    return true
  }

  function allocate(q: number, o: number, hops: number, point: number, next: number, t: number): number {
    let i = 0
    while (i < L && lineOn[q * L + i] !== 0) i++
    if (i === L) return -1
    const line = q * L + i
    lineOn[line] = 1
    lineHops[line] = hops
    linePoint[line] = point
    lineOut[line] = o
    lineNext[line] = next
    lineState[line] = 0
    lineAllocatedAt[line] = t
    allocatedAt[q]++
    if (LOGS) log.allocated(q, i, hops, o)
    // camSince and camCycles measure the time with at least one line in use.
    if (lines[q]++ === 0) camSince[q] = t
    home.count(1, t)
    if (lines[q] > most[q]) most[q] = lines[q]
    return i
  }

  /** Frees line i of input q, and the destinations that it owns. */
  function dies(q: number, i: number, t: number): void {
    const line = q * L + i
    for (let w = 0; w < W; w++) {
      for (let m = lineList[line * W + w]; m !== 0; m &= m - 1) {
        const d = (w << 5) + 31 - Math.clz32(m & -m)
        if (owner[q * N + d] === i + 1) owner[q * N + d] = 0
      }
      lineList[line * W + w] = 0
    }
    if (LOGS) log.died(q, i, t - lineAllocatedAt[line])
    lineOn[line] = 0
    lineLength[line] = 0
    lineDue[line] = 0
    lineNext[line] = 0
    if (--lines[q] === 0) camCycles[q] += t - camSince[q]
    home.count(-1, t)
  }

  function arm(q: number, i: number, t: number): void {
    lineDue[q * L + i] = t + TIMER
    home.arm(q, t + TIMER)
  }

  /** Marks output line i as used. */
  function outAllocate(x: number, i: number): void {
    if (outOn[x * L + i] === 0) outLines[x]++
    outOn[x * L + i] = 1
  }

  /** Adds destination d to output line i, if the list has space and no line with precedence owns it. */
  function outAdd(x: number, i: number, d: number): void {
    const line = x * L + i
    const k = outOwner[x * N + d]
    // In two lists, a destination belongs to the line that is farther from its congested point.
    if (k !== 0 && k !== i + 1 && !(CASCADE && outHops[line] > outHops[x * L + k - 1])) return
    if (!inOutList(line, d)) {
      if (outLength[line] >= CAP) return
      outList[line * W + (d >> 5)] |= 1 << d
      outLength[line]++
    }
    outOwner[x * N + d] = i + 1
  }

  /** Frees output line i and the destinations that it owns. A stopped line counts as released in the trace. */
  function outDies(x: number, i: number): void {
    const line = x * L + i
    for (let w = 0; w < W; w++) {
      for (let m = outList[line * W + w]; m !== 0; m &= m - 1) {
        const d = (w << 5) + 31 - Math.clz32(m & -m)
        if (outOwner[x * N + d] === i + 1) outOwner[x * N + d] = 0
      }
      outList[line * W + w] = 0
    }
    if (outOn[line] !== 0) outLines[x]--
    if (LOGS && outStop[line] !== 0) log.gate(x, i, outHops[line], false)
    outOn[line] = 0
    outStop[line] = 0
    outLength[line] = 0
    outHops[line] = 0
  }

  return { inList, inOutList, add, list, allocate, dies, arm, outAllocate, outAdd, outDies }
}
