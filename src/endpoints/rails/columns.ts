// State of the endpoints as columns: one record of words for each endpoint, one for each of its streams, one for each of its rails.
import { bitsFor } from "../../core/bitset.ts"
import type { Reserve } from "../../model/events.ts"

/** ps of an epoch; epochs of a stream that sends no more */
export const EPOCH = 2 ** 30
export const DONE = 0x7fffffff

/** Words of an endpoint; the first six are times. */
export const NIC_IN = 0 // the last message reached the interface
export const NIC_FREE = 1 // the interface has accepted it
export const NEXT_ISSUE = 2 // earliest hand-over of the next packet
export const ACCEPTED = 3 // when the message at hand was accepted
export const HANDED = 4 // when the packet at hand was handed over
export const LOOKED = 5 // spare time: when the endpoint last looked for work
export const LEFT = 6 // bytes of the message not yet handed over
export const CUT = 7 // bytes of the packet not yet cut into chunks
export const TO = 8
export const WHO = 9 // 32 bits of the message: key of its draws
export const BIRTH = 10
export const BIRTH_EPOCH = 11
export const MESSAGES = 12 // messages begun
export const INDEX = 13 // chunks of the message made so far
export const TOTAL = 14 // chunks of the message
export const FLOW = 15 // stream of the message
export const RAIL = 16 // rail of the packet at hand
export const GATED = 17 // rails only: the next hand-over waits for a start on this rail + 1
export const END_WORDS = 18

/** Words of a rail; the first is a time. */
export const LINK_FREE = 0
export const STARTS = 1 // chunks that were given a start so far
export const HELD = 2 // the chunk that is due next and waits for its time or a credit
export const FIRST = 3 // chunks behind it
export const LAST = 4
export const MADE = 5 // chunks handed over to this rail so far
export const RAIL_WORDS = 6

/** Words of a stream: messages drawn, time of the next in epochs and rest, and what its arrival process remembers. */
export const DRAWN = 0
export const NEXT_EPOCH = 1
export const NEXT_TIME = 2
export const PROCESS = 3
export const STREAM_WORDS = 4

/** An endpoint's words, its streams' and its rails' follow each other, so that its next chunk touches few cache lines. */
export interface RailColumns {
  readonly ends: number
  /** words from one endpoint to the next; from an endpoint to its first stream and to its first rail */
  readonly step: number
  readonly streams: number
  readonly rails: number
  /** [entry << depthBits | start & mask] -> start times of the last chunks */
  readonly starts: number
  readonly depthBits: number
  /** [end * QUEUE_WORDS] -> messages of its ranks; 0: there are no ranks */
  readonly queues: number
}

/** Words of an endpoint's queue of messages of ranks: first and last, the one at hand, whether a look is planned, whether it is idle (it has no chunk between itself and its router). */
export const QUEUED = 0
export const AT_HAND = 2
export const PLANNED = 3
export const IDLE = 4
export const QUEUE_WORDS = 5

/** `depth`: chunks that the send queue of one rail can hold: those that stop the hand-over, and one packet more. */
export function layRails(memory: Reserve, ends: number, railsEach: number, streamsEach: number, depth: number, ranks = false): RailColumns {
  const streams = END_WORDS
  const rails = streams + streamsEach * STREAM_WORDS
  const step = (rails + railsEach * RAIL_WORDS + 15) & ~15
  const at = memory.reserve(ends * step)
  for (let w = 0; w < LEFT; w++) memory.times(at + w, ends, step)
  for (let r = 0; r < railsEach; r++) memory.times(at + rails + r * RAIL_WORDS + LINK_FREE, ends, step)
  const depthBits = bitsFor(Math.max(2, depth))
  const starts = memory.reserve((ends * railsEach) << depthBits)
  memory.times(starts, (ends * railsEach) << depthBits, 1)
  const queues = ranks ? memory.reserve(ends * QUEUE_WORDS) : 0
  return { ends: at, step, streams, rails, starts, depthBits, queues }
}
