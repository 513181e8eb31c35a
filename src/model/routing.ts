// The interface of routing functions: the network view that they read, the candidates that they write, and the
// functions themselves. routing/ implements them; switches call them for each head packet.
import { below, draw } from "../core/rng.ts"
import type { Chan, Cycle, End, Packet, Port, Router, Vc } from "./ids.ts"

type Ints = Int32Array | Uint8Array | Uint16Array | Uint32Array

/** Columns that a NetView reads. Engines allocate them; plug-ins never see them. */
export interface NetColumns {
  readonly src: Int32Array
  readonly dst: Int32Array
  readonly flits: Ints
  readonly hops: Ints
  /** [packet] -> its 32-bit key, the seed of its random draws */
  readonly key: Int32Array
  readonly scratch: Int32Array
  readonly scratchSlots: number
  /** [chan] -> first slot of the channel's VCs in `capacity` and `credits` */
  readonly slot: Int32Array
  readonly capacity: Ints
  readonly credits: Ints
  readonly vcs: number
  /** [slot >> slotBits] -> used credits of a channel's data VCs together; absent: all VCs are added up */
  readonly sums?: Int32Array
  readonly slotBits?: number
  /** [slot] -> used credits, and the maximum, instead of `capacity` and `credits`, if every VC has a separate buffer */
  readonly held?: Ints
  readonly limits?: Ints
  /** [packet] -> negative if it must take a shortest path (acknowledgements); absent: none must */
  readonly control?: Int32Array
  /** [chan] -> flits queued at the end of the last window; only if the routing declares `oracle` */
  readonly published?: Ints
}

/**
 * End of the error message for a routing that reads queues without declaring it. faultOf() recognises faults by this
 * text.
 */
export const UNDECLARED_READ = "reads queues, but declares that it does not"

/**
 * Replaces `slot` for a routing that declares `adaptive: false`. Engines do not maintain every queue length for such a
 * routing, so a read would return 0. All reads of queues access `slot` first, so any of them throws here. Routings that
 * read no queues pay nothing.
 */
export function unreadable(routing: string): Int32Array {
  return new Proxy(new Int32Array(0), {
    get() {
      throw new Error(`"${routing}" ${UNDECLARED_READ}`)
    },
  })
}

/** the low bits of the hop word count routers; an engine may use the bits above */
const HOPS = 4095

/**
 * The only access of a plug-in to the state: one concrete class for both engines, so that its call sites stay
 * monomorphic.
 */
export class NetView {
  now: Cycle = 0
  readonly at: NetColumns
  private drawn = 0
  /** first VC of the class of the packet that is being routed */
  protected firstVcOfClass = 0
  // Copies of the columns that every hop reads, which saves one indirection.
  private readonly dstOf: Int32Array
  private readonly riding: Int32Array
  private readonly ridingSlots: number
  private readonly controlOf: Int32Array | undefined
  private readonly sums: Int32Array | undefined
  private readonly slotBits: number
  private far: Ints | undefined = undefined
  private moving: Ints | undefined = undefined
  constructor(at: NetColumns) {
    this.at = at
    this.dstOf = at.dst
    this.riding = at.scratch
    this.ridingSlots = at.scratchSlots
    this.controlOf = at.control
    this.sums = at.sums
    this.slotBits = at.slotBits ?? 0
  }
  src(p: Packet): End {
    return this.at.src[p]
  }
  dst(p: Packet): End {
    return this.dstOf[p]
  }
  flits(p: Packet): number {
    return this.at.flits[p]
  }
  /** routers visited before this one */
  hops(p: Packet): number {
    return this.at.hops[p] & HOPS
  }
  /** Returns true if the packet must take a shortest path. */
  direct(p: Packet): boolean {
    return this.controlOf !== undefined && this.controlOf[p] < 0
  }
  /** Returns a random number 0 to n-1: a function of the packet, its hop and the number of draws in this decision. */
  draw(p: Packet, n: number): number {
    return below(draw(this.at.key[p], ((this.at.hops[p] & HOPS) << 8) | (this.drawn++ & 255)), n)
  }
  /**
   * Called by the engine before each decision, with the first VC of the packet's class: VC numbers of a routing are
   * relative to the class.
   */
  decide(now: Cycle, first = 0): void {
    this.now = now
    this.drawn = 0
    this.firstVcOfClass = first
  }
  /**
   * Returns the flits that the downstream buffers of this channel hold or will receive (used credits), all VCs
   * together. VCs that are not for data are excluded.
   */
  queued(c: Chan): number {
    if (this.sums !== undefined) return this.sums[this.at.slot[c] >> this.slotBits]
    const { slot, capacity, credits, vcs } = this.at
    const first = slot[c]
    let sum = 0
    for (let v = 0; v < vcs; v++) sum += capacity[first + v] - credits[first + v]
    return sum
  }
  /**
   * Returns the flits queued on any channel of the network at the end of the last window (an oracle). For channels of
   * this router use queued().
   */
  published(c: Chan): number {
    const { published } = this.at
    return published === undefined ? this.queued(c) : published[c]
  }
  /**
   * Returns the flits that are blocked behind a channel: those in its downstream buffers, all VCs together, minus those
   * sent within the last round trip. Without `knowsBehind`, all of them count.
   */
  behind(c: Chan): number {
    const { far, moving } = this
    if (far === undefined || moving === undefined) return this.queued(c)
    const first = this.at.slot[c]
    let sum = 0
    for (let v = 0; v < this.at.vcs; v++) sum += far[first + v] - moving[first + v]
    return sum
  }
  /**
   * Sets [slot] -> flits in the downstream buffer as the sender counts them, and those of them sent within the last
   * round trip.
   */
  knowsBehind(far: Ints, moving: Ints): void {
    this.far = far
    this.moving = moving
  }
  queuedVc(c: Chan, v: Vc): number {
    const i = this.at.slot[c] + this.firstVcOfClass + v
    const { held } = this.at
    return held !== undefined ? held[i] : this.at.capacity[i] - this.at.credits[i]
  }
  credits(c: Chan, v: Vc): number {
    const { held, limits, slot } = this.at
    const i = slot[c] + this.firstVcOfClass + v
    return held !== undefined ? limits![i] - held[i] : this.at.credits[i]
  }
  /** Read and write the `scratch` ints of the packet. */
  get(p: Packet, slot: number): number {
    return this.riding[p * this.ridingSlots + slot]
  }
  set(p: Packet, slot: number, value: number): void {
    this.riding[p * this.ridingSlots + slot] = value
  }
}

/**
 * The possible next hops of a packet. `route` writes them; the object is reused. The switch takes the candidate with
 * the lowest cost that has a free VC; ties are resolved by order.
 */
export class Candidates {
  n = 0
  readonly port: Int32Array
  readonly vcMask: Int32Array
  readonly cost: Int32Array
  constructor(candidates: number) {
    // V8 stores arrays of up to 64 bytes in its own heap, where access is slower.
    const capacity = Math.max(candidates, 32)
    this.port = new Int32Array(capacity)
    this.vcMask = new Int32Array(capacity)
    this.cost = new Int32Array(capacity)
  }
  add(port: Port, vcMask: number, cost: number): void {
    const n = this.n++
    this.port[n] = port
    this.vcMask[n] = vcMask
    this.cost[n] = cost
  }
}

/**
 * A routing that depends only on router and destination, on any VC of the class. The engine then needs only the port.
 */
export interface NextPort {
  port(at: Router, dst: End): Port
}

export interface RoutingFunction {
  /** false: with its parameters it reads no queues, although its plug-in may */
  readonly readsQueues?: boolean
  /** equivalent to route(), for routings that need nothing else */
  readonly oblivious?: NextPort
  /** called once per packet, at its first router, before the first route() */
  inject?(p: Packet, at: Router, net: NetView): void
  /** inPort and inVc: the input of the packet; at its first router inPort is the endpoint's port */
  route(p: Packet, at: Router, inPort: Port, inVc: Vc, net: NetView, out: Candidates): void
  /**
   * Returns the number of maximum-size packets for which the VC at `port` must have credits before a packet from
   * `inPort` may be sent there (bubble flow control: 2 to enter a ring, 1 to continue in it); absent: the switch's own
   * rule. It depends only on the position.
   */
  room?(at: Router, inPort: Port, port: Port): number
}
