// Counts the packets that sources have created and the loop has not taken yet. The loops create a packet when they can
// inject it, so the queue of a source that is behind exists only as future random draws. This file evaluates these
// draws once. Each source has a frontier (number of packets, creation time of the next message, state of its arrival
// process) that advances with time. A source that is not behind costs one comparison. ClockedEngine.backlog calls
// `waiting` for saturation detection.
import type { sourceColumns } from "../../fabric/flit.ts"
import type { Layout } from "../../fabric/layout.ts"
import type { Stream } from "../../model/stream.ts"
import { gapDraws, RING_SIZE, scripted, sizeDraws } from "./sources.ts"

export interface SourceQueues {
  /**
   * Returns the packets of a stream that were created before cycle `until`, the present one, and wait at their sources.
   */
  waiting(stream: number, until: number): number
}

export interface QueueSpec {
  readonly streams: readonly Stream[]
  readonly seed: number
  readonly layout: Layout
  readonly columns: Pick<ReturnType<typeof sourceColumns>, "creationTime" | "made" | "process" | "messageLeft">
  /** whether the loop draws the next gap with the number of the first or of the last packet of a message */
  readonly gapAfter: "first" | "last"
  /** [stream] -> maximum number of messages at an endpoint (0: no limit); a paused source creates nothing */
  readonly capOf?: ArrayLike<number>
}

export function sourceQueues(spec: QueueSpec): SourceQueues {
  const { streams, layout, columns, gapAfter, capOf } = spec
  const { creationTime, made, messageLeft } = columns
  const { ends: N, outerEnd } = layout
  const when = gapDraws(streams, spec.seed)
  const sizes = sizeDraws(streams, spec.seed)
  const count = new Float64Array(streams.length * N).fill(-1)
  const next = new Float64Array(streams.length * N)
  const process = new Int32Array(streams.length * N)
  let last = 0

  /** Advances the frontier past the message that starts with packet `first` and was created at `createdAt`. */
  function pass(stream: number, from: number, source: number, first: number, packets: number, createdAt: number): void {
    const s = streams[stream]
    count[source] = first + packets
    if (s.script !== undefined) {
      next[source] = scripted(s, from, ++process[source])
      return
    }
    // The draw must have the same index as in the loop, otherwise the two would disagree.
    const at = gapAfter === "last" ? first + packets : first + 1
    const born2 = s.arrivals.next(from, createdAt, when[stream].at(from, at * RING_SIZE), process, source)
    next[source] = born2 >= s.stop ? Number.POSITIVE_INFINITY : born2
  }

  /**
   * Sets the frontier to the present state of the source: after the message that it is sending, whose gap is not drawn
   * yet.
   */
  function enter(stream: number, from: number, source: number): void {
    process[source] = columns.process[source]
    next[source] = creationTime[source]
    count[source] = made[source]
    const left = messageLeft[source]
    if (left > 0) pass(stream, from, source, made[source], left, creationTime[source])
  }

  function packetsOf(stream: number, from: number, first: number, source: number): number {
    const { script, message } = streams[stream]
    if (script !== undefined) return script.packets[script.first[from] + process[source]]
    return message.fixed ?? message.size(sizes[stream].at(from, first * RING_SIZE + 4))
  }

  function waiting(stream: number, until: number): number {
    // The run was restored to an earlier cycle.
    if (until < last) count.fill(-1)
    last = until
    if ((capOf?.[stream] ?? 0) > 0) return 0
    let sum = 0
    for (let e = 0; e < N; e++) {
      const source = stream * N + e
      const from = outerEnd[e]
      if (from < 0 || (creationTime[source] >= until && messageLeft[source] === 0)) continue
      if (count[source] < made[source] + messageLeft[source]) enter(stream, from, source)
      while (next[source] < until) {
        const first = count[source]
        pass(stream, from, source, first, packetsOf(stream, from, first, source), next[source])
      }
      sum += count[source] - made[source]
    }
    return sum
  }

  return { waiting }
}
