// Flow control of lines: their queues grow and stop the senders, shrink and let them go on; an empty line that may be filled dies when its timer ends.
import { FLITS } from "../../../../fabric/packets.ts"
import { type Lines, MAPPED, PENDING, SENT_STOP } from "../columns.ts"
import type { LineFrame } from "../home.ts"
import { type LineNotes, NOTE } from "../notes.ts"
import type { Gates } from "./gates.ts"
import type { LineBook } from "./lines.ts"

export interface Flow {
  /** packet p joins the queue of line i */
  join(q: number, i: number, p: number): void
  /** packet p has left it */
  left(q: number, i: number, p: number): void
  checkStop(q: number, i: number): void
  checkGo(q: number, i: number): void
  /** starts the timer of line i if nothing speaks against its death */
  idle(q: number, i: number, t: number): void
  /** ends lines of input q whose timer is due; answers whether one died */
  ends(q: number, t: number): boolean
}

export function makeFlow(frame: LineFrame, s: Lines, notes: LineNotes, { arm, dies }: LineBook, { stopped }: Gates): Flow {
  const { site, chains, p: params } = frame
  const { packets } = site.columns
  const { push } = chains
  const { L, W, lineOn, lineHops, linePoint, lineState, linePackets, lineFlits, lineDue, lineStale } = s
  const Q = 1 + L
  const SHORT = params.scheme === "fbicm-2"
  const ANSWER = params.answer ?? true
  const STOP = params.stop ?? 8
  const GO = params.go ?? 4

  function join(q: number, i: number, p: number): void {
    const line = q * L + i
    linePackets[line]!++
    lineFlits[line]! += packets[p + FLITS]!
    lineDue[line] = 0
    if (push(q * Q + 1 + i, p)) lineStale[q]! |= 1 << i
  }

  function left(q: number, i: number, p: number): void {
    const line = q * L + i
    linePackets[line]!--
    lineFlits[line]! -= packets[p + FLITS]!
    lineStale[q]! |= 1 << i
  }

  function checkStop(q: number, i: number): void {
    const line = q * L + i
    if (linePackets[line]! > STOP && (lineState[line]! & (SENT_STOP | PENDING)) === 0) stop(q, i, line)
  }

  /** Version 1 sends the whole line every time; version 2 once, and then its number. */
  function stop(q: number, i: number, line: number): void {
    const state = lineState[line]!
    if (!SHORT || (state & MAPPED) === 0) {
      lineState[line] = SHORT && ANSWER ? state | PENDING : state | SENT_STOP | MAPPED
      notes.up(q, SHORT ? NOTE.allocate : NOTE.line, i, lineHops[line]! + 1, linePoint[line]!, line * W)
      return
    }
    lineState[line] = state | SENT_STOP
    notes.up(q, NOTE.stop, i, 0, 0, -1)
  }

  function checkGo(q: number, i: number): void {
    const line = q * L + i
    if ((lineState[line]! & SENT_STOP) === 0 || linePackets[line]! > GO) return
    lineState[line]! &= ~SENT_STOP
    notes.up(q, NOTE.go, i, 0, 0, -1)
  }

  function idle(q: number, i: number, t: number): void {
    const line = q * L + i
    if (lineOn[line] === 0 || linePackets[line] !== 0 || lineDue[line] !== 0 || (lineState[line]! & PENDING) !== 0) return
    if (!stopped(q, line)) arm(q, i, t)
  }

  function ends(q: number, t: number): boolean {
    let some = false
    for (let i = 0; i < L; i++) {
      const line = q * L + i
      if (lineOn[line] === 0 || lineDue[line] !== t) continue
      lineDue[line] = 0
      if (linePackets[line] !== 0 || (lineState[line]! & PENDING) !== 0 || stopped(q, line)) continue
      const mapped = (lineState[line]! & MAPPED) !== 0
      dies(q, i, t)
      if (mapped) notes.up(q, NOTE.deallocate, i, 0, 0, -1)
      some = true
    }
    return some
  }

  return { join, left, checkStop, checkGo, idle, ends }
}
