// Traffic sources as pure functions of (stream, endpoint, packet number). Each random draw has its own address in a
// counter-based generator, so a change in one place does not shift the draws of another. Both clocked loops use the
// model; source-queues.ts repeats its draws.
import { Draws } from "../../core/rng.ts"
import { scratchOf } from "../../fabric/columns.ts"
import type { sourceColumns } from "../../fabric/flit.ts"
import type { SourceModel } from "../../fabric/switch.ts"
import type { Stream } from "../../model/stream.ts"

type SourceColumns = ReturnType<typeof sourceColumns>

/** number of draws reserved for each decision, so that decisions do not overlap */
export const RING_SIZE = 8

/** Return the random draws of gaps and of sizes, one sequence for each stream. */
export function gapDraws(streams: readonly Stream[], seed: number): Draws[] {
  return streams.map((_, i) => new Draws(seed ^ (0x2000 + i)))
}
export function sizeDraws(streams: readonly Stream[], seed: number): Draws[] {
  return streams.map((_, i) => new Draws(seed ^ (0x3000 + i)))
}

/** Returns the creation time of message `n` of an endpoint that follows a script; infinite if there is none. */
export function scripted({ script, start, stop }: Stream, from: number, n: number): number {
  const { first, time } = script!
  const i = first[from] + n
  if (i >= first[from + 1]) return Number.POSITIVE_INFINITY
  const next = start + time[i]
  return next >= stop ? Number.POSITIVE_INFINITY : next
}

export function sourceModel(streams: readonly Stream[], seed: number, columns: SourceColumns): SourceModel {
  const to = streams.map((_, i) => new Draws(seed ^ (0x1000 + i)))
  const when = gapDraws(streams, seed)
  const size = sizeDraws(streams, seed)
  const patterns = streams.map((s) => s.pattern)
  const arrivals = streams.map((s) => s.arrivals)
  const packets = streams.map((s) => s.packet)
  const messages = streams.map((s) => s.message)
  const { messageLeft, messageTo, process } = columns
  // Flits of a stream whose packets are all equally long, otherwise 0.
  const fixed = scratchOf(streams.map((s) => s.packet.fixed ?? 0))
  const MESSAGES = streams.some((s) => s.message.fixed !== 1 || s.script !== undefined)
  /** Starts message number `process` of a source that follows a script. Returns its destination. */
  function told(stream: number, from: number, source: number): number {
    const { first, to, packets } = streams[stream].script!
    const i = first[from] + process[source]
    messageLeft[source] = packets[i] - 1
    messageTo[source] = to[i]
    return to[i]
  }

  const column = (f: (s: Stream) => number) => scratchOf(streams.map(f))
  return {
    replies: streams.some((s) => s.reply > 0),
    replyLength: column((s) => s.reply),
    replyStream: column((s) => s.replyStream),
    priority: column((s) => s.priority),
    vcFirst: column((s) => s.vcFirst),
    vcCount: column((s) => s.vcCount),
    create(stream, from, count, source) {
      if (streams[stream].script !== undefined) return told(stream, from, source)
      const dest = patterns[stream].dest(from, to[stream].at(from, count * RING_SIZE), count)
      if (MESSAGES) {
        messageLeft[source] = messages[stream].size(size[stream].at(from, count * RING_SIZE + 4)) - 1
        messageTo[source] = dest
      }
      return dest
    },
    nextCreation(stream, from, createdAt, count, source) {
      const s = streams[stream]
      if (s.script !== undefined) return scripted(s, from, ++process[source])
      const next = arrivals[stream].next(
        from,
        createdAt,
        when[stream].at(from, (count + 1) * RING_SIZE),
        process,
        source,
      )
      return next >= s.stop ? Number.POSITIVE_INFINITY : next
    },
    firstCreation(stream, from) {
      const s = streams[stream]
      if (s.script !== undefined) return scripted(s, from, 0)
      if (s.senders !== undefined && s.senders[from] === 0) return Number.POSITIVE_INFINITY
      const first = s.start + arrivals[stream].first(from, when[stream].at(from, 0))
      return first >= s.stop ? Number.POSITIVE_INFINITY : first
    },
    length: (stream, from, count) =>
      fixed[stream] > 0 ? fixed[stream] : packets[stream].size(size[stream].at(from, count * RING_SIZE)),
  }
}
