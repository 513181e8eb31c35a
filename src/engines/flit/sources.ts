// Traffic as functions of (stream, endpoint, number of the packet): every draw has an address of its own, so nothing shifts anything else.
import { Draws } from "../../core/rng.ts"
import { scratchOf } from "../../fabric/columns.ts"
import type { sourceColumns } from "../../fabric/flit.ts"
import type { SourceModel } from "../../fabric/switch.ts"
import type { Stream } from "../../model/stream.ts"

type SourceColumns = ReturnType<typeof sourceColumns>

/** draws that one decision may take before it runs into the next one's */
export const ROOM = 8

/** Draws of gaps and of sizes, one sequence for each stream. */
export function gapDraws(streams: readonly Stream[], seed: number): Draws[] {
  return streams.map((_, i) => new Draws(seed ^ (0x2000 + i)))
}
export function sizeDraws(streams: readonly Stream[], seed: number): Draws[] {
  return streams.map((_, i) => new Draws(seed ^ (0x3000 + i)))
}

/** Returns the creation time of message `n` of an endpoint that follows a script; infinite if there is none. */
export function scripted({ script, start, stop }: Stream, from: number, n: number): number {
  const { first, time } = script!
  const i = first[from]! + n
  if (i >= first[from + 1]!) return Number.POSITIVE_INFINITY
  const next = start + time[i]!
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
  // flits of a stream whose packets are all alike, else 0
  const fixed = scratchOf(streams.map((s) => s.packet.fixed ?? 0))
  const MESSAGES = streams.some((s) => s.message.fixed !== 1 || s.script !== undefined)
  /** Message number `process` of a source that is told what to send. */
  function told(stream: number, from: number, source: number): number {
    const { first, to, packets } = streams[stream]!.script!
    const i = first[from]! + process[source]!
    messageLeft[source] = packets[i]! - 1
    messageTo[source] = to[i]!
    return to[i]!
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
      if (streams[stream]!.script !== undefined) return told(stream, from, source)
      const dest = patterns[stream]!.dest(from, to[stream]!.at(from, count * ROOM))
      if (MESSAGES) {
        messageLeft[source] = messages[stream]!.size(size[stream]!.at(from, count * ROOM + 4)) - 1
        messageTo[source] = dest
      }
      return dest
    },
    nextBirth(stream, from, born, count, source) {
      const s = streams[stream]!
      if (s.script !== undefined) return scripted(s, from, ++process[source]!)
      const next = arrivals[stream]!.next(from, born, when[stream]!.at(from, (count + 1) * ROOM), process, source)
      return next >= s.stop ? Number.POSITIVE_INFINITY : next
    },
    firstBirth(stream, from) {
      const s = streams[stream]!
      if (s.script !== undefined) return scripted(s, from, 0)
      if (s.senders !== undefined && s.senders[from] === 0) return Number.POSITIVE_INFINITY
      const first = s.start + arrivals[stream]!.first(from, when[stream]!.at(from, 0))
      return first >= s.stop ? Number.POSITIVE_INFINITY : first
    },
    length: (stream, from, count) => (fixed[stream]! > 0 ? fixed[stream]! : packets[stream]!.size(size[stream]!.at(from, count * ROOM))),
  }
}
