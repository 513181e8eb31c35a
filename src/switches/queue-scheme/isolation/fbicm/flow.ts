// Flow control of lines (FBICM). A line queue above the Stop threshold stops its senders, and at the Go threshold lets
// them continue. An empty line that is not stopped is freed when its timer expires.
import { FLITS } from "../../../../fabric/packets.ts"
import { type Lines, MAPPED, PENDING, SENT_STOP } from "../columns.ts"
import { CONTROL, type LineMessages } from "../control-messages.ts"
import type { LineState } from "../home.ts"
import type { Eligibility } from "./eligibility.ts"
import type { LineBook } from "./lines.ts"

export interface Flow {
  /** Packet p joins the queue of line i. */
  join(q: number, i: number, p: number): void
  /** Packet p has left the queue of line i. */
  left(q: number, i: number, p: number): void
  checkStop(q: number, i: number): void
  checkGo(q: number, i: number): void
  /** Starts the timer of line i if it may be freed. */
  idle(q: number, i: number, t: number): void
  /** Frees the lines of input q whose timer is due. Returns whether there was one. */
  ends(q: number, t: number): boolean
}

export function makeFlow(
  sharedState: LineState,
  s: Lines,
  notes: LineMessages,
  { arm, dies }: LineBook,
  { stopped }: Eligibility,
): Flow {
  const { site, packetQueues, p: params } = sharedState
  const { packets } = site.columns
  const { push } = packetQueues
  const { L, W, lineOn, lineHops, linePoint, lineState, linePackets, lineFlits, lineDue, lineStale } = s
  const Q = 1 + L
  const SHORT = params.scheme === "fbicm-2"
  const ANSWER = params.allocateAck ?? true
  const STOP = params.stop ?? 8
  const GO = params.go ?? 4

  function join(q: number, i: number, p: number): void {
    const line = q * L + i
    linePackets[line]++
    lineFlits[line] += packets[p + FLITS]
    lineDue[line] = 0
    if (push(q * Q + 1 + i, p)) lineStale[q] |= 1 << i
  }

  function left(q: number, i: number, p: number): void {
    const line = q * L + i
    linePackets[line]--
    lineFlits[line] -= packets[p + FLITS]
    lineStale[q] |= 1 << i
  }

  /** Stops the senders of line i if its queue exceeds the Stop threshold. */
  function checkStop(q: number, i: number): void {
    const line = q * L + i
    if (linePackets[line] > STOP && (lineState[line] & (SENT_STOP | PENDING)) === 0) stop(q, i, line)
  }

  /** Sends a Stop. Version 1 sends the whole line each time; version 2 sends it once, and then its number. */
  function stop(q: number, i: number, line: number): void {
    const state = lineState[line]
    if (!SHORT || (state & MAPPED) === 0) {
      lineState[line] = SHORT && ANSWER ? state | PENDING : state | SENT_STOP | MAPPED
      notes.up(q, SHORT ? CONTROL.allocate : CONTROL.line, i, lineHops[line] + 1, linePoint[line], line * W)
      return
    }
    lineState[line] = state | SENT_STOP
    notes.up(q, CONTROL.stop, i, 0, 0, -1)
  }

  /** Lets the senders of line i continue if its queue has drained to the Go threshold. */
  function checkGo(q: number, i: number): void {
    const line = q * L + i
    if ((lineState[line] & SENT_STOP) === 0 || linePackets[line] > GO) return
    lineState[line] &= ~SENT_STOP
    notes.up(q, CONTROL.go, i, 0, 0, -1)
  }

  function idle(q: number, i: number, t: number): void {
    const line = q * L + i
    if (lineOn[line] === 0 || linePackets[line] !== 0 || lineDue[line] !== 0 || (lineState[line] & PENDING) !== 0)
      return
    if (!stopped(q, line)) arm(q, i, t)
  }

  function ends(q: number, t: number): boolean {
    let some = false
    for (let i = 0; i < L; i++) {
      const line = q * L + i
      if (lineOn[line] === 0 || lineDue[line] !== t) continue
      lineDue[line] = 0
      if (linePackets[line] !== 0 || (lineState[line] & PENDING) !== 0 || stopped(q, line)) continue
      const mapped = (lineState[line] & MAPPED) !== 0
      dies(q, i, t)
      if (mapped) notes.up(q, CONTROL.deallocate, i, 0, 0, -1)
      some = true
    }
    return some
  }

  return { join, left, checkStop, checkGo, idle, ends }
}
