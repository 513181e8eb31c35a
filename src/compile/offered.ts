// The offered load of a run by specification: the fraction of sending endpoints, and the part of a window in which
// streams are active.
import { Draws } from "../core/rng.ts"
import type { TrafficSpec } from "../model/experiment.ts"
import type { Stream } from "../model/stream.ts"

interface Sources {
  readonly spec: { readonly traffic: readonly TrafficSpec[] }
  readonly streams: readonly Pick<Stream, "senders">[]
}

/** Returns the fraction of the endpoints that send in this stream. */
export function sharing(c: Sources, i: number): number {
  const s = c.streams[i].senders
  return s === undefined ? 1 : s.reduce((a, b) => a + b, 0) / s.length
}

/** Returns the load that stream `i` creates in the window [from, to); it may start or stop within it. */
export function offeredBy(
  c: Sources & { readonly streams: readonly Stream[] },
  i: number,
  from: number,
  to: number,
): number {
  const { start, stop } = c.streams[i]
  const on = Math.max(0, Math.min(to, stop) - Math.max(from, start))
  return c.spec.traffic[i].load * sharing(c, i) * (to > from ? on / (to - from) : 1)
}

export function offeredIn(c: Sources & { readonly streams: readonly Stream[] }, from: number, to: number): number {
  return c.spec.traffic.reduce((sum, _, i) => sum + offeredBy(c, i, from, to), 0)
}

/**
 * Number of destinations drawn for each sender; the load of an endpoint under uniform traffic is then known within 6 %.
 */
const DRAWS = 256

/** Returns [endpoint] -> load that all active streams together offer it, estimated with draws of their patterns. */
export function offeredTo(
  c: { readonly spec: Sources["spec"]; readonly streams: readonly Stream[] },
  ends: number,
): Float32Array {
  const loads = new Float32Array(ends)
  c.spec.traffic.forEach(({ load }, i) => {
    const { pattern, senders } = c.streams[i]
    const draws = new Draws(0x6f66)
    for (let from = 0; from < ends; from++) {
      if (senders !== undefined && senders[from] === 0) continue
      for (let n = 0; n < DRAWS; n++) {
        const to = pattern.dest(from, draws.at(from, n * 8), n)
        if (to >= 0) loads[to] += load / DRAWS
      }
    }
  })
  return loads
}
