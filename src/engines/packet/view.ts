// The network view that routing functions see in the packet engine. It is a subclass of the flit engine's `NetView`,
// with reads redirected to chunk records and credit timestamps. machine.ts creates one for each worker.
import { below, draw } from "../../core/rng.ts"
import { BYTES, type Credits, DST, HOPS, type Kernel, SCRATCH, SRC, STATE, UID } from "../../model/events.ts"
import type { Chan, End, Packet, Vc } from "../../model/ids.ts"
import { type NetColumns, NetView } from "../../model/routing.ts"

export interface ViewSpec {
  readonly vcs: number
  /** a channel has 1 << vcBits slots */
  readonly vcBits: number
  /** words from a record to its cold half */
  readonly cold: number
  /** flits of a full chunk, and bytes of a flit */
  readonly chunkFlits: number
  readonly flitBytes: number
  /** [slot] -> capacity in chunks */
  readonly capacity: Uint16Array
}

/**
 * Queue lengths count each chunk as a full chunk, whatever its length. Chunks that wait for a slot count as queued on
 * its channel.
 */
export class PacketView extends NetView {
  private readonly mem: Int32Array
  private readonly credit: Credits
  private readonly spec: ViewSpec
  private readonly undo: boolean
  private readonly note: (i: number) => void
  private readonly vcBits: number
  private readonly chunkFlits: number
  private asked = 0

  constructor(kernel: Kernel, credits: Credits, spec: ViewSpec) {
    super(noColumns(spec))
    this.mem = kernel.mem
    this.undo = kernel.undo
    this.note = kernel.note
    this.credit = credits
    this.spec = spec
    this.vcBits = spec.vcBits
    this.chunkFlits = spec.chunkFlits
  }
  override src(p: Packet): End {
    return this.mem[p + this.spec.cold + SRC]
  }
  override dst(p: Packet): End {
    return this.mem[p + DST]
  }
  override flits(p: Packet): number {
    return Math.ceil(this.mem[p + this.spec.cold + BYTES] / this.spec.flitBytes)
  }
  override hops(p: Packet): number {
    return this.mem[p + STATE] & HOPS
  }
  // A draw depends on the packet, its hop and the number of draws in this decision, so a repeated decision draws the
  // same.
  override draw(p: Packet, n: number): number {
    const { mem } = this
    return below(draw(mem[p + UID], ((mem[p + STATE] & HOPS) << 8) | (this.asked++ & 255)), n)
  }
  override decide(now: number, first = 0): void {
    this.now = now
    this.asked = 0
    this.firstVcOfClass = first
  }
  override queued(c: Chan): number {
    return this.credit.load(c, this.now) * this.chunkFlits
  }
  override queuedVc(c: Chan, v: Vc): number {
    return this.credit.used((c << this.vcBits) + this.firstVcOfClass + v, this.now) * this.chunkFlits
  }
  override credits(c: Chan, v: Vc): number {
    const slot = (c << this.spec.vcBits) + this.firstVcOfClass + v
    return (this.spec.capacity[slot] - this.credit.used(slot, this.now)) * this.spec.chunkFlits
  }
  override get(p: Packet, slot: number): number {
    return this.mem[p + SCRATCH + slot]
  }
  override set(p: Packet, slot: number, value: number): void {
    if (this.undo) this.note(p + SCRATCH + slot)
    this.mem[p + SCRATCH + slot] = value
  }
}

/** Empty columns for the base class, whose readers are all overridden. */
function noColumns(spec: ViewSpec): NetColumns {
  const none = new Int32Array(0)
  return {
    src: none,
    dst: none,
    flits: none,
    hops: none,
    key: none,
    scratch: none,
    scratchSlots: 0,
    slot: none,
    capacity: none,
    credits: none,
    vcs: spec.vcs,
  }
}
