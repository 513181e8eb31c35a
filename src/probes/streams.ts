// Sums over traffic streams, for probes that report each stream under its name and all streams together.
import type { Counts, RunCounts, StreamCounts } from "../model/probe.ts"

/** Returns the sum of all streams; if there is only one, that stream itself. */
export function together(streams: readonly StreamCounts[]): StreamCounts {
  const [first] = streams
  if (first === undefined) throw new Error("a run has at least one stream")
  if (streams.length === 1) return first
  const sum = (of: (s: StreamCounts) => Counts): Float64Array => {
    const all = Float64Array.from(of(first))
    for (const s of streams.slice(1)) {
      const more = of(s)
      for (let i = 0; i < more.length; i++) all[i] += more[i]
    }
    return all
  }
  // Counters that the engine does not have are not summed.
  const { injected, network, seriesNetwork, seriesInjected } = first
  return {
    name: "",
    accepted: sum((s) => s.accepted),
    ...(injected === undefined ? {} : { injected: sum((s) => s.injected ?? injected) }),
    latency: Uint32Array.from(sum((s) => s.latency)),
    ...(network === undefined ? {} : { network: Uint32Array.from(sum((s) => s.network ?? network)) }),
    seriesPackets: sum((s) => s.seriesPackets),
    seriesFlits: sum((s) => s.seriesFlits),
    seriesLatency: sum((s) => s.seriesLatency),
    ...(seriesNetwork === undefined ? {} : { seriesNetwork: sum((s) => s.seriesNetwork ?? seriesNetwork) }),
    ...(seriesInjected === undefined ? {} : { seriesInjected: sum((s) => s.seriesInjected ?? seriesInjected) }),
  }
}

/** Returns `of` for all streams together, and then for each stream under "NAME." if there are several. */
export function perStream<T>(run: RunCounts, name: string, of: (s: StreamCounts) => T): Record<string, T> {
  const made: Record<string, T> = { [name]: of(together(run.streams)) }
  if (run.streams.length > 1) for (const s of run.streams) made[`${s.name}.${name}`] = of(s)
  return made
}
