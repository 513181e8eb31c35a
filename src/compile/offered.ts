// What the sources of a run create, by specification: the share of endpoints that send, and the part of a window in which they are on.
import type { TrafficSpec } from "../model/experiment.ts"
import type { Stream } from "../model/stream.ts"

interface Sources {
  readonly spec: { readonly traffic: readonly TrafficSpec[] }
  readonly streams: readonly Pick<Stream, "senders">[]
}

/** share of the endpoints that send in this stream */
export function sharing(c: Sources, i: number): number {
  const s = c.streams[i]!.senders
  return s === undefined ? 1 : s.reduce((a, b) => a + b, 0) / s.length
}

/** Load that stream `i` creates in the window [from, to): it may be switched on or off in it. */
export function offeredBy(c: Sources & { readonly streams: readonly Stream[] }, i: number, from: number, to: number): number {
  const { start, stop } = c.streams[i]!
  const on = Math.max(0, Math.min(to, stop) - Math.max(from, start))
  return c.spec.traffic[i]!.load * sharing(c, i) * (to > from ? on / (to - from) : 1)
}

export function offeredIn(c: Sources & { readonly streams: readonly Stream[] }, from: number, to: number): number {
  return c.spec.traffic.reduce((sum, _, i) => sum + offeredBy(c, i, from, to), 0)
}
