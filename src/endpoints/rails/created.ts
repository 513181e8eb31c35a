// Counts the bytes that the streams of an endpoint have created. An endpoint draws a message when it can send it, so
// the queue of an endpoint that is behind exists only as future draws. This file evaluates these draws once. Each
// source has a frontier (messages, their bytes, creation time of the next one, state of its arrival process) that
// advances with time. A source that is not behind takes its frontier from the endpoint's own words. Saturation
// detection uses the result (engines/flit/source-queues.ts is the counterpart of the clocked engines).
import type { Stream } from "../../model/stream.ts"
import {
  CREATED_AT,
  CREATED_EPOCH,
  DONE,
  DRAWN,
  EPOCH,
  FLOW,
  NEXT_EPOCH,
  PROCESS,
  type RailColumns,
  STREAM_WORDS,
} from "./columns.ts"

/** The random draws of messages; `entity` is a source: endpoint and stream. */
export interface MessageDraws {
  /** Returns the ps of a creation time in cycles; infinite from `stop` on. */
  timeOf(cycles: number, stop: number): number
  /** Returns the ps at which the next message of the stream with its words at `i` is created. */
  nextTime(i: number): number
  /** Returns the cycle of the message after number `k`, which was created at `last` ps. */
  following(stream: Stream, end: number, entity: number, k: number, last: number, state: Int32Array, at: number): number
  /** Returns the bytes of message number `k`. */
  sizeOf(s: number, entity: number, k: number): number
}

export function makeCreated(mem: Int32Array, at: RailColumns, streams: readonly Stream[], draws: MessageDraws) {
  const n = streams.length
  /** [endpoint * streams + stream] */
  let messages = new Float64Array(0)
  let bytes = new Float64Array(0)
  let next = new Float64Array(0)
  let words = new Int32Array(0)
  let last = 0

  /** Discards everything if the run was restored to an earlier time; allocates memory for another endpoint. */
  function ready(end: number, t: number): void {
    if (t < last) messages.fill(-1)
    last = t
    if ((end + 1) * n <= messages.length) return
    const capacity = 2 * (end + 1) * n
    const more = (a: Float64Array, fill: number) => {
      const b = new Float64Array(capacity).fill(fill)
      b.set(a)
      return b
    }
    messages = more(messages, -1)
    bytes = more(bytes, 0)
    next = more(next, 0)
    const was = words
    words = new Int32Array(capacity)
    words.set(was)
  }

  /** Sets the frontier of a source to the present state of its endpoint. */
  function enter(s: number, entity: number, i: number): void {
    const { message, packet } = streams[s]
    const drawn = mem[i + DRAWN]
    const fixed = message.fixed !== undefined && packet.fixed !== undefined
    if (fixed || messages[entity] < 0) bytes[entity] = fixed ? drawn * draws.sizeOf(s, entity, 0) : 0
    if (!fixed) for (let k = Math.max(0, messages[entity]); k < drawn; k++) bytes[entity] += draws.sizeOf(s, entity, k)
    messages[entity] = drawn
    next[entity] = mem[i + NEXT_EPOCH] === DONE ? Number.POSITIVE_INFINITY : draws.nextTime(i)
    words[entity] = mem[i + PROCESS]
  }

  /** Returns the bytes that the first `most` streams of an endpoint created before `t` ps. */
  return function created(end: number, t: number, most: number): number {
    ready(end, t)
    const o = at.ends + end * at.step
    let sum = 0
    for (let s = 0, i = o + at.streams; s < most; s++, i += STREAM_WORDS) {
      const stream = streams[s]
      const entity = end * n + s
      const drawn = mem[i + DRAWN]
      if (messages[entity] <= drawn) enter(s, entity, i)
      while (next[entity] < t) {
        const k = messages[entity]++
        bytes[entity] += draws.sizeOf(s, entity, k)
        next[entity] = draws.timeOf(draws.following(stream, end, entity, k, next[entity], words, entity), stream.stop)
      }
      sum += bytes[entity]
      // The current message may have been drawn before its creation time.
      const ahead = drawn > 0 && mem[o + FLOW] === s && mem[o + CREATED_EPOCH] * EPOCH + mem[o + CREATED_AT] >= t
      if (ahead) sum -= draws.sizeOf(s, entity, drawn - 1)
    }
    return sum
  }
}
