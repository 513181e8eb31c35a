// State of the packet engine's endpoints as columns: a record of words for each endpoint, for each of its streams and
// for each of its rails.
import { bitsFor } from "../../core/bitset.ts"
import type { Reserve } from "../../model/events.ts"

/** ps of an epoch; epoch number of a stream that has ended */
export const EPOCH = 2 ** 30
export const DONE = 0x7fffffff

/** Words of an endpoint; the first six are times. */
export const NIC_IN = 0 // arrival of the last message at the interface
export const NIC_FREE = 1 // end of its processing
export const NEXT_ISSUE = 2 // earliest hand-over of the next packet
export const ACCEPTED = 3 // time at which the current message was accepted
export const HANDED = 4 // hand-over of the current packet
export const LOOKED = 5 // unused time word
export const LEFT = 6 // bytes of the message that were not passed to the send queue
export const CUT = 7 // bytes of the packet that are not in chunks yet
export const TO = 8
export const WHO = 9 // 32-bit key of the message for its draws
export const CREATED_AT = 10
export const CREATED_EPOCH = 11
export const MESSAGES = 12 // messages started
export const INDEX = 13 // chunks of the message created so far
export const TOTAL = 14 // chunks of the message
export const FLOW = 15 // stream of the message
export const RAIL = 16 // rail of the current packet
export const GATED = 17 // several rails: 1 + the rail whose next start the hand-over waits for
export const END_WORDS = 18

/** Words of a rail; the first is a time. */
export const LINK_FREE = 0
export const STARTS = 1 // number of chunks with a start time so far
export const HELD = 2 // the next chunk, which waits for its time or a credit
export const FIRST = 3 // queue of the chunks after it
export const LAST = 4
export const MADE = 5 // number of chunks passed to this rail so far
export const RAIL_WORDS = 6

/**
 * Words of a stream: messages drawn, creation time of the next (epoch and rest), and the state of its arrival process.
 */
export const DRAWN = 0
export const NEXT_EPOCH = 1
export const NEXT_TIME = 2
export const PROCESS = 3
export const STREAM_WORDS = 4

/**
 * The words of an endpoint, of its streams and of its rails are adjacent, so that its next chunk touches few cache
 * lines.
 */
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

/**
 * Words of an endpoint's queue of rank messages: first and last; current message; whether a check is scheduled; whether
 * it is idle (no chunk is between it and its router).
 */
export const QUEUED = 0
export const AT_HAND = 2
export const PLANNED = 3
export const IDLE = 4
export const QUEUE_WORDS = 5

/** `depth`: chunks that the send queue of one rail can hold: the limit of the hand-over plus one packet. */
export function layRails(
  memory: Reserve,
  ends: number,
  railsEach: number,
  streamsEach: number,
  depth: number,
  ranks = false,
): RailColumns {
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
