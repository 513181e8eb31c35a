import { below, draw } from "../core/rng.ts"
import type { Chan, Cycle, End, Packet, Port, Router, Vc } from "./ids.ts"

type Ints = Int32Array | Uint8Array | Uint16Array | Uint32Array

/** Columns that a NetView looks at; engines allocate them, plug-ins never see them. */
export interface NetColumns {
  readonly src: Int32Array
  readonly dst: Int32Array
  readonly flits: Ints
  readonly hops: Ints
  /** [packet] -> 32 bits of its own: the word of its stream of draws */
  readonly key: Int32Array
  readonly scratch: Int32Array
  readonly scratchSlots: number
  /** [chan] -> first slot of the channel's VCs in `capacity` and `credits` */
  readonly slot: Int32Array
  readonly capacity: Ints
  readonly credits: Ints
  readonly vcs: number
  /** [slot >> slotBits] -> used credits of a channel's VCs of data together; absent = all VCs are added up */
  readonly sums?: Int32Array
  readonly slotBits?: number
  /** [slot] -> used credits, and all there are, instead of `capacity` and `credits`: where every VC has a buffer of its own */
  readonly held?: Ints
  readonly rooms?: Ints
  /** [packet] -> less than 0 if it must go the shortest way (acknowledgements); absent = none must */
  readonly control?: Int32Array
  /** [chan] -> flits queued as of the end of the last window; only where the routing declares `oracle` */
  readonly published?: Ints
}

/** How the message ends of a routing that reads queues which are not kept for it; faults are recognised by this text. */
export const UNDECLARED_READ = "reads queues, but declares that it does not"

/**
 * Takes the place of `slot` for a routing that declares `adaptive: false`. Engines do not keep every queue length for
 * such a routing, and a read would return 0. All reads of queues look up `slot` first, so any of them throws here, and
 * routings that read no queues pay nothing.
 */
export function unreadable(routing: string): Int32Array {
  return new Proxy(new Int32Array(0), {
    get() {
      throw new Error(`"${routing}" ${UNDECLARED_READ}`)
    },
  })
}

/** the low bits of a packet's word of hops count routers; an engine may keep more above them */
const HOPS = 4095

/** A plug-in's only window on state: one concrete class for both engines, so that its call sites see one shape. */
export class NetView {
  now: Cycle = 0
  readonly at: NetColumns
  private drawn = 0
  /** first VC of the class of the packet that is being routed */
  protected firstVcOfClass = 0
  // the columns that every hop looks at, one step nearer
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
    return this.at.src[p]!
  }
  dst(p: Packet): End {
    return this.dstOf[p]!
  }
  flits(p: Packet): number {
    return this.at.flits[p]!
  }
  /** routers visited before this one */
  hops(p: Packet): number {
    return this.at.hops[p]! & HOPS
  }
  /** it must go the shortest way: no detours */
  direct(p: Packet): boolean {
    return this.controlOf !== undefined && this.controlOf[p]! < 0
  }
  /** 0..n-1 from the packet's own stream; a function of the packet, its hop and how often it asked here. */
  draw(p: Packet, n: number): number {
    return below(draw(this.at.key[p]!, ((this.at.hops[p]! & HOPS) << 8) | (this.drawn++ & 255)), n)
  }
  /** Called by the engine before each decision, with the first VC of the packet's class: VCs of a routing are those of the class. */
  decide(now: Cycle, first = 0): void {
    this.now = now
    this.drawn = 0
    this.firstVcOfClass = first
  }
  /** flits that this channel's far buffers hold or are about to hold (used credits), all VCs together; where there are VCs that are not data's, without these */
  queued(c: Chan): number {
    if (this.sums !== undefined) return this.sums[this.at.slot[c]! >> this.slotBits]!
    const { slot, capacity, credits, vcs } = this.at
    const first = slot[c]!
    let sum = 0
    for (let v = 0; v < vcs; v++) sum += capacity[first + v]! - credits[first + v]!
    return sum
  }
  /** flits queued on any channel of the network, with the age of the last window: what an oracle would tell. Own channels: use queued(). */
  published(c: Chan): number {
    const { published } = this.at
    return published === undefined ? this.queued(c) : published[c]!
  }
  /** flits that stand behind a channel: of those that its far buffers hold, all VCs together, what was not sent within the last round trip where the switch
   *  knows it (`knowsBehind`), else all of them */
  behind(c: Chan): number {
    const { far, moving } = this
    if (far === undefined || moving === undefined) return this.queued(c)
    const first = this.at.slot[c]!
    let sum = 0
    for (let v = 0; v < this.at.vcs; v++) sum += far[first + v]! - moving[first + v]!
    return sum
  }
  /** [slot] -> flits that the sender knows in the buffer behind, and those of them that it sent within the last round trip */
  knowsBehind(far: Ints, moving: Ints): void {
    this.far = far
    this.moving = moving
  }
  queuedVc(c: Chan, v: Vc): number {
    const i = this.at.slot[c]! + this.firstVcOfClass + v
    const { held } = this.at
    return held !== undefined ? held[i]! : this.at.capacity[i]! - this.at.credits[i]!
  }
  credits(c: Chan, v: Vc): number {
    const { held, rooms, slot } = this.at
    const i = slot[c]! + this.firstVcOfClass + v
    return held !== undefined ? rooms![i]! - held[i]! : this.at.credits[i]!
  }
  /** `needs.scratch` ints that ride on the packet */
  get(p: Packet, slot: number): number {
    return this.riding[p * this.ridingSlots + slot]!
  }
  set(p: Packet, slot: number, value: number): void {
    this.riding[p * this.ridingSlots + slot] = value
  }
}

/** Where a packet may go next: written into by `route`, reused, never returned. The cheapest with a free VC is taken; ties by order. */
export class Candidates {
  n = 0
  readonly port: Int32Array
  readonly vcMask: Int32Array
  readonly cost: Int32Array
  constructor(candidates: number) {
    // arrays of up to 64 bytes live in V8's own heap and are slower to reach
    const room = Math.max(candidates, 32)
    this.port = new Int32Array(room)
    this.vcMask = new Int32Array(room)
    this.cost = new Int32Array(room)
  }
  add(port: Port, vcMask: number, cost: number): void {
    const n = this.n++
    this.port[n] = port
    this.vcMask[n] = vcMask
    this.cost[n] = cost
  }
}

/** A routing whose answer depends on router and destination alone, on any VC of the class: the engine then asks for the port and nothing else. */
export interface NextPort {
  port(at: Router, dst: End): Port
}

export interface RoutingFunction {
  /** false: this one reads no queues, whatever its plug-in may do with other parameters */
  readonly readsQueues?: boolean
  /** the same answer as route(), for routings that need no more than this */
  readonly oblivious?: NextPort
  /** once per packet, at its first router, before the first route() */
  inject?(p: Packet, at: Router, net: NetView): void
  /** inPort and inVc: where the packet stands; at its first router inPort is the endpoint's port */
  route(p: Packet, at: Router, inPort: Port, inVc: Vc, net: NetView, out: Candidates): void
  /** packets of the largest size for which the VC behind `port` must have room before one from `inPort` may be sent there (bubble flow
   *  control: 2 to enter a ring, 1 to go on in it); absent = the switch's own rule. A function of the place alone */
  room?(at: Router, inPort: Port, port: Port): number
}
