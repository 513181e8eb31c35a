// The packets of a network at one cycle, as columns that are reused from frame to frame. The studio draws each packet
// as a dot. engines/flit/packets.ts fills them for switches that move flits, and engines/flit/transfers/positions.ts
// for switches that move packets; observe/packet.ts those of the packet engine, whose packets are chunks.

/** Largest value of `place`. */
export const MOST_PLACE = 65_535

/** State of a packet in a frame. */
export const PACKET = {
  /** its head is on a link */
  wire: 0,
  /** it was granted its output, and its head has not yet reached the link */
  leaving: 1,
  /** first in its queue, and its output has credits */
  first: 2,
  /** first in its queue, without credits */
  blocked: 3,
  /** behind a packet that can move */
  behind: 4,
  /** behind a packet without credits */
  behindBlocked: 5,
  /** in a queue at an output */
  output: 6,
} as const

export interface PacketFrame {
  /** record of the packet, and its key: a record is reused, and the key distinguishes its packets */
  readonly id: Int32Array
  readonly key: Int32Array
  /** the channel that it is on, came over, or (output) waits for; -1 - endpoint: the link from its endpoint */
  readonly at: Int32Array
  readonly state: Uint8Array
  /** on a link: cycles until it arrives. In a buffer: packets before it in its queue. */
  readonly place: Uint16Array
  readonly createdAt: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
  /** one of this many packets is in the frame: 1, 2, 4 … */
  every: number
}

/**
 * Fills a frame. If it is too small, only every second, fourth … key is written. `write` returns the number of packets
 * with such a key.
 */
export function fillFrame(into: PacketFrame, write: () => number): number {
  for (into.every = 1; ; into.every *= 2) {
    const count = write()
    if (count <= into.id.length) return count
  }
}

export function packetFrame(most: number): PacketFrame {
  const column = () => new Int32Array(most)
  return {
    ...{ id: column(), key: column(), at: column(), createdAt: column(), from: column(), to: column() },
    ...{ state: new Uint8Array(most), place: new Uint16Array(most) },
    every: 1,
  }
}
