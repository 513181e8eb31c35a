// Frames of a run for the film that the page plays: packets, heat, blocked channels, and counters at one cycle. Reading
// a frame changes nothing in the run.
import { type PacketFrame, packetFrame } from "../../src/engines/packet-frame.ts"
import type { Frame, HeatKind, Packets } from "../shared/messages.ts"
import type { Live } from "./live.ts"

/** Maximum number of packets in a frame. */
const MOST_PACKETS = 6000
/** Above this number of routers, a picture shows no packets, and blocked channels are not counted. */
export const MOST_ROUTERS = 1000
/** Cycles over which the share of blocked cycles of a channel is averaged. */
const MEMORY = 16
/** After this many cycles without a frame, the average starts again. */
const LONG = 64

export class Frames {
  heat: HeatKind = "utilisation"
  private readonly live: Live
  private readonly packets: PacketFrame | undefined
  private readonly queued: Float64Array
  private readonly stalled: Float64Array
  private readonly outside: Float64Array
  /** [channel] -> share of the last cycles in which it was blocked, 0 to 1. */
  private readonly share: Float32Array
  private seen = -LONG

  constructor(live: Live) {
    this.live = live
    const { routers, chans, ends } = live.observation.topology.graph
    const detailed = routers <= MOST_ROUTERS
    this.packets = detailed ? packetFrame(MOST_PACKETS) : undefined
    const size = detailed ? chans : 0
    this.queued = new Float64Array(size)
    this.stalled = new Float64Array(size)
    this.share = new Float32Array(size)
    this.outside = new Float64Array(detailed ? ends : 0)
  }

  /** Returns the frame of the current cycle, in memory of its own, and the buffers to transfer. */
  frame(running: boolean, rate: number): { readonly frame: Frame; readonly buffers: ArrayBuffer[] } {
    const { live } = this
    const heat = new Uint8Array(live.observation.topology.graph.chans)
    live.heat(this.heat, heat)
    const stalled = this.look()
    const blocked = Uint8Array.from(this.share, (share) => Math.round(255 * share))
    const outside = new Uint16Array(this.outside.length)
    if (outside.length > 0) {
      live.observation.outside(this.outside)
      for (let e = 0; e < outside.length; e++) outside[e] = Math.min(65_535, this.outside[e])
    }
    const packets =
      this.packets === undefined ? undefined : copied(this.packets, live.observation.packets(this.packets))
    const status = live.status(running, rate, stalled)
    const columns = packets === undefined ? [] : Object.values(packets).filter((c) => typeof c !== "number")
    const buffers = [heat, blocked, outside, ...columns].map((c) => c.buffer).filter((b) => b instanceof ArrayBuffer)
    return { frame: { status, heat, blocked, outside, packets }, buffers }
  }

  /** Updates the shares of blocked cycles. Returns the blocked flits of all channels. */
  private look(): number {
    const { live, queued, stalled, share } = this
    if (share.length === 0) return Number.NaN
    live.observation.queued(queued, stalled)
    const passed = live.now - this.seen
    // After a jump, the average of earlier cycles is not known, so the current state counts alone.
    const weight = passed < 0 || passed >= LONG ? 1 : 1 - Math.exp(-passed / MEMORY)
    this.seen = live.now
    let sum = 0
    for (let c = 0; c < share.length; c++) {
      sum += stalled[c]
      share[c] += ((stalled[c] > 0 ? 1 : 0) - share[c]) * weight
    }
    return sum
  }
}

function copied(frame: PacketFrame, n: number): Packets | undefined {
  if (n < 0) return undefined
  const { id, key, at, state, place, createdAt, from, to, every } = frame
  return {
    ...{ n, every, id: id.slice(0, n), key: key.slice(0, n), at: at.slice(0, n), state: state.slice(0, n) },
    ...{ place: place.slice(0, n), createdAt: createdAt.slice(0, n), from: from.slice(0, n), to: to.slice(0, n) },
  }
}
