// A traffic stream after compilation: plug-ins are instantiated and quantities are numbers. compile/streams.ts creates
// it; the engines read it.
import type { Arrivals, Sizes, TrafficPattern } from "./traffic.ts"

/** One traffic stream, ready to run. */
export interface Stream {
  readonly name: string
  readonly pattern: TrafficPattern
  readonly arrivals: Arrivals
  /** flits of a packet, packets of a message */
  readonly packet: Sizes
  readonly message: Sizes
  /**
   * its messages, instead of pattern, arrivals and message: cycles (from the start of the stream), destinations,
   * packets
   */
  readonly script?: {
    readonly first: Int32Array
    readonly time: Float64Array
    readonly to: Int32Array
    readonly packets: Int32Array
  }
  /** [end] -> 1 if it sends; absent: all send */
  readonly senders?: Uint8Array
  /** background of a job: endpoints of its ranks in order */
  readonly seats?: readonly number[] | undefined
  readonly start: number
  readonly stop: number
  readonly priority: number
  /** VCs of its class */
  readonly vcFirst: number
  readonly vcCount: number
  /** flits of the reply to each packet (0: none) and the stream of the replies */
  readonly reply: number
  readonly replyStream: number
}
