// Birth, lists and death of CAM lines. At one port a destination is owned by one active line at most: packets to it can never overtake each other (an Update
// could otherwise add it to an older line while a younger one holds packets of it).
import { type Lines, MAPPED, PENDING } from "../columns.ts"
import type { LineFrame, LineHome } from "../home.ts"
import type { LineLog } from "../log.ts"
import { type LineNotes, NOTE } from "../notes.ts"

export interface LineBook {
  inList(line: number, d: number): boolean
  inOutList(line: number, d: number): boolean
  /** destination d joins the list of input line i of q, if it has no owner and there is room */
  add(q: number, i: number, d: number): boolean
  /** the same without owning it */
  list(q: number, i: number, d: number): boolean
  /** a line for output o (its number in the router); -1 if none is free. `next`: line of that output + 1, 0 = none */
  born(q: number, o: number, hops: number, point: number, next: number, t: number): number
  dies(q: number, i: number, t: number): void
  /** the queue of a line is empty and may be filled: its timer starts */
  arm(q: number, i: number, t: number): void
  outBorn(x: number, i: number): void
  outAdd(x: number, i: number, d: number): void
  outDies(x: number, i: number): void
}

export function makeLineBook({ p }: LineFrame, s: Lines, notes: LineNotes, log: LineLog, home: LineHome): LineBook {
  const { ON: LOGS } = log
  const { L, W, N } = s
  const { lineOn, lineHops, linePoint, lineOut, lineNext, lineState, lineLength, lineBirth, lineDue, lineList, owner, lines, most } = s
  const { outOn, outHops, outStop, outLength, outList, outOwner, camCycles, camSince, skipped, born: bornAt, outLines } = s
  const SHORT = p.scheme === "fbicm-2"
  const CAP = SHORT ? (p.list ?? 8) : N
  const CASCADE = p.cascade ?? true
  const TIMER = Math.max(1, p.timer ?? 256)
  function inList(line: number, d: number): boolean {
    return ((lineList[line * W + (d >> 5)]! >>> d) & 1) !== 0
  }

  function inOutList(line: number, d: number): boolean {
    return ((outList[line * W + (d >> 5)]! >>> d) & 1) !== 0
  }

  function add(q: number, i: number, d: number): boolean {
    if (owner[q * N + d] !== 0) {
      skipped[q]!++
      return false
    }
    if (!list(q, i, d)) return false
    owner[q * N + d] = i + 1
    return true
  }

  function list(q: number, i: number, d: number): boolean {
    const line = q * L + i
    if (inList(line, d)) return true
    if (lineLength[line]! >= CAP) return false
    lineList[line * W + (d >> 5)]! |= 1 << d
    lineLength[line]!++
    if (SHORT && (lineState[line]! & (MAPPED | PENDING)) !== 0) notes.upOne(q, NOTE.update, i, d)
    return true
  }

  function born(q: number, o: number, hops: number, point: number, next: number, t: number): number {
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
    lineBirth[line] = t
    bornAt[q]!++
    if (LOGS) log.born(q, i, hops, o)
    if (lines[q]!++ === 0) camSince[q] = t
    home.count(1, t)
    if (lines[q]! > most[q]!) most[q] = lines[q]!
    return i
  }

  function dies(q: number, i: number, t: number): void {
    const line = q * L + i
    for (let w = 0; w < W; w++) {
      for (let m = lineList[line * W + w]!; m !== 0; m &= m - 1) {
        const d = (w << 5) + 31 - Math.clz32(m & -m)
        if (owner[q * N + d] === i + 1) owner[q * N + d] = 0
      }
      lineList[line * W + w] = 0
    }
    if (LOGS) log.died(q, i, t - lineBirth[line]!)
    lineOn[line] = 0
    lineLength[line] = 0
    lineDue[line] = 0
    lineNext[line] = 0
    if (--lines[q]! === 0) camCycles[q]! += t - camSince[q]!
    home.count(-1, t)
  }

  function arm(q: number, i: number, t: number): void {
    lineDue[q * L + i] = t + TIMER
    home.arm(q, t + TIMER)
  }

  function outBorn(x: number, i: number): void {
    if (outOn[x * L + i] === 0) outLines[x]!++
    outOn[x * L + i] = 1
  }

  function outAdd(x: number, i: number, d: number): void {
    const line = x * L + i
    const k = outOwner[x * N + d]!
    // in two lists: it belongs to the line that is farther from its congested point
    if (k !== 0 && k !== i + 1 && !(CASCADE && outHops[line]! > outHops[x * L + k - 1]!)) return
    if (!inOutList(line, d)) {
      if (outLength[line]! >= CAP) return
      outList[line * W + (d >> 5)]! |= 1 << d
      outLength[line]!++
    }
    outOwner[x * N + d] = i + 1
  }

  function outDies(x: number, i: number): void {
    const line = x * L + i
    for (let w = 0; w < W; w++) {
      for (let m = outList[line * W + w]!; m !== 0; m &= m - 1) {
        const d = (w << 5) + 31 - Math.clz32(m & -m)
        if (outOwner[x * N + d] === i + 1) outOwner[x * N + d] = 0
      }
      outList[line * W + w] = 0
    }
    if (outOn[line] !== 0) outLines[x]!--
    if (LOGS && outStop[line] !== 0) log.gate(x, i, outHops[line]!, false)
    outOn[line] = 0
    outStop[line] = 0
    outLength[line] = 0
    outHops[line] = 0
  }

  return { inList, inOutList, add, list, born, dies, arm, outBorn, outAdd, outDies }
}
