// What one may see of a run between two steps, whatever engine it runs on: the network's own numbers, cycles. Looking changes nothing.
import type { Waits } from "../../engines/diagnose.ts"
import type { Topology } from "../../model/topology.ts"
import type { Inside } from "./inside/inside.ts"

/** A packet in the network. Times are cycles; where the engine's are finer, parts of them. */
export interface Seen {
  /** its record: another packet's once it has arrived */
  readonly id: number
  /** its own 32 bits: with its source and birth its name in every run of the experiment */
  readonly key: number
  readonly from: number
  readonly to: number
  readonly stream: number
  readonly flits: number
  readonly born: number
  readonly entered: number
  /** an acknowledgement or another message of a protocol: its record does not say when it was made or left */
  readonly control: boolean
  readonly hops: number
  /** before full buffers, as far as that is over */
  readonly waited: number
}

/** The front packet of a queue, and what it wants. */
export interface Front {
  /** the channel that it goes to, and the VC that it has or asks for */
  readonly chan: number
  readonly vc: number
  readonly flits: number
  /** there is room for it behind the channel */
  readonly room: boolean
  readonly packet: number
  /** the input port (numbered like channels) whose buffer this is; -1: an inner queue */
  readonly input: number
  readonly inputVc: number
}

/** Where a packet's head is. */
export type Whereabouts =
  | { readonly at: "wire"; readonly input: number }
  | { readonly at: "front"; readonly chan: number; readonly vc: number; readonly room: boolean }
  /** in the queue of an output, its room taken: it waits for its turn on the link */
  | { readonly at: "output"; readonly chan: number }

export interface Sight {
  readonly topology: Topology
  readonly vcs: number
  readonly now: number
  /** cycles of a hop besides its wire when nothing is in the way */
  readonly pipeline: number
  /** [channel] -> flits that it has carried since the beginning */
  carried(): Uint32Array
  /** cycles that a channel takes for a flit */
  cyclesOf(chan: number): number
  fronts(visit: (front: Front) => void): void
  /** [channel] -> flits that stand before it; of these, flits in queues whose front lacks room behind it */
  queued(into: Float64Array, stalled: Float64Array): void
  packet(id: number): Seen | undefined
  /** every packet whose place is known */
  places(visit: (id: number, at: Whereabouts) => void): void
  waits(): Waits
  /** since the beginning: packets created (packet engine: that left their endpoint), delivered, and the cycles that those took together */
  totals(): { readonly created: number; readonly delivered: number; readonly latency: number }
  /** a router of the network with its buffers, VCs, arbiters and pools */
  inside(router: number): Inside
  /** of all that the rest of the run depends on */
  fingerprint(): string
}
