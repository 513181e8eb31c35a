// Several streams: each by itself under its name, and all of them together under none.
import type { RunCounts, StreamCounts } from "../model/probe.ts"

/** The sum of all streams; the only stream itself if there is one. */
export function together(streams: readonly StreamCounts[]): StreamCounts {
  const [first] = streams
  if (first === undefined) throw new Error("a run has at least one stream")
  if (streams.length === 1) return first
  const sum = (of: (s: StreamCounts) => Uint32Array | Float64Array): Float64Array => {
    const all = Float64Array.from(of(first))
    for (const s of streams.slice(1)) {
      const more = of(s)
      for (let i = 0; i < more.length; i++) all[i]! += more[i]!
    }
    return all
  }
  return {
    name: "",
    injected: sum((s) => s.injected),
    accepted: sum((s) => s.accepted),
    latency: Uint32Array.from(sum((s) => s.latency)),
    seriesPackets: sum((s) => s.seriesPackets),
    seriesFlits: sum((s) => s.seriesFlits),
    seriesLatency: sum((s) => s.seriesLatency),
  }
}

/** `of` for all streams together, and then for each under "NAME." if there are several. */
export function perStream<T>(run: RunCounts, name: string, of: (s: StreamCounts) => T): Record<string, T> {
  const made: Record<string, T> = { [name]: of(together(run.streams)) }
  if (run.streams.length > 1) for (const s of run.streams) made[`${s.name}.${name}`] = of(s)
  return made
}
