// The view of a run between two steps, the same for all engines: numbers of the topology, times in cycles. The studio
// reads it to draw the network. Reading changes nothing. clocked.ts and packet.ts implement it.
import type { Waits } from "../engines/diagnose.ts"
import type { PacketFrame } from "../engines/packet-frame.ts"
import type { Topology } from "../model/topology.ts"
import type { Inside } from "./inside/inside.ts"
import type { LimitWindow } from "./limit.ts"

/** A packet in the network. Times are cycles, with fractions if the engine has finer times. */
export interface Seen {
  /** its record number, which another packet gets after it has arrived */
  readonly id: number
  /** its 32-bit key. Key, source and creation time identify it in each run of the experiment. */
  readonly key: number
  readonly from: number
  readonly to: number
  readonly stream: number
  readonly flits: number
  readonly createdAt: number
  readonly entered: number
  /** true for an acknowledgement or another protocol message, whose record has no creation and injection time */
  readonly control: boolean
  readonly hops: number
  /** cycles without credits, as far as these stalls are over */
  readonly waited: number
}

/** The head packet of a queue, and its request. */
export interface Front {
  /** the channel that it requests, and the VC that it has or requests */
  readonly chan: number
  readonly vc: number
  readonly flits: number
  /** there are credits for it */
  readonly hasCredits: boolean
  readonly packet: number
  /** the input port (numbered like channels) of this buffer; -1: an internal queue */
  readonly input: number
  readonly inputVc: number
}

/** Where the head of a packet is. */
export type Whereabouts =
  | { readonly at: "wire"; readonly input: number }
  | { readonly at: "front"; readonly chan: number; readonly vc: number; readonly hasCredits: boolean }
  /** in an output queue, with credits: it waits for the link */
  | { readonly at: "output"; readonly chan: number }

export interface Observation {
  readonly topology: Topology
  readonly vcs: number
  readonly now: number
  /** cycles of a hop without contention, without the link */
  readonly pipeline: number
  /** [channel] -> flits sent since the start */
  carried(): Uint32Array
  /** cycles per flit of a channel */
  cyclesOf(chan: number): number
  fronts(visit: (front: Front) => void): void
  /** [channel] -> flits queued for it; `stalled`: those in queues whose head packet has no credits */
  queued(into: Float64Array, stalled: Float64Array): void
  packet(id: number): Seen | undefined
  /**
   * Writes the packets in the network and their exact positions; -1: they are not known here. At most as many
   * as the frame holds: if there are more, only every second, fourth … key is written.
   */
  packets(into: PacketFrame): number
  /**
   * cycles from the moment at which a head, or a chunk, begins to use a link until it arrives: [channel], and for the
   * link from each endpoint [endpoint * rails]
   */
  readonly crossing: { readonly links: Int32Array; readonly entries: Int32Array }
  /** [endpoint] -> cycles that the oldest packet has waited to enter the network, 0: none waits */
  outside(into: Float64Array): void
  /** flits that an endpoint has sent into the network since the start; NaN: not counted */
  sent(end: number): number
  /** visits every packet whose place is known */
  places(visit: (id: number, at: Whereabouts) => void): void
  waits(): Waits
  /**
   * since the start: packets created (packet engine: injected) and delivered, and the sum of the latencies of the
   * latter; `accepted`: flits that have left the network, NaN if the engine does not count them
   */
  totals(): {
    readonly created: number
    readonly delivered: number
    readonly latency: number
    readonly accepted: number
  }
  /** Begins to count why the network accepts no more; undefined: the engine or the traffic has no such counters. */
  limits(): LimitWindow | undefined
  /** one router with its buffers, VCs, arbiters and pools */
  inside(router: number): Inside
  /** hash of all state that the rest of the run depends on */
  fingerprint(): string
}
