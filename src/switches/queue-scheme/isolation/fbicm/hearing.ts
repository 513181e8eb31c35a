// Messages of neighbours: lines of outputs are copies of those of the input behind their link.
import { DST } from "../../../../fabric/packets.ts"
import type { TransferWires } from "../../../../fabric/transfer.ts"
import { type Lines, MAPPED, PENDING, SENT_STOP } from "../columns.ts"
import type { LineFrame } from "../home.ts"
import type { LineLog } from "../log.ts"
import { countOf, destinationAt, hopsOf, type LineNotes, lineOf, NOTE, pointOf } from "../notes.ts"
import type { Cascade } from "./cascade.ts"
import type { Flow } from "./flow.ts"
import type { LineBook } from "./lines.ts"

/** `post`: looks at the normal queue of an input again. */
export function makeHearing(
  frame: LineFrame,
  s: Lines,
  notes: LineNotes,
  { add, outBorn, outAdd, outDies }: LineBook,
  { checkGo, idle }: Flow,
  { linked, cascade }: Cascade,
  { discard }: Pick<TransferWires, "discard">,
  log: LineLog,
  post: (q: number, s: number, t: number) => void,
): (x: number, p: number, t: number) => void {
  const { site, ports, chains, p: params } = frame
  const { PS, radix: R } = site.layout
  const { packets } = site.columns
  const { value: VALUE, kind: KIND_AT } = site.constants
  const { router, local } = ports
  const { heads } = chains
  const { L, N, lineOn, lineOut, lineNext, lineState, outOn, outHops, outPoint, outStop, outOwner, lines, lineStale } = s
  const Q = 1 + L
  const ALL = 2 ** L - 1
  const ANSWER = params.answer ?? true

  /** Something has changed at output x: all inputs look again. */
  function wake(x: number, t: number): void {
    const first = router[x]! * PS
    const o = local[x]!
    for (let q = first; q < first + R; q++) {
      if (lines[q] !== 0) {
        lineStale[q] = ALL
        for (let i = 0; i < L; i++) {
          if (lineOn[q * L + i] === 0 || lineOut[q * L + i] !== o) continue
          cascade(q, i, t)
          idle(q, i, t)
        }
      }
      // an input without lines whose front is nobody's has nothing to look at
      const p = heads[q * Q]!
      if (lines[q] !== 0 || (p !== 0 && outOwner[x * N + packets[p + DST]!] !== 0)) post(q, 0, t)
    }
  }

  /** A destination more in output line i; an Update goes on through all lines that are linked to it. */
  function spread(x: number, i: number, d: number, on: boolean): void {
    outAdd(x, i, d)
    if (!on) return
    const first = router[x]! * PS
    for (let q = first; q < first + R; q++) {
      if (lines[q] === 0) continue
      const j = linked(q, local[x]!, i)
      if (j >= 0) add(q, j, d)
    }
  }

  function gate(x: number, i: number, stops: boolean): void {
    outStop[x * L + i] = stops ? 1 : 0
    if (log.ON) log.gate(x, i, outHops[x * L + i]!, stops)
  }

  function deallocate(x: number, i: number): void {
    outDies(x, i)
    const first = router[x]! * PS
    for (let q = first; q < first + R; q++)
      for (let j = 0; j < L; j++) {
        const line = q * L + j
        if (lineOn[line] !== 0 && lineOut[line] === local[x] && lineNext[line] === i + 1) lineNext[line] = 0
      }
  }

  return (x, p, t) => {
    const value = packets[p + VALUE]!
    const kind = packets[p + KIND_AT]!
    const i = lineOf(value)
    const line = x * L + i
    if (kind === NOTE.accept) {
      lineState[line] = (lineState[line]! & ~PENDING) | MAPPED | SENT_STOP
      checkGo(x, i)
      idle(x, i, t)
    } else if (kind === NOTE.allocate || kind === NOTE.line) {
      outBorn(x, i)
      outHops[line] = hopsOf(value)
      outPoint[line] = pointOf(value)
      outStop[line] = 1
      if (log.ON) log.gate(x, i, outHops[line]!, true)
      for (let n = 0; n < countOf(value); n++) outAdd(x, i, destinationAt(packets, p, n))
      if (kind === NOTE.allocate && ANSWER) notes.down(x, NOTE.accept, i)
    } else if (outOn[line] !== 0) {
      if (kind === NOTE.deallocate) deallocate(x, i)
      else if (kind === NOTE.stop || kind === NOTE.go) gate(x, i, kind === NOTE.stop)
      else for (let n = 0; n < countOf(value); n++) spread(x, i, destinationAt(packets, p, n), kind === NOTE.update)
    }
    discard(p)
    if (kind !== NOTE.accept) wake(x, t)
  }
}
