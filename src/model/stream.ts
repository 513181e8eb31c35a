import type { Arrivals, Sizes, TrafficPattern } from "./traffic.ts"

/** One stream of traffic, ready to run. */
export interface Stream {
  readonly name: string
  readonly pattern: TrafficPattern
  readonly arrivals: Arrivals
  /** flits in a packet, packets in a message */
  readonly packet: Sizes
  readonly message: Sizes
  /** its messages, instead of what pattern, arrivals and message say: cycles (from the start of the stream), destinations, packets */
  readonly script?: { readonly first: Int32Array; readonly time: Float64Array; readonly to: Int32Array; readonly packets: Int32Array }
  /** [end] -> 1 if it sends; absent = all do */
  readonly senders?: Uint8Array
  /** of the background of a job: endpoints of its ranks in order */
  readonly seats?: readonly number[] | undefined
  readonly start: number
  readonly stop: number
  readonly priority: number
  /** VCs of its class */
  readonly vcFirst: number
  readonly vcCount: number
  /** flits of the answer to each packet (0 = none) and the stream that it belongs to */
  readonly reply: number
  readonly replyStream: number
}
