// Messages that wait at an endpoint, in one queue or one for each destination; queues with something to send take turns in a ring. An endpoint that is
// behind its sources stores only a few of their messages: the next one is computed when there is room for it.
import { CONTROL } from "../../../fabric/flit.ts"
import { END, MESSAGE } from "../../../fabric/packets.ts"
import type { Births } from "../births.ts"
import type { Counting } from "../counting.ts"
import type { TransferLoopSpec } from "./spec.ts"

export interface Messages {
  fill(e: number, t: number, most: number): void
  toRing(e: number, i: number): void
  leaveRing(at: number, i: number): void
  advanceQueue(e: number, i: number): void
}

export function makeMessages(spec: TransferLoopSpec, { schedule }: Births, { created }: Counting): Messages {
  const { ends: N, outerEnd } = spec.layout
  const { ends, messages, queueTail, birth, made, messageLeft, control } = spec.columns
  const { streams: STREAMS, backlog: BACKLOG, queues: QUEUES } = spec.constants
  const { create, nextBirth } = spec.sources

  /** Messages whose time has come go into the endpoint's queues, the oldest first, until these hold `most`. */
  function fill(e: number, t: number, most: number): void {
    const at = e * END.size
    for (;;) {
      const source = oldest(e, t)
      ends[at + END.behind] = source < 0 ? 0 : 1
      if (source < 0 || ends[at + END.stored]! >= most) return
      newMessage(e, (source / N) | 0, source)
      if (birth[source]! >= t + 1 && birth[source]! < Number.POSITIVE_INFINITY) schedule(source, Math.floor(birth[source]!))
    }
  }

  /** The source at an endpoint whose next message has waited longest; negative if none is due. */
  function oldest(e: number, t: number): number {
    let found = -1
    let least = t + 1 < control[CONTROL.quiet]! ? t + 1 : control[CONTROL.quiet]!
    for (let source = e; source < STREAMS * N; source += N) {
      if (birth[source]! >= least) continue
      least = birth[source]!
      found = source
    }
    return found
  }

  function newMessage(e: number, stream: number, source: number): void {
    const from = outerEnd[e]!
    const count = made[source]!
    const born = birth[source]!
    const to = create(stream, from, count, source)
    birth[source] = nextBirth(stream, from, born, count, source)
    if (to < 0) {
      birth[source] = Number.POSITIVE_INFINITY
      return
    }
    const size = messageLeft[source]! + 1
    messageLeft[source] = 0
    made[source] = count + size
    const at = e * END.size
    let i = ends[at + END.free]!
    if (i !== 0) ends[at + END.free] = messages[i + MESSAGE.next]!
    else i = (e * (BACKLOG + 1) + ++ends[at + END.fresh]!) * MESSAGE.size
    ends[at + END.stored]!++
    messages[i + MESSAGE.next] = 0
    messages[i + MESSAGE.left] = size
    messages[i + MESSAGE.stream] = stream
    messages[i + MESSAGE.to] = to
    messages[i + MESSAGE.birth] = Math.floor(born)
    messages[i + MESSAGE.count] = count
    const q = QUEUES === 1 ? e : e * QUEUES + to
    const first = e * (BACKLOG + 1) * MESSAGE.size
    const last = queueTail[q]!
    queueTail[q] = (i - first) / MESSAGE.size
    if (last !== 0) messages[first + last * MESSAGE.size + MESSAGE.next] = i
    else toRing(e, i)
    created(stream, Math.floor(born), size)
  }

  function toRing(e: number, i: number): void {
    const at = e * END.size
    messages[i + MESSAGE.ring] = 0
    if (ends[at + END.ringCount] === 0) ends[at + END.ringHead] = i
    else messages[ends[at + END.ringTail]! + MESSAGE.ring] = i
    ends[at + END.ringTail] = i
    ends[at + END.ringCount]!++
  }

  function leaveRing(at: number, i: number): void {
    ends[at + END.ringHead] = messages[i + MESSAGE.ring]!
    ends[at + END.ringCount]!--
  }

  /** One packet of message i is on its way: the queue goes to the end of the ring, or out of it. */
  function advanceQueue(e: number, i: number): void {
    const left = messages[i + MESSAGE.left]! - 1
    messages[i + MESSAGE.left] = left
    if (left > 0) {
      toRing(e, i)
      return
    }
    const next = messages[i + MESSAGE.next]!
    if (next !== 0) toRing(e, next)
    else queueTail[QUEUES === 1 ? e : e * QUEUES + messages[i + MESSAGE.to]!] = 0
    const at = e * END.size
    messages[i + MESSAGE.next] = ends[at + END.free]!
    ends[at + END.free] = i
    ends[at + END.stored]!--
  }

  return { fill, toRing, leaveRing, advanceQueue }
}
