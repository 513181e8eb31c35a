// Messages of neighbours (FBICM): the lines of an output are copies of those of the downstream input.
import { DST } from "../../../../fabric/packets.ts"
import type { SwitchPorts } from "../../../../fabric/transfer.ts"
import { type Lines, MAPPED, PENDING, SENT_STOP } from "../columns.ts"
import { CONTROL, countOf, destinationAt, hopsOf, type LineMessages, lineOf, pointOf } from "../control-messages.ts"
import type { LineState } from "../home.ts"
import type { LineLog } from "../log.ts"
import type { Cascade } from "./cascade.ts"
import type { Flow } from "./flow.ts"
import type { LineBook } from "./lines.ts"

/** Returns the message handler. `post` checks the normal queue of an input again. */
export function makeReceiving(
  sharedState: LineState,
  s: Lines,
  notes: LineMessages,
  { add, outAllocate, outAdd, outDies }: LineBook,
  { checkGo, idle }: Flow,
  { linked, cascade }: Cascade,
  { discard }: Pick<SwitchPorts, "discard">,
  log: LineLog,
  post: (q: number, s: number, t: number) => void,
): (x: number, p: number, t: number) => void {
  const { site, ports, packetQueues, p: params } = sharedState
  const { PS, radix: R } = site.layout
  const { packets } = site.columns
  const { value: VALUE, kind: KIND_AT } = site.constants
  const { router, local } = ports
  const { heads } = packetQueues
  const { L, N, lineOn, lineOut, lineNext, lineState, outOn, outHops, outPoint, outStop, outOwner, lines, lineStale } =
    s
  const Q = 1 + L
  const ALL = 2 ** L - 1
  const ANSWER = params.allocateAck ?? true

  /** The lines of output x have changed: all inputs update their queues. */
  function wake(x: number, t: number): void {
    const first = router[x] * PS
    const o = local[x]
    for (let q = first; q < first + R; q++) {
      if (lines[q] !== 0) {
        lineStale[q] = ALL
        for (let i = 0; i < L; i++) {
          if (lineOn[q * L + i] === 0 || lineOut[q * L + i] !== o) continue
          cascade(q, i, t)
          idle(q, i, t)
        }
      }
      // An input without lines, whose head packet has no line at the output, is not affected.
      const p = heads[q * Q]
      if (lines[q] !== 0 || (p !== 0 && outOwner[x * N + packets[p + DST]] !== 0)) post(q, 0, t)
    }
  }

  /** Adds destination d to output line i. An Update also extends all input lines that are linked to it. */
  function spread(x: number, i: number, d: number, on: boolean): void {
    outAdd(x, i, d)
    if (!on) return
    const first = router[x] * PS
    for (let q = first; q < first + R; q++) {
      if (lines[q] === 0) continue
      const j = linked(q, local[x], i)
      if (j >= 0) add(q, j, d)
    }
  }

  /** Stops or releases output line i. */
  function gate(x: number, i: number, stops: boolean): void {
    outStop[x * L + i] = stops ? 1 : 0
    if (log.ON) log.gate(x, i, outHops[x * L + i], stops)
  }

  /** Frees output line i. Input lines that were linked to it lose the link, so their output counts as the congested point. */
  function deallocate(x: number, i: number): void {
    outDies(x, i)
    const first = router[x] * PS
    for (let q = first; q < first + R; q++)
      for (let j = 0; j < L; j++) {
        const line = q * L + j
        if (lineOn[line] !== 0 && lineOut[line] === local[x] && lineNext[line] === i + 1) lineNext[line] = 0
      }
  }

  // Accept concerns an input line of this switch; all other messages concern output lines, which mirror the downstream
  // input.
  return (x, p, t) => {
    const value = packets[p + VALUE]
    const kind = packets[p + KIND_AT]
    const i = lineOf(value)
    const line = x * L + i
    // The copy exists at the sender and is stopped there; the queue may have drained in the meantime.
    if (kind === CONTROL.accept) {
      lineState[line] = (lineState[line] & ~PENDING) | MAPPED | SENT_STOP
      checkGo(x, i)
      idle(x, i, t)
    } else if (kind === CONTROL.allocate || kind === CONTROL.line) {
      outAllocate(x, i)
      outHops[line] = hopsOf(value)
      outPoint[line] = pointOf(value)
      outStop[line] = 1
      if (log.ON) log.gate(x, i, outHops[line], true)
      for (let n = 0; n < countOf(value); n++) outAdd(x, i, destinationAt(packets, p, n))
      if (kind === CONTROL.allocate && ANSWER) notes.down(x, CONTROL.accept, i)
      // A message about a line that was freed in the meantime is ignored.
    } else if (outOn[line] !== 0) {
      if (kind === CONTROL.deallocate) deallocate(x, i)
      else if (kind === CONTROL.stop || kind === CONTROL.go) gate(x, i, kind === CONTROL.stop)
      else for (let n = 0; n < countOf(value); n++) spread(x, i, destinationAt(packets, p, n), kind === CONTROL.update)
    }
    discard(p)
    if (kind !== CONTROL.accept) wake(x, t)
  }
}
